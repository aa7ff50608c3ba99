package rowmerge

import (
	"cmp"
	"sort"
)

// sortVersions brings rows into key order and the rows of a key into their order of age, oldest first: by sequence.field,
// then, where rows are numbered, by number and retracts before adds, then by run, then by row.
func sortVersions(versions []Version, s settings, numbered bool) {
	sort.SliceStable(versions, func(i, j int) bool {
		a, b := versions[i], versions[j]
		if c := CompareRows(a.Key, b.Key, false); c != 0 {
			return c < 0
		}
		return compareAge(a, b, s.descending, numbered) < 0
	})
}

// compareAge orders two versions of one key.
func compareAge(a, b Version, descending, numbered bool) int {
	if c := CompareRows(a.order, b.order, descending); c != 0 {
		return c
	}
	if numbered {
		if c := cmp.Compare(a.Sequence, b.Sequence); c != 0 {
			return c
		}
		if c := compareBools(!isRetract(a.Kind), !isRetract(b.Kind)); c != 0 {
			return c
		}
	}
	return cmp.Or(cmp.Compare(a.Run, b.Run), cmp.Compare(a.Index, b.Index))
}
