package rowmerge

// nestedUpdate keeps a list of rows: appended to, or, with a nested key, one row per key.
type nestedUpdate struct {
	key      nestedKey
	sequence []int // fields of nested-sequence-field
	limit    int   // most rows that inputs may bring in
}

// newNestedUpdate makes nested_update.
func newNestedUpdate(c column, o *functionOptions) (*Function, *Error) {
	key, row, err := newNestedKey(c, o)
	if err != nil {
		return nil, err
	}
	n := nestedUpdate{key: key, limit: o.countLimit()}
	if n.sequence, err = o.rowFields("nested-sequence-field", row); err != nil {
		return nil, err
	}
	for _, option := range []string{"nested-key-null-strategy", "nested-sequence-field"} {
		if err := o.needsKey(option); err != nil {
			return nil, err
		}
	}
	if len(key.fields) == 0 {
		return &Function{agg: n.appendRows, retract: withNullSides(n.removeRows)}, nil
	}
	return &Function{agg: n.mergeRows, retract: n.removeKeys}, nil
}

// appendRows is agg without a key. The limit counts the elements of acc, NULLs included.
func (n nestedUpdate) appendRows(acc, in any) (any, *Error) {
	held, _ := acc.(List)
	switch {
	case in == nil, acc != nil && len(held) >= n.limit:
		return acc, nil
	}
	out := List{}
	for _, row := range rowsIn(acc) {
		out = append(out, row)
	}
	for i, row := range rowsIn(in) {
		if i < n.limit-len(held) {
			out = append(out, row)
		}
	}
	return out, nil
}

// removeRows is retract without a key: every row equal to a retracted one goes, and NULLs go, too.
func (n nestedUpdate) removeRows(acc, in any) any {
	out := List{}
	var gone []any
	for _, row := range rowsIn(in) {
		gone = append(gone, row)
	}
	for _, row := range rowsIn(acc) {
		if indexOf(gone, row) < 0 {
			out = append(out, row)
		}
	}
	return out
}

// mergeRows is agg with a key: a row takes the place of the one with its key if its sequence is not below; a new key comes
// in while there is room, or if it is acc's.
func (n nestedUpdate) mergeRows(acc, in any) (any, *Error) {
	if in == nil {
		return acc, nil
	}
	rows := Map{}
	held := rowsIn(acc)
	for i, row := range append(held, rowsIn(in)...) {
		key, ok, err := n.key.of(row)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		place := rows.find(keyBits(key))
		switch {
		case place < 0 && i >= len(held) && len(rows) >= n.limit:
		case place >= 0 && !n.replaces(row, rows[place].Value.(Struct)):
		default:
			rows = rows.put(Entry{keyBits(key), row})
		}
	}
	return valuesOf(rows), nil
}

// replaces reports whether a row takes the place of another of its key.
func (n nestedUpdate) replaces(row, other Struct) bool {
	return CompareRows(pick(row, n.sequence), pick(other, n.sequence), false) >= 0
}

// removeKeys is retract with a key: rows with the keys of the retracted ones go, whatever their other fields.
func (n nestedUpdate) removeKeys(acc, in any) (any, *Error) {
	if acc == nil || in == nil {
		return acc, nil
	}
	rows := Map{}
	for _, row := range rowsIn(acc) {
		key, ok, err := n.key.of(row)
		if err != nil {
			return nil, err
		}
		if ok {
			rows = rows.put(Entry{keyBits(key), row})
		}
	}
	for _, row := range rowsIn(in) {
		key, ok, err := n.key.of(row)
		if err != nil {
			return nil, err
		}
		if ok {
			rows = rows.remove(keyBits(key))
		}
	}
	return valuesOf(rows), nil
}
