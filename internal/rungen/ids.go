package rungen

import (
	"math/bits"
	"slices"
)

// wanted is the number of keys a shape wants to choose from.
func (s Spec) wanted(largest int) int {
	if s.Universe > 0 {
		return s.Universe
	}
	switch s.Shape {
	case Dealt:
		return max(s.Rows, 1)
	case Stretches:
		return s.Rows/3*2 + 1
	case Disjoint, Touching:
		return 2*s.Rows + 1
	case Duplicates:
		return max(largest+largest/4, 1)
	case Same:
		return max(largest, 1)
	default:
		return 4*s.Rows + 1
	}
}

// shareOut returns the number of rows of each run.
func (s Spec) shareOut(src *source) []int {
	weights := make([]uint64, s.Runs)
	huge := src.intn(s.Runs)
	total := uint64(0)
	for r := range weights {
		switch {
		case s.Share == Even || s.Share == Skewed:
			weights[r] = 1
		case s.Share == Gaps && src.oneIn(3):
			weights[r] = 0
		default:
			weights[r] = 1 + src.below(100)
		}
		if s.Share == Skewed && r == huge {
			weights[r] = 50 * uint64(s.Runs)
		}
		total += weights[r]
	}
	rows := make([]int, s.Runs)
	var before uint64
	for r, w := range weights {
		rows[r] = int((before+w)*uint64(s.Rows)/max(total, 1) - before*uint64(s.Rows)/max(total, 1))
		before += w
	}
	return rows
}

// chooser chooses the key ids of runs.
type chooser struct {
	Spec
	universe int   // ids are below this
	rows     []int // wanted, per run
	src      *source
}

// choose returns the ids of every run, ascending.
func (c *chooser) choose() [][]int64 {
	ids := make([][]int64, len(c.rows))
	if slices.Max(c.rows) == 0 {
		return ids
	}
	switch c.Shape {
	case Dealt:
		return c.deal()
	case Stretches:
		return c.stretches()
	}
	parts := c.parts(c.src.permutation(len(ids)))
	hot := int64(c.src.intn(c.universe))
	for r, rows := range c.rows {
		switch c.Shape {
		case Disjoint:
			ids[r] = c.sample(rows, parts[r][0], parts[r][1])
		case Touching:
			ids[r] = c.sample(rows, max(0, parts[r][0]-3), min(c.universe, parts[r][1]+3))
		case Hot:
			ids[r] = append(c.sample(rows-rows/2, 0, c.universe), slices.Repeat([]int64{hot}, rows/2)...)
			slices.Sort(ids[r])
		default:
			ids[r] = c.sample(rows, 0, c.universe)
		}
	}
	return ids
}

// parts cuts the universe into one half-open part per run, in the given order, each as large as the run's share of the rows.
func (c *chooser) parts(order []int) [][2]int {
	total := 0
	for _, rows := range c.rows {
		total += rows
	}
	parts := make([][2]int, len(c.rows))
	before := 0
	for _, r := range order {
		parts[r][0] = proportion(c.universe, before, total)
		before += c.rows[r]
		parts[r][1] = proportion(c.universe, before, total)
	}
	return parts
}

// proportion is whole * part / total, rounded down, for part <= total.
func proportion(whole, part, total int) int {
	hi, lo := bits.Mul64(uint64(whole), uint64(part))
	if hi >= uint64(total) {
		return whole
	}
	quotient, _ := bits.Div64(hi, lo, uint64(total))
	return int(quotient)
}

// sample chooses n ids of [lo, hi), in ascending order: without repeats, unless the spec allows them, and then fewer than n
// where there are not enough.
func (c *chooser) sample(n, lo, hi int) []int64 {
	span := hi - lo
	if span <= 0 || n <= 0 {
		return nil
	}
	if !c.Repeats && span <= 4*n {
		return c.pass(n, lo, hi)
	}
	ids := make([]int64, n)
	for i := range ids {
		ids[i] = int64(lo + c.src.intn(span))
	}
	slices.Sort(ids)
	if !c.Repeats {
		ids = slices.Compact(ids)
	}
	return ids
}

// pass chooses n different ids of [lo, hi) by going over all of them once.
func (c *chooser) pass(n, lo, hi int) []int64 {
	ids := make([]int64, 0, min(n, hi-lo))
	for id := lo; id < hi && len(ids) < n; id++ {
		if c.src.intn(hi-id) < n-len(ids) {
			ids = append(ids, int64(id))
		}
	}
	return ids
}

// deal gives every id to one run, or, if repeats are allowed and once in a while, gives it several times.
func (c *chooser) deal() [][]int64 {
	ids := make([][]int64, len(c.rows))
	owner := c.owners()
	for id, left := int64(0), c.Rows; id < int64(c.universe) && left > 0; id++ {
		r := owner()
		times := 1
		if c.Repeats && c.src.oneIn(8) {
			times = min(left, 1+c.src.intn(4))
		}
		for range times {
			ids[r] = append(ids[r], id)
		}
		left -= times
	}
	return ids
}

// stretches cuts the universe into blocks; a block belongs to one run, which takes all its rows, or to all.
func (c *chooser) stretches() [][]int64 {
	ids := make([][]int64, len(c.rows))
	owner := c.owners()
	longest := max(1, min(c.universe/4, 5000))
	for lo, left := 0, c.Rows; lo < c.universe && left > 0; {
		hi := min(c.universe, lo+1+c.src.intn(longest))
		sharers := []int{owner()}
		if c.src.oneIn(3) {
			sharers = c.src.permutation(len(ids))[:min(len(ids), 1+c.src.intn(8))]
		}
		for _, r := range sharers {
			n := hi - lo
			if len(sharers) > 1 {
				n = n/2 + 1
			}
			more := c.sample(min(n, left), lo, hi)
			ids[r] = append(ids[r], more...)
			left -= len(more)
		}
		lo = hi
	}
	return ids
}

// owners returns a function that draws runs, each as often as its share of the rows asks.
func (c *chooser) owners() func() int {
	ends := make([]int, len(c.rows))
	total := 0
	for r, rows := range c.rows {
		total += rows
		ends[r] = total
	}
	return func() int {
		at := c.src.intn(total)
		r, _ := slices.BinarySearch(ends, at+1)
		return r
	}
}

// spoilOrder exchanges two neighbours of different keys in one run, if there is such a pair.
func spoilOrder(ids [][]int64, src *source) {
	for _, r := range src.permutation(len(ids)) {
		for _, i := range src.permutation(max(len(ids[r])-1, 0)) {
			if ids[r][i] != ids[r][i+1] {
				ids[r][i], ids[r][i+1] = ids[r][i+1], ids[r][i]
				return
			}
		}
	}
}
