package kernel_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/validity"
)

// checkSupply makes the rows complete. The bytes of the validity column come from the roaring library.
func (e *writeExample) checkSupply(table *arrow.Schema, mem memory.Allocator) error {
	names, supplies := e.input.header, [][]string(nil)
	cells := e.input.rows
	if names[0] == "supplies" {
		names, cells = names[1:], nil
		for _, row := range e.input.rows {
			supplies, cells = append(supplies, strings.Split(row[0], ", ")), append(cells, row[1:])
		}
	}
	given, err := docTable{header: names}.build(mem, table, cells, len(cells)+1)
	defer releaseRecords(given)
	if err != nil {
		return err
	}
	w, err := validity.NewWriter(table, mem)
	if err != nil {
		return err
	}
	var got arrow.Record
	if supplies == nil {
		got, err = w.Write(given[0])
	} else {
		got, err = w.WriteActions(given[0], supplies, rowNumbers(len(supplies)))
	}
	if e.fault != "" {
		var fault *validity.Fault
		if !errors.As(err, &fault) || !errors.Is(err, docErrors[e.fault]) || fmt.Sprintf("row %d, column `%s`", fault.Row, fault.Column) != e.place {
			return fmt.Errorf("error %v, want %s at %s", err, e.fault, e.place)
		}
		return nil
	}
	if err != nil {
		return err
	}
	defer got.Release()
	complete, err := e.want.build(mem, table, e.want.rows, len(e.want.rows)+1)
	defer releaseRecords(complete)
	if err != nil {
		return err
	}
	if !array.RecordEqual(complete[0], got) || !got.Schema().Equal(table) {
		return fmt.Errorf("complete rows are %v, want %v", got, complete[0])
	}
	return nil
}

func rowNumbers(n int) []int {
	var rows []int
	for i := range n {
		rows = append(rows, i)
	}
	return rows
}

// bitmapCell reads the cell {1,3}: the bytes of a bitmap.
func bitmapCell(cell string) ([]byte, error) {
	m := roaring.New()
	for _, text := range strings.FieldsFunc(strings.Trim(cell, "{}"), func(r rune) bool { return r == ',' }) {
		n, err := strconv.ParseUint(text, 10, 32)
		if err != nil {
			return nil, err
		}
		m.Add(uint32(n))
	}
	m.RunOptimize()
	return m.ToBytes()
}
