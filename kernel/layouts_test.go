package kernel_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/internal/testscale"
	"github.com/braidmerge/braid/kernel"
)

// samples are types with values as AppendValueFromString of their builders takes them. Every type ID that can be merged has
// an entry.
var samples = []struct {
	t      arrow.DataType
	values []string
}{
	{arrow.Null, nil},
	{arrow.FixedWidthTypes.Boolean, []string{"true", "false"}},
	{arrow.PrimitiveTypes.Int8, []string{"-128", "127", "3"}},
	{arrow.PrimitiveTypes.Int16, []string{"-300", "300"}},
	{arrow.PrimitiveTypes.Int32, []string{"-70000", "70000"}},
	{arrow.PrimitiveTypes.Int64, []string{"-5000000000", "5000000000"}},
	{arrow.PrimitiveTypes.Uint8, []string{"0", "255"}},
	{arrow.PrimitiveTypes.Uint16, []string{"0", "65535"}},
	{arrow.PrimitiveTypes.Uint32, []string{"0", "4294967295"}},
	{arrow.PrimitiveTypes.Uint64, []string{"0", "18446744073709551615"}},
	{arrow.FixedWidthTypes.Float16, []string{"1.5", "-2"}},
	{arrow.PrimitiveTypes.Float32, []string{"1.5", "-2e10"}},
	{arrow.PrimitiveTypes.Float64, []string{"1.5", "-2e100"}},
	{arrow.BinaryTypes.String, []string{"", "a", "a longer text than fits a view"}},
	{arrow.BinaryTypes.LargeString, []string{"", "b", strings.Repeat("long ", 30)}},
	{arrow.BinaryTypes.StringView, []string{"", "short", "a text of more than twelve bytes"}},
	{arrow.BinaryTypes.Binary, []string{"", "YWJj"}},
	{arrow.BinaryTypes.LargeBinary, []string{"", "YWJj"}},
	{arrow.BinaryTypes.BinaryView, []string{"", "YWJjZGVmZ2hpamtsbW5vcA=="}},
	{&arrow.FixedSizeBinaryType{ByteWidth: 3}, []string{"YWJj", "eHl6"}},
	{arrow.FixedWidthTypes.Date32, []string{"2001-02-03", "1969-12-31"}},
	{arrow.FixedWidthTypes.Date64, []string{"2001-02-03", "1969-12-31"}},
	{arrow.FixedWidthTypes.Time32ms, []string{"01:02:03.004"}},
	{arrow.FixedWidthTypes.Time64ns, []string{"01:02:03.004005006"}},
	{&arrow.TimestampType{Unit: arrow.Microsecond}, []string{"2001-02-03 04:05:06.7", "1960-01-01"}},
	{arrow.FixedWidthTypes.Duration_ms, []string{"5ms", "-7ms"}},
	{arrow.FixedWidthTypes.MonthInterval, []string{"5", "-6"}},
	{arrow.FixedWidthTypes.DayTimeInterval, []string{"{\"days\": 5, \"milliseconds\": 6}"}},
	{arrow.FixedWidthTypes.MonthDayNanoInterval, []string{"{\"months\": 4, \"days\": 5, \"nanoseconds\": 6}"}},
	{&arrow.Decimal128Type{Precision: 20, Scale: 2}, []string{"1.50", "-99999.99"}},
	{&arrow.Decimal256Type{Precision: 60, Scale: 2}, []string{"1.50", "-99999999999999999999999999999999999999999.99"}},
	{arrow.ListOf(arrow.PrimitiveTypes.Int32), []string{"[]", "[1, null, 3]"}},
	{arrow.LargeListOf(arrow.BinaryTypes.String), []string{"[]", "[\"a\", \"\", null]"}},
	{arrow.FixedSizeListOf(2, arrow.PrimitiveTypes.Int16), []string{"[1, 2]", "[null, 4]"}},
	{arrow.ListViewOf(arrow.PrimitiveTypes.Int32), []string{"[]", "[1, null, 3]"}},
	{arrow.LargeListViewOf(arrow.BinaryTypes.String), []string{"[]", "[\"x\", null]"}},
	{arrow.StructOf(arrow.Field{Name: "a", Type: arrow.PrimitiveTypes.Int32, Nullable: true}, arrow.Field{Name: "b", Type: arrow.BinaryTypes.String, Nullable: true}),
		[]string{"{\"a\": 1, \"b\": \"x\"}", "{\"a\": null, \"b\": null}"}},
	{arrow.MapOf(arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64), []string{"[]", "[{\"key\": \"k\", \"value\": 1}, {\"key\": \"l\", \"value\": null}]"}},
	{&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}, []string{"red", "green", ""}},
	{arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64), []string{"7", "8"}},
	{&labelled{arrow.ExtensionBase{Storage: arrow.PrimitiveTypes.Int64}}, []string{"1", "2"}},
}

// labelled is an extension type.
type labelled struct{ arrow.ExtensionBase }

func (*labelled) ArrayType() reflect.Type { return reflect.TypeOf(labels{}) }
func (*labelled) ExtensionName() string   { return "braid.test.labelled" }
func (*labelled) ExtensionEquals(o arrow.ExtensionType) bool {
	return o.ExtensionName() == "braid.test.labelled"
}
func (*labelled) Serialize() string { return "" }
func (l *labelled) Deserialize(arrow.DataType, string) (arrow.ExtensionType, error) {
	return l, nil
}

// labels is an array of the extension type.
type labels struct{ array.ExtensionArrayBase }

func (l *labels) ValueStr(row int) string      { return l.Storage().ValueStr(row) }
func (l *labels) GetOneForMarshal(row int) any { return l.Storage().GetOneForMarshal(row) }
func (l *labels) String() string               { return l.Storage().String() }

// TestExtensionKeys holds that keys and sequence fields of an extension type are in the order of its storage.
func TestExtensionKeys(t *testing.T) {
	for _, c := range []struct {
		storage arrow.DataType
		v       []string // ascending
	}{
		{arrow.PrimitiveTypes.Int64, []string{"-5", "-4", "-3", "7"}},
		{arrow.PrimitiveTypes.Int8, []string{"-5", "-4", "-3", "7"}},
		{arrow.BinaryTypes.String, []string{"A", "AA", "B", "a"}},
	} {
		mem := checked(t)
		dt := &labelled{arrow.ExtensionBase{Storage: c.storage}}
		schema := arrow.NewSchema([]arrow.Field{{Name: "k", Type: dt}, {Name: "s", Type: dt}}, nil)
		plan := compile(t, schema, map[string]string{"sequence.field": "s"}, "k")
		row := func(k, s int) string { return c.v[k] + " " + c.v[s] + "\n" }
		got, err := merge(plan, []kernel.Run{
			run(t, mem, schema, row(0, 1)+row(2, 3)),
			run(t, mem, schema, row(1, 0)+row(2, 2)+row(3, 0)),
		}, kernel.WithAllocator(mem))
		want := strings.Split(strings.TrimSuffix(row(0, 1)+row(1, 0)+row(2, 3)+row(3, 0), "\n"), "\n")
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v, want %q", c.storage, got, err, want)
		}
	}
}

// TestEveryLayoutHasSamples finds the type IDs of Arrow that merge and that the table above lacks.
func TestEveryLayoutHasSamples(t *testing.T) {
	known := map[arrow.Type]bool{arrow.SPARSE_UNION: true, arrow.DENSE_UNION: true} // refused
	for _, s := range samples {
		known[s.t.ID()] = true
	}
	for id := arrow.NULL; id <= arrow.LARGE_LIST_VIEW; id++ {
		if !known[id] {
			t.Errorf("type %s has no samples", id)
		}
	}
}

func TestUnionsAreRefused(t *testing.T) {
	union := arrow.DenseUnionOf([]arrow.Field{{Name: "x", Type: arrow.PrimitiveTypes.Int8}}, []arrow.UnionTypeCode{0})
	schema := arrow.NewSchema([]arrow.Field{orders.Field(0), {Name: "u", Type: arrow.ListOf(union), Nullable: true}}, nil)
	_, err := kernel.Compile(kernel.Table{Schema: schema, PrimaryKey: []string{"id"}}, kernel.Options{})
	if !errors.Is(err, kernel.ErrSchema) || !strings.Contains(err.Error(), `"u"`) {
		t.Errorf("got %v", err)
	}
}

// sampleArray has n random samples of a type, a third of them NULL.
func sampleArray(t *testing.T, mem memory.Allocator, dt arrow.DataType, values []string, n int, rng *rand.Rand) arrow.Array {
	t.Helper()
	b := array.NewBuilder(mem, dt)
	defer b.Release()
	add := b
	if e, ok := b.(*array.ExtensionBuilder); ok {
		add = e.StorageBuilder()
	}
	for range n {
		if len(values) == 0 || rng.IntN(3) == 0 {
			b.AppendNull()
		} else if err := add.AppendValueFromString(values[rng.IntN(len(values))]); err != nil {
			t.Fatal(dt, err)
		}
	}
	return b.NewArray()
}

// inList makes lists of the rows of an array, which it takes over: about two a list, some lists NULL.
func inList(mem memory.Allocator, items arrow.Array, n int, rng *rand.Rand) arrow.Array {
	defer items.Release()
	offsets := make([]int32, n+1)
	valid := make([]byte, (n+7)/8)
	nulls := 0
	for i := range n {
		offsets[i+1] = min(offsets[i]+int32(rng.IntN(4)), int32(items.Len()))
		if rng.IntN(4) == 0 {
			nulls++
		} else {
			valid[i>>3] |= 1 << (i & 7)
		}
	}
	data := array.NewData(arrow.ListOf(items.DataType()), n, []*memory.Buffer{memory.NewBufferBytes(valid),
		memory.NewBufferBytes(arrow.Int32Traits.CastToBytes(offsets))}, []arrow.ArrayData{items.Data()}, nulls, 0)
	defer data.Release()
	return array.MakeFromData(data)
}

// inStruct makes structs of an array, which it takes over.
func inStruct(x arrow.Array) arrow.Array {
	defer x.Release()
	data := array.NewData(arrow.StructOf(arrow.Field{Name: "x", Type: x.DataType(), Nullable: true}), x.Len(), []*memory.Buffer{nil},
		[]arrow.ArrayData{x.Data()}, 0, 0)
	defer data.Release()
	return array.MakeFromData(data)
}

// TestLayouts merges columns of every layout, whole and sliced, flat and nested twice, under every engine, and compares with
// the row merger, and the values as Arrow prints them with those of a merge of their texts. BRAID_SAMPLE makes it one in five at
// the most of the twelve problems of each layout, others of the next.
func TestLayouts(t *testing.T) {
	problems, each := 0, min(testscale.Sample(t), 5)
	for _, s := range samples {
		for _, nested := range []bool{false, true} {
			for _, engine := range []string{"deduplicate", "first-row", "partial-update"} {
				for _, sliced := range []bool{false, true} {
					if problems++; problems%each != 0 {
						continue
					}
					name := fmt.Sprintf("%s/nested=%v/%s/sliced=%v", s.t, nested, engine, sliced)
					t.Run(strings.ReplaceAll(name, " ", ""), func(t *testing.T) {
						mem := checked(t)
						rng := rand.New(rand.NewPCG(uint64(len(name)), 4))
						mergeLayout(t, mem, engine, rng, func(n int) arrow.Array {
							if nested {
								return inList(mem, inStruct(sampleArray(t, mem, s.t, s.values, 2*n, rng)), n, rng)
							}
							return sampleArray(t, mem, s.t, s.values, n, rng)
						}, sliced)
					})
				}
			}
		}
	}
}

// mergeLayout merges four runs of a column.
func mergeLayout(t *testing.T, mem memory.Allocator, engine string, rng *rand.Rand, column func(n int) arrow.Array, sliced bool) {
	const rows = 60
	var schema *arrow.Schema
	var runs []kernel.Run
	want := map[int64]string{}
	for range 4 {
		values := column(rows)
		schema = arrow.NewSchema([]arrow.Field{orders.Field(0), {Name: "v", Type: values.DataType(), Nullable: true}}, nil)
		ids := array.NewInt64Builder(mem)
		id := int64(0)
		for range rows {
			id += int64(rng.IntN(3)) // keys repeat inside a run, too
			ids.Append(id)
		}
		keys := ids.NewInt64Array()
		ids.Release()
		rec := array.NewRecord(schema, []arrow.Array{keys, values}, rows)
		keys.Release()
		values.Release()
		if sliced {
			part := rec.NewSlice(7, rows-2)
			rec.Release()
			rec = part
		}
		t.Cleanup(rec.Release)
		expect(want, engine, rec)
		runs = append(runs, kernel.FromRecords(rec))
	}
	options := map[string]string{"merge-engine": engine}
	plan := compile(t, schema, options, "id")
	compareRows(t, mem, plan, rowmerge.Problem{Schema: schema, PrimaryKey: []string{"id"}, Options: options}, runs)
	for _, opts := range [][]kernel.MergeOption{{}, {kernel.WithBatchRows(3)}, {kernel.WithPlainDictionaries()},
		{kernel.WithStringViews()}, {kernel.WithStringViews(), kernel.WithPlainDictionaries(), kernel.WithBatchRows(5)}} {
		checkLayout(t, plan, runs, want, append(opts, kernel.WithAllocator(mem)))
	}
}

// compareRows compares a merge with that of the row merger, which reads encodings as their values.
func compareRows(t *testing.T, mem memory.Allocator, plan *kernel.Plan, p rowmerge.Problem, runs []kernel.Run) {
	t.Helper()
	var columns []string
	for _, f := range p.Schema.Fields() {
		columns = append(columns, f.Name)
	}
	for _, run := range runs {
		r, err := run.Files[0].Open(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		defer r.Release()
		r.Next()
		p.Runs = append(p.Runs, rowmerge.Run{Records: []arrow.Record{r.Record()}})
	}
	want, err := p.Merge()
	if err != nil {
		t.Fatal(err)
	}
	reader, err := plan.Merge(context.Background(), runs, kernel.WithAllocator(mem))
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Release()
	var got []rowmerge.Row
	for reader.Next() {
		rows, err := rowmerge.RowsOf(reader.Record(), columns, nil)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, rows...)
	}
	if d := rowmerge.Diff(want, got, rowmerge.Comparison{}); d != "" || reader.Err() != nil {
		t.Fatal(d, reader.Err())
	}
}

// expect puts what a record's rows do to a table of texts.
func expect(table map[int64]string, engine string, rec arrow.Record) {
	for i := range int(rec.NumRows()) {
		id, v := rec.Column(0).(*array.Int64).Value(i), printed(rec.Column(1), i)
		_, there := table[id]
		switch {
		case engine == "first-row" && there, engine == "partial-update" && there && v == array.NullValueStr:
		default:
			table[id] = v
		}
	}
}

// printed is a value as Arrow prints it; the NULL of an encoding is NULL.
func printed(a arrow.Array, row int) string {
	if d, ok := a.(*array.RunEndEncoded); ok {
		return d.Values().ValueStr(d.GetPhysicalIndex(row))
	}
	return a.ValueStr(row)
}

func checkLayout(t *testing.T, plan *kernel.Plan, runs []kernel.Run, want map[int64]string, opts []kernel.MergeOption) {
	t.Helper()
	reader, err := plan.Merge(context.Background(), runs, opts...)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Release()
	seen := 0
	for reader.Next() {
		rec := reader.Record()
		if !rec.Schema().Equal(reader.Schema()) {
			t.Fatalf("a record of schema %s from a reader of %s", rec.Schema(), reader.Schema())
		}
		for _, col := range rec.Columns() {
			if _, err := columnar.NewView(col.Data()); err != nil && !errors.Is(err, columnar.ErrSchema) {
				t.Fatal(err)
			}
		}
		for i := range int(rec.NumRows()) {
			id, got := rec.Column(0).(*array.Int64).Value(i), printed(rec.Column(1), i)
			if got != want[id] {
				t.Fatalf("key %d has %s, want %s", id, got, want[id])
			}
			seen++
		}
	}
	if err := reader.Err(); err != nil || seen != len(want) {
		t.Fatalf("%d keys of %d, %v", seen, len(want), err)
	}
}
