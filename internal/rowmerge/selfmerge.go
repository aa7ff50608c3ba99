package rowmerge

import "slices"

// Action is an action of a self-merge: Set is applied to rows for which When is true. Set has one value function per column
// it changes, by position.
type Action struct {
	When func(row []any) any // true, false or NULL, which is not true
	Set  map[int]func(row []any) any
}

// SelfMerge updates rows in their order: to each row the first action whose condition is true, or none. Every value is
// computed from the row as it was.
func SelfMerge(rows [][]any, actions []Action) [][]any {
	var out [][]any
	for _, row := range rows {
		updated := clone(row)
		i := slices.IndexFunc(actions, func(a Action) bool { return a.When(row) == true })
		if i >= 0 {
			for column, value := range actions[i].Set {
				updated[column] = value(row)
			}
		}
		out = append(out, updated)
	}
	return out
}

// FillGaps gives the rows of a file whose row ids are first to first+count-1, one for each id. ids are those of rows, which
// may be fewer, since deleted rows are not delivered: in their place stands the first row there is.
func FillGaps(first, count int64, ids []any, rows [][]any) ([][]any, error) {
	out := make([][]any, count)
	last := first - 1
	for i, v := range ids {
		id, ok := v.(int64)
		switch {
		case !ok:
			return nil, failf(KindNullRowID, "row %d has no row id", i)
		case id < first || id >= first+count:
			return nil, failf(KindMisaligned, "row id %d is not one of %d from %d on", id, count, first)
		case id == last:
			return nil, failf(KindDuplicateRowID, "row id %d comes twice", id)
		case id < last:
			return nil, failf(KindMisaligned, "row id %d comes after %d", id, last)
		}
		out[id-first], last = rows[i], id
	}
	if len(rows) == 0 && count > 0 {
		return nil, failf(KindMisaligned, "no row of %d from %d on is there to fill gaps with", count, first)
	}
	for i := range out {
		if out[i] == nil {
			out[i] = rows[0]
		}
	}
	return out, nil
}
