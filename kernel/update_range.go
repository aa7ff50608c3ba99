package kernel

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/braidmerge/braid/columnar"
)

// RowRange is the rows with the ids [FirstRowID, FirstRowID+Rows): those of one data file, and of the column files that were
// written for it later.
type RowRange struct {
	// Name stands for the range in errors.
	Name string
	// FirstRowID and Rows say which ids there are. A range has rows.
	FirstRowID, Rows int64
	// Files hold the columns, oldest first. Of the files that have a column, the newest that has a row gives its value.
	Files []ColumnFile
	// Deleted are the rows that are not there, as positions in the range. Files may leave them out.
	Deleted *roaring.Bitmap
	// Partition, if set, is a record of one row with the values of the partition columns, and Stats what is known of the others.
	// Both only serve to leave out ranges that a condition rules out.
	Partition arrow.Record
	Stats     FileStats
}

// ColumnFile is a file with some columns of the rows of a range, in the order of their ids.
//
//	ids       100 101 102 103
//	base  a     1   2   3   4
//	      b     5   6   7   8
//	newer b         9      10        a column file whose rows have ids
//	read  a     1   2   3   4
//	      b     5   9   7  10
type ColumnFile struct {
	// Name stands for the file in errors.
	Name string
	// Open starts reading the file. Whoever opens it releases the reader, once. Rows that have the column `_ROW_ID` (int64) are
	// those of these ids, which must ascend; without it they are those from position First of the range on, without a gap.
	Open func(context.Context) (array.RecordReader, error)
	// First is the position in the range of the first row, where rows have no `_ROW_ID`.
	First int64
	// Columns are the columns of the table that the file has; nil stands for all.
	Columns []string
	// Mapping, if set, says how the table's columns come out of the file's, which was written under another schema.
	Mapping *columnar.Mapping
}

// has says whether the file has a column of the table.
func (f *ColumnFile) has(column string) bool {
	return f.Columns == nil || slices.Contains(f.Columns, column)
}

// check wants the range to have rows and files that can be opened.
func (r *RowRange) check() error {
	switch {
	case r.Rows <= 0:
		return fmt.Errorf("%w: %sa range of %d rows", ErrRowRange, r.prefix(), r.Rows)
	case r.FirstRowID > math.MaxInt64-r.Rows:
		return fmt.Errorf("%w: %s%d rows from id %d on", ErrRowRange, r.prefix(), r.Rows, r.FirstRowID)
	}
	for i := range r.Files {
		if f := &r.Files[i]; f.Open == nil {
			return fmt.Errorf("%w: %sfile %d has no Open", ErrOption, r.prefix(), i)
		}
	}
	return nil
}

// prefix is the name of the range as errors begin.
func (r *RowRange) prefix() string {
	if r.Name == "" {
		return ""
	}
	return r.Name + ": "
}

// end is the id behind the last.
func (r *RowRange) end() int64 { return r.FirstRowID + r.Rows }

// PlainType returns the type in which a column comes out of an update or of ReadRange: that of the values where it has
// dictionaries, else its own. A type that no column can have is ErrSchema.
func PlainType(t arrow.DataType) (arrow.DataType, error) {
	e, err := columnar.NewEncoding(t, true, unzeroed{})
	if err != nil {
		return nil, err
	}
	defer e.Release()
	return e.Output(), nil
}
