package aggfuncs

import (
	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/validity"
)

// pickRule is a function that gives the value of one row of the group.
type pickRule uint8

const (
	firstValue   pickRule = iota // of the first row, NULL too
	firstNonNull                 // of the first row that has one
	lastValue                    // of the last row, NULL too; taking back leaves NULL
	lastNonNull                  // of the last row that has one; taking one back leaves NULL
	primaryKey                   // of the last row, whether added or taken back
)

// picker is a Picker. It works by masks on the window as a whole, and row by row on the groups with rows that its masks
// cannot tell.
type picker struct {
	rule    pickRule
	options Options
	counts  []uint64 // scratch
	odd     []uint64
}

func newFirstValue(_ arrow.Field, o Options) (Rule, error)        { return pick(firstValue, o) }
func newFirstNonNullValue(_ arrow.Field, o Options) (Rule, error) { return pick(firstNonNull, o) }
func newLastValue(_ arrow.Field, o Options) (Rule, error)         { return pick(lastValue, o) }
func newLastNonNullValue(_ arrow.Field, o Options) (Rule, error)  { return pick(lastNonNull, o) }
func newPrimaryKey(_ arrow.Field, o Options) (Rule, error)        { return pick(primaryKey, o) }

func pick(rule pickRule, o Options) (Rule, error) {
	return Rule{Picker: &picker{rule: rule, options: o}}, nil
}

// Pick is Picker.Pick.
func (p *picker) Pick(pick, null []uint64, g *Groups, valid []uint64) (nulls bool, err error) {
	if p.rule == firstValue || p.rule == firstNonNull {
		if err := g.refuse(&p.options); err != nil {
			return false, err
		}
	}
	p.count(g)
	if valid != nil && (p.rule == firstNonNull || p.rule == lastNonNull) {
		for w := range p.counts {
			p.counts[w] &= valid[w]
		}
	}
	if p.rule == firstValue || p.rule == firstNonNull {
		validity.FirstValid(pick, p.counts, g.Ends)
	} else {
		validity.LastValid(pick, p.counts, g.Ends)
	}
	copy(null, pick)
	validity.OrEnds(pick, g.Ends)
	for w := range pick {
		null[w] = pick[w] &^ null[w] // groups without such a row are NULL
		if valid != nil {
			null[w] &= valid[w]
		}
	}
	p.pickOdd(pick, null, g, valid)
	g.dropFrom(pick, null)
	return validity.Any(null), nil
}

// count finds the rows that count where only adds in order, and what the rule treats like them, are in a group. The rows
// that are neither are odd.
func (p *picker) count(g *Groups) {
	p.counts = words(p.counts, g.Rows)
	p.odd = words(p.odd, g.Rows)
	validity.Fill(p.counts, g.Rows)
	for w := range p.counts {
		skip := g.skipped(w, p.options.IgnoreRetract)
		retract, late := at(g.Retract, w), at(g.Late, w)
		odd := at(g.Set, w) | at(g.Reset, w)
		switch {
		case p.rule == primaryKey:
			skip |= late &^ retract
		case p.rule == lastValue:
			skip |= late &^ retract
			odd |= retract &^ skip
		default:
			odd |= (retract | late) &^ skip
		}
		single := at(g.Single, w)
		p.counts[w] &^= skip &^ single
		p.odd[w] = odd &^ single
	}
}

// pickOdd goes through the rows of the groups that have an odd one.
func (p *picker) pickOdd(pick, null []uint64, g *Groups, valid []uint64) {
	for odd := validity.Next(p.odd, 0); odd >= 0; {
		from, end := validity.Prev(g.Ends, odd)+1, validity.Next(g.Ends, odd)
		row := p.walk(g, valid, from, end)
		validity.ClearRange(pick, from, end+1)
		validity.ClearRange(null, from, end+1)
		if row < 0 {
			validity.Set(null, end)
			row = end
		}
		validity.Set(pick, row)
		odd = validity.Next(p.odd, end+1)
	}
}

// walk returns the row whose value is the result of the group of rows [from, end], or -1 for NULL.
func (p *picker) walk(g *Groups, valid []uint64, from, end int) int {
	acc, seen := -1, false
	has := func(row int) bool { return row >= 0 && (valid == nil || validity.Get(valid, row)) }
	for row := from; row <= end; row++ {
		w, bit := row>>6, uint(row&63)
		flag := func(mask []uint64) bool { return at(mask, w)>>bit&1 != 0 }
		if flag(g.Reset) {
			acc, seen = -1, false
		}
		if flag(g.Set) {
			acc = row
		}
		retract := flag(g.Retract)
		switch {
		case flag(g.Skip), retract && p.options.IgnoreRetract:
		case retract:
			acc = p.retract(acc, row, has(row), flag(g.Late))
		case p.rule == firstValue:
			if seen == flag(g.Late) { // the first in order, or one before what is there
				acc = row
			}
			seen = true
		case p.rule == firstNonNull && flag(g.Late):
			if seen || !has(acc) {
				acc = row
			} else {
				seen = true
			}
		case p.rule == firstNonNull:
			if !seen && has(row) {
				acc, seen = row, true
			}
		case flag(g.Late):
			if p.rule == lastNonNull && !has(acc) {
				acc = row
			}
		case p.rule != lastNonNull || has(row):
			acc = row
		}
	}
	return acc
}

// retract takes back the value of a row.
func (p *picker) retract(acc, row int, has, late bool) int {
	switch {
	case p.rule == primaryKey:
		return row
	case late && p.options.Strict, p.rule == lastNonNull && !has:
		return acc
	}
	return -1
}

// dropFrom takes the rows of the groups that are dropped out of pick and null.
func (g *Groups) dropFrom(pick, null []uint64) {
	for end := validity.Next(g.Drop, 0); end >= 0; end = validity.Next(g.Drop, end+1) {
		from := validity.Prev(g.Ends, end) + 1
		validity.ClearRange(pick, from, end+1)
		validity.ClearRange(null, from, end+1)
	}
}
