package arrow18_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	v18arrow "github.com/apache/arrow-go/v18/arrow"
	v18array "github.com/apache/arrow-go/v18/arrow/array"
	v18memory "github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/braidmerge/braid/arrow18"
	"github.com/braidmerge/braid/kernel"
)

// An engine that speaks v18 merges two of its readers and reads the result. No value is copied on the way in or out.
func Example() {
	schema := v18arrow.NewSchema([]v18arrow.Field{
		{Name: "id", Type: v18arrow.PrimitiveTypes.Int64},
		{Name: "status", Type: v18arrow.BinaryTypes.String, Nullable: true},
	}, nil)
	base := engineReader(schema, `[{"id": 1, "status": "new"}, {"id": 2, "status": "new"}, {"id": 4, "status": "new"}]`)
	defer base.Release()
	delta := engineReader(schema, `[{"id": 2, "status": "paid"}, {"id": 3, "status": "paid"}]`)
	defer delta.Release()

	columns, err := arrow18.SchemaTo17(schema)
	if err != nil {
		log.Fatal(err)
	}
	plan, err := kernel.Compile(kernel.Table{Schema: columns, PrimaryKey: []string{"id"}}, kernel.Options{})
	if err != nil {
		log.Fatal(err)
	}
	merged, err := plan.Merge(context.Background(), []kernel.Run{arrow18.Run(base), arrow18.Run(delta)})
	if err != nil {
		log.Fatal(err)
	}
	defer merged.Release()

	result := arrow18.Reader(merged)
	defer result.Release()
	for result.Next() {
		batch := result.RecordBatch()
		ids, states := batch.Column(0).(*v18array.Int64), batch.Column(1).(*v18array.String)
		for i := range int(batch.NumRows()) {
			fmt.Println(ids.Value(i), states.Value(i))
		}
	}
	if err := result.Err(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 1 new
	// 2 paid
	// 3 paid
	// 4 new
}

// engineReader is a reader as an engine has it.
func engineReader(schema *v18arrow.Schema, rows string) v18array.RecordReader {
	batch, _, err := v18array.RecordFromJSON(v18memory.DefaultAllocator, schema, strings.NewReader(rows))
	if err != nil {
		log.Fatal(err)
	}
	defer batch.Release()
	reader, err := v18array.NewRecordReader(schema, []v18arrow.RecordBatch{batch})
	if err != nil {
		log.Fatal(err)
	}
	return reader
}
