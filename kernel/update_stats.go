package kernel

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/internal/expression"
)

// FileStats is what is known of the rows of a range before a file of it is opened: by column of the table. A column that is not
// there may hold anything. Of the row ids everything is known.
type FileStats struct {
	Columns map[string]ColumnStats
}

// ColumnStats is what is known of a column. The zero value says nothing, and what is doubtful must be left out: of a column that
// the file has in another type than the table, of one that column files have changed.
type ColumnStats struct {
	// Min and Max, of one value and the column's type, lie below and above every value that is neither NULL nor NaN. A bound that
	// is NULL, NaN or of another type is none.
	Min, Max arrow.Array
	// Truncated tells that Min and Max may be only the first bytes of the least and the greatest value.
	Truncated bool
	// NoNaN tells that no float is NaN.
	NoNaN bool
	// NoNulls tells that no value is NULL, AllNulls that every one is.
	NoNulls, AllNulls bool
}

// bounds gives what is known of a column as expressions have it.
func (s FileStats) bounds(r expression.Ref) expression.Bounds {
	if r.Source {
		return expression.Bounds{}
	}
	c := s.Columns[r.Name]
	return expression.Bounds{Min: c.Min, Max: c.Max, MaxOpen: c.Truncated, NoNaN: c.NoNaN, NoNull: c.NoNulls, AllNull: c.AllNulls}
}

// known puts together what is known of a range: its statistics, its partition, its row ids.
func (r *RowRange) known() FileStats {
	all := FileStats{Columns: map[string]ColumnStats{}}
	for name, c := range r.Stats.Columns {
		all.Columns[name] = c
	}
	if r.Partition != nil && r.Partition.NumRows() == 1 {
		for i, f := range r.Partition.Schema().Fields() {
			value := r.Partition.Column(i)
			null := value.IsNull(0)
			all.Columns[f.Name] = ColumnStats{Min: value, Max: value, NoNulls: !null, AllNulls: null}
		}
	}
	first, last := int64Array(r.FirstRowID), int64Array(r.FirstRowID+r.Rows-1)
	all.Columns[RowIDColumn] = ColumnStats{Min: first, Max: last, NoNulls: true}
	all.Columns[FirstRowIDColumn] = ColumnStats{Min: first, Max: first, NoNulls: true}
	return all
}

// int64Array makes an array of one value, of garbage-collected memory.
func int64Array(value int64) arrow.Array {
	b := array.NewInt64Builder(memory.DefaultAllocator)
	defer b.Release()
	b.Append(value)
	return b.NewArray()
}

// MayMatch says whether an action of the update may be taken for a row of a range, by what is known of it. A range for which it
// says no is neither opened nor written by Run.
func (u *Update) MayMatch(r RowRange) bool {
	known := r.known()
	for i := range u.actions {
		a := &u.actions[i]
		if len(a.set) > 0 && (a.when == nil || a.when.MayMatch == nil || a.when.MayMatch(known)) {
			return true
		}
	}
	return false
}
