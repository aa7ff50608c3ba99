package kernel

import (
	"slices"
	"unsafe"

	"github.com/braidmerge/braid/aggfuncs"
	"github.com/braidmerge/braid/simd"
	"github.com/braidmerge/braid/validity"
)

// scope is what the columns of a sequence group, or under the engine aggregation all columns, share in a window: what their
// functions are to do with each row, and the rows that have been chosen for some of them.
type scope struct {
	groups  aggfuncs.Groups // of all rows
	folded  aggfuncs.Groups // of the rows of keys with two rows or more, which alone are folded
	compact bool            // folded is made
	arena   [][]uint64      // memory of folded

	sequence  choice // of the sequence columns
	protected choice // of the protected columns without a function
	choices   []namedChoice
	used      int
	own       choice // of a column that shares it with no other
}

// namedChoice is the choice of a function for columns without a NULL.
type namedChoice struct {
	name string
	choice
}

// choice is one row for every result, and which results are NULL whatever their row has.
type choice struct {
	made       bool
	pick, null []uint64 // in merged order; null is a part of pick
	nulls      bool     // null has a bit
	sel        []uint32 // pick as staged rows
	holes      []byte   // null as a bitmap of results
}

// begin starts a window. Masks that are nil have no bit.
func (s *scope) begin(w *window, m *masks, lone bool, skip, late []uint64) {
	s.groups = aggfuncs.Groups{Rows: w.rows, Count: w.groups, Ends: m.ends, Skip: orNil(skip), Late: orNil(late)}
	if lone {
		s.groups.Single = m.single
	}
	if w.retracts {
		s.groups.Drop, s.groups.Set, s.groups.Reset = orNil(m.drop), orNil(m.set), orNil(m.forget)
		s.groups.Retract = m.retract
	}
	s.compact, s.sequence.made, s.protected.made, s.used = false, false, false, 0
}

// orNil returns a mask, nil if it has no bit.
func orNil(mask []uint64) []uint64 {
	if !validity.Any(mask) {
		return nil
	}
	return mask
}

// sequenceRows chooses for the sequence columns of a group: the last row that applies in order, or that replaced all.
func (s *scope) sequenceRows(w *window) *choice {
	c := &s.sequence
	if !c.made {
		c.winners(&s.groups)
		c.complete(&s.groups)
		c.finish(w, &s.groups)
	}
	return c
}

// protectedRows chooses for the columns of a group that have no function: the same row, NULL where it takes the values back.
// Nothing is left of what is before a reset, but for the sequence.
func (s *scope) protectedRows(w *window) *choice {
	g, c := &s.groups, &s.protected
	if g.Retract == nil {
		return s.sequenceRows(w)
	}
	if c.made {
		return c
	}
	c.winners(g)
	for row := validity.Next(g.Reset, 0); row >= 0; row = validity.Next(g.Reset, row+1) {
		validity.ClearRange(c.pick, validity.Prev(g.Ends, row)+1, row)
	}
	c.complete(g)
	for i := range c.null {
		c.null[i] |= c.pick[i] & g.Retract[i] &^ (at(g.Skip, i) | at(g.Single, i))
	}
	c.finish(w, g)
	return c
}

// winners sets in pick the rows whose values a column without a function takes.
func (c *choice) winners(g *aggfuncs.Groups) {
	c.pick, c.null = maskOf(c.pick, g.Rows), maskOf(c.null, g.Rows)
	for i := range c.pick {
		c.pick[i] = ^(at(g.Skip, i) | at(g.Late, i)) | at(g.Set, i) | at(g.Single, i)
	}
	if g.Rows&63 != 0 {
		c.pick[g.Rows>>6] &= 1<<(g.Rows&63) - 1
	}
}

// complete makes pick one row a group, the last of those that are set, or the last row of the group, which is NULL then.
func (c *choice) complete(g *aggfuncs.Groups) {
	validity.LastValid(c.pick, c.pick, g.Ends)
	copy(c.null, c.pick)
	validity.OrEnds(c.pick, g.Ends)
	for i, p := range c.pick {
		c.null[i] = p &^ c.null[i]
	}
}

// finish takes out the groups that are dropped and makes the selection.
func (c *choice) finish(w *window, g *aggfuncs.Groups) {
	for end := validity.Next(g.Drop, 0); end >= 0; end = validity.Next(g.Drop, end+1) {
		from := validity.Prev(g.Ends, end) + 1
		validity.ClearRange(c.pick, from, end+1)
		validity.ClearRange(c.null, from, end+1)
	}
	c.nulls = validity.Any(c.null)
	c.settle(w, g.Results())
}

// settle makes the selection and the holes out of pick and null.
func (c *choice) settle(w *window, results int) {
	c.made = true
	c.sel = slices.Grow(c.sel[:0], results)[:results]
	simd.SelectBits(c.sel, c.pick, w.words, w.form.idxBits)
	if c.nulls {
		c.holes = slices.Grow(c.holes[:0], (results+7)/8+8)[:(results+7)/8]
		validity.Compress(c.holes, c.null, c.pick)
	}
}

// plain says whether the window has adds in order only.
func (s *scope) plain() bool {
	g := &s.groups
	return g.Skip == nil && g.Late == nil && g.Retract == nil
}

// named returns the choice of that name, and whether it is made yet. An empty name is that of a choice shared with none.
func (s *scope) named(name string) *choice {
	if name == "" {
		s.own.made = false
		return &s.own
	}
	for i := range s.choices[:s.used] {
		if s.choices[i].name == name {
			return &s.choices[i].choice
		}
	}
	if s.used == len(s.choices) {
		s.choices = append(s.choices, namedChoice{})
	}
	n := &s.choices[s.used]
	s.used++
	n.name, n.made = name, false
	return &n.choice
}

// by has a Picker choose, given the rows with a value; nil means all.
func (c *choice) by(p aggfuncs.Picker, g *aggfuncs.Groups, valid []uint64, w *window) (err error) {
	c.pick, c.null = maskOf(c.pick, g.Rows), maskOf(c.null, g.Rows)
	if c.nulls, err = p.Pick(c.pick, c.null, g, valid); err != nil {
		return err
	}
	c.settle(w, g.Results())
	return nil
}

// at returns word i of a mask that may be nil.
func at(mask []uint64, i int) uint64 {
	if mask == nil {
		return 0
	}
	return mask[i]
}

// among returns the groups of the rows of mask, whole groups all of them, groups in number, as a window of its own.
func (s *scope) among(mask []uint64, rows, groups int) *aggfuncs.Groups {
	if s.compact {
		return &s.folded
	}
	s.compact = true
	g := &s.groups
	s.folded = aggfuncs.Groups{Rows: rows, Count: groups}
	if s.arena == nil {
		s.arena = make([][]uint64, 7)
	}
	from := []([]uint64){g.Ends, g.Drop, g.Reset, g.Set, g.Skip, g.Retract, g.Late}
	f := &s.folded
	for i, to := range []*[]uint64{&f.Ends, &f.Drop, &f.Reset, &f.Set, &f.Skip, &f.Retract, &f.Late} {
		if from[i] == nil {
			continue
		}
		s.arena[i] = maskOf(s.arena[i], rows+64)
		s.arena[i][validity.Words(rows)-1] = 0
		*to = s.arena[i][:validity.Words(rows)]
		validity.Compress(bytesOfMask(s.arena[i]), from[i], mask)
	}
	return f
}

// bytesOfMask sees a mask as the bytes of an Arrow bitmap.
func bytesOfMask(mask []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(mask))), 8*len(mask))
}
