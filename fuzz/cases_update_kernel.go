package fuzz

import (
	"context"
	"fmt"
	"reflect"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/kernel"
)

// checkUpdateKernel puts a case of an update to the kernel in some ways and compares the rows with the case's: in batches, whole or
// sliced, as one range or a range for every batch, in windows of one row or many.
func (c Case) checkUpdateKernel(ways []kernelWay) error {
	var rows, want [][]any
	if err := decodeJSON(c.Rows, &rows); err != nil {
		return err
	}
	if err := decodeJSON(c.Expect.Rows, &want); err != nil {
		return err
	}
	rows, want = plainValues(rows), plainValues(want)
	schema := updateSchema(c.Columns, rows)
	update, err := c.compileUpdate(schema)
	if err != nil {
		return err
	}
	for _, w := range ways {
		got, err := w.update(update, schema, rows)
		if err != nil {
			return fmt.Errorf("kernel, %+v: %w", w, err)
		}
		if !reflect.DeepEqual(got, want) {
			return fmt.Errorf("kernel, %+v: rows are %v, want %v", w, got, want)
		}
	}
	return nil
}

// updateSchema gives a column the type of its values: text or int64.
func updateSchema(columns []string, rows [][]any) *arrow.Schema {
	var fields []arrow.Field
	for i, name := range columns {
		f := arrow.Field{Name: name, Type: arrow.PrimitiveTypes.Int64, Nullable: true}
		for _, row := range rows {
			if _, text := row[i].(string); text {
				f.Type = arrow.BinaryTypes.String
			}
		}
		fields = append(fields, f)
	}
	return arrow.NewSchema(fields, nil)
}

func (c Case) compileUpdate(schema *arrow.Schema) (*kernel.Update, error) {
	actions := c.Actions
	if actions == nil {
		actions = []CaseAction{{Set: c.Set}}
		if c.Where != nil {
			actions[0].When = *c.Where
		}
	}
	var compiled []kernel.Action
	for _, a := range actions {
		var action kernel.Action
		var err error
		if a.When != "" {
			if action.When, err = kernel.ParseCondition(a.When, schema, nil); err != nil {
				return nil, err
			}
		}
		for column, text := range a.Set {
			set, err := kernel.ParseAssignment(column+" = "+text, schema, nil)
			if err != nil {
				return nil, err
			}
			action.Set = append(action.Set, set)
		}
		compiled = append(compiled, action)
	}
	return kernel.CompileUpdate(kernel.Table{Schema: schema}, nil, compiled...)
}

// update runs an update over rows put in a way, and gives the rows with the columns of the new column files in them.
func (w kernelWay) update(u *kernel.Update, schema *arrow.Schema, rows [][]any) ([][]any, error) {
	mem := NewMemory()
	var records []arrow.Record
	defer func() {
		for _, rec := range records {
			rec.Release()
		}
	}()
	var ranges []kernel.RowRange
	for from := 0; from < len(rows); from += w.batch {
		rec, err := w.updateRecord(mem, schema, rows[from:min(from+w.batch, len(rows))])
		if err != nil {
			return nil, err
		}
		records = append(records, rec)
		if w.split {
			ranges = append(ranges, kernel.RowRange{FirstRowID: int64(10 + from), Rows: rec.NumRows(), Files: columnFile(rec)})
		}
	}
	if !w.split {
		ranges = []kernel.RowRange{{FirstRowID: 10, Rows: int64(len(rows)), Files: columnFile(records...)}}
	}
	var out [][]any
	_, err := u.Run(context.Background(), ranges, nil, func(_ *kernel.RowRange, columns *kernel.UpdateReader) error {
		for columns.Next() {
			got, err := rowmerge.RowsOf(columns.Record(), u.Columns(), nil)
			if err != nil {
				return err
			}
			for _, row := range got {
				whole := append([]any(nil), rows[len(out)]...)
				for i, name := range u.Columns() {
					whole[schema.FieldIndices(name)[0]] = row.Values[i]
				}
				out = append(out, whole)
			}
		}
		return nil
	}, kernel.UpdateOptions{Allocator: mem, BatchRows: w.output})
	if err != nil {
		return nil, err
	}
	for _, rec := range records {
		rec.Release()
	}
	records = nil
	if left := mem.CurrentAlloc(); left != 0 {
		return nil, fmt.Errorf("%d bytes are left in the allocator", left)
	}
	return out, nil
}

// columnFile makes the files of a range of records that have all columns.
func columnFile(records ...arrow.Record) []kernel.ColumnFile {
	return []kernel.ColumnFile{{Open: func(context.Context) (array.RecordReader, error) {
		return array.NewRecordReader(records[0].Schema(), records)
	}}}
}

// updateRecord builds a record; a slice of one with a row more at both ends if the way is sliced.
func (w kernelWay) updateRecord(mem memory.Allocator, schema *arrow.Schema, rows [][]any) (arrow.Record, error) {
	if w.sliced {
		rows = append(append([][]any{rows[len(rows)-1]}, rows...), rows[0])
	}
	var list []rowmerge.Row
	for _, row := range rows {
		list = append(list, rowmerge.Row{Values: row})
	}
	rec, err := BuildRecord(mem, schema, list)
	if err != nil || !w.sliced {
		return rec, err
	}
	defer rec.Release()
	return rec.NewSlice(1, rec.NumRows()-1), nil
}
