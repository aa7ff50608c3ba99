package fuzz_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/kernel"
)

// updateErrors are the kernel's errors for mistakes.
var updateErrors = map[mistake]error{overflow: kernel.ErrOverflow, divideByZero: kernel.ErrDivideByZero, notNull: kernel.ErrNotNull,
	"duplicate": kernel.ErrDuplicateRowID}

// judge compares the kernel's answer, rows or an error, with that of the row merger, which takes row after row.
func (p *updateProblem) judge(u *kernel.Update, got map[int64][][]any, err error) string {
	mistakes := map[mistake]bool{}
	empty := false
	for _, r := range p.ranges {
		rows, ok := got[r.first]
		want, wrong := p.twin(r)
		if !slices.Contains(r.deleted, false) {
			empty = true // the range has no row
			continue
		}
		maps.Copy(mistakes, wrong)
		switch {
		case err != nil:
			continue
		case !ok && p.changes(r, want):
			return fmt.Sprintf("range %d changes and has no column file", r.first)
		case !ok || wrong != nil:
			continue
		}
		if text := p.compareRange(u, r, rows, want); text != "" {
			return text
		}
	}
	if err == nil {
		for m := range mistakes {
			if !p.unseen(got) {
				return fmt.Sprintf("no error, want %q", m)
			}
		}
		return ""
	}
	if empty && errors.Is(err, kernel.ErrRowRange) {
		return ""
	}
	for m := range mistakes {
		if errors.Is(err, updateErrors[m]) {
			return ""
		}
	}
	return fmt.Sprintf("error %v, want one of %v", err, slices.Collect(maps.Keys(mistakes)))
}

// unseen says whether a range was left out, so that no row of it could fail.
func (p *updateProblem) unseen(got map[int64][][]any) bool { return len(got) < len(p.ranges) }

// changes says whether a row that is there is another after the update.
func (p *updateProblem) changes(r *updateRange, want [][]any) bool {
	for i, row := range want {
		if row != nil && !r.deleted[i] && !slices.EqualFunc(row, r.rows[i], sameShown) {
			return true
		}
	}
	return false
}

// sameShown says whether two values are shown alike.
func sameShown(a, b any) bool {
	return rowmerge.Identical(a, b) || rowmerge.Format(a) == rowmerge.Format(b)
}

// twin updates the rows of a range with rowmerge.SelfMerge, one at a time. A row that fails is nil.
func (p *updateProblem) twin(r *updateRange) (rows [][]any, wrong map[mistake]bool) {
	rows = make([][]any, len(r.rows))
	note := func(m mistake) {
		if wrong == nil {
			wrong = map[mistake]bool{}
		}
		wrong[m] = true
	}
	joined, effective := p.joinedTo(r), p.effective()
	for i, row := range r.rows {
		if r.deleted[i] {
			rows[i] = row
			continue
		}
		pairs := [][]any{row}
		if p.source != nil {
			pairs = pairs[:0]
			for _, s := range joined[row[0].(int64)] {
				pairs = append(pairs, append(slices.Clone(row), s[1:]...))
			}
		}
		rows[i] = p.updateRow(row, pairs, effective, note)
	}
	return rows, wrong
}

// joinedTo gives the rows of the source by row id.
func (p *updateProblem) joinedTo(r *updateRange) map[int64][][]any {
	all := map[int64][][]any{}
	for _, s := range p.joined {
		if id := s[0].(int64); id >= r.first && id < r.first+int64(len(r.rows)) {
			all[id] = append(all[id], s)
		}
	}
	return all
}

// updateRow updates a row, given as often as the source has a row for it, and notes what fails; nil for a row that does.
func (p *updateProblem) updateRow(row []any, pairs [][]any, effective []drawnAction, note func(mistake)) (out []any) {
	out = slices.Clone(row)
	taken, wrong := 0, false
	for _, pair := range pairs {
		updated, took, failed := p.updatePair(pair, effective)
		for _, m := range failed {
			note(m)
		}
		if wrong = wrong || failed != nil; failed != nil && updated != nil && updated[systemValues] == nil {
			note(notNull) // of a row that fails in another column, too
		}
		if took {
			if taken++; taken > 1 {
				note("duplicate")
				wrong = true
			}
		}
		if took && failed == nil {
			out = updated[:len(row)]
		}
	}
	if wrong {
		return nil
	}
	if out[systemValues] == nil { // the one column that is NOT NULL
		note(notNull)
		return nil
	}
	return out
}

// updatePair updates one row by the row merger and says whether an action that sets something was taken.
func (p *updateProblem) updatePair(pair []any, effective []drawnAction) (out []any, took bool, failed []mistake) {
	fails := func(f func()) (m mistake) {
		defer func() {
			if r := recover(); r != nil {
				m = r.(mistake)
			}
		}()
		f()
		return ""
	}
	var actions []rowmerge.Action
	for _, a := range effective {
		action := rowmerge.Action{When: func(row []any) any {
			var v any = true
			if a.when != nil {
				v = a.when.eval(row)
			}
			took = took || v == true && p.sets(a)
			return v
		}, Set: map[int]func([]any) any{}}
		for c, f := range a.set {
			action.Set[systemValues+c] = func(row []any) (value any) {
				t := p.table.Field(c).Type
				m := fails(func() {
					if f.op == "column" && kindOf(t) == "list" {
						value = row[f.at]
					} else {
						value = stored(f.eval(row), t)
					}
				})
				if m != "" {
					failed = append(failed, m)
				}
				return value
			}
		}
		actions = append(actions, action)
	}
	if m := fails(func() { out = rowmerge.SelfMerge([][]any{pair}, actions)[0] }); m != "" {
		failed = append(failed, m)
	}
	return out, took, failed
}

// sets says whether an action sets a column to anything but itself.
func (p *updateProblem) sets(a drawnAction) bool {
	for c, f := range a.set {
		if f.op != "column" || f.at != systemValues+c {
			return true
		}
	}
	return false
}

// effective are the actions that may be taken, less those at the end that set nothing, whose conditions nobody needs to know. A
// condition that is the same for every row is no question of rows: an action that is never taken is none, nor is one behind
// another that always is.
func (p *updateProblem) effective() []drawnAction {
	var actions []drawnAction
	for _, a := range p.actions {
		constant, value := true, any(true)
		if a.when != nil {
			value, constant = a.when.settled()
		}
		if constant && value != true {
			continue
		}
		actions = append(actions, a)
		if constant {
			break
		}
	}
	for len(actions) > 0 && !p.sets(actions[len(actions)-1]) {
		actions = actions[:len(actions)-1]
	}
	return actions
}

// compareRange compares the rows of a new column file with those wanted: of deleted rows there must be one, whatever it is, and
// where no file has them it is the first row there is.
func (p *updateProblem) compareRange(u *kernel.Update, r *updateRange, got, want [][]any) string {
	if len(got) != len(want) {
		return fmt.Sprintf("range %d: %d rows, want %d", r.first, len(got), len(want))
	}
	filler := want[slices.Index(r.deleted, false)]
	var places []int
	for _, name := range u.Columns() {
		places = append(places, systemValues+p.table.FieldIndices(name)[0])
	}
	for i := range want {
		expected := want[i]
		if r.deleted[i] && r.files[0].rows != nil {
			expected = filler
		}
		for j, name := range u.Columns() {
			g, w := got[i][j], expected[places[j]]
			if !sameShown(g, w) && !(r.deleted[i] && r.files[0].rows == nil) {
				return fmt.Sprintf("range %d, row %d, column %s: %s, want %s", r.first, i, name, rowmerge.Format(g), rowmerge.Format(w))
			}
		}
	}
	return ""
}
