package main

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"

	"github.com/braidmerge/braid/arrow18"
	"github.com/braidmerge/braid/cmd/braid/text"
)

// target says where the rows go and how they are written.
type target struct {
	path        string // "-" is standard output
	format      format
	compression string // of Parquet and Arrow; empty is the usual one
	replace     bool   // may take the place of a file
}

// newTarget makes sense of --output, --to and --compression.
func newTarget(path string, to format, compression string, replace bool, std *streams) (target, error) {
	if path == "" {
		path = standardInput
	}
	t := target{path: path, format: to, compression: compression, replace: replace}
	_, terminal := terminalWidth(std.out)
	toTerminal := path == standardInput && terminal
	if t.format == "" {
		var err error
		if t.format, err = outputFormat(path, terminal); err != nil {
			return t, err
		}
	}
	if toTerminal && t.format.isBinary() {
		return t, usagef("%s is not for a terminal; say -o FILE", t.format)
	}
	return t, t.checkCompression()
}

// outputFormat is the format of a file's name; of standard output it is a table for people and lines of JSON for programs.
func outputFormat(path string, terminal bool) (format, error) {
	switch f, ok := extensions[strings.ToLower(filepath.Ext(path))]; {
	case path != standardInput && ok:
		return f, nil
	case path != standardInput:
		return "", usagef("the name of %s does not say how to write it; use --to", path)
	case terminal:
		return tableFormat, nil
	}
	return jsonlFormat, nil
}

// compressions are the compressions of the formats that have any, the usual one first.
var compressions = map[format][]string{
	parquetFormat: {"zstd", "snappy", "gzip", "brotli", "lz4", "none"},
	arrowFormat:   {"none", "zstd", "lz4"},
	arrowsFormat:  {"none", "zstd", "lz4"},
}

func (t *target) checkCompression() error {
	known := compressions[t.format]
	switch {
	case t.compression == "" && len(known) > 0:
		t.compression = known[0]
	case t.compression == "":
	case len(known) == 0:
		return usagef("%s is not compressed", t.format)
	case !slices.Contains(known, t.compression):
		return usagef("%s is compressed with %s, not with %s", t.format, strings.Join(known, ", "), t.compression)
	}
	return nil
}

// rowWriter writes batches of one schema. Close writes what comes at the end; it does not close what is written to.
type rowWriter interface {
	Write(arrow.Record) error
	Close() error
}

// newWriter makes a writer of the format.
func (t *target) newWriter(out io.Writer, schema *arrow.Schema) (rowWriter, error) {
	switch t.format {
	case parquetFormat:
		w, err := arrow18.NewParquetWriter(out, schema, arrow18.WriteOptions{Compression: t.compression})
		if err != nil {
			return nil, err
		}
		return w, nil
	case arrowFormat:
		w, err := ipc.NewFileWriter(&position{Writer: out}, t.arrowOptions(schema)...)
		return arrowWriter{w}, err
	case arrowsFormat:
		return arrowWriter{ipc.NewWriter(out, t.arrowOptions(schema)...)}, nil
	case csvFormat:
		return text.NewCSV(out, schema), nil
	case tableFormat:
		return text.NewTable(out, schema), nil
	}
	return text.NewJSONLines(out, schema), nil
}

func (t *target) arrowOptions(schema *arrow.Schema) []ipc.Option {
	options := []ipc.Option{ipc.WithSchema(schema)}
	switch t.compression {
	case "zstd":
		options = append(options, ipc.WithZstd())
	case "lz4":
		options = append(options, ipc.WithLZ4())
	}
	return options
}

// arrowWriter writes Arrow files and streams.
type arrowWriter struct{ rowWriter }

// Write says what to do about dictionaries where they cannot be written.
func (w arrowWriter) Write(record arrow.Record) error {
	err := w.rowWriter.Write(record)
	if err != nil && strings.Contains(err.Error(), "Dictionary replacement") {
		return fmt.Errorf("an Arrow file has one dictionary for a whole column, and these rows have several; "+
			"write --to arrows or parquet: %w", err)
	}
	return err
}

// output is where rows are going. It is a file that appears whole at commit, or standard output.
type output struct {
	target
	file   *wholeFile // nil for standard output
	buffer *bufio.Writer
	bytes  *position
	writer rowWriter
	marked []string // columns by their bits in the validity column, which text shows as their names; nil if it does not
	rows   int64
	time   time.Duration // spent writing
}

// openOutput makes ready to write; nothing is written yet.
func openOutput(t target, std *streams) (*output, error) {
	out := &output{target: t}
	if t.path == standardInput {
		out.buffer = bufio.NewWriterSize(std.out, 64<<10)
	} else {
		var err error
		if out.file, err = createWhole(t.path, t.replace); err != nil {
			return nil, err
		}
		out.buffer = out.file.Writer
	}
	out.bytes = &position{Writer: out.buffer}
	return out, nil
}

// begin says what the rows look like.
func (o *output) begin(schema *arrow.Schema) (err error) {
	named, place, ok := withNames(schema)
	if o.marked == nil || o.format.isBinary() || !ok {
		o.writer, err = o.newWriter(o.bytes, schema)
		return err
	}
	w, err := o.newWriter(o.bytes, named)
	o.writer = &suppliedText{rowWriter: w, schema: named, place: place, column: newSuppliedColumn(o.marked)}
	return err
}

// write writes a batch.
func (o *output) write(record arrow.Record) error {
	defer o.clock(time.Now())
	o.rows += record.NumRows()
	return o.writer.Write(record)
}

func (o *output) clock(from time.Time) { o.time += time.Since(from) }

// commit ends the output. A file is there afterwards, or there was an error.
func (o *output) commit() error {
	defer o.clock(time.Now())
	if err := o.writer.Close(); err != nil {
		return err
	}
	if o.file != nil {
		return o.file.commit()
	}
	return o.buffer.Flush()
}

// abort leaves nothing of a file that was not committed.
func (o *output) abort() {
	if o.file != nil {
		o.file.abort()
	}
}
