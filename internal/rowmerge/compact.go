package rowmerge

import "sort"

// Compaction is what a compaction gives: the rows that stay and the changelog, in key order.
type Compaction struct {
	Rows      []Row
	Changelog []Row
}

// Compact compacts the runs of the problem by its changelog producer, into topLevel where that is full-compaction. higher is
// the run of the levels above the output, in which lookups find rows, nil if there is none. It gives every error there is to find; the
// answer counts only if there is none.
func (p Problem) Compact(topLevel int, higher *Run) (Compaction, []*Error) {
	f := &faults{}
	m, err := p.compile(f)
	if err != nil {
		return Compaction{}, []*Error{err}
	}
	versions := p.readRuns(m.table, m.columns, f)
	var above []Version
	if higher != nil {
		above = p.readHigher(m, *higher, f)
	}
	versions = sortVersions(versions, m.table.options, p.numbered())
	var c Compaction
	found := f.list
	for from := 0; from < len(versions); {
		to := from + 1
		for to < len(versions) && CompareRows(versions[from].Key, versions[to].Key, false) == 0 {
			to++
		}
		f.list = nil
		changes, err := m.compact(f, versions[from:to:to], find(above, versions[from].Key), topLevel)
		if err != nil && len(f.list) == 0 {
			f.list = append(f.list, err.(*Error))
		}
		found = append(found, f.list...)
		if changes.Result != nil && (p.KeepDeletes || !isRetract(changes.Result.Kind)) {
			c.Rows = append(c.Rows, *changes.Result)
		}
		c.Changelog = append(c.Changelog, changes.Changelog...)
		from = to
	}
	return c, found
}

// readHigher reads the run of the levels above. Rows without a number are older than all that have none either.
func (p Problem) readHigher(m *merger, run Run, f *faults) []Version {
	numbered := p.numbered()
	p.Runs = []Run{run}
	versions := p.readRuns(m.table, m.columns, f)
	for i := range versions {
		versions[i].Level = 1
		if !numbered {
			versions[i].Sequence = -2
		}
	}
	return versions
}

// find looks for the version of a key in versions in key order, nil if there is none.
func find(versions []Version, key []any) *Version {
	i := sort.Search(len(versions), func(i int) bool { return CompareRows(versions[i].Key, key, false) >= 0 })
	if i == len(versions) || CompareRows(versions[i].Key, key, false) != 0 {
		return nil
	}
	return &versions[i]
}

// compact compacts the versions of one key.
func (m *merger) compact(f *faults, versions []Version, higher *Version, topLevel int) (c Changes, err error) {
	lone := m.lone
	defer func() { m.lone = lone }()
	switch m.table.options.changelog {
	case "lookup":
		return m.lookupChangelog(f, versions, higher)
	case "full-compaction":
		return m.fullChangelog(f, versions, topLevel)
	}
	for _, v := range versions {
		c.Changelog = append(c.Changelog, v.Row)
	}
	c.Result, err = m.reduceOrFail(f, versions)
	return c, err
}

// used leaves of the versions of a key those that a lookup merge uses.
func (m *merger) used(versions []Version) []Version {
	if m.table.options.engine == "first-row" {
		return versions
	}
	return lowest(versions)
}
