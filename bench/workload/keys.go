package workload

import (
	"math"
	"math/bits"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"
)

// place says which key of how many.
type place struct{ key, of int64 }

// scatter maps the keys in order to numbers over all 64 bits, in the same order and without a pattern.
func (p place) scatter() uint64 {
	step := math.MaxUint64 / uint64(p.of)
	return uint64(p.key)*step + mix(uint64(p.key))%step
}

// share is which of n equal parts of all keys this one is in.
func (p place) share(n int64) int64 {
	high, low := bits.Mul64(uint64(p.key), uint64(n))
	part, _ := bits.Div64(high, low, uint64(p.of))
	return int64(part)
}

// keyKind is a type of key: its columns, and the cells of a key in them. Keys rise with their places, and no two are equal.
type keyKind struct {
	fields []arrow.Field
	fill   func(cells []value, p place)
	most   int64 // keys there are; 0 is any number
}

func notNull(name string, t arrow.DataType) arrow.Field { return arrow.Field{Name: name, Type: t} }

var (
	int64Type     = arrow.PrimitiveTypes.Int64
	textType      = arrow.BinaryTypes.String
	timestampType = &arrow.TimestampType{Unit: arrow.Microsecond}
)

// keyKinds are the types of keys by name.
var keyKinds = map[string]*keyKind{
	"int64": {fields: []arrow.Field{notNull("id", int64Type)}, fill: func(cells []value, p place) { cells[0].number = 3 * p.key }},
	"hashed": {fields: []arrow.Field{notNull("id", int64Type)}, fill: func(cells []value, p place) {
		cells[0].number = int64(p.scatter() ^ 1<<63)
	}},
	"two-int": {fields: []arrow.Field{notNull("id", int64Type), notNull("part", int64Type)}, fill: func(cells []value, p place) {
		cells[0].number, cells[1].number = 3*(p.key/5), 2*(p.key%5)
	}},
	"int-text": {fields: []arrow.Field{notNull("tenant", int64Type), notNull("id", textType)}, fill: func(cells []value, p place) {
		cells[0].number = p.share(1000)
		cells[1].text = appendHex(cells[1].text[:0], p.scatter(), 16)
	}},
	"uuid": {fields: []arrow.Field{notNull("id", textType)}, fill: func(cells []value, p place) {
		cells[0].text = appendUUID(cells[0].text[:0], p.scatter(), mix(uint64(p.key)+1<<40))
	}},
	"url": {fields: []arrow.Field{notNull("id", textType)}, fill: func(cells []value, p place) {
		text := append(cells[0].text[:0], "https://shop-"...)
		text = appendDigits(text, p.share(100), 3)
		text = append(text, ".example.com/catalogue/item/"...)
		cells[0].text = appendDigits(text, p.key, 9)
	}},
	"composite": {fields: []arrow.Field{notNull("at", timestampType), notNull("origin", textType), notNull("number", int64Type)},
		fill: func(cells []value, p place) {
			cells[0].number = 978_307_200_000_000 + p.key/20*60_000_000
			cells[1].text = appendLetters(cells[1].text[:0], uint64(p.key%20*877), 3)
			cells[2].number = within(mix(uint64(p.key)), 10_000)
		}},
	"tags": {fields: []arrow.Field{notNull("host", textType), notNull("region", textType), notNull("at", timestampType)}, fill: fillTags},
	"user": {fields: []arrow.Field{notNull("id", textType)}, fill: func(cells []value, p place) {
		cells[0].text = appendDigits(append(cells[0].text[:0], "user"...), int64(p.scatter()>>1), 19)
	}},
	"order": {fields: []arrow.Field{notNull("o_orderkey", int64Type)}, fill: func(cells []value, p place) {
		cells[0].number = orderKey(p.key)
	}},
	"order-line": {fields: []arrow.Field{notNull("l_orderkey", int64Type), notNull("l_linenumber", arrow.PrimitiveTypes.Int32)},
		fill: func(cells []value, p place) {
			order, line := orderLine(p.key)
			cells[0].number, cells[1].number = orderKey(order), line
		}},
	"customer": {fields: []arrow.Field{notNull("c_w_id", arrow.PrimitiveTypes.Int32), notNull("c_d_id", arrow.PrimitiveTypes.Int32), notNull("c_id", arrow.PrimitiveTypes.Int32)},
		fill: func(cells []value, p place) { // 10 districts a warehouse, 3,000 customers a district
			cells[0].number, cells[1].number, cells[2].number = p.key/30_000+1, p.key/3_000%10+1, p.key%3_000+1
		}},
	"page": {fields: []arrow.Field{notNull("title", textType), notNull("hour", timestampType)}, fill: func(cells []value, p place) {
		text := append(cells[0].text[:0], "Article_"...)
		cells[0].text = appendDigits(text, p.key/24, 8)
		cells[1].number = 1_700_000_400_000_000 + p.key%24*3_600_000_000
	}},
}

// fillTags makes a time series of 60 points for each of many hosts.
func fillTags(cells []value, p place) {
	host := p.key / 60
	cells[0].text = appendDigits(append(cells[0].text[:0], "host-"...), host/4, 7)
	cells[1].text = append(appendDigits(append(cells[1].text[:0], "region-"...), host%4, 1), "-eu"...)
	cells[2].number = 1_700_000_000_000_000 + p.key%60*10_000_000
}

// appendDigits appends a number with zeros before it.
func appendDigits(text []byte, n int64, digits int) []byte {
	var buffer [20]byte
	written := strconv.AppendInt(buffer[:0], n, 10)
	for range digits - len(written) {
		text = append(text, '0')
	}
	return append(text, written...)
}

const hexDigits = "0123456789abcdef"

// appendHex appends the first digits of a number of 16 hexadecimal digits.
func appendHex(text []byte, n uint64, digits int) []byte {
	for i := range digits {
		text = append(text, hexDigits[n>>(60-4*i)&15])
	}
	return text
}

// appendUUID appends 32 hexadecimal digits in five groups.
func appendUUID(text []byte, high, low uint64) []byte {
	text = append(appendHex(text, high, 8), '-')
	text = append(appendHex(text, high<<32, 4), '-')
	text = append(appendHex(text, high<<48, 4), '-')
	text = append(appendHex(text, low, 4), '-')
	return appendHex(text, low<<16, 12)
}

// appendLetters appends a number in letters, so that greater numbers come later.
func appendLetters(text []byte, n uint64, letters int) []byte {
	at := len(text)
	for range letters {
		text = append(text, 'A')
	}
	for i := at + letters - 1; i >= at; i-- {
		text[i] += byte(n % 26)
		n /= 26
	}
	return text
}
