package main

import (
	"context"
	"errors"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/kernel"
	"github.com/braidmerge/braid/validity"
)

// encodeCommand is the command line of validity encode.
type encodeCommand struct {
	File        string   `arg:"" name:"file" help:"A file, or - for an Arrow stream on standard input."`
	Table       string   `placeholder:"FILE" help:"A file of the table, whose columns the rows are to have. By default the columns are those of the file itself, and _VALIDITY_FIELDS comes first."`
	Supplied    []string `placeholder:"COLUMN" help:"Columns that the writer supplied; by default all of the file. The others become NULL, or their default."`
	Format      format   `enum:",parquet,arrow,arrows" default:"" placeholder:"parquet|arrow|arrows" help:"Format of all files read. By default a file's name says it, or else its first bytes."`
	Output      string   `short:"o" placeholder:"FILE" help:"Where the rows go; - is standard output, the default. A file appears whole or not at all."`
	To          format   `enum:",parquet,arrow,arrows,jsonl,csv,table" default:"" placeholder:"FORMAT" help:"Format written, as of merge."`
	Compression string   `placeholder:"CODEC" help:"Compression written, as of merge."`
	Force       bool     `help:"Replace the file if it exists."`
}

// Help is what --help says beside the flags.
func (*encodeCommand) Help() string {
	return `Examples:

  braid validity encode --table base.parquet cities.parquet -o delta.parquet
  braid validity encode --supplied id,city people.parquet -o delta.parquet

Columns _KEY_..., _SEQUENCE_NUMBER and _VALUE_KIND of the file are kept, in front. NULL in a column that was supplied stays NULL, or becomes the default of the column (field metadata paimon.default), and counts as supplied.`
}

// Run writes the complete rows.
func (c *encodeCommand) Run(ctx context.Context, std *streams) error {
	target, err := newTarget(c.Output, c.To, c.Compression, c.Force, std)
	if err != nil {
		return err
	}
	in, err := openInput(ctx, c.File, c.Format, std)
	if err != nil {
		return err
	}
	defer in.close()
	if in.schema.HasField(validity.FieldsColumn) {
		return usagef("%s has a column %s already", in.name, validity.FieldsColumn)
	}
	table, err := c.tableOf(ctx, in, std)
	if err != nil {
		return err
	}
	w, err := validity.NewWriter(table, memory.DefaultAllocator)
	if err != nil {
		return err
	}
	supplied, err := c.supplied(in)
	if err != nil {
		return err
	}
	out, err := openOutput(target, std)
	if err != nil {
		return err
	}
	defer out.abort()
	if err := c.copy(ctx, in, w, supplied, out); err != nil {
		return named(in.name, err)
	}
	return out.commit()
}

// tableOf is the schema of the table.
func (c *encodeCommand) tableOf(ctx context.Context, in *input, std *streams) (*arrow.Schema, error) {
	if c.Table == "" {
		own := arrow.Field{Name: validity.FieldsColumn, Type: arrow.BinaryTypes.Binary, Nullable: true}
		return arrow.NewSchema(append([]arrow.Field{own}, valueFields(in.schema)...), nil), nil
	}
	of, err := openInput(ctx, c.Table, c.Format, std)
	if err != nil {
		return nil, err
	}
	defer of.close()
	return arrow.NewSchema(valueFields(of.schema), nil), nil
}

// supplied lists the columns of the file that were supplied.
func (c *encodeCommand) supplied(in *input) ([]string, error) {
	var names []string
	for _, field := range valueFields(in.schema) {
		names = append(names, field.Name)
	}
	if len(c.Supplied) == 0 {
		return names, nil
	}
	for _, name := range c.Supplied {
		if !slices.Contains(names, name) {
			return nil, usagef("--supplied %s: there is no such column; %s", name, suggest(name, valueFields(in.schema)))
		}
	}
	return c.Supplied, nil
}

// copy writes the rows of a file.
func (c *encodeCommand) copy(ctx context.Context, in *input, w *validity.Writer, supplied []string, out *output) error {
	var kept []arrow.Field
	for _, field := range in.schema.Fields() {
		if isSystem(field.Name) {
			kept = append(kept, field)
		}
	}
	schema := arrow.NewSchema(append(slices.Clone(kept), w.Schema().Fields()...), nil)
	out.marked = fieldNames(w.Schema())
	if err := out.begin(schema); err != nil {
		return err
	}
	r, err := in.open(ctx, nil)
	if err != nil {
		return err
	}
	defer r.Release()
	for batch := 0; r.Next(); batch++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := copyCompleted(r.Record(), schema, w, supplied, out); err != nil {
			var fault *validity.Fault
			if errors.As(err, &fault) {
				return &kernel.RowError{Batch: batch, Row: fault.Row, Column: fault.Column, Err: fault.Err}
			}
			return err
		}
	}
	return readerError(r)
}

// copyCompleted writes the rows of a batch, its system columns first.
func copyCompleted(batch arrow.Record, schema *arrow.Schema, w *validity.Writer, supplied []string, out *output) error {
	given := selected(batch, supplied)
	defer given.Release()
	complete, err := w.Write(given)
	if err != nil {
		return err
	}
	defer complete.Release()
	var columns []arrow.Array
	for i := range schema.NumFields() - int(complete.NumCols()) {
		columns = append(columns, batch.Column(batch.Schema().FieldIndices(schema.Field(i).Name)[0]))
	}
	record := array.NewRecord(schema, append(columns, complete.Columns()...), batch.NumRows())
	defer record.Release()
	return out.write(record)
}

// selected is a batch with these columns of it, once each.
func selected(batch arrow.Record, names []string) arrow.Record {
	var fields []arrow.Field
	var columns []arrow.Array
	for i, field := range batch.Schema().Fields() {
		if slices.Contains(names, field.Name) {
			fields, columns = append(fields, field), append(columns, batch.Column(i))
		}
	}
	return array.NewRecord(arrow.NewSchema(fields, nil), columns, batch.NumRows())
}
