package kernel

import (
	"context"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// UpdateOptions change how an update, or reading a range, is carried out, never what comes out.
type UpdateOptions struct {
	// Allocator is where the memory of output records comes from; nil stands for garbage-collected memory.
	Allocator memory.Allocator
	// BatchRows bounds the rows that are worked on at a time, and those of an output record; 0 stands for 32,768.
	BatchRows int
}

// defaultUpdateRows keeps the columns of a window in the L2 cache.
const defaultUpdateRows = 1 << 15

// check puts in what is not set.
func (o *UpdateOptions) check() error {
	if o.Allocator == nil {
		o.Allocator = unzeroed{}
	}
	if o.BatchRows == 0 {
		o.BatchRows = defaultUpdateRows
	}
	if o.BatchRows < 0 {
		return fmt.Errorf("%w: BatchRows is %d", ErrOption, o.BatchRows)
	}
	return nil
}

// UpdateStats counts what an update has done.
type UpdateStats struct {
	Ranges      int   // ranges given
	Pruned      int   // ranges that no row of can change: their files were not opened
	Written     int   // ranges handed to write
	RowsRead    int64 // rows that are there, in the ranges that were read
	RowsUpdated int64 // rows that an action was taken for that sets something
	RowsOut     int64 // rows handed out, those that fill gaps included
}

// Run updates ranges, which must come in the order of their row ids, and hands the new column file of each to write, which reads
// it to its end and does not keep it. Ranges in which no row can change are left out: those that the conditions rule out by what
// is known of them, and with a source those that no row of it meets. If no range is left, or nothing is set, write is never called and
// there is nothing to commit.
//
// source has the rows to join, ascending by `_ROW_ID`, for an update that was compiled with one; it is nil for any other and
// stays the caller's. A row of it with an id that is in no range is ErrRowRange, a NULL as an id ErrNullRowID, and two rows that
// set one row of the table are ErrDuplicateRowID.
//
// A range in which no row is there is ErrRowRange, and so are rows of a file that are not in its range or out of order; two rows of
// a file with one id are ErrDuplicateRowID. A failing row is a *RowIDError. After an error what write has got is of no use.
func (u *Update) Run(ctx context.Context, ranges []RowRange, source array.RecordReader,
	write func(r *RowRange, columns *UpdateReader) error, o UpdateOptions) (UpdateStats, error) {
	stats := UpdateStats{Ranges: len(ranges)}
	if err := o.check(); err != nil {
		return stats, err
	}
	if err := checkRanges(ranges); err != nil {
		return stats, err
	}
	if len(u.targets) == 0 {
		stats.Pruned = len(ranges)
		return stats, nil
	}
	cursor, err := newSourceCursor(u, source)
	if err != nil {
		return stats, err
	}
	defer cursor.close()
	for i := range ranges {
		if err := u.runRange(ctx, &ranges[i], cursor, write, o, &stats); err != nil {
			return stats, err
		}
	}
	if cursor.reader != nil {
		return stats, cursor.wantEnd(ctx)
	}
	return stats, nil
}

// checkRanges wants ranges with rows, one behind the other.
func checkRanges(ranges []RowRange) error {
	for i := range ranges {
		r := &ranges[i]
		if err := r.check(); err != nil {
			return err
		}
		if i > 0 && r.FirstRowID < ranges[i-1].end() {
			return fmt.Errorf("%w: %sit begins with row id %d, before the end of the range before it, %d", ErrRowRange, r.prefix(),
				r.FirstRowID, ranges[i-1].end())
		}
	}
	return nil
}

func (u *Update) runRange(ctx context.Context, r *RowRange, source *sourceCursor, write func(*RowRange, *UpdateReader) error,
	o UpdateOptions, stats *UpdateStats) error {
	met, err := source.meets(ctx, r)
	if err != nil {
		return err
	}
	if !met || !u.MayMatch(*r) {
		stats.Pruned++
		return source.leave(ctx, r)
	}
	reader, err := u.open(ctx, r, source, o, stats)
	if err != nil {
		return err
	}
	defer reader.Release()
	stats.Written++
	if err := write(r, reader); err != nil {
		return err
	}
	if err := reader.Err(); err != nil {
		return err
	}
	return source.leave(ctx, r)
}

// meets says whether a range may change as far as the source goes: without a source it may, else if a row has an id of it.
func (c *sourceCursor) meets(ctx context.Context, r *RowRange) (bool, error) {
	if c.reader == nil {
		return true, nil
	}
	id, there, err := c.peek(ctx)
	if err == nil && there && id < r.FirstRowID {
		err = errNoRange(id)
	}
	return there && id < r.end(), err
}

func errNoRange(id int64) error {
	return fmt.Errorf("source: %w: row id %d is in no range", ErrRowRange, id)
}

// leave passes over the rows for a range that were not asked for.
func (c *sourceCursor) leave(ctx context.Context, r *RowRange) error {
	if c.reader == nil {
		return nil
	}
	for {
		id, there, err := c.peek(ctx)
		if err != nil || !there || id >= r.end() {
			return err
		}
		if _, err := c.take(ctx, min(r.end(), id+1)); err != nil {
			return err
		}
	}
}

// wantEnd wants no row behind the last range.
func (c *sourceCursor) wantEnd(ctx context.Context) error {
	id, there, err := c.peek(ctx)
	if err == nil && there {
		err = errNoRange(id)
	}
	return err
}
