package rowmerge

// newMergeMap makes merge_map: the entries of both maps, those of the input in the place of equal keys.
func newMergeMap(c column, o *functionOptions) (*Function, *Error) {
	if c.root() != "MAP" {
		return nil, configf("Data type for merge map column must be 'MAP' but was '%s'.", c.sql)
	}
	return &Function{
		agg: withNulls(func(acc, in any) (any, *Error) {
			out := append(Map{}, acc.(Map)...)
			for _, e := range in.(Map) {
				out = out.put(e)
			}
			return out, nil
		}),
		retract: withNullSides(func(acc, in any) any {
			out := append(Map{}, acc.(Map)...)
			for _, e := range in.(Map) {
				out = out.remove(e.Key)
			}
			return out
		}),
	}, nil
}

// find gives the place of a key, -1 if it is not there.
func (m Map) find(key any) int {
	for i, e := range m {
		if Equal(e.Key, key) {
			return i
		}
	}
	return -1
}

// put sets the value of a key, in its place if it is there, else at the end.
func (m Map) put(e Entry) Map {
	if i := m.find(e.Key); i >= 0 {
		m[i].Value = e.Value
		return m
	}
	return append(m, e)
}

// remove drops a key.
func (m Map) remove(key any) Map {
	if i := m.find(key); i >= 0 {
		return append(m[:i], m[i+1:]...)
	}
	return m
}
