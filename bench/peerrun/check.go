package peerrun

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/braidmerge/braid/bench/rowhash"
	"github.com/braidmerge/braid/bench/workload"
	"github.com/braidmerge/braid/cmd/braid/ipcfile"
)

// check holds a result, an Arrow stream, against the answer, and says whether its rows are in the order of the key.
func check(path string, m *workload.Manifest, job string) (ordered bool, err error) {
	r, err := ipcfile.OpenStream(path, ipcfile.Options{})
	if err != nil {
		return false, err
	}
	defer r.Release()
	table, err := rowhash.NewTable(m.ColumnNames(), m.Key)
	if err != nil {
		return false, err
	}
	ordered = true
	var before arrow.Record
	defer func() {
		if before != nil {
			before.Release()
		}
	}()
	for r.Next() {
		rec := r.Record()
		if err := table.Add(rec); err != nil {
			return false, err
		}
		rising, err := rises(before, rec, m.Key)
		if err != nil {
			return false, err
		}
		ordered = ordered && rising
		if before != nil {
			before.Release()
			before = nil
		}
		if n := rec.NumRows(); n > 0 {
			before = rec.NewSlice(n-1, n)
		}
	}
	if err := r.Err(); err != nil {
		return false, err
	}
	if d := m.Jobs[job].Answer.Differs(table.Sum(), m.ColumnNames()); d != "" {
		return false, statusf(wrongAnswer, "%s", d)
	}
	return ordered, nil
}

// rises says whether the keys of a record rise, from those of the row before.
func rises(before, rec arrow.Record, key []string) (bool, error) {
	var columns, last []arrow.Array
	for _, name := range key {
		columns = append(columns, rec.Column(rec.Schema().FieldIndices(name)[0]))
		if before != nil {
			last = append(last, before.Column(before.Schema().FieldIndices(name)[0]))
		}
	}
	if before != nil && rec.NumRows() > 0 {
		if d, err := compareKeys(last, 0, columns, 0); err != nil || d >= 0 {
			return false, err
		}
	}
	for row := 1; row < int(rec.NumRows()); row++ {
		if d, err := compareKeys(columns, row-1, columns, row); err != nil || d >= 0 {
			return false, err
		}
	}
	return true, nil
}

// compareKeys compares two keys, column by column.
func compareKeys(a []arrow.Array, i int, b []arrow.Array, j int) (int, error) {
	for c := range a {
		d, err := compareCells(a[c], i, b[c], j)
		if d != 0 || err != nil {
			return d, err
		}
	}
	return 0, nil
}

func compareCells(a arrow.Array, i int, b arrow.Array, j int) (int, error) {
	switch a := a.(type) {
	case *array.Int32:
		return cmp.Compare(a.Value(i), b.(*array.Int32).Value(j)), nil
	case *array.Int64:
		return cmp.Compare(a.Value(i), b.(*array.Int64).Value(j)), nil
	case *array.Timestamp:
		return cmp.Compare(a.Value(i), b.(*array.Timestamp).Value(j)), nil
	case *array.String:
		return strings.Compare(a.Value(i), b.(*array.String).Value(j)), nil
	}
	return 0, fmt.Errorf("a key of type %s has no order here", a.DataType())
}
