package kernel_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"go.uber.org/goleak"

	"github.com/braidmerge/braid/kernel"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// orders is the table of most tests here: an id, a number that may be NULL, a text that may be NULL.
var orders = arrow.NewSchema([]arrow.Field{
	{Name: "id", Type: arrow.PrimitiveTypes.Int64},
	{Name: "n", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
	{Name: "text", Type: arrow.BinaryTypes.String, Nullable: true},
}, nil)

// withSystem is orders with sequence numbers and row kinds.
var withSystem = arrow.NewSchema(append([]arrow.Field{
	{Name: kernel.SequenceColumn, Type: arrow.PrimitiveTypes.Int64},
	{Name: kernel.KindColumn, Type: arrow.PrimitiveTypes.Int8},
}, orders.Fields()...), nil)

// record builds a record from rows of blank-separated values as arrow prints them; "-" is NULL.
func record(t testing.TB, mem memory.Allocator, schema *arrow.Schema, rows ...string) arrow.Record {
	t.Helper()
	b := array.NewRecordBuilder(mem, schema)
	defer b.Release()
	for _, row := range rows {
		values := strings.Fields(row)
		if len(values) != schema.NumFields() {
			t.Fatalf("%d values for %d columns: %q", len(values), schema.NumFields(), row)
		}
		for i, value := range values {
			if value == "-" {
				b.Field(i).AppendNull()
			} else if err := b.Field(i).AppendValueFromString(value); err != nil {
				t.Fatal(err)
			}
		}
	}
	return b.NewRecord()
}

// text renders a record as record takes it.
func text(rec arrow.Record) []string {
	rows := make([]string, rec.NumRows())
	for i := range rows {
		values := make([]string, rec.NumCols())
		for c, col := range rec.Columns() {
			values[c] = col.ValueStr(i)
			if col.IsNull(i) {
				values[c] = "-"
			}
		}
		rows[i] = strings.Join(values, " ")
	}
	return rows
}

func compile(t testing.TB, schema *arrow.Schema, options map[string]string, key ...string) *kernel.Plan {
	t.Helper()
	o, err := kernel.ParseOptions(options)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := kernel.Compile(kernel.Table{Schema: schema, PrimaryKey: key}, o)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// merge merges and returns all rows, or the error.
func merge(plan *kernel.Plan, runs []kernel.Run, opts ...kernel.MergeOption) ([]string, error) {
	reader, err := plan.Merge(context.Background(), runs, opts...)
	if err != nil {
		return nil, err
	}
	defer reader.Release()
	var rows []string
	for rec, err := range reader.All() {
		if err != nil {
			return nil, err
		}
		if !rec.Schema().Equal(reader.Schema()) {
			return nil, fmt.Errorf("a record of schema %s from a reader of %s", rec.Schema(), reader.Schema())
		}
		rows = append(rows, text(rec)...)
	}
	return rows, nil
}

// checked gives a test an allocator that must be at zero at its end.
func checked(t *testing.T) memory.Allocator {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	t.Cleanup(func() { mem.AssertSize(t, 0) })
	return mem
}

// run builds a run of one record per argument, each a list of rows separated by line breaks. The records are released with
// the test.
func run(t *testing.T, mem memory.Allocator, schema *arrow.Schema, batches ...string) kernel.Run {
	t.Helper()
	var records []arrow.Record
	for _, batch := range batches {
		var rows []string
		for _, line := range strings.Split(batch, "\n") {
			if line = strings.TrimSpace(line); line != "" {
				rows = append(rows, line)
			}
		}
		rec := record(t, mem, schema, rows...)
		t.Cleanup(rec.Release)
		records = append(records, rec)
	}
	return kernel.FromRecords(records...)
}
