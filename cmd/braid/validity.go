package main

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/apache/arrow/go/v17/arrow/array"

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
	*suppliedColumn
	in *input
}

// newSuppliedReader finds the columns of the table of a file.
func newSuppliedReader(in *input) (*suppliedReader, error) {
	fields := valueFields(in.schema)
	var names []string
	for _, field := range fields {
		names = append(names, field.Name)
	}
	if !slices.Contains(names, validity.FieldsColumn) {
		return nil, usagef("%s has no column %s; %s", in.name, validity.FieldsColumn, suggest(validity.FieldsColumn, fields))
	}
	return &suppliedReader{newSuppliedColumn(names), in}, nil
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
	for batch := 0; reader.Next(); batch++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.read(reader.Record().Column(at[0])); err != nil {
			var fault *validity.Fault
			if errors.As(err, &fault) {
				return &kernel.RowError{Batch: batch, Row: fault.Row, Column: validity.FieldsColumn, Err: fault.Err}
			}
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
