package kernel

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/braidmerge/braid/columnar"
)

// cursor is one run in a merge: the batches in hand and the place of the first row that no window has taken yet.
type cursor struct {
	run    Run
	number int // as given to Merge
	in     *inputs
	source source
	done   bool // no batch will come after those in hand

	batches []*batch
	row     int   // in batches[0]
	inHand  int   // rows not taken
	held    int64 // bytes of the batches
	spare   []*batch

	share int // rows the next window is likely to take
	count int // rows the window at hand takes

	head key // of the first row in hand
	last key // of the last row in hand

	lastKey []columnar.View // the last row of the last batch released, as one-row views; empty before
}

// open looks at the key ranges of the files and opens the first, unless it sleeps.
func (c *cursor) open(ctx context.Context, s *stats) error {
	for i := range c.run.Files {
		r, err := c.in.newKeyRange(&c.run.Files[i])
		if err != nil {
			return err
		}
		c.source.ranges = append(c.source.ranges, r)
	}
	if c.source.asleep() {
		return nil
	}
	return c.load(ctx, s)
}

// maxEmpty bounds how many batches without a row may follow one another.
const maxEmpty = 1 << 16

// fill loads batches until at least rows are in hand, the run ends, or it comes to a file that sleeps.
func (c *cursor) fill(ctx context.Context, rows int, s *stats) error {
	return c.fillWithin(ctx, rows, math.MaxInt64, s)
}

// fillWithin is fill that stops, once there is a row, when those in hand have so many bytes.
func (c *cursor) fillWithin(ctx context.Context, rows int, bytes int64, s *stats) error {
	for empty := 0; c.inHand < rows && (c.inHand == 0 || c.ahead() < bytes) && !c.done && !c.source.asleep(); {
		before := c.inHand
		if err := c.load(ctx, s); err != nil {
			return c.blame(err)
		}
		if c.inHand > before {
			empty = 0
		} else if empty++; empty > maxEmpty {
			return c.blame(fmt.Errorf("%w: more than %d batches without a row", ErrCorrupt, maxEmpty))
		}
	}
	return nil
}

// wake is fill that opens the next file although its keys are not reached.
func (c *cursor) wake(ctx context.Context, rows int, s *stats) error {
	c.source.woken = c.source.asleep()
	return c.fill(ctx, rows, s)
}

// ahead returns about how many bytes the rows in hand have.
func (c *cursor) ahead() int64 {
	return int64(float64(c.held) * float64(c.inHand) / float64(c.inHand+c.row))
}

// load takes one batch, or opens the next file, or ends the run.
func (c *cursor) load(ctx context.Context, s *stats) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	begin := time.Now()
	rec, parts, more, err := c.source.next(ctx)
	s.reading(begin)
	if err != nil || !more {
		c.done = err == nil
		return err
	}
	for _, p := range parts {
		b := c.newBatch()
		b.file, b.binding, b.number = c.source.file, c.source.bound, c.source.loaded-1
		if err := b.look(rec, p, c.in, &c.source.scratch); err != nil {
			b.release()
			return err
		}
		if err := c.append(b, s); err != nil {
			b.release()
			return err
		}
	}
	return nil
}

// append puts a batch behind those in hand, if it does not begin below the end of the one before it.
func (c *cursor) append(b *batch, s *stats) error {
	first := newKey(b.keyViews(c.in), 0)
	last := c.last
	if len(c.batches) == 0 {
		last = key{keys: c.lastKey}
		c.head = first
	}
	if !last.none() {
		if err := c.ordered(b, 0, last.compare(first)); err != nil {
			return err
		}
	}
	if err := c.source.inRange(b); err != nil {
		return err
	}
	s.input(b)
	c.last = newKey(b.keyViews(c.in), b.rows-1)
	c.batches = append(c.batches, b)
	c.inHand += b.rows
	c.held += b.bytes
	return nil
}

func (c *cursor) newBatch() *batch {
	if n := len(c.spare); n > 0 {
		b := c.spare[n-1]
		c.spare = c.spare[:n-1]
		return b
	}
	return &batch{}
}

// ordered turns the comparison of a row's predecessor with the row into an error, if it is one.
func (c *cursor) ordered(b *batch, row, before int) error {
	switch {
	case before > 0:
		return b.blame(row, "", fmt.Errorf("%w: its key is below the one before it", ErrUnsorted))
	case before == 0 && c.run.UniqueKeys:
		return b.blame(row, "", fmt.Errorf("%w: its key is that of the row before it, and the run promised unique keys", ErrUnsorted))
	}
	return nil
}

// continues checks the first row in hand against the row before it in its batch, which an earlier window has taken.
func (c *cursor) continues() error {
	if c.row == 0 {
		return nil // append has looked at it
	}
	b := c.batches[0]
	keys := b.keyViews(c.in)
	if err := c.ordered(b, c.row, columnar.CompareKeys(keys, c.row-1, keys, c.row)); err != nil {
		return c.blame(err)
	}
	return nil
}

// pieces stages the first count rows in hand in the window.
func (c *cursor) pieces(w *window) {
	left, from := c.count, c.row
	for _, b := range c.batches {
		to := min(b.rows, from+left)
		w.add(c, b, from, to)
		if left -= to - from; left == 0 {
			return
		}
		from = 0
	}
}

// take gives up n rows. The window keeps the batches that are used up until it is done with them.
func (c *cursor) take(n int, w *window) {
	c.inHand -= n
	c.row += n
	done := 0
	for done < len(c.batches) && c.row >= c.batches[done].rows {
		c.row -= c.batches[done].rows
		c.held -= c.batches[done].bytes
		w.used = append(w.used, usedBatch{c.batches[done], c})
		done++
	}
	if done > 0 && done == len(c.batches) {
		c.keepLastKey(c.batches[done-1])
	}
	c.batches = append(c.batches[:0], c.batches[done:]...)
	if n > 0 && len(c.batches) > 0 {
		c.head = newKey(c.batches[0].keyViews(c.in), c.row)
	}
}

func (c *cursor) keepLastKey(b *batch) {
	keys := b.keyViews(c.in)
	if c.lastKey == nil {
		c.lastKey = make([]columnar.View, len(keys))
	}
	for i := range keys {
		keys[i].CopyRow(&c.lastKey[i], b.rows-1)
	}
}

// recycle takes back a batch that no window reads any more.
func (c *cursor) recycle(b *batch) {
	b.release()
	c.spare = append(c.spare, b)
}

// close releases everything. It may be called at any time, and again.
func (c *cursor) close() {
	for _, b := range c.batches {
		b.release()
	}
	c.batches, c.inHand, c.done = nil, 0, true
	c.source.close()
}

// at returns the batch and the row of the nth row in hand.
func (c *cursor) at(n int) (*batch, int) {
	n += c.row
	for _, b := range c.batches {
		if n < b.rows {
			return b, n
		}
		n -= b.rows
	}
	return nil, 0
}

// key returns the key of the nth row in hand, none if there are not so many.
func (c *cursor) key(n int) key {
	b, row := c.at(n)
	if b == nil {
		return key{}
	}
	return newKey(b.keyViews(c.in), row)
}

// bound returns a key that no row that is not in hand comes before; none behind the last row of the run.
func (c *cursor) bound() key {
	switch {
	case c.source.asleep():
		return c.source.ranges[c.source.opened].least
	case c.done:
		return key{}
	}
	return c.last
}

// below counts the rows in hand below a key.
func (c *cursor) below(end key) int {
	switch {
	case end.none() || c.last.compare(end) < 0:
		return c.inHand
	case c.head.compare(end) >= 0:
		return 0
	}
	n, from := 0, c.row
	for i, b := range c.batches {
		keys := b.keyViews(c.in)
		last := c.last
		if i < len(c.batches)-1 {
			last = newKey(keys, b.rows-1)
		}
		if last.compare(end) >= 0 {
			guess := from + max(c.share-n, 0)
			return n + columnar.LowerBound(keys, from, b.rows, guess, end.keys, end.row) - from
		}
		n += b.rows - from
		from = 0
	}
	return n
}

// blame names the run in an error.
func (c *cursor) blame(err error) error {
	var row *RowError
	if errors.As(err, &row) {
		row.Run = c.number
		return row
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	e := &RowError{Run: c.number, Batch: -1, Row: -1, Err: err}
	if c.source.file != nil {
		e.File = c.source.file.Name
	}
	return e
}
