package columnar_test

import (
	"errors"
	"math"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// plainData makes array data out of bytes; nil stands for no buffer.
func plainData(t arrow.DataType, length, offset int, buffers [][]byte, children ...arrow.ArrayData) *array.Data {
	var all []*memory.Buffer
	for _, b := range buffers {
		if b == nil {
			all = append(all, nil)
		} else {
			all = append(all, memory.NewBufferBytes(b))
		}
	}
	return array.NewData(t, length, all, children, array.UnknownNullCount, offset)
}

func int32s(n int) arrow.ArrayData {
	return plainData(arrow.PrimitiveTypes.Int32, n, 0, [][]byte{nil, zeros(4 * n)})
}

func view(size, block, from int) []byte {
	return number(number(append(number(nil, 4, size), "abcd"...), 4, block), 4, from)
}

// TestLoadForged forges the indices, run ends, views, offsets and children that Load follows.
func TestLoadForged(t *testing.T) {
	type buffers = [][]byte
	small := dictionaryOf(arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Int32)
	dictionary := func(length, offset int, indices []byte, values arrow.ArrayData) arrow.ArrayData {
		d := plainData(small, length, offset, buffers{nil, indices})
		d.SetDictionary(values)
		return d
	}
	ends := func(t arrow.DataType, length, offset int, values arrow.ArrayData, ends ...int32) arrow.ArrayData {
		return plainData(t, length, offset, buffers{nil}, plainData(arrow.PrimitiveTypes.Int32, len(ends), 0, buffers{nil, offsets32(ends...)}), values)
	}
	runs := arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int32)
	views := arrow.ListViewOf(arrow.PrimitiveTypes.Int32)
	nested := arrow.ListOf(small)
	pair := arrow.StructOf(arrow.Field{Name: "a", Type: small}, arrow.Field{Name: "b", Type: arrow.PrimitiveTypes.Int32})
	two := func() arrow.ArrayData { return dictionary(2, 0, []byte{0, 1}, int32s(2)) }
	for _, c := range []struct {
		name string
		fine bool
		d    arrow.ArrayData
	}{
		{"dictionary", true, dictionary(2, 1, []byte{77, 0, 1}, int32s(2))},
		{"index above", false, dictionary(2, 1, []byte{0, 0, 2}, int32s(2))},
		{"index below 0", false, dictionary(2, 0, []byte{0, 0xff}, int32s(2))},
		{"too few indices", false, dictionary(3, 0, []byte{0, 1}, int32s(2))},
		{"no indices", false, dictionary(3, 0, nil, int32s(2))},
		{"values of another type", false, dictionary(2, 0, []byte{0, 1}, plainData(arrow.PrimitiveTypes.Int8, 2, 0, buffers{nil, zeros(2)}))},
		{"too few values", false, dictionary(2, 0, []byte{0, 1}, plainData(arrow.PrimitiveTypes.Int32, 2, 0, buffers{nil, zeros(7)}))},
		{"negative length", false, dictionary(-1, 0, []byte{0, 1}, int32s(2))},
		{"negative offset", false, dictionary(1, -1, []byte{0, 1}, int32s(2))},
		{"absurd length", false, dictionary(math.MaxInt, 1, []byte{0, 1}, int32s(2))},
		{"very many rows", false, dictionary(1<<37, 0, []byte{0, 1}, int32s(2))},

		{"runs", true, ends(runs, 4, 2, int32s(3), 1, 3, 9)},
		{"runs of no rows", true, ends(runs, 0, 20, int32s(3), 1, 3, 9)},
		{"unused run ends that fall", true, ends(runs, 2, 0, int32s(4), 1, 9, 3, -1)},
		{"run ends that fall", false, ends(runs, 4, 0, int32s(3), 3, 2, 9)},
		{"run ends that stand", false, ends(runs, 4, 0, int32s(3), 2, 2, 9)},
		{"run ends below 0", false, ends(runs, 4, 0, int32s(3), 2, math.MinInt32, 9)},
		{"run ends of fewer rows", false, ends(runs, 10, 0, int32s(3), 1, 3, 9)},
		{"run ends before the offset", false, ends(runs, 1, 9, int32s(3), 1, 3, 9)},
		{"no run ends", false, ends(runs, 1, 0, int32s(3))},
		{"fewer values than runs", false, ends(runs, 4, 0, int32s(2), 1, 3, 9)},
		{"run ends of another type", false, plainData(runs, 1, 0, buffers{nil}, plainData(arrow.PrimitiveTypes.Int16, 1, 0, buffers{nil, zeros(2)}), int32s(1))},
		{"NULL run ends", false, plainData(runs, 1, 0, buffers{nil}, plainData(arrow.PrimitiveTypes.Int32, 1, 0, buffers{{0}, offsets32(5)}), int32s(1))},
		{"validity of runs", false, plainData(runs, 1, 0, buffers{{0}}, plainData(arrow.PrimitiveTypes.Int32, 1, 0, buffers{nil, offsets32(5)}), int32s(1))},
		{"only run ends", false, plainData(runs, 1, 0, buffers{nil}, int32s(1))},

		{"views", true, plainData(arrow.BinaryTypes.StringView, 2, 1, buffers{{6}, append(append(view(99, 99, 99), view(13, 0, 1)...), view(12, 9, 9)...), zeros(14)})},
		{"a NULL view", true, plainData(arrow.BinaryTypes.StringView, 1, 0, buffers{{0}, view(99, 99, 99)})},
		{"view past the end", false, plainData(arrow.BinaryTypes.StringView, 1, 0, buffers{nil, view(13, 0, 2), zeros(14)})},
		{"view from below 0", false, plainData(arrow.BinaryTypes.StringView, 1, 0, buffers{nil, view(13, 0, -1), zeros(14)})},
		{"view from the greatest", false, plainData(arrow.BinaryTypes.StringView, 1, 0, buffers{nil, view(math.MaxInt32, 0, math.MaxInt32), zeros(14)})},
		{"view of no buffer", false, plainData(arrow.BinaryTypes.StringView, 1, 0, buffers{nil, view(13, 1, 0), zeros(14)})},
		{"view of a buffer below 0", false, plainData(arrow.BinaryTypes.StringView, 1, 0, buffers{nil, view(13, -1, 0), zeros(14)})},
		{"view of a nil buffer", false, plainData(arrow.BinaryTypes.StringView, 1, 0, buffers{nil, view(13, 0, 0), nil})},
		{"view of less than nothing", false, plainData(arrow.BinaryTypes.StringView, 1, 0, buffers{nil, view(-1, 0, 0), zeros(14)})},
		{"too few views", false, plainData(arrow.BinaryTypes.BinaryView, 2, 0, buffers{nil, append(view(1, 0, 0), zeros(15)...)})},

		{"list views", true, plainData(views, 3, 0, buffers{nil, offsets32(3, 0, 999), offsets32(1, 4, 0)}, int32s(4))},
		{"a NULL list view", true, plainData(views, 1, 0, buffers{{0}, offsets32(-3), offsets32(-1)}, int32s(4))},
		{"list view past the end", false, plainData(views, 1, 0, buffers{nil, offsets32(3), offsets32(2)}, int32s(4))},
		{"list view from below 0", false, plainData(views, 1, 0, buffers{nil, offsets32(-1), offsets32(2)}, int32s(4))},
		{"list view of less than nothing", false, plainData(views, 1, 0, buffers{nil, offsets32(3), offsets32(-2)}, int32s(4))},
		{"list view beyond the greatest", false, plainData(arrow.LargeListViewOf(arrow.PrimitiveTypes.Int32), 1, 0,
			buffers{nil, offsets64(math.MaxInt64), offsets64(math.MaxInt64)}, int32s(4))},
		{"too few offsets of list views", false, plainData(views, 2, 0, buffers{nil, offsets32(0), offsets32(0, 0)}, int32s(4))},
		{"too few sizes of list views", false, plainData(views, 2, 0, buffers{nil, offsets32(0, 0), offsets32(0)}, int32s(4))},
		{"list views of no array", false, plainData(views, 0, 0, buffers{nil, nil, nil})},
		{"list views of another type", false, plainData(views, 1, 0, buffers{nil, offsets32(0), offsets32(1)}, two())},

		{"lists", true, plainData(nested, 1, 1, buffers{nil, offsets32(9, 1, 2)}, two())},
		{"lists past the end", false, plainData(nested, 1, 0, buffers{nil, offsets32(1, 3)}, two())},
		{"lists that fall", false, plainData(nested, 2, 0, buffers{nil, offsets32(1, 2, 1)}, two())},
		{"too few offsets", false, plainData(nested, 2, 0, buffers{nil, offsets32(0, 1)}, two())},
		{"lists of no array", false, plainData(nested, 1, 0, buffers{nil, offsets32(0, 1)})},
		{"lists of plain values", false, plainData(nested, 1, 0, buffers{nil, offsets32(0, 1)}, int32s(2))},
		{"lists of an absurd array", false, plainData(nested, 1, 0, buffers{nil, offsets32(1, 2)}, dictionary(5, math.MaxInt-2, []byte{0, 1}, int32s(2)))},
		{"index in a list", false, plainData(nested, 1, 0, buffers{nil, offsets32(0, 2)}, dictionary(2, 0, []byte{0, 2}, int32s(2)))},
		{"index beside a list", true, plainData(nested, 1, 0, buffers{nil, offsets32(0, 1)}, dictionary(2, 0, []byte{0, 2}, int32s(2)))},

		{"struct", true, plainData(pair, 1, 1, buffers{nil}, two(), int32s(2))},
		{"struct of too few rows", false, plainData(pair, 2, 1, buffers{nil}, two(), int32s(3))},
		{"struct of too few fields", false, plainData(pair, 2, 0, buffers{nil}, two())},
		{"struct of a field too many", false, plainData(pair, 2, 0, buffers{nil}, two(), int32s(2), int32s(2))},
		{"struct with a field of another type", false, plainData(pair, 2, 0, buffers{nil}, two(), plainData(arrow.PrimitiveTypes.Int8, 2, 0, buffers{nil, zeros(2)}))},
		{"struct with too short a bitmap", false, plainData(pair, 1, 8, buffers{{1}}, dictionary(9, 0, zeros(9), int32s(2)), int32s(9))},
		{"fixed-size lists of too few rows", false, plainData(arrow.FixedSizeListOf(2, small), 2, 0, buffers{nil}, dictionary(3, 0, zeros(3), int32s(2)))},
	} {
		for _, plain := range []bool{false, true} {
			mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
			enc, err := columnar.NewEncoding(c.d.DataType(), plain, mem)
			if err != nil {
				t.Fatal(err)
			}
			for _, load := range []func(arrow.ArrayData) (arrow.ArrayData, error){enc.Load, enc.LoadKey} {
				loaded, err := load(c.d)
				switch {
				case c.fine && err != nil:
					t.Errorf("%s, plain %v: %v", c.name, plain, err)
				case !c.fine && !errors.Is(err, columnar.ErrCorrupt):
					if err == nil { // shared levels are left to NewView
						_, err = columnar.NewView(loaded)
					}
					if !errors.Is(err, columnar.ErrCorrupt) {
						t.Errorf("%s, plain %v: error %v, want ErrCorrupt", c.name, plain, err)
					}
				}
				if loaded != nil {
					loaded.Release()
				}
			}
			enc.Release()
			mem.AssertSize(t, 0)
		}
	}
}

// fuzzedTypes are the types of forged columns.
var fuzzedTypes = func() []arrow.DataType {
	text := arrow.BinaryTypes.String
	small := dictionaryOf(arrow.PrimitiveTypes.Int8, text)
	return []arrow.DataType{
		small, dictionaryOf(arrow.PrimitiveTypes.Uint64, arrow.BinaryTypes.StringView), dictionaryOf(arrow.PrimitiveTypes.Int16, arrow.ListOf(text)),
		dictionaryOf(arrow.PrimitiveTypes.Int32, arrow.FixedWidthTypes.Boolean), dictionaryOf(arrow.PrimitiveTypes.Uint8, small),
		arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int16, text), arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int64, small),
		arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, arrow.ListViewOf(arrow.PrimitiveTypes.Int8)), arrow.BinaryTypes.StringView, arrow.BinaryTypes.BinaryView,
		arrow.ListViewOf(text), arrow.LargeListViewOf(arrow.ListViewOf(arrow.FixedWidthTypes.Boolean)), arrow.ListViewOf(small), arrow.ListOf(small),
		arrow.StructOf(arrow.Field{Name: "a", Type: small}, arrow.Field{Name: "b", Type: text}), arrow.FixedSizeListOf(2, small), arrow.MapOf(text, small),
		arrow.LargeListOf(arrow.BinaryTypes.BinaryView), &coded{arrow.ExtensionBase{Storage: small}},
	}
}()

// column forges array data of a type, or now and then of another: length, offset, NULLs, how many buffers and those as
// forger says; then the children and the dictionary, of types that fit.
func (f *forger) column(dt arrow.DataType) *array.Data {
	length, offset, nulls := f.number(), f.number(), f.number()
	buffers := make([]*memory.Buffer, f.byte()%5)
	for i := range buffers {
		if n := f.byte(); n > 0 {
			buffers[i] = memory.NewBufferBytes(f.bytes(int(n) - 1))
		}
	}
	storage := dt
	if e, ok := dt.(arrow.ExtensionType); ok {
		storage = e.StorageType()
	}
	var children []arrow.ArrayData
	if n, ok := storage.(arrow.NestedType); ok {
		for _, field := range n.Fields() {
			children = append(children, f.column(field.Type))
		}
	}
	if n, ok := storage.(*arrow.RunEndEncodedType); ok {
		children = []arrow.ArrayData{f.column(n.RunEnds()), f.column(n.Encoded())}
	}
	d := array.NewData(dt, length, buffers, children, nulls, offset)
	if n, ok := storage.(*arrow.DictionaryType); ok {
		d.SetDictionary(f.column(n.ValueType))
	}
	return d
}

// forgeColumn is the way back, for seeds.
func forgeColumn(d *array.Data) []byte {
	var b []byte
	for _, n := range []int{d.Len(), d.Offset(), d.NullN()} {
		if n >= 0 && n < 128 {
			b = append(b, byte(n))
		} else {
			b = number(append(b, 128), 8, n)
		}
	}
	b = append(b, byte(len(d.Buffers())))
	for _, buffer := range d.Buffers() {
		if buffer == nil {
			b = append(b, 0)
		} else {
			b = append(append(b, byte(buffer.Len()+1)), buffer.Bytes()...)
		}
	}
	for _, child := range d.Children() {
		b = append(b, forgeColumn(child.(*array.Data))...)
	}
	if dictionary, _ := d.Dictionary().(*array.Data); dictionary != nil {
		b = append(b, forgeColumn(dictionary)...)
	}
	return b
}

// FuzzEncoding forges columns: Load refuses them, or NewView does, or they are finished, and the rows of what is finished are
// those that are loaded as keys.
func FuzzEncoding(f *testing.F) {
	for i, dt := range fuzzedTypes {
		for seed := range uint64(6) {
			mem := memory.NewGoAllocator()
			a := newEncoder(seed, mem).array(dt, int(seed), true)
			f.Add(append([]byte{byte(2*i) + byte(seed%2)}, forgeColumn(a.Data().(*array.Data))...))
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		forger := forger{b}
		kind := forger.byte()
		dt := fuzzedTypes[int(kind/2)%len(fuzzedTypes)]
		mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
		defer mem.AssertSize(t, 0)
		enc, err := columnar.NewEncoding(dt, kind%2 == 1, mem)
		if err != nil {
			t.Fatal(err)
		}
		defer enc.Release()
		d := forger.column(dt)
		keys := loadForged(t, enc.LoadKey, d)
		loaded := loadForged(t, enc.Load, d)
		if loaded == nil || keys == nil {
			if loaded != nil {
				t.Fatal("loaded, but not as keys")
			}
			return
		}
		if out, err := enc.Finish(loaded); err == nil {
			out.Release()
		} else if !errors.Is(err, columnar.ErrTooLarge) {
			t.Fatalf("finished: %v", err)
		}
		if loaded.Len() > 1000 {
			loaded.Release()
			keys.Release()
			return
		}
		rows, want := taken(t, mem, loaded), taken(t, mem, keys)
		defer rows.Release()
		defer want.Release()
		out, err := enc.Finish(rows)
		if err != nil {
			t.Fatalf("finished what was taken: %v", err)
		}
		defer out.Release()
		compareForged(t, out, want)
	})
}

// taken takes all rows of what has a view. It releases the array.
func taken(t *testing.T, mem memory.Allocator, d arrow.ArrayData) arrow.ArrayData {
	defer d.Release()
	v, err := columnar.NewView(d)
	if err != nil {
		t.Fatal(err)
	}
	sel := make([]uint32, v.Rows)
	for i := range sel {
		sel[i] = uint32(i)
	}
	shape := columnar.Shape{Pieces: []columnar.Piece{{View: &v, To: v.Rows}}, Room: v.Rows}
	return stageAndTake(t, mem, &shape, v.Layout, d.DataType(), sel)
}

func loadForged(t *testing.T, load func(arrow.ArrayData) (arrow.ArrayData, error), d arrow.ArrayData) arrow.ArrayData {
	loaded, err := load(d)
	if err == nil {
		if _, err = columnar.NewView(loaded); err == nil {
			return loaded
		}
		loaded.Release()
	}
	if !errors.Is(err, columnar.ErrCorrupt) && !errors.Is(err, columnar.ErrTooLarge) {
		t.Fatalf("error %v, want ErrCorrupt or ErrTooLarge", err)
	}
	return nil
}

func compareForged(t *testing.T, out, key arrow.ArrayData) {
	if out.Len() != key.Len() {
		t.Fatalf("%d rows, as keys %d", out.Len(), key.Len())
	}
	got, want := array.MakeFromData(out), array.MakeFromData(key)
	defer got.Release()
	defer want.Release()
	for row := range out.Len() {
		if g, w := plainly(got, row), plainly(want, row); g != w {
			t.Fatalf("row %d is %s, as a key %s", row, g, w)
		}
	}
}
