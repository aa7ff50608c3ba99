package kernel

import (
	"math/bits"

	"github.com/braidmerge/braid/validity"
)

// sequenceGroup is a sequence group of partial-update (docs/semantics.md, "Sequence groups"): it finds, once for all its
// columns, the rows of a window that do not apply to it and those that come late. A row is late when its sequence is below the
// greatest of the rows before it with the same key.
//
//	row        0  1  2  3  4      one key
//	sequence   5  7  -  6  7
//	skip       0  0  1  0  0      the sequence is NULL: the row does not apply
//	late       0  0  0  1  0
//	winner     0  0  0  0  1      the last row that applies in order: plain columns have its values
type sequenceGroup struct {
	number  int // among the groups of the plan
	removes bool
	fields  []orderField
	skip    []uint64
	late    []uint64
	top     int // of the key at hand, when keys are walked: the staged row whose sequence is the greatest, -1 for none
	scope   scope
}

// stage stages the sequence columns of the window.
func (g *sequenceGroup) stage(w *window) {
	for i := range g.fields {
		g.fields[i].stage(w)
	}
}

// judge fills skip and late as if every row were an add.
func (g *sequenceGroup) judge(w *window, ends []uint64) {
	g.stage(w)
	g.skip, g.late = maskOf(g.skip, w.rows), maskOf(g.late, w.rows)
	if f := &g.fields[0]; len(g.fields) == 1 && f.numeric {
		judgeNumbers(g.skip, g.late, f, w, ends)
		return
	}
	clear(g.skip)
	clear(g.late)
	g.top = -1
	for q, e := range ends {
		for i := q << 6; i < min(q<<6+64, w.rows); i++ {
			g.judgeRow(w, i)
			if e>>(i&63)&1 != 0 {
				g.top = -1
			}
		}
	}
}

// maskOf makes a mask of n rows with the memory of m, if it is enough.
func maskOf(m []uint64, n int) []uint64 {
	words := validity.Words(n)
	if cap(m) < words {
		m = make([]uint64, words+words/4+1)
	}
	return m[:words]
}

// judgeNumbers judges by one sequence column whose values are numbers, without a branch that depends on them.
func judgeNumbers(skip, late []uint64, f *orderField, w *window, ends []uint64) {
	idxMask := uint64(1)<<w.form.idxBits - 1
	top := uint64(0)
	for q, e := range ends {
		words := w.words[q<<6 : min(q<<6+64, w.rows)]
		below, null := uint64(0), uint64(0)
		for i, word := range words {
			at := word & idxMask
			x := f.normals[at] // 0 for NULL, which is below all others or equal and never above
			_, less := bits.Sub64(x, top, 0)
			below |= less << i
			if f.valid != nil {
				null |= uint64(f.valid[at]^1) << i
			}
			top = max(top, x) & (e>>i&1 - 1)
		}
		skip[q], late[q] = null, below&^null
	}
}

// judgeRow judges one row after those before it of its key. The bits of the row must be clear.
func (g *sequenceGroup) judgeRow(w *window, row int) {
	at := w.staged(row)
	switch {
	case !g.applies(at):
		validity.Set(g.skip, row)
	case !g.inOrder(w, at):
		validity.Set(g.late, row)
	default:
		g.top = at
	}
}

// applies says whether a staged row has a sequence for the group: not all of it is NULL.
func (g *sequenceGroup) applies(at int) bool {
	for i := range g.fields {
		if f := &g.fields[i]; f.valid == nil || f.valid[at] != 0 {
			return true
		}
	}
	return false
}

// inOrder says whether the sequence of a staged row is not below the greatest before it.
func (g *sequenceGroup) inOrder(w *window, at int) bool {
	if g.top < 0 {
		return true
	}
	for i := range g.fields {
		if c := g.fields[i].compare(w, at, g.top, false); c != 0 {
			return c > 0
		}
	}
	return true
}

// sequenceGroups makes the sequence groups that have a column at hand, those whose sequence is read first in front: a removing
// delete counts for the first one that it is in order for.
func (p *Plan) sequenceGroups(in *inputs) []*sequenceGroup {
	var groups []*sequenceGroup
	seen := make([]*sequenceGroup, len(p.groups))
	for i := range in.values {
		col := p.columns[in.values[i].col]
		if !in.values[i].kindOnly && col.orders && seen[col.group] == nil {
			g := &sequenceGroup{number: col.group, removes: p.groups[col.group].removes}
			for _, s := range p.groups[col.group].sequence {
				g.fields = append(g.fields, p.orderField(in, s))
			}
			seen[col.group] = g
			groups = append(groups, g)
		}
	}
	return groups
}
