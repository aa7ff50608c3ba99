package rowmerge

import (
	"cmp"
	"slices"
)

// sortVersions gives the rows in key order and the rows of a key into their order of age, oldest first: by sequence.field,
// then, where rows are numbered, by number and retracts before adds, then by run, then by row.
func sortVersions(versions []Version, s settings, numbered bool) []Version {
	order := make([]*Version, len(versions))
	for i := range versions {
		order[i] = &versions[i]
	}
	slices.SortFunc(order, func(a, b *Version) int {
		if c := CompareRows(a.Key, b.Key, false); c != 0 {
			return c
		}
		return compareAge(a, b, s.descending, numbered)
	})
	sorted := make([]Version, len(versions))
	for i, v := range order {
		sorted[i] = *v
	}
	return sorted
}

// compareAge orders two versions of one key.
func compareAge(a, b *Version, descending, numbered bool) int {
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
