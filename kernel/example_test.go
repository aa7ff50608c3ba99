package kernel_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/kernel"
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
