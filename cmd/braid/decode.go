package main

import (
	"context"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// decodeCommand is the command line of validity decode.
type decodeCommand struct {
	File   string `arg:"" name:"file" help:"A file, or - for an Arrow stream on standard input."`
	Format format `enum:",parquet,arrow,arrows" default:"" placeholder:"parquet|arrow|arrows" help:"Format of the file. By default its name says it, or else its first bytes."`
	Limit  *int64 `placeholder:"ROWS" help:"Stop after this many rows. A table on a terminal stops after 40 by itself."`
	Output string `short:"o" placeholder:"FILE" help:"Where the rows go; - is standard output, the default. A file appears whole or not at all."`
	To     format `enum:",parquet,arrow,arrows,jsonl,csv,table" default:"" placeholder:"FORMAT" help:"Format written, as of merge."`
	Force  bool   `help:"Replace the file if it exists."`
}

// Help is what --help says beside the flags.
func (*decodeCommand) Help() string {
	return `Examples:

  braid validity decode --to table delta.parquet
  braid validity decode delta.arrow | grep city

A row is its place in the file, from 0, and the names of the columns that its writer supplied: none if NULL in _VALIDITY_FIELDS does not say it. Bytes in the column that are no bitmap are an error that names the row.`
}

// decodedSchema has the rows of decode.
var decodedSchema = arrow.NewSchema([]arrow.Field{
	{Name: "row", Type: arrow.PrimitiveTypes.Int64},
	{Name: "supplied", Type: arrow.ListOf(arrow.BinaryTypes.String), Nullable: true},
}, nil)

// Run shows the rows.
func (c *decodeCommand) Run(ctx context.Context, std *streams) error {
	if c.Limit != nil && *c.Limit < 0 {
		return usagef("--limit %d is negative", *c.Limit)
	}
	target, err := newTarget(c.Output, c.To, "", c.Force, std)
	if err != nil {
		return err
	}
	in, err := openInput(ctx, c.File, c.Format, std)
	if err != nil {
		return err
	}
	defer in.close()
	r, err := newSuppliedReader(in)
	if err != nil {
		return err
	}
	out, err := openOutput(target, std)
	if err != nil {
		return err
	}
	defer out.abort()
	if err := out.begin(decodedSchema); err != nil {
		return err
	}
	if err := c.copy(ctx, r, out, std); err != nil {
		return err
	}
	return out.commit()
}

// copy writes the rows of a file, up to the limit.
func (c *decodeCommand) copy(ctx context.Context, r *suppliedReader, out *output, std *streams) error {
	left := int64(-1)
	if _, terminal := terminalWidth(std.out); terminal && out.file == nil && out.format == tableFormat && c.To == "" {
		left = terminalRows
	}
	if c.Limit != nil {
		left = *c.Limit
	}
	b := array.NewRecordBuilder(memory.DefaultAllocator, decodedSchema)
	defer b.Release()
	var wrong error
	err := r.each(ctx, func() bool {
		numbers := r.numbers
		if left >= 0 {
			numbers = numbers[:min(int64(len(numbers)), left)]
			left -= int64(len(numbers))
		}
		record := r.record(b, out.rows, numbers)
		defer record.Release()
		wrong = out.write(record)
		return wrong == nil && left != 0
	})
	if err != nil {
		return named(r.in.name, err)
	}
	return wrong
}

// record makes the rows with these numbers, the first of which is row first of the file.
func (r *suppliedReader) record(b *array.RecordBuilder, first int64, numbers []uint32) arrow.Record {
	rows := b.Field(0).(*array.Int64Builder)
	for i := range numbers {
		rows.Append(first + int64(i))
	}
	r.appendNames(b.Field(1).(*array.ListBuilder), numbers)
	return b.NewRecord()
}
