package arrow18

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	v18arrow "github.com/apache/arrow-go/v18/arrow"
	v18array "github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/flight"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/kernel"
)

// WriteOptions say how a Parquet file is written. The zero value is a good choice.
type WriteOptions struct {
	// Compression is "zstd", which "" stands for, "snappy", "gzip", "brotli", "lz4" or "none".
	Compression string
	// Level is the level of compression as the codec counts it, 0 for its own choice.
	Level int
	// RowGroupRows is the most rows a row group has, 1048576 if 0.
	RowGroupRows int64
	// Allocator is where scratch memory comes from, memory.DefaultAllocator if nil.
	Allocator memory.Allocator
	// WithoutSchema leaves out the Arrow schema, which readers need to give back 64-bit offsets, dictionaries, time zones,
	// durations, lists of fixed size and extension types.
	WithoutSchema bool
}

const defaultRowGroupRows = 1 << 20

var codecs = map[string]compress.Compression{
	"": compress.Codecs.Zstd, "zstd": compress.Codecs.Zstd, "snappy": compress.Codecs.Snappy, "gzip": compress.Codecs.Gzip,
	"brotli": compress.Codecs.Brotli, "lz4": compress.Codecs.Lz4Raw, "none": compress.Codecs.Uncompressed,
}

// ParquetWriter writes records to a Parquet file. A row group is held compressed in memory until it is full, so the records
// need not stay. It is for one goroutine.
//
// What Parquet has no type for is written as its nearest: seconds as milliseconds, date64 as days. Dictionaries within other
// types and of other values than strings and binary come back as plain values. Types that cannot be written at all
// (intervals, views, unions, run-end encoding) are columnar.ErrSchema.
//
// The first error ends the writing and comes again from every later call, Close included; what was written up to then is no
// Parquet file.
type ParquetWriter struct {
	out      *sink
	encoder  *pqarrow.FileWriter
	ledger   *ledger
	schema   *arrow.Schema
	plain    []v18arrow.Field // what the columns cross as
	physical *v18arrow.Schema // what the encoder is given
	most     int64            // rows a row group
	rows     int64            // rows in the row group that is open
	open     bool             // a row group is
	err      error
	closed   bool
}

// NewParquetWriter begins a Parquet file on w, which stays the caller's to close. The caller must call Close.
func NewParquetWriter(w io.Writer, schema *arrow.Schema, options WriteOptions) (*ParquetWriter, error) {
	p := &ParquetWriter{
		out:    &sink{w: w},
		ledger: newLedger(options.Allocator, math.MaxInt64),
		schema: schema,
		most:   options.RowGroupRows,
	}
	if p.most <= 0 {
		p.most = defaultRowGroupRows
	}
	if err := p.guard(func() error { return p.begin(options) }); err != nil {
		p.ledger.sweep()
		return nil, err
	}
	return p, nil
}

func (p *ParquetWriter) begin(options WriteOptions) error {
	codec, ok := codecs[options.Compression]
	if !ok {
		return fmt.Errorf("%w: compression %q", kernel.ErrOption, options.Compression)
	}
	carried, err := SchemaTo18(p.schema)
	if err != nil {
		return err
	}
	physical := make([]v18arrow.Field, carried.NumFields())
	p.plain = make([]v18arrow.Field, carried.NumFields())
	for i, f := range carried.Fields() {
		if p.plain[i], err = plainField(f, ""); err != nil {
			return err
		}
		physical[i] = compactField(p.plain[i])
	}
	meta := carried.Metadata()
	p.physical = v18arrow.NewSchema(physical, &meta)
	props := []parquet.WriterProperty{
		parquet.WithAllocator(p.ledger), parquet.WithCompression(codec), parquet.WithMaxRowGroupLength(p.most),
		parquet.WithVersion(parquet.V2_LATEST),
	}
	if options.Level != 0 {
		props = append(props, parquet.WithCompressionLevel(options.Level))
	}
	arrowProps := pqarrow.NewArrowWriterProperties(pqarrow.WithAllocator(p.ledger))
	p.encoder, err = pqarrow.NewFileWriter(p.physical, p.out, parquet.NewWriterProperties(props...), arrowProps)
	if err != nil || options.WithoutSchema {
		return err
	}
	message := flight.SerializeSchema(carried, p.ledger)
	return p.encoder.AppendKeyValueMetadata(storedSchemaKey, base64.StdEncoding.EncodeToString(message))
}

// Write appends the rows of a record, which must have the columns of the writer's schema. A NULL in a field that is not
// nullable is kernel.ErrNotNull.
func (p *ParquetWriter) Write(rec arrow.Record) error {
	if p.err == nil && p.closed {
		return errors.New("write to a closed Parquet writer")
	}
	return p.do(func() error { return p.write(rec) })
}

// Close writes what is left and the footer. It does not close the underlying writer. A second call does nothing.
func (p *ParquetWriter) Close() error {
	if p.closed || p.err != nil {
		return p.err
	}
	p.closed = true
	err := p.do(p.encoder.Close)
	p.ledger.sweep()
	return err
}

// do runs a step of the writing, unless one has failed. A step that fails is the last.
func (p *ParquetWriter) do(step func() error) error {
	if p.err != nil {
		return p.err
	}
	if p.err = p.guard(step); p.err != nil {
		// The encoder gives back its buffers only when it closes, and would then write a footer.
		p.out.shut = true
		_ = p.guard(p.encoder.Close)
		p.ledger.sweep()
	}
	return p.err
}

// guard calls f and gives its error, what it panicked with, or what the underlying writer said.
func (p *ParquetWriter) guard(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("encoder failed: %v", r)
		}
		if p.out.failed != nil {
			err = p.out.failed
		}
		if err != nil {
			err = fmt.Errorf("writing Parquet: %w", err)
		}
	}()
	return f()
}

func (p *ParquetWriter) write(rec arrow.Record) error {
	if err := sameColumns17(rec.Schema(), p.schema); err != nil {
		return err
	}
	columns := make([]v18arrow.Array, 0, rec.NumCols())
	defer func() { releaseAll(columns) }()
	for i, c := range rec.Columns() {
		column, err := p.column(c, i)
		if err != nil {
			return err
		}
		columns = append(columns, column)
	}
	all := v18array.NewRecordBatch(p.physical, columns, rec.NumRows())
	defer all.Release()
	for at := int64(0); at < all.NumRows(); {
		if !p.open || p.rows == p.most {
			if err := p.encoder.NewBufferedRowGroupChecked(); err != nil {
				return err
			}
			p.open, p.rows = true, 0
		}
		n := min(p.most-p.rows, all.NumRows()-at)
		if err := p.append(all, at, at+n); err != nil {
			return err
		}
		p.rows, at = p.rows+n, at+n
	}
	return nil
}

// append writes rows [from, to) to the open row group, which has room for them. The encoder keeps them in memory; should it
// fail it closes itself, and the footer it then writes must not reach the file.
func (p *ParquetWriter) append(rec v18arrow.RecordBatch, from, to int64) error {
	rows := rec.NewSlice(from, to)
	defer rows.Release()
	p.out.shut = true
	err := p.encoder.WriteBuffered(rows)
	if err == nil {
		p.out.shut = false
	}
	return err
}

// column makes of a column of a record what the encoder is given.
func (p *ParquetWriter) column(c arrow.Array, i int) (v18arrow.Array, error) {
	field := p.plain[i]
	a, err := arrayOf18(c.Data(), field)
	if err != nil {
		return nil, err
	}
	defer a.Release()
	if err := checkParts(a); err != nil {
		return nil, fmt.Errorf("%w: column %q: %w", columnar.ErrCorrupt, field.Name, err)
	}
	data, err := lists{p.ledger}.compact(a.Data(), mask{})
	if err != nil {
		return nil, fmt.Errorf("column %q: %w", field.Name, err)
	}
	defer data.Release()
	if err := checkValues(p.physical.Field(i), data, mask{}, ""); err != nil {
		return nil, err
	}
	return v18array.MakeFromData(data), nil
}

// sink is the underlying writer as the encoder sees it: without a way to close it, and silent when shut.
type sink struct {
	w      io.Writer
	shut   bool
	failed error
}

// Write is part of io.Writer.
func (s *sink) Write(b []byte) (int, error) {
	if s.shut {
		return len(b), nil
	}
	if s.failed != nil {
		return 0, s.failed
	}
	n, err := s.w.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	s.failed = err
	return n, err
}
