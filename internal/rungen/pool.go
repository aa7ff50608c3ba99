package rungen

import (
	"encoding/binary"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// pool is an ascending list of different values of one type, as the bytes Arrow stores.
type pool struct {
	dt    arrow.DataType
	width int    // bytes of a value, a bool being one byte; 0: values lie between ends
	bytes []byte // of all values
	ends  []int  // value i is bytes[ends[i]:ends[i+1]]
	size  int    // values
	// nested are the values of a nested type, as nestedValue makes them; bytes and ends are empty then.
	nested []any
	// keys is how many of the values differ as keys: the values from keys-1 on are NaNs, all one key.
	keys int
}

// newPool makes a pool of at most size values (a small domain or a narrow style may hold fewer), but at least one.
func newPool(dt arrow.DataType, style Style, size int, src *source) *pool {
	size = max(size, 1)
	if isNested(dt) {
		return nestedPool(dt, size, src)
	}
	switch dt := dt.(type) {
	case *arrow.StringType, *arrow.LargeStringType:
		return textPool(dt, texts(style, size, textAlphabet, src))
	case *arrow.BinaryType, *arrow.LargeBinaryType:
		return textPool(dt, texts(style, size, byteAlphabet, src))
	case *arrow.FixedSizeBinaryType:
		return blockPool(dt, style, size, src)
	case *arrow.Decimal128Type:
		return decimalPool(dt, style, size, src)
	case *arrow.Float32Type, *arrow.Float64Type:
		return floatPool(dt.(arrow.FixedWidthDataType), style, size, src)
	default:
		return intPool(dt.(arrow.FixedWidthDataType), style, size, src)
	}
}

// intPool makes a pool of a bool, integer, date, time or timestamp type.
func intPool(dt arrow.FixedWidthDataType, style Style, size int, src *source) *pool {
	bits := dt.BitWidth()
	p := &pool{dt: dt, width: (bits + 7) / 8}
	flip := uint64(1) << (bits - 1)
	if arrow.IsUnsignedInteger(dt.ID()) || bits == 1 {
		flip = 0
	}
	if (style == Small || style == Units) && bits > 3 {
		small := smallNumbers(style, flip == 0, bits)
		for _, v := range small[:min(size, len(small))] {
			p.appendUint(uint64(v))
		}
		p.keys = p.size
		return p
	}
	for _, rank := range ranks(bits, style, size, src) {
		p.appendUint(rank ^ flip)
	}
	p.keys = p.size
	return p
}

// smallNumbers lists the numbers of style small or units, ascending, for a type of so many bits.
func smallNumbers(style Style, unsigned bool, bits int) []int64 {
	switch {
	case style == Small && unsigned:
		return []int64{0, 1, 2, 3, 4, 5, 6, 7}
	case style == Small:
		return []int64{-3, -2, -1, 0, 1, 2, 3, 4}
	case unsigned:
		return []int64{1, 2}[:min(1+bits/32, 2)]
	}
	return []int64{-1, 1, 2}[:min(2+bits/32, 3)]
}

// appendUint adds a value whose bytes are the low bytes of v.
func (p *pool) appendUint(v uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], v)
	p.bytes = append(p.bytes, b[:p.width]...)
	p.size++
}

// ranks returns at most size different numbers of the given width, ascending. The rank of a value is its place in the order
// of its type: the least value has rank 0.
func ranks(bits int, style Style, size int, src *source) []uint64 {
	top := ^uint64(0) >> (64 - bits)
	if uint64(size-1) >= top {
		size = int(top) + 1
		style = Dense
	}
	v := make([]uint64, 0, size)
	switch style {
	case Dense:
		last := top - uint64(size-1)
		start := pick(src, 0, last, top/2+1-min(uint64(size/2), top/2+1), src.below(last+1))
		for i := range uint64(size) {
			v = append(v, min(start, last)+i)
		}
		return v
	case Steps:
		at := pick(src, 0, top/2, src.below(top))
		for len(v) < size && (len(v) == 0 || at > v[len(v)-1]) {
			v = append(v, at)
			at = (at + 1 + src.below(16)) & top
		}
		return v
	case Clusters:
		centres := []uint64{0, top - min(top, uint64(size)), src.below(top), src.below(top)}
		for range size {
			v = append(v, (pick(src, centres...)+src.below(uint64(size)))&top)
		}
	default:
		v = append(v, 0, top)[:min(2, size)]
		for len(v) < size {
			v = append(v, src.uint64()&top)
		}
	}
	return sortedDistinct(v)
}

// decimalPool makes a pool of decimals within their precision.
func decimalPool(dt *arrow.Decimal128Type, style Style, size int, src *source) *pool {
	top := decimal128.GetMaxValue(dt.Precision)
	values := []decimal128.Num{top.Negate(), top, {}}
	if style == Dense || style == Steps {
		values = pick(src, []decimal128.Num{top.Negate()}, []decimal128.Num{decimal128.FromI64(-3)})
		for len(values) < size && values[len(values)-1].Less(top) {
			values = append(values, values[len(values)-1].Add(decimal128.FromI64(1)))
		}
	}
	bits := top.BigInt().BitLen()
	if style == Small || style == Units {
		values = smallDecimals(dt, style)
		size = min(size, len(values))
	}
	for len(values) < size {
		values = append(values, randomDecimal(top, bits, src))
	}
	values = values[:min(size, len(values))]
	slices.SortFunc(values, decimal128.Num.Cmp)
	p := &pool{dt: dt, width: 16}
	for _, v := range slices.Compact(values) {
		p.bytes = binary.LittleEndian.AppendUint64(p.bytes, v.LowBits())
		p.bytes = binary.LittleEndian.AppendUint64(p.bytes, uint64(v.HighBits()))
		p.size++
	}
	p.keys = p.size
	return p
}

// smallDecimals lists whole numbers of style small or units as far as the type holds them, else as unscaled numbers.
func smallDecimals(dt *arrow.Decimal128Type, style Style) []decimal128.Num {
	one := decimal128.FromI64(1)
	if dt.Precision > dt.Scale {
		one = decimal128.GetScaleMultiplier(int(dt.Scale))
	}
	var values []decimal128.Num
	for _, v := range smallNumbers(style, false, 128) {
		values = append(values, decimal128.FromI64(v).Mul(one))
	}
	return values
}

// randomDecimal returns a decimal of random length, at most as large as top, which has the given number of bits.
func randomDecimal(top decimal128.Num, bits int, src *source) decimal128.Num {
	hi, lo := src.uint64(), src.uint64()
	drop := 128 - src.between(1, bits)
	if drop >= 64 {
		hi, lo = 0, hi>>(drop-64)
	} else {
		lo = lo>>drop | hi<<(64-drop)
		hi >>= drop
	}
	v := decimal128.New(int64(hi), lo)
	if top.Less(v) {
		v = top
	}
	if src.oneIn(2) {
		v = v.Negate()
	}
	return v
}
