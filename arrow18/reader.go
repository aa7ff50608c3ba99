package arrow18

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync/atomic"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/braidmerge/braid/kernel"
)

// ReadOptions say what of a Parquet file is read, and how. The zero value reads all of it.
type ReadOptions struct {
	// Columns names the top-level columns to read, each once, in the order they are wanted in; none stands for all.
	Columns []string
	// RowGroups are the row groups to read, in order, counted from 0; nil stands for all.
	RowGroups []int
	// BatchRows is the most rows a record has, 32768 if 0; fewer if rows are wide. A record never spans row groups.
	BatchRows int
	// Allocator is where records come from, memory.DefaultAllocator if nil.
	Allocator memory.Allocator
	// MaxBytes is the most memory, in bytes, that one page or the columns of one record in work may take, 2 GiB if 0. A file
	// that needs or claims more is columnar.ErrTooLarge.
	MaxBytes int64
}

// Defaults of ReadOptions. A record is kept to about recordBytes where rows are wide.
const (
	defaultBatchRows = 1 << 15
	defaultMaxBytes  = 2 << 30
	recordBytes      = 64 << 20
)

func (o ReadOptions) maxBytes() int64 {
	if o.MaxBytes > 0 {
		return o.MaxBytes
	}
	return defaultMaxBytes
}

// ParquetReader reads the records of a Parquet file. It is an array.RecordReader; the file is closed when its last reference
// is released. Except for Retain and Release, its methods are for one goroutine at a time.
//
// Strings are utf8, and large_utf8 only where the file carries the Arrow schema it was written from and that says so; a
// top-level column that it says is a dictionary of strings or binary is one, with indices of 32 bits. INT96 is timestamp[ns],
// and has a time zone only if the carried schema has. Field ids are in the field metadata PARQUET:field_id, "-1" where the
// file has none.
//
// Errors name the file and, where known, the row group (from 0) and the column. A file that is not what its format or its
// footer says is columnar.ErrCorrupt, also if fewer or more rows are in it than the footer counts. A failed read of the file
// and the context's error come as they are; encryption and unknown compression are errors.ErrUnsupported.
type ParquetReader struct {
	references atomic.Int64
	in         *source
	ledger     *ledger
	decoder    *pqarrow.FileReader
	pages      pageChecker
	schema     *arrow.Schema
	columns    []column
	options    ReadOptions

	groups  []int // row groups still to read, the one being read first
	rows    int64 // rows in all of the row groups asked for
	left    int64 // rows still to read of the row group being read
	batch   int64 // rows a record of it has
	current arrow.Record
	err     error
}

// OpenParquet opens a Parquet file for reading. The context ends the reading when it is done.
func OpenParquet(ctx context.Context, path string, options ReadOptions) (*ParquetReader, error) {
	in, err := openSource(ctx, path)
	if err != nil {
		return nil, err
	}
	return newParquetReader(in, options)
}

// NewParquetReader reads a Parquet file of size bytes from r, which stays the caller's to close. The name is for errors.
func NewParquetReader(ctx context.Context, name string, r io.ReaderAt, size int64, options ReadOptions) (*ParquetReader, error) {
	return newParquetReader(&source{name: name, r: r, size: size, ctx: ctx}, options)
}

// newParquetReader takes over in, also when it fails.
func newParquetReader(in *source, options ReadOptions) (*ParquetReader, error) {
	r := &ParquetReader{in: in, options: options, ledger: newLedger(options.Allocator, options.maxBytes())}
	r.references.Store(1)
	r.pages.in.r = in
	if err := r.open(); err != nil {
		_ = in.close()
		return nil, err
	}
	return r, nil
}

func (r *ParquetReader) open() error {
	if err := r.in.readFooter(); err != nil {
		return err
	}
	if err := r.in.checkGroups(); err != nil {
		return err
	}
	if err := r.chooseGroups(); err != nil {
		return err
	}
	return r.in.guard(place{}, r.openDecoder)
}

func (r *ParquetReader) chooseGroups() error {
	all := r.in.footer.RowGroups
	r.groups = slices.Clone(r.options.RowGroups)
	if r.groups == nil {
		r.groups = make([]int, len(all))
		for i := range all {
			r.groups[i] = i
		}
	}
	for _, g := range r.groups {
		if g < 0 || g >= len(all) {
			return fmt.Errorf("%s: %w: row group %d of %d", r.in.name, kernel.ErrOption, g, len(all))
		}
		r.rows += all[g].NumRows
	}
	return nil
}

// Retain adds a reference.
func (r *ParquetReader) Retain() { r.references.Add(1) }

// Release gives up a reference. The last one releases the record in hand and closes the file.
func (r *ParquetReader) Release() {
	if r.references.Add(-1) == 0 {
		r.drop()
		r.closeGroup()
		_ = r.in.close()
	}
}

// Schema is the schema of all records.
func (r *ParquetReader) Schema() *arrow.Schema { return r.schema }

// NumRows is how many rows the row groups that are read have, by the footer.
func (r *ParquetReader) NumRows() int64 { return r.rows }

// Record is the record in hand, valid until the next call of Next unless retained.
func (r *ParquetReader) Record() arrow.Record { return r.current }

// Err is what ended the records, nil at their end.
func (r *ParquetReader) Err() error { return r.err }

// Next reads the next record. It is false at the end and on an error.
func (r *ParquetReader) Next() bool {
	r.drop()
	if r.err != nil {
		return false
	}
	for r.left == 0 {
		if len(r.groups) == 0 {
			return false
		}
		if r.err = r.openGroup(); r.err != nil {
			r.closeGroup()
			return false
		}
	}
	if r.err = r.read(); r.err != nil {
		r.closeGroup()
		r.groups, r.left = nil, 0
	}
	return r.err == nil
}

func (r *ParquetReader) drop() {
	if r.current != nil {
		r.current.Release()
		r.current = nil
	}
}

// read reads one record of the row group, and closes the row group after its last.
func (r *ParquetReader) read() error {
	n := min(r.batch, r.left)
	arrays := make([]arrow.Array, 0, len(r.columns))
	defer func() {
		for _, a := range arrays {
			a.Release()
		}
	}()
	for i := range r.columns {
		c := &r.columns[i]
		err := r.in.guard(place{r.groups[0] + 1, c.name}, func() error {
			a, err := c.read(n, r.ledger)
			if err == nil {
				arrays = append(arrays, a)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	if r.left -= n; r.left == 0 {
		if err := r.endGroup(); err != nil {
			return err
		}
	}
	r.current = array.NewRecord(r.schema, arrays, n)
	return nil
}
