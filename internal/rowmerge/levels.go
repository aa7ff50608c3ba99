package rowmerge

// lowest leaves of the versions of a key those a lookup merge uses: all of level 0 and below, and of the others the one of
// the smallest level, the first if there are several. The order stays.
func lowest(versions []Version) []Version {
	chosen := lowestHigh(versions)
	var used []Version
	for i, v := range versions {
		if v.Level <= 0 || i == chosen {
			used = append(used, v)
		}
	}
	return used
}

// lowestHigh finds the first version of the smallest level above 0, -1 if there is none.
func lowestHigh(versions []Version) int {
	chosen := -1
	for i, v := range versions {
		if v.Level >= 1 && (chosen < 0 || v.Level < versions[chosen].Level) {
			chosen = i
		}
	}
	return chosen
}

// LookupMerge merges the versions of one key as tables that look keys up do. The engine is called for a lone record, too.
func (p Problem) LookupMerge(versions []Version) (*Row, error) {
	p.NoLoneRecordRule = true
	return p.MergeGroup(lowest(versions))
}

// ByLevel is Faults for a table that looks keys up: of the versions of a key that has several only those that a lookup merge
// uses take part. first-row does not look at levels.
func (p Problem) ByLevel() ([]Row, []*Error) {
	f := &faults{}
	m, err := p.compile(f)
	if err != nil {
		return nil, []*Error{err}
	}
	versions := p.readRuns(m.table, m.columns, f)
	versions = sortVersions(versions, m.table.options, p.numbered())
	rows := []Row{}
	for from := 0; from < len(versions); {
		to := from + 1
		for to < len(versions) && CompareRows(versions[from].Key, versions[to].Key, false) == 0 {
			to++
		}
		lone := m.lone
		m.lone = lone && to == from+1
		row := m.reduce(m.used(versions[from:to]))
		if m.lone = lone; row != nil && (p.KeepDeletes || !isRetract(row.Kind)) {
			rows = append(rows, *row)
		}
		from = to
	}
	return rows, f.list
}

// DropsRetracts reports whether a compaction into a level may leave out retract results: nothing older can exist, or
// deletion vectors take care of what is older. highest is the highest level that is not empty.
func DropsRetracts(output, highest int, deletionVectors bool) bool {
	return output != 0 && (output >= highest || deletionVectors)
}
