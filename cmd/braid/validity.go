package main

import (
	"context"
	"errors"
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/kernel"
	"github.com/braidmerge/braid/validity"
)

// validityCommand is the command line of validity.
type validityCommand struct {
	Summary summaryCommand `cmd:"" help:"Show which columns the writers of files supplied, as a table of columns by files."`
	Decode  decodeCommand  `cmd:"" help:"Show which columns were supplied, row by row."`
	Encode  encodeCommand  `cmd:"" help:"Make complete rows of a table out of rows that have some of its columns."`
}

// Help is what --help says beside the commands.
func (*validityCommand) Help() string {
	return `The column _VALIDITY_FIELDS of a table says for every row which columns its writer supplied, so that NULL as a value can be told from a column that was left out.`
}

// suppliedReader reads which columns the rows of a file supplied.
type suppliedReader struct {
	in      *input
	columns []string // of the table
	decoder *validity.Decoder
	source  *validity.Source
	numbers []uint32 // of the rows of the batch at hand
}

// newSuppliedReader finds the columns of the table of a file.
func newSuppliedReader(in *input) (*suppliedReader, error) {
	fields := valueFields(in.schema)
	r := &suppliedReader{in: in, decoder: validity.NewDecoder(len(fields))}
	positions, own := make([]int, len(fields)), -1
	for i, field := range fields {
		r.columns = append(r.columns, field.Name)
		if positions[i] = i; field.Name == validity.FieldsColumn {
			positions[i], own = -1, i
		}
	}
	if own < 0 {
		return nil, usagef("%s has no column %s; %s", in.name, validity.FieldsColumn, suggest(validity.FieldsColumn, fields))
	}
	r.source = r.decoder.Source(positions)
	return r, nil
}

// others lists the columns of the table but the validity column, by their places among the columns.
func (r *suppliedReader) others() []int {
	var places []int
	for i, name := range r.columns {
		if name != validity.FieldsColumn {
			places = append(places, i)
		}
	}
	return places
}

// each calls f for every batch, whose rows have the numbers of their patterns, until it says that it has seen enough.
func (r *suppliedReader) each(ctx context.Context, f func() (more bool)) error {
	reader, err := r.in.open(ctx, []string{validity.FieldsColumn})
	if err != nil {
		return err
	}
	defer reader.Release()
	at := reader.Schema().FieldIndices(validity.FieldsColumn)
	if len(at) != 1 {
		return kernel.ErrSchema
	}
	encoding, err := columnar.NewEncoding(reader.Schema().Field(at[0]).Type, true, memory.DefaultAllocator)
	if err != nil {
		return err
	}
	defer encoding.Release()
	for batch := 0; reader.Next(); batch++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.read(reader.Record().Column(at[0]), encoding, batch); err != nil {
			return err
		}
		if !f() {
			return nil
		}
	}
	return readerError(reader)
}

// readerError is what ended a reader early; io.EOF is how some say that all went well.
func readerError(r array.RecordReader) error {
	if err := r.Err(); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// read reads a batch.
func (r *suppliedReader) read(column arrow.Array, encoding *columnar.Encoding, batch int) error {
	loaded, err := encoding.LoadKey(column.Data())
	if err != nil {
		return err
	}
	defer loaded.Release()
	view, err := columnar.NewView(loaded)
	if err != nil {
		return err
	}
	if cap(r.numbers) < view.Rows {
		r.numbers = make([]uint32, view.Rows)
	}
	r.numbers = r.numbers[:view.Rows]
	r.decoder.Begin()
	_, err = view.ReadSupplied(r.source, r.numbers, 0, view.Rows)
	var fault *validity.Fault
	if errors.As(err, &fault) {
		return &kernel.RowError{Batch: batch, Row: fault.Row, Column: validity.FieldsColumn, Err: fault.Err}
	}
	return err
}
