package rowmerge

// newNestedPartialUpdate makes nested_partial_update: one row per nested key, each field the last that is not NULL.
func newNestedPartialUpdate(c column, o *functionOptions) (*Function, *Error) {
	key, row, err := newNestedKey(c, o)
	if err != nil {
		return nil, err
	}
	if len(key.fields) == 0 {
		return nil, configf("nested_partial_update needs fields.%s.nested-key", c.name)
	}
	width := row.NumFields()
	return &Function{agg: func(acc, in any) (any, *Error) {
		if in == nil {
			return acc, nil
		}
		rows := Map{}
		for _, row := range append(rowsIn(acc), rowsIn(in)...) {
			k, ok, err := key.of(row)
			if err != nil {
				return nil, err
			}
			if ok {
				rows = rows.fill(keyBits(k), row, width)
			}
		}
		return valuesOf(rows), nil
	}}, nil
}

// fill sets the fields of a row that are not NULL in the row under a key, which starts all NULL.
func (m Map) fill(key string, row Struct, width int) Map {
	i := m.find(key)
	if i < 0 {
		m = append(m, Entry{key, make(Struct, width)})
		i = len(m) - 1
	}
	for f, v := range row {
		if v != nil {
			m[i].Value.(Struct)[f] = v
		}
	}
	return m
}
