package kernel

import (
	"context"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/columnar"
)

// minWindow is the least number of rows a merge that is short of memory works on at a time.
const minWindow = 1 << 10

// fit has the cutter choose a window and makes it smaller until it fits the bounds on bytes.
func (m *merger) fit(ctx context.Context) error {
	if full := m.windowRows(); m.cutter.target < full {
		m.setTarget(min(full, 2*m.cutter.target)) // what did not fit may have passed
	}
	for {
		if err := m.cutter.cut(ctx, m.stats); err != nil {
			return err
		}
		limit := m.cfg.memoryLimit
		if limit == 0 && m.stats.held <= 2*m.cfg.batchBytes {
			return nil // all that is in hand would do
		}
		rows, bytes := m.chosen()
		need := m.stats.held + m.scratchOf(rows) + m.foldsOf(bytes) + m.supplied.need(rows) + m.changes.need(bytes) + 5*bytes/2 // a staged column with room to grow and the output: each at most all bytes
		tooMuch := limit > 0 && need > limit
		wide := bytes > 2*m.cfg.batchBytes
		if !tooMuch && !wide {
			return nil
		}
		if next := m.smaller(rows, bytes); next < m.cutter.target {
			m.setTarget(next)
			m.orderer, m.window.arena = orderer{}, nil
			continue
		}
		if tooMuch {
			return fmt.Errorf("%w: merging %d rows needs %d bytes and the limit is %d", ErrMemoryLimit, rows, need, limit)
		}
		return nil
	}
}

// smaller returns the target for windows of fewer bytes, given a window at hand.
func (m *merger) smaller(rows int, bytes int64) int {
	next := m.cutter.target / 2
	if bytes > 2*m.cfg.batchBytes {
		return max(1, min(next, int(int64(rows)*m.cfg.batchBytes/bytes)))
	}
	return max(minWindow, next)
}

// chosen returns the rows and the bytes of the window the cutter has chosen.
func (m *merger) chosen() (rows int, bytes int64) {
	for _, c := range m.cutter.live {
		left, from := c.count, c.row
		for _, b := range c.batches {
			if left == 0 {
				break
			}
			n := min(b.rows-from, left)
			for i := range b.views {
				if i >= len(m.in.keys) || m.cfg.keepSystem || !b.shared(i, m.in) {
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
// goes with every staged row, of which every run has some more than rows.
func (m *merger) scratchOf(rows int) int64 {
	staged := rows + 2*columnar.Gap*len(m.cutter.live) + wordSlack
	return 5 * (3*8*int64(rows+wordSlack) + 16*int64(rows) + 13*int64(staged)) / 4
}

// foldsOf is about how many bytes functions need beside: the values of a column in merged order, and what is made of them.
func (m *merger) foldsOf(bytes int64) int64 {
	if !m.folds {
		return 0
	}
	return 2 * bytes
}

// memory returns about how many bytes the merge holds, with the record just made.
func (m *merger) memory() int64 {
	return m.stats.held + 8*int64(len(m.window.arena)) + m.columns.staged.Bytes() + 16*int64(cap(m.columns.sel)) +
		m.columns.folds.in.Bytes() + m.columns.folds.mem.bytes + m.supplied.held() + m.changes.held() + m.bytes
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
