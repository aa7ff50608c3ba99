package kernel

import (
	"context"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/validity"
)

// WriteBuffer makes a run of rows in any order, as a writer does before it writes a file: sorted by key, every key once
// (docs/semantics.md, "Writing"). Rows are checked, filled with defaults, filtered and numbered as they are added, and merged
// when the buffer is flushed. A WriteBuffer serves one goroutine; whoever makes it releases it.
type WriteBuffer struct {
	plan    *Plan
	mem     memory.Allocator
	in      *inputs // of all columns
	rules   []writeRule
	records []written
	rows    int
	next    int64 // the sequence number of the next row
}

// writeRule is what is done to a column of rows that are written.
type writeRule struct {
	place   int // among the inputs
	notNull bool
	fill    *validity.Default // nil if the column has no default
}

// NewWriteBuffer makes an empty buffer for rows of the plan's table, which are numbered from first on. Memory of what is
// flushed comes from mem. A default that is no value of its column is ErrSchema.
func (p *Plan) NewWriteBuffer(first int64, mem memory.Allocator) (*WriteBuffer, error) {
	all, _ := p.project(nil)
	b := &WriteBuffer{plan: p, mem: mem, in: p.inputs(all), next: first}
	for i, c := range p.columns {
		fill, err := validity.DefaultOf(c.field)
		if err != nil {
			return nil, err
		}
		notNull := !c.field.Nullable || slices.Contains(p.keys, i) && !p.options.NullableKeys
		b.rules = append(b.rules, writeRule{place: len(b.in.keys) + b.in.value(p, i, false), notNull: notNull, fill: fill})
	}
	if err := b.in.prepare(false, mem); err != nil {
		b.in.release()
		return nil, err
	}
	return b, nil
}

// Rows returns how many rows the buffer holds.
func (b *WriteBuffer) Rows() int { return b.rows }

// NextSequence returns the sequence number of the next row.
func (b *WriteBuffer) NextSequence() int64 { return b.next }

// Add takes the rows of a record, which has the columns of the table, found by name. It may have their row kinds in
// `_VALUE_KIND`, which a rowkind.field goes before; sequence numbers it has are not read. The buffer retains what it needs.
//
// These things happen to every row, in this order: NULL in a NOT NULL column is ErrNotNull, also if the column has a default;
// NULL becomes the default of its column; the row kind is read, and none is ErrRowKind; a row that ignore-delete or
// ignore-update-before leaves out is dropped; the others take the next sequence numbers. After an error no row of the record
// has been taken. Run is 0 in a *RowError of the buffer, and Batch counts the records added since the last Flush.
func (b *WriteBuffer) Add(rec arrow.Record) error {
	w, err := b.prepare(rec)
	if err != nil {
		return err
	}
	b.records = append(b.records, w)
	b.rows += w.rows()
	return nil
}

// Flush merges the rows of the buffer into one run, rows of one key in the order of docs/semantics.md, "Versions of a key",
// and empties the buffer. The reader gives the records of a file: the system columns and then those of the table, results that
// are retracts too. What the merge engine refuses is an error of the reader or of Flush. The caller releases the reader. After an
// error of Flush the buffer is as it was.
func (b *WriteBuffer) Flush(ctx context.Context, opts ...MergeOption) (array.RecordReader, error) {
	chunks, err := b.chunks()
	defer releaseChunks(chunks)
	if err != nil {
		return nil, err
	}
	var runs []Run
	for i := range chunks {
		run, err := b.sorted(&chunks[i])
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	opts = append([]MergeOption{WithAllocator(b.mem), KeepDeletes(), KeepSystemColumns()}, opts...)
	merged, err := b.plan.Merge(ctx, runs, opts...)
	if err != nil {
		return nil, placesOf(chunks).name(err)
	}
	b.clear()
	return &flushed{Reader: merged, places: placesOf(chunks)}, nil
}

func (b *WriteBuffer) clear() {
	for _, w := range b.records {
		w.release()
	}
	b.records, b.rows = b.records[:0], 0
}

// Release drops the rows of the buffer and gives back what it holds.
func (b *WriteBuffer) Release() {
	b.clear()
	b.in.release()
}
