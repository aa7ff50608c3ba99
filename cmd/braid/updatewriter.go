package main

import (
	"context"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/braidmerge/braid/kernel"
)

// updateWriter writes the rows of an update: those of every file, or only the columns that were set of those that change.
type updateWriter struct {
	ctx         context.Context
	update      *kernel.Update
	table       *arrow.Schema
	files       *inputRuns
	ranges      []kernel.RowRange
	columnsOnly bool
	out         *output
	progress    *progress

	schema  *arrow.Schema // of the rows written
	written int           // ranges so far
	rows    int64
}

// run writes everything and commits.
func (w *updateWriter) run() (kernel.UpdateStats, error) {
	if err := w.begin(); err != nil {
		return kernel.UpdateStats{}, err
	}
	limited := make([]kernel.RowRange, len(w.ranges))
	for i, r := range w.ranges {
		limited[i] = reading(w.files, r, w.update.InputFields())
	}
	stats, err := w.update.Run(w.ctx, limited, nil, w.changed, kernel.UpdateOptions{})
	if err != nil {
		return stats, err
	}
	if err := w.unchangedBefore(len(w.ranges)); err != nil {
		return stats, err
	}
	// An interruption must not make half a result look like a whole one.
	if err := w.ctx.Err(); err != nil {
		return stats, err
	}
	return stats, w.out.commit()
}

// begin says what the rows look like: columns have the types in which they come out of an update, without dictionaries.
func (w *updateWriter) begin() error {
	fields := slices.Clone(w.table.Fields())
	if w.columnsOnly {
		fields = []arrow.Field{{Name: kernel.RowIDColumn, Type: arrow.PrimitiveTypes.Int64}}
		for _, name := range w.update.Columns() {
			fields = append(fields, w.table.Field(w.table.FieldIndices(name)[0]))
		}
	}
	for i, f := range fields {
		plain, err := kernel.PlainType(f.Type)
		if err != nil {
			return err
		}
		fields[i].Type = plain
	}
	meta := w.table.Metadata()
	w.schema = arrow.NewSchema(fields, &meta)
	return w.out.begin(w.schema)
}

// changed writes a range with the columns that were set.
func (w *updateWriter) changed(r *kernel.RowRange, columns *kernel.UpdateReader) error {
	at := slices.IndexFunc(w.ranges, func(o kernel.RowRange) bool { return o.FirstRowID == r.FirstRowID })
	if err := w.unchangedBefore(at); err != nil {
		return err
	}
	w.written = at + 1
	set := kernel.ColumnFile{Columns: w.update.Columns(), Open: func(context.Context) (array.RecordReader, error) {
		columns.Retain()
		return columns, nil
	}}
	whole := w.ranges[at]
	var others []string
	for _, f := range w.table.Fields() {
		if !slices.Contains(set.Columns, f.Name) {
			others = append(others, f.Name)
		}
	}
	whole = reading(w.files, whole, others)
	whole.Files = append(whole.Files, set)
	if w.columnsOnly || len(others) == 0 {
		whole.Files = []kernel.ColumnFile{set}
	}
	return w.copy(whole, w.typed(others))
}

// typed is the schema of the rows with the types that the files have for some columns.
func (w *updateWriter) typed(stored []string) *arrow.Schema {
	fields := slices.Clone(w.schema.Fields())
	for i, f := range fields {
		if slices.Contains(stored, f.Name) {
			fields[i] = w.table.Field(w.table.FieldIndices(f.Name)[0])
		}
	}
	return arrow.NewSchema(fields, nil)
}

// unchangedBefore writes the ranges below a place that were not handed out, as they are.
func (w *updateWriter) unchangedBefore(at int) error {
	for ; w.written < at; w.written++ {
		r := w.ranges[w.written]
		if w.columnsOnly {
			w.rows += r.Rows
			continue
		}
		var all []string
		for _, f := range w.table.Fields() {
			all = append(all, f.Name)
		}
		if err := w.copy(r, w.typed(all)); err != nil {
			return err
		}
	}
	return nil
}

// copy writes the rows of a range.
func (w *updateWriter) copy(r kernel.RowRange, schema *arrow.Schema) error {
	reader, err := kernel.ReadRange(w.ctx, schema, &r, kernel.UpdateOptions{})
	if err != nil {
		return err
	}
	defer reader.Release()
	for reader.Next() {
		rec := array.NewRecord(w.schema, reader.Record().Columns(), reader.Record().NumRows())
		err := w.out.write(rec)
		rec.Release()
		if err != nil {
			return err
		}
		w.rows += reader.Record().NumRows()
		w.progress.at(w.rows)
	}
	return reader.Err()
}
