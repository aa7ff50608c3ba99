package kernel

import (
	"cmp"
	"context"
	"slices"

	"github.com/braidmerge/braid/columnar"
)

// cutter cuts windows out of the runs. A window always ends between two keys, so that nothing is carried from one to the
// next.
type cutter struct {
	cursors []*cursor
	target  int       // rows wanted in a window
	bytes   int64     // bytes a run may have in hand before it holds no more than its next row
	live    []*cursor // those with rows in hand
	asleep  []*cursor // those without, whose next file is not reached yet
	inWay   []*cursor // scratch: those in the way of a window
}

// sliceRows is how many rows of one run, with no row of another between them, are worth passing on as they are.
const sliceRows = 1024

// key is the key of a row in hand; without keys it is past every key.
type key struct {
	keys []columnar.View
	row  int

	normal uint64 // a key of one number, as an unsigned integer of the same order
	number bool   // it is one
}

func newKey(keys []columnar.View, row int) key {
	k := key{keys: keys, row: row}
	if len(keys) == 1 {
		k.normal, k.number = keys[0].Normal(row)
	}
	return k
}

func (k *key) none() bool { return k.keys == nil }

func (k *key) compare(o key) int {
	if k.number && o.number {
		return cmp.Compare(k.normal, o.normal)
	}
	return columnar.CompareKeys(k.keys, k.row, o.keys, o.row)
}

// start gets a row of every run in hand, but of those that sleep and are not reached yet. It returns false when no run has
// one.
func (ct *cutter) start(ctx context.Context, s *stats) (bool, error) {
	for {
		for _, c := range ct.cursors {
			if err := c.fill(ctx, 1, s); err != nil {
				return false, err
			}
		}
		ct.list()
		reached := ct.reached()
		for _, c := range reached {
			if err := c.wake(ctx, 1, s); err != nil {
				return false, err
			}
		}
		if len(reached) == 0 {
			return len(ct.live) > 0, nil
		}
	}
}

// list sorts the runs out by whether they have rows in hand, in their order.
func (ct *cutter) list() {
	ct.live, ct.asleep = ct.live[:0], ct.asleep[:0]
	for _, c := range ct.cursors {
		if c.inHand > 0 {
			ct.live = append(ct.live, c)
		} else if c.source.asleep() {
			ct.asleep = append(ct.asleep, c)
		}
	}
}

// reached returns the sleeping runs whose next file may have the least key of all.
func (ct *cutter) reached() (reached []*cursor) {
	if len(ct.asleep) == 0 {
		return nil
	}
	var least key
	for _, c := range ct.live {
		if k := c.head; least.none() || k.compare(least) < 0 {
			least = k
		}
	}
	for _, c := range ct.asleep {
		if k := c.bound(); least.none() || k.compare(least) < 0 {
			least = k
		}
	}
	for _, c := range ct.asleep {
		if k := c.bound(); k.compare(least) <= 0 {
			reached = append(reached, c)
		}
	}
	return reached
}

// stretch looks for rows of one run that come before every row of the others: rows [c.row, to) of its first batch. It
// returns nil when there are none or only few.
func (ct *cutter) stretch(ctx context.Context, s *stats) (c *cursor, to int, err error) {
	c, rival := ct.leader()
	b := c.batches[0]
	if b.rows-c.row < sliceRows {
		return nil, 0, nil
	}
	keys := b.keyViews(c.in)
	to = min(b.rows, c.row+2*ct.target)
	if !rival.none() {
		if k := c.key(sliceRows - 1); k.compare(rival) >= 0 {
			return nil, 0, nil
		}
		to = columnar.LowerBound(keys, c.row, to, to, rival.keys, rival.row)
	}
	last := newKey(keys, to-1)
	var after key
	if to < b.rows {
		after = newKey(keys, to)
	} else {
		if err := c.fill(ctx, to-c.row+1, s); err != nil {
			return nil, 0, err
		}
		if after = c.key(to - c.row); after.none() {
			after = c.bound()
		}
	}
	if !after.none() && last.compare(after) == 0 { // the last key goes on
		to = columnar.LowerBound(keys, c.row, to, to-1, last.keys, last.row)
	}
	if to-c.row < sliceRows {
		return nil, 0, nil
	}
	return c, to, nil
}

// leader returns the run with the least key in hand, and the least key of the others, none if there is no other.
func (ct *cutter) leader() (c *cursor, rival key) {
	for _, l := range ct.live {
		switch k := l.head; {
		case c == nil:
			c = l
		case k.compare(c.head) < 0:
			c, rival = l, c.head
		case rival.none() || k.compare(rival) < 0:
			rival = k
		}
	}
	for _, l := range ct.asleep {
		if k := l.bound(); rival.none() || k.compare(rival) < 0 {
			rival = k
		}
	}
	return c, rival
}

// cut chooses the end of the next window and sets the count of every live cursor to its rows below that end. The end is a
// key of the run that takes the largest share, a share further on, but no further than the least last key in hand of a run
// that may go on. Where that leaves too few rows the runs in the way load more: first one, then twice as many each time. A
// key that fills windows makes a large one.
func (ct *cutter) cut(ctx context.Context, s *stats) error {
	widened, wakes := false, 1
	for attempt := 0; ; attempt++ {
		for _, c := range ct.live {
			if err := c.fillWithin(ctx, c.share, ct.bytes, s); err != nil {
				return err
			}
		}
		wanted := ct.wanted()
		end, limiter := ct.end(wanted)
		n := 0
		for _, c := range ct.live {
			c.count = c.below(end)
			n += c.count
		}
		switch {
		case limiter != nil && (n == 0 || n < ct.target/2 && limiter.ahead() < ct.bytes):
			if err := ct.wake(ctx, wanted, wakes, s); err != nil {
				return err
			}
			wakes = min(2*wakes, len(ct.cursors))
			continue
		case n == 0:
			ct.widen()
			widened = true
			continue
		case n > 2*ct.target && !widened && attempt < 16 && ct.rescale(n):
			continue
		case n < ct.target/2 && !end.none() && attempt < 8 && ct.rescale(n):
			continue
		}
		ct.rescale(n)
		return nil
	}
}

// wanted returns the end key that the shares ask for.
func (ct *cutter) wanted() key {
	pace := ct.live[0]
	for _, c := range ct.live {
		if c.share > pace.share {
			pace = c
		}
	}
	return pace.key(pace.share)
}

// end returns the end key that is wanted, or the key that limits it and the run in whose way that is.
func (ct *cutter) end(wanted key) (end key, limiter *cursor) {
	end = wanted
	for _, c := range ct.live {
		if k := c.bound(); !k.none() && (end.none() || k.compare(end) <= 0) {
			end, limiter = k, c
		}
	}
	for _, c := range ct.asleep {
		if k := c.bound(); end.none() || k.compare(end) <= 0 {
			end, limiter = k, c
		}
	}
	return end, limiter
}

// wake has the runs load more whose rows in hand do not reach as far as is wanted, but no more than so many of them: those
// that are the most in the way.
func (ct *cutter) wake(ctx context.Context, wanted key, most int, s *stats) error {
	ct.inWay = ct.inWay[:0]
	for _, list := range [2][]*cursor{ct.live, ct.asleep} {
		for _, c := range list {
			if k := c.bound(); !k.none() && (wanted.none() || k.compare(wanted) <= 0) {
				ct.inWay = append(ct.inWay, c)
			}
		}
	}
	if most < len(ct.inWay) {
		slices.SortFunc(ct.inWay, func(a, b *cursor) int {
			k := a.bound()
			return k.compare(b.bound())
		})
		ct.inWay = ct.inWay[:most]
	}
	for i, c := range ct.inWay {
		if i > 0 && c.ahead() >= ct.bytes {
			continue
		}
		if err := c.wake(ctx, 2*c.inHand+1, s); err != nil {
			return err
		}
	}
	ct.list()
	return nil
}

// widen doubles all shares: the first key goes on for longer than they reach.
func (ct *cutter) widen() {
	for _, c := range ct.live {
		c.share *= 2
	}
}

// rescale sets the shares so that a window like the one at hand, of n rows, has the target. It says whether any changed.
func (ct *cutter) rescale(n int) (changed bool) {
	for _, c := range ct.live {
		share := min(max(1, int(int64(c.count)*int64(ct.target)/int64(n))), ct.target)
		changed = changed || share != c.share
		c.share = share
	}
	return changed
}
