package rowmerge

import (
	"cmp"
	"slices"
)

// Interval is a file by its smallest and largest key.
type Interval struct{ Min, Max int }

// Partition divides files into sections whose keys do not overlap, and the files of each section into as few runs as there
// can be: section, run, file. Sections are in key order.
func Partition(files []Interval) [][][]Interval {
	sorted := slices.Clone(files)
	slices.SortStableFunc(sorted, func(a, b Interval) int { return cmp.Or(cmp.Compare(a.Min, b.Min), cmp.Compare(a.Max, b.Max)) })
	var sections [][][]Interval
	for from := 0; from < len(sorted); {
		to, high := from, sorted[from].Max
		for to < len(sorted) && sorted[to].Min <= high {
			high = max(high, sorted[to].Max)
			to++
		}
		sections = append(sections, runsIn(sorted[from:to]))
		from = to
	}
	return sections
}

// runsIn appends each file to the run that ends first, or opens a new one if even that ends too late.
func runsIn(files []Interval) [][]Interval {
	var runs [][]Interval
	for _, file := range files {
		slices.SortStableFunc(runs, func(a, b []Interval) int { return cmp.Compare(a[len(a)-1].Max, b[len(b)-1].Max) })
		if len(runs) > 0 && runs[0][len(runs[0])-1].Max < file.Min {
			runs[0] = append(runs[0], file)
			continue
		}
		runs = append(runs, []Interval{file})
	}
	return runs
}
