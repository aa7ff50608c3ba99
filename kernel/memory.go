package kernel

import (
	"context"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/simd"
)

// minWindow is the least number of rows a merge that is short of memory works on at a time.
const minWindow = 1 << 10

// fit has the cutter choose a window for a merger and makes it smaller until it fits the bounds on bytes. Every merger has the
// same share of a memory limit, beside the batches in hand.
func (f *feed) fit(ctx context.Context, m *merger) error {
	if full := f.windowRows(); f.cutter.target != full {
		f.setTarget(min(full, 2*f.cutter.target)) // what did not fit may have passed
	}
	for {
		if m.shrunk != f.shrunk {
			m.orderer, m.window.arena, m.window.keyValues, m.shrunk = orderer{}, nil, nil, f.shrunk
		}
		if err := f.cutter.cut(ctx, f.stats); err != nil {
			return err
		}
		limit, held := f.cfg.memoryLimit, f.stats.held.Load()
		if limit == 0 && held <= 2*f.cfg.batchBytes {
			return nil // all that is in hand would do
		}
		rows, bytes := f.chosen()
		need := held + f.share(m.need(rows, bytes, len(f.cutter.live)), bytes)
		tooMuch := limit > 0 && need > limit
		wide := bytes > 2*f.cfg.batchBytes
		if !tooMuch && !wide {
			return nil
		}
		if next := f.smaller(rows, bytes); next < f.cutter.target {
			f.setTarget(next)
			f.shrunk++
			continue
		}
		if tooMuch {
			return fmt.Errorf("%w: merging %d rows needs %d bytes and the limit is %d", ErrMemoryLimit, rows, need, limit)
		}
		return nil
	}
}

// share returns what all mergers need, beside which the result of one window more may wait, where one needs so much.
func (f *feed) share(need, result int64) int64 {
	if len(f.mergers) == 1 {
		return need
	}
	return int64(len(f.mergers))*need + result
}

// need is about how many bytes a merger needs for a window of so many rows and bytes, the result included: a staged column with
// room to grow and the output have at most all bytes each.
func (m *merger) need(rows int, bytes int64, runs int) int64 {
	return scratchOf(rows, runs) + m.keyValuesOf(rows) + m.viewsNeed(rows) + m.foldsOf(bytes) + m.supplied.need(rows) + m.changes.need(bytes) + 5*bytes/2
}

// smaller returns the target for windows of fewer bytes, given a window at hand.
func (f *feed) smaller(rows int, bytes int64) int {
	next := f.cutter.target / 2
	if bytes > 2*f.cfg.batchBytes {
		return max(1, min(next, int(int64(rows)*f.cfg.batchBytes/bytes)))
	}
	return max(minWindow, next)
}

// chosen returns the rows and the bytes of the window the cutter has chosen.
func (f *feed) chosen() (rows int, bytes int64) {
	for _, c := range f.cutter.live {
		left, from := c.count, c.row
		for _, b := range c.batches {
			if left == 0 {
				break
			}
			n := min(b.rows-from, left)
			for i := range b.views {
				if i >= len(f.in.keys) || f.cfg.keepSystem || !b.shared(i, f.in) {
					bytes += b.views[i].BytesIn(from, from+n)
				}
			}
			rows += n
			left -= n
			from = 0
		}
	}
	return rows, bytes
}

// scratchOf is about how many bytes of scratch a window needs beside the values of a staged column: words, selections, and what
// goes with every staged row, of which every run has some more than rows, and the masks of columns with NULLs.
func scratchOf(rows, runs int) int64 {
	staged := rows + 2*columnar.Gap*runs + simd.BlockRows*min(runs, simd.BlockStreams()) + wordSlack
	return 5 * (3*8*int64(rows+wordSlack) + (16+together/8)*int64(rows) + 13*int64(staged)) / 4
}

// keyValuesOf is about how many bytes say where the texts of the keys of a window are.
func (m *merger) keyValuesOf(rows int) (bytes int64) {
	for i := range m.in.keys {
		if m.in.keys[i].layout.IsText() {
			bytes += 6 * int64(rows)
		}
	}
	return bytes
}

// foldsOf is about how many bytes functions need beside: the values of a column in merged order, and what is made of them.
func (m *merger) foldsOf(bytes int64) int64 {
	if !m.folds {
		return 0
	}
	return 2 * bytes
}

// memory returns about how many bytes the merger holds, with the record just made.
func (m *merger) memory() int64 {
	c := &m.columns
	return 8*int64(len(m.window.arena)) + c.staged.Bytes() + c.merged.bytes() + m.window.keyValues.bytes() + 16*int64(cap(c.sel)) +
		8*int64(cap(c.stretches)+cap(c.others)) + c.folds.in.Bytes() + c.folds.begun.bytes() + c.folds.some.bytes() + 8*int64(cap(c.folds.every)) + c.folds.mem.bytes +
		m.supplied.held() + m.changes.held() + m.bytes
}

// bytesOf returns the bytes of the buffers of a record that has its own.
func bytesOf(rec arrow.Record) (bytes int64) {
	if rec != nil {
		for _, col := range rec.Columns() {
			bytes += dataBytes(col.Data())
		}
	}
	return bytes
}

func dataBytes(d arrow.ArrayData) (bytes int64) {
	for _, b := range d.Buffers() {
		if b != nil {
			bytes += int64(b.Len())
		}
	}
	for _, child := range d.Children() {
		bytes += dataBytes(child)
	}
	return bytes
}
