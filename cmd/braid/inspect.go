package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/arrow18"
	"github.com/braidmerge/braid/cmd/braid/ipcfile"
	"github.com/braidmerge/braid/kernel"
)

// inspectCommand is the command line of inspect.
type inspectCommand struct {
	Files  []string `arg:"" name:"file" help:"Files, quoted patterns, or - for an Arrow stream on standard input."`
	Key    []string `short:"k" placeholder:"COLUMN" help:"Check that the rows are sorted by these columns, and show the smallest and the largest key."`
	Format format   `enum:",parquet,arrow,arrows" default:"" placeholder:"parquet|arrow|arrows" help:"Format of all files. By default a file's name says it, or else its first bytes."`
	JSON   bool     `name:"json" help:"Write JSON, a line for each file."`
}

// Help is what --help says beside the flags.
func (*inspectCommand) Help() string {
	return `Examples:

  braid inspect merged.parquet
  braid inspect --key id 'runs/*.parquet'
  braid inspect --json runs/run-0.arrow

What a footer says is shown as it says it. Of the rows, only the columns of --key, _SEQUENCE_NUMBER and _VALUE_KIND are read; a stream, which has no footer, is read to its end. A file that is not sorted is told about, and is no error.`
}

// Run shows the files.
func (c *inspectCommand) Run(ctx context.Context, std *streams) error {
	for i, name := range c.Files {
		paths, err := expand(name)
		if err != nil {
			return err
		}
		for j, path := range paths {
			found, err := c.inspect(ctx, path, std)
			if err != nil {
				return err
			}
			if err := c.show(found, i+j > 0, std.out); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *inspectCommand) show(found *inspection, another bool, out io.Writer) error {
	if c.JSON {
		return json.NewEncoder(out).Encode(found)
	}
	text := found.text()
	if another {
		text = "\n" + text
	}
	_, err := io.WriteString(out, text)
	return err
}

// inspect looks at one file.
func (c *inspectCommand) inspect(ctx context.Context, path string, std *streams) (*inspection, error) {
	in, err := openInput(ctx, path, c.Format, std)
	if err != nil {
		return nil, err
	}
	defer in.close()
	for _, name := range c.Key {
		if !in.schema.HasField(name) {
			return nil, usagef("key column %q is not in %s; %s", name, path, suggest(name, in.schema.Fields()))
		}
	}
	found := &inspection{Name: in.name, Format: in.format, Rows: known(in.rows), Bytes: known(in.bytes), Metadata: pairs(in.schema.Metadata())}
	for _, field := range in.schema.Fields() {
		found.Schema = append(found.Schema, fieldReport{field.Name, field.Type.String(), field.Nullable, pairs(field.Metadata)})
	}
	if err := found.readFooter(path); err != nil {
		return nil, named(in.name, err)
	}
	if err := found.readRows(ctx, in, c.Key); err != nil {
		return nil, named(in.name, err)
	}
	return found, nil
}

// pairs makes a map of metadata.
func pairs(m arrow.Metadata) map[string]string {
	if m.Len() == 0 {
		return nil
	}
	return m.ToMap()
}

// readFooter takes over what the footer of the file says.
func (found *inspection) readFooter(path string) error {
	switch found.Format {
	case parquetFormat:
		info, err := arrow18.ReadParquetInfo(path)
		if err != nil {
			return err
		}
		found.CreatedBy, found.Metadata = info.CreatedBy, pairs(info.Metadata)
		found.Columns = columnReports(info)
		for _, group := range info.RowGroups {
			found.Batches = append(found.Batches, batchReport{Rows: group.Rows, Bytes: group.Compressed, Uncompressed: group.Uncompressed})
		}
	case arrowFormat:
		file, err := ipcfile.Open(path, ipcfile.Options{})
		if err != nil {
			return err
		}
		defer file.Release()
		for _, batch := range file.Batches() {
			found.Batches = append(found.Batches, batchReport{Rows: batch.Rows, Bytes: batch.Bytes, Compression: batch.Compression})
		}
	}
	return nil
}

// columnReports sums up the chunks of every column of a Parquet file.
func columnReports(info *arrow18.ParquetInfo) []columnReport {
	var columns []columnReport
	for _, group := range info.RowGroups {
		for i, chunk := range group.Columns {
			if i == len(columns) {
				columns = append(columns, columnReport{Name: chunk.Path, Type: chunk.Type})
			}
			columns[i].add(chunk)
		}
	}
	return columns
}

// add adds a chunk.
func (c *columnReport) add(chunk arrow18.ColumnInfo) {
	c.Compression = addNames(c.Compression, strings.ToLower(chunk.Compression))
	for _, encoding := range chunk.Encodings {
		c.Encodings = addNames(c.Encodings, encoding)
	}
	c.Bytes += chunk.Compressed
	c.Uncompressed += chunk.Uncompressed
	if chunk.Nulls >= 0 {
		c.Nulls += chunk.Nulls
	}
}

func addNames(names []string, name string) []string {
	if slices.Contains(names, name) {
		return names
	}
	return append(names, name)
}

// readRows reads what only the rows say.
func (found *inspection) readRows(ctx context.Context, in *input, key []string) error {
	columns := slices.Clone(key)
	for _, name := range []string{kernel.SequenceColumn, kernel.KindColumn} {
		if in.schema.HasField(name) && !slices.Contains(columns, name) {
			columns = append(columns, name)
		}
	}
	if len(columns) == 0 && in.rows >= 0 {
		return nil
	}
	r, err := in.open(ctx, columns)
	if err != nil {
		return err
	}
	defer r.Release()
	s, err := newScan(key, r.Schema())
	if err != nil {
		return err
	}
	defer s.release()
	for r.Next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.add(r.Record()); err != nil {
			return err
		}
		if in.format == arrowsFormat {
			found.Batches = append(found.Batches, batchReport{Rows: r.Record().NumRows()})
		}
	}
	if err := r.Err(); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if in.rows >= 0 && in.rows != s.rows {
		return fmt.Errorf("%w: %d rows in a file of %d", kernel.ErrCorrupt, s.rows, in.rows)
	}
	s.report(found)
	return nil
}
