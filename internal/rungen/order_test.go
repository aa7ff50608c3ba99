package rungen_test

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/braidmerge/braid/internal/rungen"
)

// keyCells lists the cells of the key columns of a run, row by row: a cell is an array and a position in it.
func keyCells(p *rungen.Problem, r rungen.Run) [][]cell {
	var rows [][]cell
	for _, rec := range r.Records {
		for i := range int(rec.NumRows()) {
			var row []cell
			for _, name := range p.PrimaryKey[len(p.PartitionKeys):] {
				if rec.Schema().HasField("_KEY_" + name) {
					name = "_KEY_" + name
				}
				row = append(row, cell{rec.Column(rec.Schema().FieldIndices(name)[0]), i})
			}
			rows = append(rows, row)
		}
	}
	return rows
}

type cell struct {
	array arrow.Array
	row   int
}

// compareKeys orders keys column by column, NULL first, by the plainest means.
func compareKeys(a, b []cell) int {
	for i := range a {
		if c := compareCells(a[i], b[i]); c != 0 {
			return c
		}
	}
	return 0
}

func compareCells(a, b cell) int {
	switch {
	case a.array.IsNull(a.row) && b.array.IsNull(b.row):
		return 0
	case a.array.IsNull(a.row):
		return -1
	case b.array.IsNull(b.row):
		return 1
	}
	switch x := a.array.(type) {
	case *array.Boolean:
		return strings.Compare(x.ValueStr(a.row), b.array.ValueStr(b.row))
	case *array.Decimal128:
		return x.Value(a.row).Cmp(b.array.(*array.Decimal128).Value(b.row))
	case *array.Float32:
		return compareFloats(float64(x.Value(a.row)), float64(b.array.(*array.Float32).Value(b.row)))
	case *array.Float64:
		return compareFloats(x.Value(a.row), b.array.(*array.Float64).Value(b.row))
	case *array.Date32:
		return cmp.Compare(x.Value(a.row), b.array.(*array.Date32).Value(b.row))
	case *array.Date64:
		return cmp.Compare(x.Value(a.row), b.array.(*array.Date64).Value(b.row))
	case *array.Time32:
		return cmp.Compare(x.Value(a.row), b.array.(*array.Time32).Value(b.row))
	case *array.Time64:
		return cmp.Compare(x.Value(a.row), b.array.(*array.Time64).Value(b.row))
	case *array.Timestamp:
		return cmp.Compare(x.Value(a.row), b.array.(*array.Timestamp).Value(b.row))
	case *array.FixedSizeBinary:
		return bytes.Compare(x.Value(a.row), b.array.(*array.FixedSizeBinary).Value(b.row))
	case *array.Binary:
		return bytes.Compare(x.Value(a.row), b.array.(*array.Binary).Value(b.row))
	case *array.LargeBinary:
		return bytes.Compare(x.Value(a.row), b.array.(*array.LargeBinary).Value(b.row))
	case array.StringLike:
		return strings.Compare(x.Value(a.row), b.array.(array.StringLike).Value(b.row))
	}
	return compareInts(a, b)
}

func compareFloats(a, b float64) int {
	switch {
	case math.IsNaN(a) && math.IsNaN(b):
		return 0
	case math.IsNaN(a):
		return 1
	case math.IsNaN(b):
		return -1
	case a == 0 && b == 0:
		return cmp.Compare(math.Copysign(1, a), math.Copysign(1, b))
	}
	return cmp.Compare(a, b)
}

func compareInts(a, b cell) int {
	switch x := a.array.(type) {
	case *array.Int8:
		return cmp.Compare(x.Value(a.row), b.array.(*array.Int8).Value(b.row))
	case *array.Int16:
		return cmp.Compare(x.Value(a.row), b.array.(*array.Int16).Value(b.row))
	case *array.Int32:
		return cmp.Compare(x.Value(a.row), b.array.(*array.Int32).Value(b.row))
	case *array.Int64:
		return cmp.Compare(x.Value(a.row), b.array.(*array.Int64).Value(b.row))
	case *array.Uint8:
		return cmp.Compare(x.Value(a.row), b.array.(*array.Uint8).Value(b.row))
	case *array.Uint16:
		return cmp.Compare(x.Value(a.row), b.array.(*array.Uint16).Value(b.row))
	case *array.Uint32:
		return cmp.Compare(x.Value(a.row), b.array.(*array.Uint32).Value(b.row))
	case *array.Uint64:
		return cmp.Compare(x.Value(a.row), b.array.(*array.Uint64).Value(b.row))
	}
	panic(fmt.Sprintf("no order for %T", a.array))
}
