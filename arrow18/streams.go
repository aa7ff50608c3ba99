package arrow18

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	v18arrow "github.com/apache/arrow-go/v18/arrow"
	v18array "github.com/apache/arrow-go/v18/arrow/array"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/kernel"
)

// Run makes a run of one v18 reader, for a merge from an engine that speaks v18. The merge retains the reader while it
// reads; the caller's own reference stays the caller's to release. Such a run can be merged once. A column whose type v17
// does not have is columnar.ErrSchema when the merge opens the run.
func Run(reader v18array.RecordReader) kernel.Run {
	return kernel.Run{Files: []kernel.File{{Open: func(context.Context) (array.RecordReader, error) {
		return ReaderTo17(reader)
	}}}}
}

// Reader is a v17 reader, such as the result of a merge, as a v18 reader. It retains merged until it is released itself; the
// caller's own reference stays the caller's. If the schema cannot cross, the reader has no columns and no records, and Err
// says why.
func Reader(merged array.RecordReader) v18array.RecordReader {
	r := &reader18{in: merged}
	r.references.Store(1)
	merged.Retain()
	if r.schema, r.err = SchemaTo18(merged.Schema()); r.err != nil {
		r.schema = v18arrow.NewSchema(nil, nil)
	}
	return r
}

// ReaderTo17 is a v18 reader as a v17 reader. It retains in until it is released itself; the caller's own reference stays
// the caller's.
func ReaderTo17(in v18array.RecordReader) (array.RecordReader, error) {
	schema, err := SchemaTo17(in.Schema())
	if err != nil {
		return nil, err
	}
	r := &reader17{in: in, schema: schema}
	r.references.Store(1)
	in.Retain()
	return r, nil
}

// reader17 reads v17 records from a v18 reader. A record in hand holds its buffers by itself, so it outlives the v18 record.
type reader17 struct {
	references atomic.Int64
	in         v18array.RecordReader
	schema     *arrow.Schema
	current    arrow.Record
	err        error
}

// Retain adds a reference.
func (r *reader17) Retain() { r.references.Add(1) }

// Release gives up a reference; the last one releases the record in hand and the v18 reader.
func (r *reader17) Release() {
	if r.references.Add(-1) == 0 {
		r.drop()
		r.in.Release()
	}
}

// Schema is the schema of all records.
func (r *reader17) Schema() *arrow.Schema { return r.schema }

// Record is the record in hand, valid until the next call of Next unless retained.
func (r *reader17) Record() arrow.Record { return r.current }

// Next reads the next record. It is false at the end and on an error.
func (r *reader17) Next() bool {
	r.drop()
	if r.err != nil || !r.in.Next() {
		return false
	}
	next := r.in.RecordBatch()
	if r.err = sameColumns18(next.Schema(), r.in.Schema()); r.err != nil {
		return false
	}
	r.current, r.err = recordTo17(next, r.schema)
	return r.err == nil
}

// Err is what ended the records, nil at their end.
func (r *reader17) Err() error { return firstError(r.err, r.in.Err()) }

func (r *reader17) drop() {
	if r.current != nil {
		r.current.Release()
		r.current = nil
	}
}

// reader18 is reader17 the other way round.
type reader18 struct {
	references atomic.Int64
	in         array.RecordReader
	schema     *v18arrow.Schema
	current    v18arrow.RecordBatch
	err        error
}

// Retain adds a reference.
func (r *reader18) Retain() { r.references.Add(1) }

// Release gives up a reference; the last one releases the record in hand and the v17 reader.
func (r *reader18) Release() {
	if r.references.Add(-1) == 0 {
		r.drop()
		r.in.Release()
	}
}

// Schema is the schema of all records.
func (r *reader18) Schema() *v18arrow.Schema { return r.schema }

// RecordBatch is the record in hand, valid until the next call of Next unless retained.
func (r *reader18) RecordBatch() v18arrow.RecordBatch { return r.current }

// Record is RecordBatch under its older name.
func (r *reader18) Record() v18arrow.RecordBatch { return r.current }

// Next reads the next record. It is false at the end and on an error.
func (r *reader18) Next() bool {
	r.drop()
	if r.err != nil || !r.in.Next() {
		return false
	}
	next := r.in.Record()
	if r.err = sameColumns17(next.Schema(), r.in.Schema()); r.err != nil {
		return false
	}
	r.current, r.err = recordTo18(next, r.schema)
	return r.err == nil
}

// Err is what ended the records, nil at their end.
func (r *reader18) Err() error { return firstError(r.err, r.in.Err()) }

func (r *reader18) drop() {
	if r.current != nil {
		r.current.Release()
		r.current = nil
	}
}

// firstError gives the first error there is. A bare io.EOF, which some readers report at a clean end, is none; wrapped in
// another error it is part of a failure.
func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil && err != io.EOF {
			return err
		}
	}
	return nil
}

// sameColumns17 checks that a record has the columns its reader announced.
func sameColumns17(record, reader *arrow.Schema) error {
	if record == reader {
		return nil
	}
	if record.NumFields() != reader.NumFields() {
		return wrongColumns(record.NumFields(), reader.NumFields())
	}
	for i, f := range record.Fields() {
		if want := reader.Field(i); !arrow.TypeEqual(f.Type, want.Type) {
			return wrongType(want.Name, f.Type, want.Type)
		}
	}
	return nil
}

// sameColumns18 is sameColumns17 for v18 schemas.
func sameColumns18(record, reader *v18arrow.Schema) error {
	if record == reader {
		return nil
	}
	if record.NumFields() != reader.NumFields() {
		return wrongColumns(record.NumFields(), reader.NumFields())
	}
	for i, f := range record.Fields() {
		if want := reader.Field(i); !v18arrow.TypeEqual(f.Type, want.Type) {
			return wrongType(want.Name, f.Type, want.Type)
		}
	}
	return nil
}

func wrongColumns(got, want int) error {
	return fmt.Errorf("%w: record of %d columns from a reader of %d", columnar.ErrSchema, got, want)
}

func wrongType(column string, got, want fmt.Stringer) error {
	return fmt.Errorf("%w: column %q: record has type %s, its reader %s", columnar.ErrSchema, column, got, want)
}
