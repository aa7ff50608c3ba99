package kernel_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/aggfuncs"
	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/kernel"
	"github.com/braidmerge/braid/validity"
)

// stock is a table of articles.
var stock = arrow.NewSchema([]arrow.Field{
	{Name: "id", Type: arrow.PrimitiveTypes.Int64},
	{Name: "place", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "count", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
}, nil)

// stockReader reads rows written as JSON, as a stand-in for a file.
func stockReader(rows string) array.RecordReader {
	rec, _, err := array.RecordFromJSON(memory.DefaultAllocator, stock, strings.NewReader(rows))
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Release()
	r, err := array.NewRecordReader(stock, []arrow.Record{rec})
	if err != nil {
		log.Fatal(err)
	}
	return r
}

// Merge a base run and a run of partial updates: a NULL keeps the older value.
func Example() {
	base := stockReader(`[{"id": 1, "place": "shelf 7", "count": 12}, {"id": 2, "place": "shelf 9", "count": 3}]`)
	delta := stockReader(`[{"id": 2, "count": 2}, {"id": 3, "place": "ramp", "count": 40}]`)
	defer base.Release()
	defer delta.Release()

	err := mergeStock(context.Background(), stock, base, delta, func(rec arrow.Record) {
		for row := range int(rec.NumRows()) {
			fmt.Println(rec.Column(0).ValueStr(row), rec.Column(1).ValueStr(row), rec.Column(2).ValueStr(row))
		}
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// 1 shelf 7 12
	// 2 shelf 9 2
	// 3 ramp 40
}

// mergeStock is the program of README.md.
func mergeStock(ctx context.Context, schema *arrow.Schema, base, delta array.RecordReader, emit func(arrow.Record)) error {
	opts, err := kernel.ParseOptions(map[string]string{"merge-engine": "partial-update"}) // the table's own options
	if err != nil {
		return err
	}
	plan, err := kernel.Compile(kernel.Table{Schema: schema, PrimaryKey: []string{"id"}}, opts)
	if err != nil {
		return err
	}
	merged, err := plan.Merge(ctx, []kernel.Run{kernel.FromReader(base), kernel.FromReader(delta)})
	if err != nil {
		return err
	}
	defer merged.Release()
	for merged.Next() {
		emit(merged.Record())
	}
	return merged.Err()
}

// mean is a function of a program's own: the mean of int64 values, less its fraction. NULL is passed over.
type mean struct{}

// newMean makes mean for a column. Columns of the wrong type are found when a plan is compiled.
func newMean(field arrow.Field, _ aggfuncs.Options) (aggfuncs.Rule, error) {
	if field.Type.ID() != arrow.INT64 {
		return aggfuncs.Rule{}, errors.New("it works on int64 only")
	}
	return aggfuncs.Rule{Function: mean{}}, nil
}

// Fold gives the means of the groups of a window. A row that is not alone in its group goes through the steps that
// aggfuncs.Groups lists; late rows count like others.
func (mean) Fold(g *aggfuncs.Groups, in *columnar.View, mem memory.Allocator) (arrow.ArrayData, error) {
	means := array.NewInt64Builder(mem)
	defer means.Release()
	means.Reserve(g.Results())
	has := func(mask []uint64, row int) bool { return mask != nil && validity.Get(mask, row) }
	var sum, n int64
	for row, x := range columnar.Fixed[int64](in) {
		null, single := in.IsNull(row), has(g.Single, row)
		if has(g.Reset, row) || has(g.Set, row) {
			sum, n = 0, 0
		}
		if !null && (single || has(g.Set, row)) {
			sum, n = x, 1
		}
		switch {
		case null, single, has(g.Skip, row):
		case has(g.Retract, row):
			return nil, &aggfuncs.Fault{Row: row, Err: fmt.Errorf("%w: a mean does not know its values", aggfuncs.ErrRetract)}
		default:
			sum, n = sum+x, n+1
		}
		if !has(g.Ends, row) {
			continue
		}
		switch {
		case has(g.Drop, row):
		case n == 0:
			means.AppendNull()
		default:
			means.UnsafeAppend(sum / n)
		}
		sum, n = 0, 0
	}
	out := means.NewArray()
	defer out.Release()
	out.Data().Retain()
	return out.Data(), nil
}

// Bring the values of a column together with a function of the program's own.
func ExampleWithFunction() {
	opts, err := kernel.ParseOptions(map[string]string{"merge-engine": "aggregation", "fields.count.aggregate-function": "mean"})
	if err != nil {
		log.Fatal(err)
	}
	plan, err := kernel.Compile(kernel.Table{Schema: stock, PrimaryKey: []string{"id"}}, opts, kernel.WithFunction("mean", newMean))
	if err != nil {
		log.Fatal(err)
	}
	var runs []kernel.Run
	for _, rows := range []string{
		`[{"id": 1, "place": "shelf 7", "count": 12}, {"id": 2, "place": "shelf 9", "count": 3}, {"id": 4, "place": "yard"}]`,
		`[{"id": 2, "count": 5}, {"id": 3, "place": "ramp", "count": 40}, {"id": 4}]`,
		`[{"id": 2, "place": "shelf 8", "count": 7}]`,
	} {
		input := stockReader(rows)
		defer input.Release()
		runs = append(runs, kernel.FromReader(input))
	}
	merged, err := plan.Merge(context.Background(), runs)
	if err != nil {
		log.Fatal(err)
	}
	defer merged.Release()
	for merged.Next() {
		rec := merged.Record()
		for row := range int(rec.NumRows()) {
			fmt.Println(rec.Column(0).ValueStr(row), rec.Column(1).ValueStr(row), rec.Column(2).ValueStr(row))
		}
	}
	if err := merged.Err(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 1 shelf 7 12
	// 2 shelf 8 5
	// 3 ramp 40
	// 4 yard (null)
}

// TestReadmeProgram holds that the program in README.md is the one above.
func TestReadmeProgram(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, program, _ := strings.Cut(string(readme), "```go\n")
	program, _, found := strings.Cut(program, "```")
	if !found {
		t.Fatal("README.md has no program")
	}
	for line := range strings.Lines(program) {
		if !strings.Contains(string(source), "\n\t"+line) {
			t.Errorf("%q is in README.md and not in the example", line)
		}
	}
}

// contacts is a table that several writers fill.
var contacts = arrow.NewSchema([]arrow.Field{
	{Name: validity.FieldsColumn, Type: arrow.BinaryTypes.Binary, Nullable: true},
	{Name: "id", Type: arrow.PrimitiveTypes.Int64},
	{Name: "city", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "plan", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "phone", Type: arrow.BinaryTypes.String, Nullable: true},
}, nil)

// writeContacts completes rows written as JSON, of which only the named columns are supplied.
func writeContacts(w *validity.Writer, rows string, columns ...string) (arrow.Record, error) {
	var supplied []arrow.Field
	for _, name := range columns {
		supplied = append(supplied, contacts.Field(contacts.FieldIndices(name)[0]))
	}
	rec, _, err := array.RecordFromJSON(memory.DefaultAllocator, arrow.NewSchema(supplied, nil), strings.NewReader(rows))
	if err != nil {
		return nil, err
	}
	defer rec.Release()
	return w.Write(rec)
}

// Merge what three writers filled in, each of them columns of its own. The third gives up a city with an explicit NULL, which
// is not the same as the columns that it says nothing of.
func Example_suppliedColumns() {
	w, err := validity.NewWriter(contacts, memory.DefaultAllocator)
	if err != nil {
		log.Fatal(err)
	}
	var runs []kernel.Run
	for _, writer := range []struct {
		columns []string
		rows    string
	}{
		{[]string{"id", "city"}, `[{"id": 1, "city": "Oslo"}, {"id": 2, "city": "Rome"}]`},
		{[]string{"id", "plan"}, `[{"id": 1, "plan": "gold"}, {"id": 3, "plan": "free"}]`},
		{[]string{"id", "city", "phone"}, `[{"id": 1, "city": null, "phone": "555"}, {"id": 2, "city": "Riga", "phone": null}]`},
	} {
		rec, err := writeContacts(w, writer.rows, writer.columns...)
		if err != nil {
			log.Fatal(err)
		}
		defer rec.Release()
		runs = append(runs, kernel.FromRecords(rec))
	}

	opts, err := kernel.ParseOptions(map[string]string{"merge-engine": "partial-update-validity"})
	if err != nil {
		log.Fatal(err)
	}
	plan, err := kernel.Compile(kernel.Table{Schema: contacts, PrimaryKey: []string{"id"}}, opts)
	if err != nil {
		log.Fatal(err)
	}
	merged, err := plan.Merge(context.Background(), runs)
	if err != nil {
		log.Fatal(err)
	}
	defer merged.Release()
	d := validity.NewDecoder(contacts.NumFields())
	source := d.Source([]int{-1, 1, 2, 3, 4})
	for merged.Next() {
		rec := merged.Record()
		bitmaps := rec.Column(0).(*array.Binary)
		numbers := make([]uint32, rec.NumRows())
		_, err := validity.Read(source, numbers, validity.Column[int32]{Offsets: bitmaps.ValueOffsets(), Data: bitmaps.ValueBytes()})
		if err != nil {
			log.Fatal(err)
		}
		for row, number := range numbers {
			fmt.Print(rec.Column(1).ValueStr(row))
			for i := 2; i < int(rec.NumCols()); i++ {
				value := rec.Column(i).ValueStr(row)
				if !d.Has(number, i) {
					value = "left out"
				}
				fmt.Printf(", %s %s", rec.ColumnName(i), value)
			}
			fmt.Println()
		}
	}
	if err := merged.Err(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 1, city (null), plan gold, phone 555
	// 2, city Riga, plan left out, phone (null)
	// 3, city left out, plan free, phone left out
}
