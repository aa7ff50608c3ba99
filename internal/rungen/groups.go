package rungen

import (
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
)

// groupDrawer draws the sequence groups of a spec.
type groupDrawer struct {
	*Spec
	src       *source
	sequence  [][]string // per group
	protected [][]string
}

// drawGroups draws partial-update with sequence groups: of one column or several, some of which are NULL in part or all, and
// which protect any number of columns.
func (s *Spec) drawGroups(src *source) {
	retracts := s.startOptions("partial-update")
	n := pick(src, 1, 1, 2, 2, 3, 4)
	g := groupDrawer{Spec: s, src: src, sequence: make([][]string, n), protected: make([][]string, n)}
	for len(s.Values) <= n {
		s.Values = append(s.Values, s.drawValue(src))
	}
	all := src.oneIn(2) // every column is protected
	rest := g.protect(all, retracts)
	g.addColumns()
	for i, names := range g.sequence {
		s.Options["fields."+strings.Join(names, ",")+".sequence-group"] = strings.Join(g.protected[i], ",")
	}
	g.drawDefaultOf(all, rest, retracts)
	switch {
	case src.oneIn(4):
		g.drawRemoval()
	case src.oneIn(8):
		s.ignoreDelete(src)
	}
}

// protect shares the value columns out among the groups and gives half of those protected a function. It returns the columns
// without one.
func (g *groupDrawer) protect(all, retracts bool) []int {
	var rest []int
	for i := range g.Values {
		at := g.src.between(-1, len(g.protected)-1)
		if all && at < 0 {
			at = 0
		}
		if at < 0 {
			if g.src.oneIn(6) {
				g.Options["fields.v"+strconv.Itoa(i)+".aggregate-function"] = "last_non_null_value"
			}
			continue
		}
		g.protected[at] = append(g.protected[at], "v"+strconv.Itoa(i))
		if g.Fault != NullValue && !g.src.oneIn(8) {
			g.Values[i].NotNull = false
		}
		if g.src.oneIn(2) || g.Values[i].Type == arrow.Null.String() {
			rest = append(rest, i)
			continue
		}
		g.drawFunction(g.src, i, retracts)
	}
	return rest
}

// addColumns adds the sequence columns. A group that protects no other column, and here and there one that does, lists one of
// its own as protected.
func (g *groupDrawer) addColumns() {
	named := 0
	for i := range g.sequence {
		for range pick(g.src, 1, 1, 2, 2, 3) {
			c := Column{Name: "g" + strconv.Itoa(named), Type: anyType(g.src), Distinct: pick(g.src, 2, 5, 50),
				Nulls: pick(g.src, NoNulls, NoNulls, FewNulls, HalfNulls, HalfNulls, ManyNulls, AllNull)}
			if g.src.oneIn(8) {
				c.Type = pick(g.src, nestedTypes...).String()
			}
			c.Style = styleFor(g.src, c.Type)
			g.Values = append(g.Values, c)
			g.sequence[i] = append(g.sequence[i], c.Name)
			named++
		}
		if len(g.protected[i]) == 0 || g.src.oneIn(12) {
			g.protected[i] = append(g.protected[i], pick(g.src, g.sequence[i]...))
		}
	}
}

// drawDefaultOf draws a default function: any if all columns that could have it are protected, else the one that goes with
// every column.
func (g *groupDrawer) drawDefaultOf(all bool, rest []int, retracts bool) {
	const key = "fields.default-aggregate-function"
	switch others := len(g.Sequence) > 0 || g.KindText != NoKinds; {
	case all && !others && !g.src.oneIn(4):
		g.drawDefault(g.src, rest, retracts)
	case g.src.oneIn(6):
		g.Options[key] = "last_non_null_value"
	}
}

// drawRemoval names sequence columns whose groups remove rows.
func (g *groupDrawer) drawRemoval() {
	names := []string{pick(g.src, slices.Concat(g.sequence...)...)}
	if g.src.oneIn(3) {
		names = append(names, pick(g.src, pick(g.src, g.sequence...)...))
	}
	g.Options["partial-update.remove-record-on-sequence-group"] = strings.Join(names, ",")
}
