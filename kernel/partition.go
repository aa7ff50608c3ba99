package kernel

import (
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
)

// KeyRange is the least and the greatest key of a file, both among its keys: records of one row, in columns named as the key
// columns or as their `_KEY_` columns.
type KeyRange struct{ Min, Max arrow.Record }

// Partition plans how files are merged (docs/semantics.md, "Sections"). It divides them into sections whose keys do not overlap,
// in key order, and the files of every section into as few sorted runs as there can be: it returns sections, their runs, and the files of
// these in key order, as indices of ranges. Sections can be merged one by one, or at once.
//
// The order of the runs of a section says nothing of which is newer, so that rows need sequence numbers; nor of levels: a merge
// that looks at them takes a run for every level of a section instead. A key that is missing or is no row of the key columns is
// ErrSchema, and a range that ends before it begins ErrCorrupt.
func (p *Plan) Partition(ranges []KeyRange) (sections [][][]int, err error) {
	all, _ := p.project(nil)
	in := p.inputs(all)
	files := make([]keyRange, len(ranges))
	defer func() {
		for i := range files {
			files[i].release()
		}
		in.release()
	}()
	if err := in.prepare(false, unzeroed{}); err != nil {
		return nil, err
	}
	order := make([]int, len(ranges))
	for i, r := range ranges {
		order[i] = i
		if r.Min == nil || r.Max == nil {
			return nil, fmt.Errorf("%w: range %d lacks its least or greatest key", ErrSchema, i)
		}
		if files[i], err = in.newKeyRange(&File{MinKey: r.Min, MaxKey: r.Max}); err != nil {
			return nil, fmt.Errorf("range %d: %w", i, err)
		}
		if files[i].least.compare(files[i].most) > 0 {
			return nil, fmt.Errorf("%w: range %d ends before it begins", ErrCorrupt, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if c := files[a].least.compare(files[b].least); c != 0 {
			return c
		}
		return files[a].most.compare(files[b].most)
	})
	for from := 0; from < len(order); {
		high, to := order[from], from+1
		for to < len(order) && files[order[to]].least.compare(files[high].most) <= 0 {
			if files[order[to]].most.compare(files[high].most) > 0 {
				high = order[to]
			}
			to++
		}
		sections = append(sections, sortedRuns(order[from:to], files))
		from = to
	}
	return sections, nil
}

// sortedRuns puts every file, in the order of their least keys, behind the run that ends first, or into a new one if even that
// ends too late. The runs are a heap by their ends.
func sortedRuns(order []int, files []keyRange) (runs [][]int) {
	end := func(run int) *key { return &files[runs[run][len(runs[run])-1]].most }
	for _, file := range order {
		at := 0
		if len(runs) > 0 && end(0).compare(files[file].least) < 0 {
			runs[0] = append(runs[0], file)
			for { // the run sinks
				least := 2*at + 1
				if least+1 < len(runs) && end(least+1).compare(*end(least)) < 0 {
					least++
				}
				if least >= len(runs) || end(at).compare(*end(least)) <= 0 {
					break
				}
				runs[at], runs[least] = runs[least], runs[at]
				at = least
			}
			continue
		}
		runs = append(runs, []int{file})
		for at = len(runs) - 1; at > 0 && end(at).compare(*end((at - 1) / 2)) < 0; at = (at - 1) / 2 { // the run rises
			runs[at], runs[(at-1)/2] = runs[(at-1)/2], runs[at]
		}
	}
	return runs
}
