package rowmerge

// Written is what a writer makes of rows.
type Written struct {
	File      []Row // what goes into a file: key order, every key once
	Changelog []Row // the same rows before they are merged, which is the changelog of the producer input
}

// Write takes rows, whose values are those of the table, as a writer does before it writes a file: NOT NULL is checked,
// defaults are filled in, the row kind is read, ignored kinds are dropped; the rest is numbered from first on, sorted and
// merged. Retract results stay.
func (p Problem) Write(rows []Row, first int64) (Written, error) {
	m, err := p.compile(&faults{})
	if err != nil {
		return Written{}, err
	}
	f := &faults{}
	defaults, err := readDefaults(p.Schema)
	if err != nil {
		return Written{}, err
	}
	var versions []Version
	for i, row := range rows {
		v, keep := m.table.prepare(Version{Row: row, Index: i}, defaults, f)
		if len(f.list) > 0 {
			return Written{}, f.list[0]
		}
		if keep {
			v.Sequence = first + int64(len(versions))
			versions = append(versions, v)
		}
	}
	versions = sortVersions(versions, m.table.options, true)
	return p.writeSorted(versions)
}

// prepare checks, fills and filters a row. keep is false for a row that is dropped.
func (t *table) prepare(v Version, defaults []any, f *faults) (out Version, keep bool) {
	o := t.options
	v.Values = clone(v.Values)
	for i, c := range t.columns {
		if v.Values[i] == nil && c.notNull {
			f.at(v, c.name, failf(KindNotNull, "Cannot write null to non-null column(%s)", c.name))
		}
		if v.Values[i] == nil {
			v.Values[i] = defaults[i]
		}
	}
	if o.kindColumn >= 0 {
		var err *Error
		v.Kind, err = kindOf(v.Values[o.kindColumn])
		f.at(v, t.columns[o.kindColumn].name, err)
	}
	for _, k := range t.key {
		v.Key = append(v.Key, v.Values[k])
	}
	v.order = sequenceOf(v, o)
	ignored := o.ignoreDelete && isRetract(v.Kind) || o.ignoreUpdateBefore && v.Kind == UpdateBefore
	return v, !ignored
}

// writeSorted merges sorted versions key by key.
func (p Problem) writeSorted(versions []Version) (Written, error) {
	f := &faults{}
	m, err := p.compile(f)
	if err != nil {
		return Written{}, err
	}
	var w Written
	for from := 0; from < len(versions); {
		to := from
		for to < len(versions) && CompareRows(versions[from].Key, versions[to].Key, false) == 0 {
			w.Changelog = append(w.Changelog, versions[to].Row)
			to++
		}
		if row := m.reduce(versions[from:to]); row != nil {
			w.File = append(w.File, *row)
		}
		from = to
	}
	return w, f.first()
}

// AcceptsDelete reports whether a DELETE statement may be carried out on the table, by its engine and options.
func (p Problem) AcceptsDelete() (bool, error) {
	t, err := newTable(p)
	if err != nil {
		return false, err
	}
	switch o := t.options; o.engine {
	case "deduplicate":
		return true, nil
	case "partial-update":
		return o.removeOnDelete || len(o.removeOnGroup) > 0, nil
	case "first-row":
		return false, nil
	default:
		return o.removeOnDelete, nil
	}
}
