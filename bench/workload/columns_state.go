package workload

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/internal/rowmerge"
)

// validityColumn is the column in which a row says which of its columns it supplies.
const validityColumn = "_VALIDITY_FIELDS"

// groupColumns are two sequence groups of three columns each, whose sequences do not follow the order of runs.
func groupColumns() []column {
	columns := []column{sequenceColumn}
	for group := 1; group <= 2; group++ {
		columns = append(columns, column{name: fmt.Sprintf("g%d", group), typ: int64Type, group: group, orders: true, nulls: 0.3,
			fill: func(v *value, _ *row, h uint64) { v.number = within(h, 1_000) }})
		for i := range 3 {
			columns = append(columns, column{name: fmt.Sprintf("g%d_v%d", group, i), typ: int64Type, group: group, nulls: 0.2, fill: fillInt})
		}
	}
	return columns
}

const (
	hllBits      = 12
	hllForm      = "HLL_8"
	thetaNominal = 4096
)

// sketchColumns are views of a page: how many, and sketches of who.
func sketchColumns() []column {
	visitors := func(v *value, h uint64) {
		v.list = v.list[:0]
		for range 1 + h%12 {
			h = mix(h)
			v.list = append(v.list, within(h, 1<<40))
		}
	}
	return []column{
		sequenceColumn,
		{name: "views", typ: int64Type, function: "sum", fill: fillInt},
		sketchColumn("visitors_hll", "hll_sketch", func(v *value, _ *row, h uint64) {
			visitors(v, h)
			v.text = hllOf(v.list)
		}),
		sketchColumn("visitors_theta", "theta_sketch", func(v *value, _ *row, h uint64) {
			visitors(v, h)
			v.text = rowmerge.BuildTheta(v.list, thetaNominal)
		}),
	}
}

func sketchColumn(name, function string, fill func(*value, *row, uint64)) column {
	c := column{name: name, typ: arrow.BinaryTypes.Binary, function: function, fill: fill}
	var err error
	if c.union, err = rowmerge.NewFunction(function, c.field(), nil); err != nil {
		panic(err)
	}
	return c
}

// hllOf makes a sketch of a set of numbers.
func hllOf(numbers []int64) []byte {
	sketch, err := rowmerge.BuildHll(numbers, hllBits, hllForm)
	if err != nil {
		panic(err)
	}
	return sketch
}

// validityValues is how many columns a row may supply.
const validityValues = 8

// validityColumns are columns of which a row supplies some, as a bitmap of their places in the table says. The key is in the first
// places behind the bitmap.
func validityColumns(supplies func(r *row, i int) bool) []column {
	columns := []column{{name: validityColumn, typ: arrow.BinaryTypes.Binary, fill: func(v *value, r *row, _ uint64) {
		v.list = append(v.list[:0], 1) // the key of these workloads is one column
		for i := range validityValues {
			if supplies(r, i) {
				v.list = append(v.list, int64(i+3)) // behind bitmap, key and sequence
			}
		}
		v.list = append(v.list, 2)
		v.text = rowmerge.BuildRbm32(v.list)
	}}, sequenceColumn}
	for i := range validityValues {
		columns = append(columns, column{name: fmt.Sprintf("v%d", i), typ: int64Type, nulls: 0.1, fill: fillInt,
			supplied: func(r *row) bool { return supplies(r, i) }})
	}
	return columns
}

// perRun: a run supplies a third of the columns.
func perRun(r *row, i int) bool { return (r.run+i)%3 == 0 }

// perRow: each row supplies a third of the columns.
func perRow(r *row, i int) bool { return mix(r.hash+uint64(i))%3 == 0 }
