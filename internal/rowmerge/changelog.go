package rowmerge

import (
	"cmp"
	"slices"
)

// Changes is what a compaction gives for a key: the rows of the changelog and the row that stays, nil if none does.
type Changes struct {
	Changelog []Row
	Result    *Row
}

// LookupChangelog compacts the versions of one key, oldest first. higher is the row found for the key in the levels above the
// output, nil if there is none. Without a version of level 0 nothing changes in the changelog.
func (p Problem) LookupChangelog(versions []Version, higher *Version) (Changes, error) {
	f := &faults{}
	m, err := p.compile(f)
	if err != nil {
		return Changes{}, err
	}
	return m.lookupChangelog(f, versions, higher)
}

func (m *merger) lookupChangelog(f *faults, versions []Version, higher *Version) (Changes, error) {
	if first, ok := m.engine.(*firstRow); ok {
		return firstRowChangelog(first, versions, higher)
	}
	var before *Version
	if at := lowestHigh(versions); at >= 0 {
		before = &versions[at]
	} else if higher != nil {
		before = higher
		versions = insertByAge(versions, *higher, m.table.options)
	}
	m.lone = false
	after, failure := m.reduceOrFail(f, lowest(versions))
	if failure != nil {
		return Changes{}, failure
	}
	fresh := slices.ContainsFunc(versions, func(v Version) bool { return v.Level == 0 })
	c := Changes{Result: after}
	switch {
	case after == nil && before != nil && !isRetract(before.Kind):
		c.Result = &before.Row
	case after == nil || !fresh:
	case before == nil || isRetract(before.Kind):
		if !isRetract(after.Kind) {
			c.Changelog = []Row{after.as(Insert)}
		}
	default:
		c.Changelog = m.change(before.Row, *after)
	}
	return c, nil
}

// insertByAge puts a version before the first one that is newer by sequence.field and number.
func insertByAge(versions []Version, v Version, s settings) []Version {
	at := len(versions)
	for i, w := range versions {
		newer := cmp.Or(CompareRows(sequenceOf(w, s), sequenceOf(v, s), s.descending), cmp.Compare(w.Sequence, v.Sequence))
		if newer > 0 {
			at = i
			break
		}
	}
	return slices.Insert(slices.Clone(versions), at, v)
}

// sequenceOf picks the columns of sequence.field from a version that has all columns.
func sequenceOf(v Version, s settings) []any {
	var values []any
	for _, c := range s.sequence {
		values = append(values, v.Values[c])
	}
	return values
}

// firstRowChangelog keeps the first row: a key that was there before gives no change, and, if it is above the output, no row.
func firstRowChangelog(f *firstRow, versions []Version, higher *Version) (Changes, error) {
	f.reset()
	for _, v := range versions {
		f.add(v)
	}
	if err := f.faults.first(); err != nil {
		return Changes{}, err
	}
	switch {
	case f.first == nil || !f.sawHigh && higher != nil:
		return Changes{}, nil
	case f.sawHigh:
		return Changes{Result: f.first}, nil
	}
	return Changes{Changelog: []Row{*f.first}, Result: f.first}, nil
}

// FullChangelog compacts the versions of one key, oldest first, into the top level.
func (p Problem) FullChangelog(versions []Version, topLevel int) (Changes, error) {
	f := &faults{}
	m, err := p.compile(f)
	if err != nil {
		return Changes{}, err
	}
	return m.fullChangelog(f, versions, topLevel)
}

func (m *merger) fullChangelog(f *faults, versions []Version, topLevel int) (Changes, error) {
	var top *Version
	for i, v := range versions {
		if v.Level == topLevel && top != nil {
			return Changes{}, failf(KindInternalState, "Top level key-value already exists! This is unexpected.")
		}
		if v.Level == topLevel {
			top = &versions[i]
		}
	}
	merged, failure := m.reduceOrFail(f, versions)
	if failure != nil {
		return Changes{}, failure
	}
	gone := merged == nil || isRetract(merged.Kind)
	var c Changes
	if !gone {
		c.Result = merged
	}
	switch {
	case top == nil && !gone:
		c.Changelog = []Row{merged.as(Insert)}
	case top == nil, len(versions) == 1:
	case gone:
		c.Changelog = []Row{top.as(Delete)}
	default:
		c.Changelog = m.change(top.Row, *merged)
	}
	return c, nil
}

// change gives the changelog of a row that was there and is there, or is no more.
func (m *merger) change(before, after Row) []Row {
	if isRetract(after.Kind) {
		return []Row{before.as(Delete)}
	}
	if m.table.options.compareRows && m.sameRow(before, after) {
		return nil
	}
	return []Row{before.as(UpdateBefore), after.as(UpdateAfter)}
}

// sameRow compares the columns that the changelog cares about.
func (m *merger) sameRow(a, b Row) bool {
	for i, c := range m.table.columns {
		if !slices.Contains(m.table.options.compareIgnores, c.name) && !Equal(a.Values[i], b.Values[i]) {
			return false
		}
	}
	return true
}

// as gives the row with another kind.
func (r Row) as(kind int8) Row {
	r.Kind = kind
	return r
}
