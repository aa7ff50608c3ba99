package arrow18_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	v18arrow "github.com/apache/arrow-go/v18/arrow"
	v18array "github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/extensions"

	"github.com/braidmerge/braid/arrow18"
	"github.com/braidmerge/braid/columnar"
)

// label is an extension type over utf8 with one parameter, for the v17 side.
type label struct {
	arrow.ExtensionBase
	lang string
}

type labelArray struct{ array.ExtensionArrayBase }

func newLabel(lang string) *label {
	return &label{arrow.ExtensionBase{Storage: arrow.BinaryTypes.String}, lang}
}

func (*label) ArrayType() reflect.Type { return reflect.TypeOf(labelArray{}) }
func (*label) ExtensionName() string   { return "test.label" }
func (l *label) Serialize() string     { return l.lang }
func (l *label) ExtensionEquals(o arrow.ExtensionType) bool {
	other, ok := o.(*label)
	return ok && other.lang == l.lang
}
func (*label) Deserialize(storage arrow.DataType, parameters string) (arrow.ExtensionType, error) {
	if storage.ID() != arrow.STRING || parameters == "" {
		return nil, errors.New("label: a language over utf8 is wanted")
	}
	return newLabel(parameters), nil
}

// label18 is label for the v18 side.
type label18 struct {
	v18arrow.ExtensionBase
	lang string
}

type labelArray18 struct{ v18array.ExtensionArrayBase }

func newLabel18(lang string) *label18 {
	return &label18{v18arrow.ExtensionBase{Storage: v18arrow.BinaryTypes.String}, lang}
}

func (*label18) ArrayType() reflect.Type { return reflect.TypeOf(labelArray18{}) }
func (*label18) ExtensionName() string   { return "test.label" }
func (l *label18) Serialize() string     { return l.lang }
func (l *label18) ExtensionEquals(o v18arrow.ExtensionType) bool {
	other, ok := o.(*label18)
	return ok && other.lang == l.lang
}
func (*label18) Deserialize(storage v18arrow.DataType, parameters string) (v18arrow.ExtensionType, error) {
	if storage.ID() != v18arrow.STRING || parameters == "" {
		return nil, errors.New("label: a language over utf8 is wanted")
	}
	return newLabel18(parameters), nil
}

func register17(t *testing.T) {
	if err := arrow.RegisterExtensionType(newLabel("")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = arrow.UnregisterExtensionType("test.label") })
}

func register18(t *testing.T) {
	if err := v18arrow.RegisterExtensionType(newLabel18("")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = v18arrow.UnregisterExtensionType("test.label") })
}

// labelled is a v17 record of an extension column, also inside a struct and a list.
func labelled(t *testing.T) arrow.Record {
	mem17, _ := checked(t)
	fr := newLabel("fr")
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "top", Type: fr, Nullable: true, Metadata: arrow.NewMetadata([]string{"k"}, []string{"v"})},
		{Name: "s", Type: arrow.StructOf(arrow.Field{Name: "in", Type: fr, Nullable: true}), Nullable: true},
		{Name: "l", Type: arrow.ListOf(fr), Nullable: true},
	}, nil)
	plain := arrow.NewSchema([]arrow.Field{
		{Name: "top", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "s", Type: arrow.StructOf(arrow.Field{Name: "in", Type: arrow.BinaryTypes.String, Nullable: true}), Nullable: true},
		{Name: "l", Type: arrow.ListOf(arrow.BinaryTypes.String), Nullable: true},
	}, nil)
	rec, _, err := array.RecordFromJSON(mem17, plain, strings.NewReader(`[{"top": "a", "s": {"in": "b"}, "l": ["c", null]}, {"top": null, "s": null, "l": null}]`))
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Release()
	var columns []arrow.Array
	for i, c := range rec.Columns() {
		data := retyped(c.Data(), schema.Field(i).Type)
		columns = append(columns, array.MakeFromData(data))
		data.Release()
	}
	out := array.NewRecord(schema, columns, rec.NumRows())
	for _, c := range columns {
		c.Release()
	}
	return out
}

// retyped is d under another type of the same layout.
func retyped(d arrow.ArrayData, dt arrow.DataType) arrow.ArrayData {
	var children []arrow.ArrayData
	if nested, ok := dt.(arrow.NestedType); ok && dt.ID() != arrow.EXTENSION {
		for i, f := range nested.Fields() {
			children = append(children, retyped(d.Children()[i], f.Type))
		}
	}
	out := array.NewData(dt, d.Len(), d.Buffers(), children, d.NullN(), d.Offset())
	for _, c := range children {
		c.Release()
	}
	return out
}

func TestExtensionKnownToBoth(t *testing.T) {
	register17(t)
	register18(t)
	rec := labelled(t)
	defer rec.Release()
	out, err := arrow18.RecordTo18(rec)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Release()
	fr := newLabel18("fr")
	if f := out.Schema().Field(0); !v18arrow.TypeEqual(f.Type, fr) || f.Metadata.String() != `["k": "v"]` {
		t.Errorf("field %v, metadata %v", f, f.Metadata)
	}
	if dt := out.Schema().Field(1).Type; !v18arrow.TypeEqual(dt, v18arrow.StructOf(v18arrow.Field{Name: "in", Type: fr, Nullable: true})) {
		t.Errorf("struct %v", dt)
	}
	if dt := out.Schema().Field(2).Type; !v18arrow.TypeEqual(dt, v18arrow.ListOf(fr)) {
		t.Errorf("list %v", dt)
	}
	if got := out.Column(0).(*labelArray18).Storage().(*v18array.String).Value(0); got != "a" {
		t.Errorf("value %q", got)
	}
	sameRecord(t, out, rec)
}

// TestExtensionKnownToOne crosses to a side that does not know the type, and back.
func TestExtensionKnownToOne(t *testing.T) {
	register17(t)
	rec := labelled(t)
	defer rec.Release()
	out, err := arrow18.RecordTo18(rec)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Release()
	const told = `"ARROW:extension:name": "test.label", "ARROW:extension:metadata": "fr"]`
	if f := out.Schema().Field(0); f.Type.ID() != v18arrow.STRING || f.Metadata.String() != `["k": "v", `+told {
		t.Errorf("field %v, metadata %v", f, f.Metadata)
	}
	in := out.Schema().Field(1).Type.(*v18arrow.StructType).Field(0)
	if in.Type.ID() != v18arrow.STRING || in.Metadata.String() != `[`+told {
		t.Errorf("field in struct %v, metadata %v", in, in.Metadata)
	}
	sameRecord(t, out, rec)
}

// sameRecord crosses r back to v17 and compares it with want.
func sameRecord(t *testing.T, r v18arrow.RecordBatch, want arrow.Record) {
	t.Helper()
	back, err := arrow18.RecordTo17(r)
	if err != nil {
		t.Fatal(err)
	}
	defer back.Release()
	if !array.RecordEqual(back, want) || !back.Schema().Equal(want.Schema()) {
		t.Errorf("back %v\nwant %v", back, want)
	}
}

func TestExtensionOfV18(t *testing.T) {
	_, mem18 := checked(t)
	b := extensions.NewUUIDBuilder(mem18)
	defer b.Release()
	if err := b.AppendValueFromString("00112233-4455-6677-8899-aabbccddeeff"); err != nil {
		t.Fatal(err)
	}
	a := b.NewArray()
	defer a.Release()
	rec := v18array.NewRecordBatch(v18arrow.NewSchema([]v18arrow.Field{{Name: "u", Type: a.DataType()}}, nil), []v18arrow.Array{a}, 1)
	defer rec.Release()
	out, err := arrow18.RecordTo17(rec)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Release()
	f := out.Schema().Field(0)
	if !arrow.TypeEqual(f.Type, &arrow.FixedSizeBinaryType{ByteWidth: 16}) || f.Metadata.Values()[0] != "arrow.uuid" {
		t.Errorf("field %v, metadata %v", f, f.Metadata)
	}
	if v := out.Column(0).(*array.FixedSizeBinary).Value(0); v[0] != 0 || v[15] != 0xff {
		t.Errorf("value % x", v)
	}
	back, err := arrow18.RecordTo18(out)
	if err != nil {
		t.Fatal(err)
	}
	defer back.Release()
	if !v18array.RecordEqual(back, rec) || !v18arrow.TypeEqual(back.Schema().Field(0).Type, extensions.NewUUIDType()) {
		t.Errorf("back %v", back)
	}
}

// TestExtensionRefused: the type is known, but not with these parameters, so the field stays as it is.
func TestExtensionRefused(t *testing.T) {
	register18(t)
	meta := arrow.NewMetadata([]string{"ARROW:extension:name"}, []string{"test.label"})
	f, err := arrow18.FieldTo18(arrow.Field{Name: "f", Type: arrow.BinaryTypes.String, Metadata: meta})
	if err != nil {
		t.Fatal(err)
	}
	if f.Type.ID() != v18arrow.STRING || f.Metadata.Values()[0] != "test.label" {
		t.Errorf("field %v, metadata %v", f, f.Metadata)
	}
}

func TestExtensionInDictionary(t *testing.T) {
	f := arrow.Field{Name: "d", Type: &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: newLabel("fr")}}
	_, err := arrow18.FieldTo18(f)
	if !errors.Is(err, columnar.ErrSchema) || !strings.Contains(err.Error(), `column "d"`) || !strings.Contains(err.Error(), "test.label") {
		t.Errorf("error %v", err)
	}
}
