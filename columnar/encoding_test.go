package columnar_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/internal/testscale"
)

// TestEncodings loads arrays of every encoding, nested in every way, takes rows of them and compares what is finished with
// the rows as Arrow reads them.
func TestEncodings(t *testing.T) {
	for i, encoded := range encodedTypes {
		for j, dt := range nestings(encoded) {
			if err := columnar.Mergeable(dt); err != nil {
				t.Fatalf("%s: %v", dt, err)
			}
			seeds := 2
			if j == 0 {
				seeds = 10
			}
			for seed := range testscale.Few(t, seeds, 2) {
				rng := rand.New(rand.NewPCG(uint64(seed), uint64(100*i+j)))
				mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
				checkEncoding(t, &encoder{rng, mem}, dt, seed%2 == 1)
				mem.AssertSize(t, 0)
				if t.Failed() {
					t.Fatalf("type %s, seed %d", dt, seed)
				}
			}
		}
	}
}

func checkEncoding(t *testing.T, e *encoder, dt arrow.DataType, plain bool) {
	t.Helper()
	enc, err := columnar.NewEncoding(dt, plain, e.mem)
	if err != nil {
		t.Fatal(err)
	}
	defer enc.Release()
	layout, err := columnar.LayoutOf(enc.Staged())
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		var shape columnar.Shape
		var want []string
		for range 1 + e.rng.IntN(3) {
			a := e.array(dt, e.rng.IntN(40), true)
			defer a.Release()
			loaded := checkLoad(t, enc, a)
			defer loaded.Release()
			v, err := columnar.NewView(loaded)
			if err != nil {
				t.Fatal(err)
			}
			shape.Pieces = append(shape.Pieces, columnar.Piece{View: &v, To: v.Rows, Start: shape.Room})
			shape.Room += v.Rows
			for row := range a.Len() {
				want = append(want, plainly(a, row))
			}
		}
		var sel []uint32
		var taken []string
		for range e.rng.IntN(60) {
			if len(want) > 0 {
				row := e.rng.IntN(len(want))
				for range 1 + e.rng.IntN(2) {
					sel, taken = append(sel, uint32(row)), append(taken, want[row])
				}
			}
		}
		d := stageAndTake(t, e.mem, &shape, layout, enc.Staged(), sel)
		defer d.Release()
		checkFinish(t, enc, d, taken)
		if len(sel) > 0 {
			from := e.rng.IntN(len(sel))
			part := array.NewSliceData(d, int64(from), int64(len(sel)))
			defer part.Release()
			checkFinish(t, enc, part, taken[from:])
		}
	}
}

func stageAndTake(t *testing.T, mem memory.Allocator, shape *columnar.Shape, layout columnar.Layout, dt arrow.DataType, sel []uint32) arrow.ArrayData {
	t.Helper()
	var staged columnar.Staged
	valid := columnar.TakeValid(staged.StageValid(shape), sel, mem)
	defer valid.Release()
	if err := staged.Stage(layout, shape); err != nil {
		t.Fatal(err)
	}
	d, err := staged.Take(dt, sel, valid, mem)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// checkLoad loads an array, wants its rows back when they are finished at once, and its values when it is loaded as a key.
func checkLoad(t *testing.T, enc *columnar.Encoding, a arrow.Array) arrow.ArrayData {
	t.Helper()
	var want []string
	for row := range a.Len() {
		want = append(want, plainly(a, row))
	}
	loaded, err := enc.Load(a.Data())
	if err != nil {
		t.Fatal(err)
	}
	if enc.Identity() != (loaded == a.Data()) {
		t.Errorf("identity is %v", enc.Identity())
	}
	if _, err := columnar.NewView(loaded); err != nil {
		t.Fatal(err)
	}
	checkFinish(t, enc, loaded, want)
	key, err := enc.LoadKey(a.Data())
	if err != nil {
		t.Fatal(err)
	}
	defer key.Release()
	if !arrow.TypeEqual(key.DataType(), enc.KeyType(), arrow.CheckMetadata()) {
		t.Errorf("loaded %s as a key, not %s", key.DataType(), enc.KeyType())
	}
	checkRows(t, key, want)
	return loaded
}

func checkFinish(t *testing.T, enc *columnar.Encoding, d arrow.ArrayData, want []string) {
	t.Helper()
	if !arrow.TypeEqual(d.DataType(), enc.Staged(), arrow.CheckMetadata()) {
		t.Errorf("loaded %s, not %s", d.DataType(), enc.Staged())
	}
	out, err := enc.Finish(d)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Release()
	if !arrow.TypeEqual(out.DataType(), enc.Output(), arrow.CheckMetadata()) {
		t.Errorf("finished %s, not %s", out.DataType(), enc.Output())
	}
	checkRows(t, out, want)
}

func checkRows(t *testing.T, d arrow.ArrayData, want []string) {
	t.Helper()
	a := array.MakeFromData(d)
	defer a.Release()
	if a.Len() != len(want) {
		t.Fatalf("%d rows, want %d", a.Len(), len(want))
	}
	nulls := 0
	for row, text := range want {
		if got := plainly(a, row); got != text {
			t.Errorf("row %d is %s, want %s", row, got, text)
		}
		if a.IsNull(row) {
			nulls++
		}
	}
	if n := a.NullN(); n != nulls && a.DataType().ID() != arrow.NULL {
		t.Errorf("%d NULLs are said to be %d", nulls, n)
	}
}

// TestEncodingTypes states the types of a column before, between and after.
func TestEncodingTypes(t *testing.T) {
	text, large := arrow.BinaryTypes.String, arrow.BinaryTypes.LargeString
	meta := arrow.NewMetadata([]string{"PARQUET:field_id"}, []string{"7"})
	small := dictionaryOf(arrow.PrimitiveTypes.Int8, text)
	row := func(t arrow.DataType) arrow.DataType {
		return arrow.StructOf(arrow.Field{Name: "x", Type: t, Metadata: meta})
	}
	mapping := func(t arrow.DataType) arrow.DataType {
		m := arrow.MapOfWithMetadata(text, meta, t, meta)
		m.SetItemNullable(false)
		m.KeysSorted = true
		return m
	}
	for _, c := range []struct{ in, staged, out, plain, key arrow.DataType }{
		{text, text, text, text, text},
		{small, arrow.PrimitiveTypes.Int32, small, text, text},
		{row(small), row(arrow.PrimitiveTypes.Int32), row(small), row(text), row(text)},
		{mapping(small), mapping(arrow.PrimitiveTypes.Int32), mapping(small), mapping(text), mapping(text)},
		{arrow.BinaryTypes.StringView, large, arrow.BinaryTypes.StringView, arrow.BinaryTypes.StringView, large},
		{arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int16, small), arrow.PrimitiveTypes.Int32, arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int16, small),
			arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int16, text), text},
		{arrow.ListViewOfNonNullable(small), arrow.ListOfNonNullable(arrow.PrimitiveTypes.Int32), arrow.ListViewOfNonNullable(small),
			arrow.ListViewOfNonNullable(text), arrow.ListOfNonNullable(text)},
		{arrow.LargeListViewOf(text), arrow.LargeListOf(text), arrow.LargeListViewOf(text), arrow.LargeListViewOf(text), arrow.LargeListOf(text)},
	} {
		for _, plain := range []bool{false, true} {
			enc, err := columnar.NewEncoding(c.in, plain, memory.DefaultAllocator)
			if err != nil {
				t.Fatal(err)
			}
			staged, out := c.staged, c.out
			if plain {
				out = c.plain
				if !arrow.TypeEqual(c.out, c.plain) {
					staged = c.key
				}
			}
			for i, pair := range [][2]arrow.DataType{{enc.Staged(), staged}, {enc.Output(), out}, {enc.KeyType(), c.key}} {
				if !arrow.TypeEqual(pair[0], pair[1], arrow.CheckMetadata()) {
					t.Errorf("%s, plain %v: type %d is %s, want %s", c.in, plain, i, pair[0], pair[1])
				}
			}
			if m, ok := enc.Output().(*arrow.MapType); ok && !m.KeysSorted {
				t.Errorf("%s: keys are no longer sorted", c.in)
			}
			enc.Release()
		}
	}
}

func TestEncodingRefusesUnions(t *testing.T) {
	dense := arrow.DenseUnionOf([]arrow.Field{{Name: "a", Type: arrow.PrimitiveTypes.Int32}}, []arrow.UnionTypeCode{0})
	sparse := arrow.SparseUnionOf([]arrow.Field{{Name: "a", Type: arrow.PrimitiveTypes.Int32}}, []arrow.UnionTypeCode{0})
	for _, union := range []arrow.DataType{dense, sparse} {
		mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
		types := append(nestings(union), dictionaryOf(arrow.PrimitiveTypes.Int8, union), arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int16, union),
			arrow.StructOf(arrow.Field{Name: "d", Type: dictionaryOf(arrow.PrimitiveTypes.Int8, arrow.BinaryTypes.String)}, arrow.Field{Name: "u", Type: union}))
		for _, dt := range types {
			for _, plain := range []bool{false, true} {
				if _, err := columnar.NewEncoding(dt, plain, mem); !errors.Is(err, columnar.ErrSchema) {
					t.Errorf("%s: error %v, want ErrSchema", dt, err)
				}
			}
			if err := columnar.Mergeable(dt); !errors.Is(err, columnar.ErrSchema) {
				t.Errorf("%s: error %v, want ErrSchema", dt, err)
			}
		}
		mem.AssertSize(t, 0)
	}
}
