package rowmerge

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
		for _, action := range actions {
			if action.When(row) != true {
				continue
			}
			for column, value := range action.Set {
				updated[column] = value(row)
			}
			break
		}
		out = append(out, updated)
	}
	return out
}
