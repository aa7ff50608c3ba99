package kernel

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/braidmerge/braid/columnar"
)

// Run is one sorted run: its files one after another, in key order. A merge takes its runs oldest first.
type Run struct {
	Files []File
	// Level is the level of the LSM tree the run comes from: 0 for a fresh file, 1 and more for compacted ones. Only merges with
	// ByLevel or WithChangelog look at it.
	Level int
	// UniqueKeys promises that no key comes twice in the run. A broken promise is ErrUnsorted.
	UniqueKeys bool
}

// File is one file of a run. Only Open is required.
type File struct {
	// Name stands for the file in errors.
	Name string
	// Open starts reading the file. The merge releases the reader it returns, once. The context is that of the merge and
	// must end a Next that waits.
	Open func(context.Context) (array.RecordReader, error)
	// Rows is how many rows the file has, if known: reading another number of rows is ErrCorrupt. 0 means not known.
	Rows int64
	// Sequence, if set, replaces the sequence number of every row (snapshot ordering).
	Sequence *int64
	// Mapping, if set, says how the table's columns come out of the file's, which was written under another schema. Without
	// it the file has the table's columns under their names, in their types.
	Mapping *columnar.Mapping
	// Positions, if set, says for every column of the table which bit it has in the bitmaps of the file's validity column: what
	// columnar.Positions gives for the complete schema the file was written under. It is needed with a Mapping whose file schema
	// is not complete, because a reader reads only some of the columns. The validity column itself has no bit, whatever is said
	// of it. Another number of positions than columns, one that is too large and one that two columns have are ErrSchema.
	Positions []int
	// Deleted are the positions in the file of rows that are not there: its deletion vector. A position past the last row is
	// ErrCorrupt.
	Deleted *roaring.Bitmap
	// MinKey and MaxKey, if known, are records of one row with the least and the greatest key of the file, in columns named as
	// the key columns or as their `_KEY_` columns. A file whose MinKey is known is opened only when the merge gets there. A
	// key outside the two is ErrCorrupt.
	MinKey, MaxKey arrow.Record

	// kept, if set, are the rows of the file's one record that are there, in this order.
	kept []uint32
}

// FromReader makes a run of one reader. The merge retains the reader while it reads; the caller's own reference stays the
// caller's to release. Such a run can be merged once.
func FromReader(r array.RecordReader) Run {
	return Run{Files: []File{{Open: func(context.Context) (array.RecordReader, error) {
		r.Retain()
		return r, nil
	}}}}
}

// FromRecords makes a run of the records, in their order. They must stay valid until Merge has returned; the merge retains
// what it needs of them afterwards. Such a run can be merged again and again. Without a record the run is empty.
func FromRecords(records ...arrow.Record) Run {
	if len(records) == 0 {
		return Run{}
	}
	return Run{Files: []File{{Open: func(context.Context) (array.RecordReader, error) {
		return array.NewRecordReader(records[0].Schema(), records)
	}}}}
}
