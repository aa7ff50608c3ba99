package aggfuncs

import (
	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/internal/invariants"
	"github.com/braidmerge/braid/validity"
)

// step is what a row does, as bits, for the loops that go row by row: the masks of Groups, and whether the value is NULL.
type step = uint8

const (
	stepEnd step = 1 << iota
	stepNull
	stepSkip
	stepRetract
	stepLate
	stepSet
	stepReset
	stepDrop
)

// rowMasks is the scratch memory for masks of a window.
type rowMasks struct {
	live  []uint64 // rows that count and have a value
	has   []uint64 // at group ends: the group has such a row
	pick  []uint64
	steps []step
}

// words makes a mask of n rows, using m's memory if it is enough.
func words(m []uint64, n int) []uint64 {
	if need := validity.Words(n); cap(m) < need {
		m = make([]uint64, need+need/4+1)
	}
	return m[:validity.Words(n)]
}

// at returns word w of a mask that may be nil.
func at(mask []uint64, w int) uint64 {
	if mask == nil {
		return 0
	}
	return mask[w]
}

// refuse makes an error of the first retract of a function that takes none back.
func (g *Groups) refuse(o *Options) error {
	if g.Retract == nil || o.IgnoreRetract {
		return nil
	}
	for w, r := range g.Retract {
		if r &^= at(g.Skip, w) | at(g.Single, w); r != 0 {
			return fault(w<<6+validity.Next([]uint64{r}, 0), ErrRetract,
				"the function cannot take a value back; the option ignore-retract passes over such rows")
		}
	}
	return nil
}

// skipped returns word w of the rows that are passed over, given that retracts are if pass says so.
func (g *Groups) skipped(w int, pass bool) uint64 {
	s := at(g.Skip, w)
	if pass {
		s |= at(g.Retract, w)
	}
	return s &^ at(g.Single, w)
}

// restarts says whether a group accumulates anew in its middle.
func (g *Groups) restarts() bool { return validity.Any(g.Set) || validity.Any(g.Reset) }

// countLive finds the rows that count and have a value. It returns nil when all do.
func (m *rowMasks) countLive(g *Groups, in *columnar.View, pass bool) []uint64 {
	invariants.Check(in.Rows == g.Rows, "aggfuncs: %d values for %d rows", in.Rows, g.Rows)
	if in.Nulls == 0 && g.Skip == nil && !(pass && g.Retract != nil) {
		return nil
	}
	m.live = words(m.live, g.Rows)
	in.ValidMask(m.live)
	for w := range m.live {
		m.live[w] &^= g.skipped(w, pass)
	}
	return m.live
}

// hits finds the groups that have a bit in live, at their ends. It returns nil when live is.
func (m *rowMasks) hits(g *Groups, live []uint64) []uint64 {
	if live == nil {
		return nil
	}
	m.has, m.pick = words(m.has, g.Rows), words(m.pick, g.Rows)
	validity.LastValid(m.pick, live, g.Ends)
	validity.Hits(m.has, m.pick, g.Ends)
	return m.has
}

// noHits makes an empty mask for loops that note which groups have a result.
func (m *rowMasks) noHits(g *Groups) []uint64 {
	m.has = words(m.has, g.Rows)
	clear(m.has)
	return m.has
}

// stepsOf writes the steps of all rows. Single rows are ones that set the accumulator and do nothing more. If pass is set,
// retracts are passed over.
func (m *rowMasks) stepsOf(g *Groups, in *columnar.View, pass bool) []step {
	invariants.Check(in.Rows == g.Rows, "aggfuncs: %d values for %d rows", in.Rows, g.Rows)
	m.steps = grown(m.steps, g.Rows)
	steps := m.steps
	clear(steps)
	orBits(steps, g.Ends, stepEnd)
	orBits(steps, g.Skip, stepSkip)
	if pass {
		orBits(steps, g.Retract, stepSkip)
	} else {
		orBits(steps, g.Retract, stepRetract)
	}
	orBits(steps, g.Late, stepLate)
	orBits(steps, g.Set, stepSet)
	orBits(steps, g.Reset, stepReset)
	orBits(steps, g.Drop, stepDrop)
	for row := validity.Next(g.Single, 0); row >= 0; row = validity.Next(g.Single, row+1) {
		steps[row] = steps[row]&stepDrop | stepEnd | stepSet | stepSkip
	}
	if in.Nulls > 0 {
		m.pick = words(m.pick, g.Rows)
		in.ValidMask(m.pick)
		for w := range m.pick {
			m.pick[w] = ^m.pick[w]
		}
		orBits(steps, m.pick, stepNull)
	}
	return steps
}

// orBits sets bit in the steps of the rows of a mask.
func orBits(steps []step, mask []uint64, bit step) {
	for w, x := range mask {
		if x == 0 {
			continue
		}
		rows := steps[w<<6 : min(w<<6+64, len(steps))]
		for i := range rows {
			rows[i] |= bit & -step(x&1)
			x >>= 1
		}
	}
}
