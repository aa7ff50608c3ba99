package columnar_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// Types of which random arrays are made.
var (
	numberTypes = []arrow.DataType{
		arrow.FixedWidthTypes.Boolean,
		arrow.PrimitiveTypes.Int8,
		arrow.PrimitiveTypes.Int16,
		arrow.PrimitiveTypes.Int32,
		arrow.PrimitiveTypes.Int64,
		arrow.PrimitiveTypes.Uint8,
		arrow.PrimitiveTypes.Uint16,
		arrow.PrimitiveTypes.Uint32,
		arrow.PrimitiveTypes.Uint64,
		arrow.PrimitiveTypes.Float32,
		arrow.PrimitiveTypes.Float64,
		arrow.FixedWidthTypes.Date32,
		arrow.FixedWidthTypes.Date64,
		arrow.FixedWidthTypes.Time32s,
		arrow.FixedWidthTypes.Time32ms,
		arrow.FixedWidthTypes.Time64us,
		arrow.FixedWidthTypes.Time64ns,
		&arrow.TimestampType{Unit: arrow.Second},
		&arrow.TimestampType{Unit: arrow.Nanosecond},
		&arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"},
	}
	decimalTypes = []arrow.DataType{
		&arrow.Decimal128Type{Precision: 38, Scale: 10},
		&arrow.Decimal128Type{Precision: 9, Scale: 2},
	}
	textTypes = []arrow.DataType{
		arrow.BinaryTypes.String,
		arrow.BinaryTypes.Binary,
		arrow.BinaryTypes.LargeString,
		arrow.BinaryTypes.LargeBinary,
		&arrow.FixedSizeBinaryType{ByteWidth: 1},
		&arrow.FixedSizeBinaryType{ByteWidth: 3},
		&arrow.FixedSizeBinaryType{ByteWidth: 8},
		&arrow.FixedSizeBinaryType{ByteWidth: 20},
	}
	keyTypes   = concat(numberTypes, decimalTypes, textTypes)
	mergeTypes = concat(keyTypes, []arrow.DataType{
		arrow.Null,
		arrow.FixedWidthTypes.Float16,
		arrow.FixedWidthTypes.MonthInterval,
		arrow.FixedWidthTypes.DayTimeInterval,
		arrow.FixedWidthTypes.MonthDayNanoInterval,
		arrow.FixedWidthTypes.Duration_us,
		&arrow.Decimal256Type{Precision: 76, Scale: 5},
		&arrow.FixedSizeBinaryType{ByteWidth: 2},
		&arrow.FixedSizeBinaryType{ByteWidth: 4},
		&arrow.FixedSizeBinaryType{ByteWidth: 16},
		&arrow.FixedSizeBinaryType{ByteWidth: 32},
		&arrow.FixedSizeBinaryType{ByteWidth: 41},
	})
)

func concat(lists ...[]arrow.DataType) (all []arrow.DataType) {
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

// Raws are values as bytes: one byte for a bool, the little-endian bytes of a number, the bytes of a text. Nil is NULL.

// randomRaw draws a value, often one from the ends of its type.
func randomRaw(rng *rand.Rand, t arrow.DataType) []byte {
	switch t := t.(type) {
	case *arrow.NullType:
		return nil
	case *arrow.BooleanType:
		return []byte{byte(rng.IntN(2))}
	case arrow.FixedWidthDataType:
		return randomFixed(rng, t)
	}
	return randomText(rng)
}

func randomFixed(rng *rand.Rand, t arrow.FixedWidthDataType) []byte {
	raw := make([]byte, t.BitWidth()/8)
	last := len(raw) - 1
	switch rng.IntN(8) {
	case 0, 1, 2:
		for i := range raw {
			raw[i] = byte(rng.Uint32())
		}
	case 3: // a small positive number, or nearly 0
		raw[0] = byte(rng.IntN(4))
	case 4: // a small negative one, or NaN
		fill(raw, 0xff)
		raw[0] = byte(252 + rng.IntN(4))
	case 5: // the least, or -0.0 and near it
		raw[0], raw[last] = byte(rng.IntN(2)), 0x80
	case 6: // the greatest, or NaN
		fill(raw, 0xff)
		raw[last] = 0x7f
	case 7:
		special(rng, t, raw)
	}
	return raw
}

// special sets raw to one of the values of a float that have names.
func special(rng *rand.Rand, t arrow.DataType, raw []byte) {
	f := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, -math.MaxFloat64,
		math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32,
		math.MaxFloat32, -math.MaxFloat32}[rng.IntN(15)]
	switch t.ID() {
	case arrow.FLOAT32:
		binary.LittleEndian.PutUint32(raw, math.Float32bits(float32(f)))
	case arrow.FLOAT64:
		binary.LittleEndian.PutUint64(raw, math.Float64bits(f))
	}
}

func fill(b []byte, x byte) {
	for i := range b {
		b[i] = x
	}
}

// randomText draws a text of few different bytes, so that texts share prefixes.
func randomText(rng *rand.Rand) []byte {
	n := rng.IntN(12)
	if rng.IntN(20) == 0 {
		n = rng.IntN(300)
	}
	text := make([]byte, n)
	for i := range text {
		text[i] = "\x00a\xff"[rng.IntN(3)]
	}
	return text
}

// randomRaws draws n values out of a pool, so that some come twice, with NULLs of a density of their own.
func randomRaws(rng *rand.Rand, t arrow.DataType, n int) [][]byte {
	pool := make([][]byte, 1+rng.IntN(n+1))
	prefix := []byte{}
	for range rng.IntN(2) * rng.IntN(10) {
		prefix = append(prefix, byte(rng.Uint32()))
	}
	for i := range pool {
		pool[i] = randomRaw(rng, t)
		if isText(t) {
			pool[i] = append(prefix[:len(prefix):len(prefix)], pool[i]...)
		}
	}
	density := []float64{0, 0, 0.1, 0.5, 1}[rng.IntN(5)]
	raws := make([][]byte, n)
	for i := range raws {
		if rng.Float64() >= density {
			raws[i] = pool[rng.IntN(len(pool))]
		}
	}
	return raws
}

// isText says whether the values of a type differ in length.
func isText(t arrow.DataType) bool {
	_, ok := t.(arrow.BinaryDataType)
	return ok
}

// newArray makes an array of values, as part of a longer one: what lies around the values, or under a NULL, is random. The
// caller releases it.
func newArray(rng *rand.Rand, mem memory.Allocator, t arrow.DataType, raws [][]byte) arrow.Array {
	before, after := 0, 0
	if rng.IntN(4) > 0 {
		before, after = rng.IntN(20), rng.IntN(20)
	}
	all := make([][]byte, 0, before+len(raws)+after)
	for i := range before + len(raws) + after {
		if i >= before && i < before+len(raws) {
			all = append(all, raws[i-before])
		} else {
			all = append(all, randomRaw(rng, t))
		}
	}
	nulls := 0
	for _, raw := range raws {
		if raw == nil {
			nulls++
		}
	}
	if rng.IntN(3) == 0 {
		nulls = array.UnknownNullCount
	}
	buffers := newBuffers(rng, mem, t, all)
	data := array.NewData(t, len(raws), buffers, nil, nulls, before)
	defer data.Release()
	for _, b := range buffers {
		if b != nil {
			b.Release()
		}
	}
	return array.MakeFromData(data)
}

func newBuffers(rng *rand.Rand, mem memory.Allocator, t arrow.DataType, raws [][]byte) []*memory.Buffer {
	if t.ID() == arrow.NULL {
		return []*memory.Buffer{nil}
	}
	buffers := []*memory.Buffer{newValidity(rng, mem, raws)}
	if isText(t) {
		return append(buffers, newTexts(rng, mem, t, raws)...)
	}
	var values []byte
	if t.ID() == arrow.BOOL {
		values = make([]byte, (len(raws)+7)/8)
		fill(values, byte(rng.Uint32()))
		for i, raw := range raws {
			if raw != nil {
				values[i/8] = values[i/8]&^(1<<(i%8)) | raw[0]<<(i%8)
			}
		}
		return append(buffers, newBuffer(mem, values))
	}
	for _, raw := range raws {
		if raw == nil {
			raw = randomRaw(rng, t)
		}
		values = append(values, raw...)
	}
	return append(buffers, newBuffer(mem, values))
}

// newValidity makes a validity bitmap; without a NULL it sometimes makes none, and sometimes an empty one.
func newValidity(rng *rand.Rand, mem memory.Allocator, raws [][]byte) *memory.Buffer {
	bitmap := make([]byte, (len(raws)+7)/8)
	fill(bitmap, byte(rng.Uint32()))
	nulls := false
	for i, raw := range raws {
		bitmap[i/8] |= 1 << (i % 8)
		if raw == nil {
			bitmap[i/8] &^= 1 << (i % 8)
			nulls = true
		}
	}
	if !nulls && rng.IntN(2) == 0 {
		return nil
	}
	if !nulls && rng.IntN(3) == 0 {
		return newBuffer(mem, nil)
	}
	return newBuffer(mem, bitmap)
}

func newTexts(rng *rand.Rand, mem memory.Allocator, t arrow.DataType, raws [][]byte) []*memory.Buffer {
	text := randomText(rng)
	var offsets []byte
	add := func() {
		if t.Layout().Buffers[1].ByteWidth == 8 {
			offsets = binary.LittleEndian.AppendUint64(offsets, uint64(len(text)))
		} else {
			offsets = binary.LittleEndian.AppendUint32(offsets, uint32(len(text)))
		}
	}
	add()
	for _, raw := range raws {
		if raw == nil && rng.IntN(2) == 0 {
			raw = randomText(rng)
		}
		text = append(text, raw...)
		add()
	}
	return []*memory.Buffer{newBuffer(mem, offsets), newBuffer(mem, text)}
}

func newBuffer(mem memory.Allocator, b []byte) *memory.Buffer {
	buffer := memory.NewResizableBuffer(mem)
	buffer.Resize(len(b))
	copy(buffer.Bytes(), b)
	return buffer
}

// viewOf returns the view of an array, which must have one.
func viewOf(t testing.TB, a arrow.Array) columnar.View {
	t.Helper()
	v, err := columnar.NewView(a.Data())
	if err != nil {
		t.Fatalf("%s: %v", a.DataType(), err)
	}
	return v
}
