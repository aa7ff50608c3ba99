package columnar_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// encodedTypes are dictionaries, run ends and views of values of many kinds, and of each other.
var encodedTypes = func() (all []arrow.DataType) {
	text, ints := arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int32
	row := arrow.StructOf(arrow.Field{Name: "a", Type: ints, Nullable: true}, arrow.Field{Name: "b", Type: text, Nullable: true})
	small := dictionaryOf(arrow.PrimitiveTypes.Int8, text)
	values := []arrow.DataType{
		text, arrow.BinaryTypes.LargeBinary, ints, arrow.FixedWidthTypes.Boolean, &arrow.FixedSizeBinaryType{ByteWidth: 3},
		&arrow.Decimal128Type{Precision: 38, Scale: 10}, arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Float64, arrow.FixedWidthTypes.Float16,
		arrow.Null, arrow.BinaryTypes.StringView, arrow.BinaryTypes.BinaryView, arrow.ListOf(text), row, arrow.StructOf(),
		arrow.FixedSizeListOf(2, arrow.ListOf(ints)), arrow.ListViewOf(ints), small, arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int16, text),
		&coded{arrow.ExtensionBase{Storage: text}}, &coded{arrow.ExtensionBase{Storage: small}},
	}
	for i, v := range values {
		all = append(all, dictionaryOf(indexTypes[i%len(indexTypes)], v), arrow.RunEndEncodedOf(endTypes[i%len(endTypes)], v), arrow.ListViewOf(v),
			arrow.LargeListViewOf(v))
	}
	for _, index := range indexTypes {
		all = append(all, dictionaryOf(index, text))
	}
	for _, ends := range endTypes {
		all = append(all, arrow.RunEndEncodedOf(ends, ints))
	}
	return append(all, arrow.BinaryTypes.StringView, arrow.BinaryTypes.BinaryView, &coded{arrow.ExtensionBase{Storage: small}})
}()

var (
	indexTypes = []arrow.DataType{arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Uint8, arrow.PrimitiveTypes.Int16, arrow.PrimitiveTypes.Uint16,
		arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Uint32, arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Uint64}
	endTypes = []arrow.DataType{arrow.PrimitiveTypes.Int16, arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64}
)

func dictionaryOf(index, value arrow.DataType) arrow.DataType {
	return &arrow.DictionaryType{IndexType: index, ValueType: value}
}

// nestings returns a type inside others.
func nestings(t arrow.DataType) []arrow.DataType {
	row := arrow.StructOf(arrow.Field{Name: "n", Type: arrow.PrimitiveTypes.Int64, Nullable: true}, arrow.Field{Name: "x", Type: t, Nullable: true})
	return []arrow.DataType{
		t, arrow.ListOf(t), arrow.LargeListOf(t), arrow.FixedSizeListOf(2, t), row, arrow.MapOf(arrow.BinaryTypes.String, t), arrow.ListOf(row),
		arrow.ListViewOf(row), arrow.FixedSizeListOf(3, arrow.ListOf(t)), arrow.StructOf(arrow.Field{Name: "s", Type: row, Nullable: true}),
		arrow.MapOf(dictionaryOf(arrow.PrimitiveTypes.Int8, arrow.BinaryTypes.String), arrow.ListOf(t)), &coded{arrow.ExtensionBase{Storage: arrow.ListOf(t)}},
	}
}

// coded is an extension type of any storage.
type coded struct{ arrow.ExtensionBase }

type codedArray struct{ array.ExtensionArrayBase }

func (*coded) ArrayType() reflect.Type { return reflect.TypeFor[codedArray]() }
func (*coded) ExtensionName() string   { return "coded" }
func (*coded) Serialize() string       { return "" }
func (c *coded) String() string        { return "coded<" + c.Storage.String() + ">" }
func (c *coded) ExtensionEquals(other arrow.ExtensionType) bool {
	return arrow.TypeEqual(c.Storage, other.StorageType())
}
func (*coded) Deserialize(arrow.DataType, string) (arrow.ExtensionType, error) { return nil, nil }

// encoder makes random arrays of any type out of an allocator.
type encoder struct {
	rng *rand.Rand
	mem memory.Allocator
}

func newEncoder(seed uint64, mem memory.Allocator) *encoder {
	return &encoder{rand.New(rand.NewPCG(seed, 1)), mem}
}

// array makes n values as part of a longer array. Without nulls none is NULL. The caller releases it.
func (e *encoder) array(t arrow.DataType, n int, nulls bool) arrow.Array {
	before, after := 0, 0
	if e.rng.IntN(3) > 0 {
		before, after = e.rng.IntN(12), e.rng.IntN(5)
	}
	d := e.data(t, before+n+after, nulls)
	defer d.Release()
	whole := array.MakeFromData(d)
	defer whole.Release()
	return array.NewSlice(whole, int64(before), int64(before+n))
}

func (e *encoder) data(t arrow.DataType, n int, nulls bool) arrow.ArrayData {
	switch t := t.(type) {
	case *arrow.DictionaryType:
		return e.dictionary(t, n, nulls)
	case *arrow.RunEndEncodedType:
		return e.runs(t, n, nulls)
	case *arrow.StringViewType, *arrow.BinaryViewType:
		return e.views(t, n, nulls)
	case *arrow.ListViewType:
		return e.spans(t, n, nulls, 4)
	case *arrow.LargeListViewType:
		return e.spans(t, n, nulls, 8)
	case *arrow.ListType, *arrow.MapType:
		return e.lists(t.(arrow.ListLikeType), n, nulls, 4)
	case *arrow.LargeListType:
		return e.lists(t, n, nulls, 8)
	case *arrow.FixedSizeListType:
		return e.made(t, n, e.validity(n, nulls), []arrow.Array{e.array(t.Elem(), n*int(t.Len()), true)})
	case *arrow.StructType:
		var fields []arrow.Array
		for _, f := range t.Fields() {
			fields = append(fields, e.array(f.Type, n, f.Nullable))
		}
		return e.made(t, n, e.validity(n, nulls), fields)
	case *coded:
		d := e.data(t.Storage, n, nulls).(*array.Data)
		d.Reset(t, n, append([]*memory.Buffer(nil), d.Buffers()...), append([]arrow.ArrayData(nil), d.Children()...), d.NullN(), d.Offset())
		return d
	}
	raws := randomRaws(e.rng, t, n)
	for i := range raws {
		if raws[i] == nil && !nulls && t.ID() != arrow.NULL {
			raws[i] = randomRaw(e.rng, t)
		}
	}
	a := newArray(e.rng, e.mem, t, raws)
	defer a.Release()
	if !nulls {
		a.Data().(*array.Data).SetNullN(0) // known, as an array of maps wants it of its keys
	}
	a.Data().Retain()
	return a.Data()
}

// made makes array data, which takes over buffers and children.
func (e *encoder) made(t arrow.DataType, n int, valid *memory.Buffer, children []arrow.Array, buffers ...*memory.Buffer) *array.Data {
	buffers = append([]*memory.Buffer{valid}, buffers...)
	var data []arrow.ArrayData
	for _, c := range children {
		data = append(data, c.Data())
	}
	nulls := array.UnknownNullCount
	if valid == nil {
		nulls = 0
	}
	d := array.NewData(t, n, buffers, data, nulls, 0)
	for _, b := range buffers {
		if b != nil {
			b.Release()
		}
	}
	for _, c := range children {
		c.Release()
	}
	return d
}

func (e *encoder) validity(n int, nulls bool) *memory.Buffer {
	if !nulls || e.rng.IntN(3) == 0 {
		return nil
	}
	bitmap := make([]byte, (n+7)/8)
	for i := range bitmap {
		bitmap[i] = byte(e.rng.Uint32() | e.rng.Uint32())
	}
	return newBuffer(e.mem, bitmap)
}

func isValid(bitmap *memory.Buffer, row int) bool {
	return bitmap == nil || bitmap.Bytes()[row/8]>>(row%8)&1 == 1
}

// number appends a number of some bytes.
func number(b []byte, width, x int) []byte {
	var all [8]byte
	binary.LittleEndian.PutUint64(all[:], uint64(x))
	return append(b, all[:width]...)
}

func byteWidth(t arrow.DataType) int { return t.(arrow.FixedWidthDataType).BitWidth() / 8 }

// dictionary has some values twice, NULL among them, and any index under a NULL.
func (e *encoder) dictionary(t *arrow.DictionaryType, n int, nulls bool) arrow.ArrayData {
	values := e.array(t.ValueType, 1+e.rng.IntN(15), nulls)
	defer values.Release()
	valid := e.validity(n, nulls)
	var indices []byte
	for row := range n {
		index := e.rng.IntN(values.Len())
		if !isValid(valid, row) && e.rng.IntN(2) == 0 {
			index = e.rng.Int()
		}
		indices = number(indices, byteWidth(t.IndexType), index)
	}
	d := e.made(t, n, valid, nil, newBuffer(e.mem, indices))
	d.SetDictionary(values.Data())
	return d
}

func (e *encoder) runs(t *arrow.RunEndEncodedType, n int, nulls bool) arrow.ArrayData {
	var ends []byte
	runs := 0
	for end := 0; end < n || e.rng.IntN(3) == 0; runs++ {
		end += 1 + e.rng.IntN(5)
		ends = number(ends, byteWidth(t.RunEnds()), end)
	}
	before := number(number(nil, byteWidth(t.RunEnds()), -3), byteWidth(t.RunEnds()), 0)
	all := array.NewData(t.RunEnds(), runs+2, []*memory.Buffer{nil, newBuffer(e.mem, append(before, ends...))}, nil, 0, 0)
	all.Buffers()[1].Release()
	defer all.Release()
	part := array.NewSliceData(all, 2, int64(runs+2))
	defer part.Release()
	return e.made(t, n, nil, []arrow.Array{array.MakeFromData(part), e.array(t.Encoded(), runs, nulls)})
}

// views has texts about as long as fit into a view, in up to three buffers, some in more than one view.
func (e *encoder) views(t arrow.DataType, n int, nulls bool) arrow.ArrayData {
	valid := e.validity(n, nulls)
	var blocks [3][]byte
	for i := range blocks {
		for range 60 {
			blocks[i] = append(blocks[i], "abcdefgh"[e.rng.IntN(8)])
		}
	}
	headers := make([]arrow.ViewHeader, n)
	for row := range headers {
		block, length := e.rng.IntN(3), e.rng.IntN(20)
		from := e.rng.IntN(60 - length)
		headers[row].SetBytes(blocks[block][from : from+length])
		if length > 12 {
			headers[row].SetIndexOffset(int32(block), int32(from))
		}
		if !isValid(valid, row) && e.rng.IntN(2) == 0 {
			headers[row].SetBytes(make([]byte, 1000))
			headers[row].SetIndexOffset(-7, -7)
		}
	}
	return e.made(t, n, valid, nil, newBuffer(e.mem, arrow.ViewHeaderTraits.CastToBytes(headers)), newBuffer(e.mem, blocks[0]),
		newBuffer(e.mem, blocks[1]), newBuffer(e.mem, blocks[2]))
}

// spans has views of lists in any order, now and then in that of the items.
func (e *encoder) spans(t arrow.ListLikeType, n int, nulls bool, width int) arrow.ArrayData {
	valid := e.validity(n, nulls)
	items := e.array(t.Elem(), 4*n+1, true)
	inOrder := e.rng.IntN(3) == 0
	var offsets, sizes []byte
	at := e.rng.IntN(n + 1)
	for row := range n {
		size := e.rng.IntN(4)
		from := e.rng.IntN(items.Len() - size + 1)
		if inOrder {
			size, from = min(size, items.Len()-at), at
			at += size
		}
		if !isValid(valid, row) && e.rng.IntN(2) == 0 {
			size, from = e.rng.Int(), e.rng.Int()
			at = min(at, items.Len())
		}
		offsets, sizes = number(offsets, width, from), number(sizes, width, size)
	}
	return e.made(t, n, valid, []arrow.Array{items}, newBuffer(e.mem, offsets), newBuffer(e.mem, sizes))
}

func (e *encoder) lists(t arrow.ListLikeType, n int, nulls bool, width int) arrow.ArrayData {
	var offsets []byte
	at := e.rng.IntN(4)
	for row := range n + 1 {
		if row > 0 {
			at += e.rng.IntN(4)
		}
		offsets = number(offsets, width, at)
	}
	var items arrow.Array
	if m, ok := t.(*arrow.MapType); ok {
		entries := e.made(m.Elem(), at+2, nil, []arrow.Array{e.array(m.KeyType(), at+2, false), e.array(m.ItemType(), at+2, true)})
		defer entries.Release()
		items = array.MakeFromData(entries)
	} else {
		items = e.array(t.Elem(), at+e.rng.IntN(3), true)
	}
	return e.made(t, n, e.validity(n, nulls), []arrow.Array{items}, newBuffer(e.mem, offsets))
}

// plainly reads a value through the accessors of Arrow, the same whatever it is encoded as.
func plainly(a arrow.Array, row int) string {
	switch a := a.(type) {
	case *array.Dictionary:
		if a.IsNull(row) {
			return "NULL"
		}
		return plainly(a.Dictionary(), a.GetValueIndex(row))
	case *array.RunEndEncoded:
		return plainly(a.Values(), a.GetPhysicalIndex(row))
	case array.ExtensionArray:
		return plainly(a.Storage(), row)
	}
	if a.IsNull(row) || a.DataType().ID() == arrow.NULL {
		return "NULL"
	}
	var parts []string
	switch a := a.(type) {
	case array.ListLike:
		from, to := a.ValueOffsets(row)
		for item := from; item < to; item++ {
			parts = append(parts, plainly(a.ListValues(), int(item)))
		}
		return "[" + strings.Join(parts, " ") + "]"
	case *array.Struct:
		for i := range a.NumField() {
			parts = append(parts, plainly(a.Field(i), row))
		}
		return "{" + strings.Join(parts, " ") + "}"
	case *array.StringView:
		return fmt.Sprintf("%q", a.Value(row))
	case *array.BinaryView:
		return fmt.Sprintf("%q", a.Value(row))
	}
	return fmt.Sprintf("%q", bytesOf(valueOf(a, row)))
}
