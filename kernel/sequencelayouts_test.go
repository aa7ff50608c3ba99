package kernel_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/kernel"
)

// sequenceOptions are the ways in which column s can order the versions of a key, or a group.
var sequenceOptions = []map[string]string{
	{"sequence.field": "s"},
	{"sequence.field": "s", "sequence.field.sort-order": "descending"},
	{"merge-engine": "partial-update", "fields.s.sequence-group": "v"},
}

// withoutOrder are types of the samples that no option may name for their order.
var withoutOrder = map[arrow.Type]bool{
	arrow.NULL: true, arrow.FLOAT16: true, arrow.DURATION: true, arrow.INTERVAL_MONTHS: true, arrow.INTERVAL_DAY_TIME: true,
	arrow.INTERVAL_MONTH_DAY_NANO: true,
}

// TestSequenceLayouts orders versions and groups by columns of every layout, flat and in lists of rows, and compares with the
// row merger; types without an order are refused.
func TestSequenceLayouts(t *testing.T) {
	for _, s := range samples {
		for _, nested := range []bool{false, true} {
			dt := s.t
			if nested {
				dt = arrow.ListOf(arrow.StructOf(arrow.Field{Name: "x", Type: s.t, Nullable: true}))
			}
			for i, options := range sequenceOptions {
				name := fmt.Sprintf("%s/nested=%v/%d", s.t, nested, i)
				t.Run(strings.ReplaceAll(name, " ", ""), func(t *testing.T) {
					if withoutOrder[s.t.ID()] {
						refuseSequence(t, dt, options)
						return
					}
					rng := rand.New(rand.NewPCG(uint64(len(name)), uint64(i)))
					mergeSequence(t, dt, options, rng, func(mem memory.Allocator, n int) arrow.Array {
						if nested {
							return inList(mem, inStruct(sampleArray(t, mem, s.t, s.values, 2*n, rng)), n, rng)
						}
						return sampleArray(t, mem, s.t, s.values, n, rng)
					})
				})
			}
		}
	}
}

// sequenceSchema is a table of a key, what orders its versions, and a number that tells the rows apart.
func sequenceSchema(dt arrow.DataType) *arrow.Schema {
	return arrow.NewSchema([]arrow.Field{orders.Field(0), {Name: "v", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		{Name: "s", Type: dt, Nullable: true}}, nil)
}

func refuseSequence(t *testing.T, dt arrow.DataType, options map[string]string) {
	o, err := kernel.ParseOptions(options)
	if err == nil {
		_, err = kernel.Compile(kernel.Table{Schema: sequenceSchema(dt), PrimaryKey: []string{"id"}}, o)
	}
	if !errors.Is(err, kernel.ErrSchema) && !errors.Is(err, kernel.ErrOption) || !strings.Contains(err.Error(), `column "s"`) {
		t.Errorf("error %v, want one about the order of column s", err)
	}
}

// mergeSequence merges three runs of few keys.
func mergeSequence(t *testing.T, dt arrow.DataType, options map[string]string, rng *rand.Rand, column func(mem memory.Allocator, n int) arrow.Array) {
	mem := checked(t)
	const rows = 40
	schema := sequenceSchema(dt)
	var runs []kernel.Run
	number := int64(0)
	for range 3 {
		ids, values := array.NewInt64Builder(mem), array.NewInt64Builder(mem)
		id := int64(0)
		for range rows {
			id += int64(rng.IntN(2))
			ids.Append(id)
			values.Append(number)
			number++
		}
		columns := []arrow.Array{ids.NewArray(), values.NewArray(), column(mem, rows)}
		rec := array.NewRecord(schema, columns, rows)
		for _, c := range columns {
			c.Release()
		}
		ids.Release()
		values.Release()
		part := rec.NewSlice(3, rows-2)
		rec.Release()
		t.Cleanup(part.Release)
		runs = append(runs, kernel.FromRecords(part))
	}
	p := rowmerge.Problem{Schema: schema, PrimaryKey: []string{"id"}, Options: options}
	compareRows(t, mem, compile(t, schema, options, "id"), p, runs)
}
