package arrow18_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/endian"
	"github.com/apache/arrow/go/v17/arrow/memory"

	v18arrow "github.com/apache/arrow-go/v18/arrow"
	v18array "github.com/apache/arrow-go/v18/arrow/array"
	v18endian "github.com/apache/arrow-go/v18/arrow/endian"
	v18memory "github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/braidmerge/braid/arrow18"
	"github.com/braidmerge/braid/columnar"
)

// checked makes a checked allocator for each side, and a check that both are back at zero when the test ends.
func checked(t testing.TB) (*memory.CheckedAllocator, *v18memory.CheckedAllocator) {
	mem17 := memory.NewCheckedAllocator(memory.DefaultAllocator)
	mem18 := v18memory.NewCheckedAllocator(v18memory.DefaultAllocator)
	t.Cleanup(func() {
		mem17.AssertSize(t, 0)
		mem18.AssertSize(t, 0)
	})
	return mem17, mem18
}

// poisoned overwrites memory when it is freed, so that whoever reads it afterwards reads other values.
type poisoned struct{ memory.Allocator }

func (p poisoned) Free(b []byte) {
	for i := range b {
		b[i] = 0xdb
	}
	p.Allocator.Free(b)
}

func (p poisoned) Reallocate(size int, b []byte) []byte {
	out := p.Allocate(size)
	copy(out, b)
	p.Free(b)
	return out
}

// addresses17 lists where the buffers of d, its children and its dictionary begin; 0 stands for no bytes.
func addresses17(d arrow.ArrayData) []uintptr {
	var out []uintptr
	for _, b := range d.Buffers() {
		out = append(out, address(b == nil, func() []byte { return b.Bytes() }))
	}
	for _, c := range d.Children() {
		out = append(out, addresses17(c)...)
	}
	if v := d.Dictionary().(*array.Data); v != nil {
		out = append(out, addresses17(v)...)
	}
	return out
}

func addresses18(d v18arrow.ArrayData) []uintptr {
	var out []uintptr
	for _, b := range d.Buffers() {
		out = append(out, address(b == nil, func() []byte { return b.Bytes() }))
	}
	for _, c := range d.Children() {
		out = append(out, addresses18(c)...)
	}
	if v := d.Dictionary().(*v18array.Data); v != nil {
		out = append(out, addresses18(v)...)
	}
	return out
}

func address(absent bool, bytes func() []byte) uintptr {
	if absent || len(bytes()) == 0 {
		return 0
	}
	return uintptr(unsafe.Pointer(unsafe.SliceData(bytes())))
}

// cuts are the slices every layout is crossed with: all, from the middle, one row, none.
var cuts = [][2]int64{{0, 5}, {1, 4}, {2, 3}, {3, 5}, {2, 2}}

func TestArrayTo18(t *testing.T) {
	for _, l := range layouts {
		t.Run(l.name, func(t *testing.T) {
			for _, cut := range cuts {
				mem17, mem18 := checked(t)
				whole17, whole18 := l.build17(t, mem17), l.build18(t, mem18)
				source, want := array.NewSlice(whole17, cut[0], cut[1]), v18array.NewSlice(whole18, cut[0], cut[1])
				got, err := arrow18.ArrayTo18(source)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(addresses17(source.Data()), addresses18(got.Data())) {
					t.Error("buffers were copied")
				}
				nulls := source.NullN()
				whole17.Release()
				source.Release()
				if !v18arrow.TypeEqual(got.DataType(), want.DataType(), v18arrow.CheckMetadata()) {
					t.Errorf("type %s, want %s", got.DataType(), want.DataType())
				}
				if !v18array.Equal(got, want) || got.NullN() != nulls {
					t.Errorf("rows %v: got %v with %d nulls, want %v with %d", cut, got, got.NullN(), want, nulls)
				}
				got.Release()
				whole18.Release()
				want.Release()
				mem17.AssertSize(t, 0)
			}
		})
	}
}

func TestArrayTo17(t *testing.T) {
	for _, l := range layouts {
		t.Run(l.name, func(t *testing.T) {
			for _, cut := range cuts {
				mem17, mem18 := checked(t)
				whole17, whole18 := l.build17(t, mem17), l.build18(t, mem18)
				source, want := v18array.NewSlice(whole18, cut[0], cut[1]), array.NewSlice(whole17, cut[0], cut[1])
				got, err := arrow18.ArrayTo17(source)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(addresses18(source.Data()), addresses17(got.Data())) {
					t.Error("buffers were copied")
				}
				nulls := source.NullN()
				whole18.Release()
				source.Release()
				if !arrow.TypeEqual(got.DataType(), want.DataType(), arrow.CheckMetadata()) {
					t.Errorf("type %s, want %s", got.DataType(), want.DataType())
				}
				if !array.Equal(got, want) || got.NullN() != nulls {
					t.Errorf("rows %v: got %v with %d nulls, want %v with %d", cut, got, got.NullN(), want, nulls)
				}
				got.Release()
				whole17.Release()
				want.Release()
				mem18.AssertSize(t, 0)
			}
		})
	}
}

// TestPartsHold keeps one part of a crossed record alone, after every other reference is gone: a column, a slice of it, a
// child, a dictionary, and copies of these that crossed back.
func TestPartsHold(t *testing.T) {
	schema := v18arrow.NewSchema([]v18arrow.Field{
		{Name: "s", Type: v18arrow.StructOf(v18arrow.Field{Name: "x", Type: v18arrow.BinaryTypes.String, Nullable: true}), Nullable: true},
		{Name: "d", Type: &v18arrow.DictionaryType{IndexType: v18arrow.PrimitiveTypes.Int8, ValueType: v18arrow.BinaryTypes.String}, Nullable: true},
		{Name: "n", Type: v18arrow.PrimitiveTypes.Int64, Nullable: true},
	}, nil)
	const rows = `[{"s": {"x": "one"}, "d": "p", "n": 1}, {"s": {"x": "two"}, "d": "q", "n": 2}, {"s": null, "d": "p", "n": 3}]`
	parts := []struct {
		name, want string
		take       func(arrow.Record) arrow.Array
	}{
		{"column", `[1 2 3]`, func(r arrow.Record) arrow.Array { return r.Column(2) }},
		{"child", `["one" "two" ""]`, func(r arrow.Record) arrow.Array { return r.Column(0).(*array.Struct).Field(0) }},
		{"dictionary", `["p" "q"]`, func(r arrow.Record) arrow.Array { return r.Column(1).(*array.Dictionary).Dictionary() }},
	}
	for _, part := range parts {
		t.Run(part.name, func(t *testing.T) {
			_, mem18 := checked(t)
			in, _, err := v18array.RecordFromJSON(mem18, schema, strings.NewReader(rows))
			if err != nil {
				t.Fatal(err)
			}
			out, err := arrow18.RecordTo17(in)
			if err != nil {
				t.Fatal(err)
			}
			in.Release()
			kept := part.take(out)
			kept.Retain()
			slice := array.NewSlice(kept, 1, 2)
			out.Release()
			want := strings.NewReplacer(`""`, `(null)`).Replace(part.want)
			if kept.String() != want && kept.String() != part.want {
				t.Errorf("kept %s, want %s", kept, part.want)
			}
			kept.Release()
			if mem18.CurrentAlloc() == 0 {
				t.Fatal("a slice is still held, its buffers are gone")
			}
			back, err := arrow18.ArrayTo18(slice)
			if err != nil {
				t.Fatal(err)
			}
			if back.ValueStr(0) != slice.ValueStr(0) {
				t.Errorf("back on v18 %q, was %q", back.ValueStr(0), slice.ValueStr(0))
			}
			slice.Release()
			if mem18.CurrentAlloc() == 0 {
				t.Fatal("the slice is held from v18, its buffers are gone")
			}
			back.Release()
		})
	}
}

// TestSharedBuffer crosses one array twice and as two columns; each crossing holds it for itself.
func TestSharedBuffer(t *testing.T) {
	mem17, _ := checked(t)
	a := layouts[5].build17(t, mem17)
	schema := arrow.NewSchema([]arrow.Field{{Name: "a", Type: a.DataType(), Nullable: true}, {Name: "b", Type: a.DataType(), Nullable: true}}, nil)
	rec := array.NewRecord(schema, []arrow.Array{a, a}, int64(a.Len()))
	one, err := arrow18.RecordTo18(rec)
	if err != nil {
		t.Fatal(err)
	}
	two, err := arrow18.RecordTo18(rec)
	if err != nil {
		t.Fatal(err)
	}
	a.Release()
	rec.Release()
	one.Release()
	if got := two.Column(1).(*v18array.Int64).Value(3); got != 9007199254740991 {
		t.Errorf("value %d after the other crossing was released", got)
	}
	two.Release()
}

func TestResizeLentBuffer(t *testing.T) {
	_, mem18 := checked(t)
	a := layouts[5].build18(t, mem18)
	out, err := arrow18.ArrayTo17(a)
	if err != nil {
		t.Fatal(err)
	}
	before := append([]byte(nil), a.Data().Buffers()[1].Bytes()...)
	lent := out.Data().Buffers()[1]
	lent.Resize(1000)
	clear(lent.Bytes())
	if !slices.Equal(before, a.Data().Buffers()[1].Bytes()) {
		t.Error("growing a lent buffer changed the owner's bytes")
	}
	a.Release()
	out.Release()
}

func TestSchemaBothWays(t *testing.T) {
	meta := arrow.NewMetadata([]string{"b", "a", "b"}, []string{"1", "2", "3"})
	fields := []arrow.Field{
		{Name: "id", Type: arrow.PrimitiveTypes.Int64, Metadata: arrow.NewMetadata([]string{"PARQUET:field_id"}, []string{"7"})},
		{Name: "id", Type: arrow.BinaryTypes.String, Nullable: true},
	}
	for _, l := range layouts {
		fields = append(fields, arrow.Field{Name: l.name, Type: l.v17, Nullable: true})
	}
	in := arrow.NewSchemaWithEndian(fields, &meta, endian.BigEndian)
	out, err := arrow18.SchemaTo18(in)
	if err != nil {
		t.Fatal(err)
	}
	if out.Endianness() != v18endian.BigEndian {
		t.Errorf("endianness %v", out.Endianness())
	}
	if got := out.Metadata().Values(); !slices.Equal(got, []string{"1", "2", "3"}) {
		t.Errorf("schema metadata %v", got)
	}
	if f := out.Field(0); f.Nullable || f.Name != "id" || f.Metadata.String() != `["PARQUET:field_id": "7"]` {
		t.Errorf("field %v", f)
	}
	back, err := arrow18.SchemaTo17(out)
	if err != nil {
		t.Fatal(err)
	}
	if !back.Equal(in) || !back.Metadata().Equal(in.Metadata()) || back.Endianness() != in.Endianness() {
		t.Errorf("back: %v, was %v", back, in)
	}
	for i, f := range back.Fields() {
		if !f.Equal(in.Field(i)) {
			t.Errorf("field %d back: %v, was %v", i, f, in.Field(i))
		}
	}
}

func TestRecordWithoutColumns(t *testing.T) {
	rec := array.NewRecord(arrow.NewSchema(nil, nil), nil, 12)
	defer rec.Release()
	out, err := arrow18.RecordTo18(rec)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Release()
	if out.NumRows() != 12 || out.NumCols() != 0 {
		t.Errorf("%d rows, %d columns", out.NumRows(), out.NumCols())
	}
}

func TestRunEndEncodedOfNotNull(t *testing.T) {
	in := arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int16, arrow.PrimitiveTypes.Int64)
	in.ValueNullable = false
	out, err := arrow18.FieldTo18(arrow.Field{Name: "r", Type: in})
	if err != nil {
		t.Fatal(err)
	}
	back, err := arrow18.FieldTo17(out)
	if err != nil {
		t.Fatal(err)
	}
	if out.Type.(*v18arrow.RunEndEncodedType).ValueNullable || back.Type.(*arrow.RunEndEncodedType).ValueNullable {
		t.Error("values became nullable")
	}
}

// TestOnlyV18 crosses the types that v17 lacks, at every depth a type can have.
func TestOnlyV18(t *testing.T) {
	narrow := []v18arrow.DataType{&v18arrow.Decimal32Type{Precision: 5, Scale: 2}, &v18arrow.Decimal64Type{Precision: 15, Scale: 2}}
	for _, dt := range narrow {
		cases := []struct {
			path  string
			field v18arrow.Field
		}{
			{"price", v18arrow.Field{Name: "price", Type: dt}},
			{"o.price", v18arrow.Field{Name: "o", Type: v18arrow.StructOf(v18arrow.Field{Name: "price", Type: dt})}},
			{"l.item", v18arrow.Field{Name: "l", Type: v18arrow.ListOf(dt)}},
			{"m.value", v18arrow.Field{Name: "m", Type: v18arrow.MapOf(v18arrow.BinaryTypes.String, dt)}},
			{"d", v18arrow.Field{Name: "d", Type: &v18arrow.DictionaryType{IndexType: v18arrow.PrimitiveTypes.Int8, ValueType: dt}}},
			{"r", v18arrow.Field{Name: "r", Type: v18arrow.RunEndEncodedOf(v18arrow.PrimitiveTypes.Int32, dt)}},
			{"u.price", v18arrow.Field{Name: "u", Type: v18arrow.DenseUnionOf([]v18arrow.Field{{Name: "price", Type: dt}}, []int8{0})}},
		}
		for _, c := range cases {
			_, err := arrow18.SchemaTo17(v18arrow.NewSchema([]v18arrow.Field{c.field}, nil))
			if !errors.Is(err, columnar.ErrSchema) || !strings.Contains(err.Error(), `column "`+c.path+`"`) || !strings.Contains(err.Error(), dt.String()) {
				t.Errorf("%s: error %v", c.path, err)
			}
		}
	}
}

// TestPartsThatDoNotFit crosses an array whose children do not fit its type.
func TestPartsThatDoNotFit(t *testing.T) {
	_, mem18 := checked(t)
	child := layouts[4].build18(t, mem18)
	data := v18array.NewData(v18arrow.StructOf(
		v18arrow.Field{Name: "a", Type: v18arrow.PrimitiveTypes.Int32}, v18arrow.Field{Name: "b", Type: v18arrow.PrimitiveTypes.Int32}),
		5, []*v18memory.Buffer{nil}, []v18arrow.ArrayData{child.Data()}, 0, 0)
	a := v18array.MakeFromData(data)
	_, err := arrow18.ArrayTo17(a)
	if !errors.Is(err, columnar.ErrCorrupt) {
		t.Errorf("error %v", err)
	}
	a.Release()
	data.Release()
	child.Release()
}
