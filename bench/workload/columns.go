package workload

import (
	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/kernel"
)

// row says which version of which key a row is.
type row struct {
	place
	run     int
	version int    // of the key, from 0
	number  int64  // of the row in its run
	hash    uint64 // of the key and the run
	before  uint64 // the hash of the version before, 0 if there is none
}

// sequence rises with the recency of rows.
func (r *row) sequence() int64 { return int64(r.run)<<32 | r.number }

// column is a value column.
type column struct {
	name  string
	typ   arrow.DataType
	nulls float64 // the part of its values that is NULL
	// supplied says whether a row has a value at all; nil stands for every row.
	supplied func(r *row) bool
	// fill makes the value. h is a hash for the column and the row.
	fill func(v *value, r *row, h uint64)
	// function is the column's in the job agg.
	function string
	// union is the function if it is that of a sketch.
	union *rowmerge.Function
	// group is the sequence group of the column in the job groups, from 1.
	group int
	// orders says that the column orders its group.
	orders bool
}

// columnSet is the value columns of a workload.
type columnSet struct {
	jobs    []string
	columns []column
	kind    func(r *row) int8 // of a row; nil stands for a table without row kinds
}

// The row kinds.
const (
	insert       int8 = 0
	updateBefore int8 = 1
	updateAfter  int8 = 2
	remove       int8 = 3
)

func isRetract(kind int8) bool { return kind == updateBefore || kind == remove }

// columnSets are the sets of value columns by name.
var columnSets = map[string]*columnSet{
	"mixed":   {jobs: []string{"dedup", "first", "partial", "agg"}, columns: mixedColumns()},
	"int64":   {jobs: []string{"dedup", "first", "partial", "agg"}, columns: alike(int64Type, "sum", fillInt)},
	"bool":    {jobs: []string{"dedup", "first", "partial"}, columns: alike(arrow.FixedWidthTypes.Boolean, "", fillBool)},
	"decimal": {jobs: []string{"dedup", "first", "partial", "agg"}, columns: alike(&arrow.Decimal128Type{Precision: 38, Scale: 2}, "sum", fillInt)},
	"text8":   {jobs: []string{"dedup", "first", "partial"}, columns: alike(textType, "", textOf(8))},
	"text24":  {jobs: []string{"dedup", "first", "partial"}, columns: alike(textType, "", textOf(24))},
	"text100": {jobs: []string{"dedup", "first", "partial"}, columns: alike(textType, "", textOf(100))},
	"list":    {jobs: []string{"dedup", "first", "partial"}, columns: alike(arrow.ListOf(int64Type), "", fillList)},

	"lineitem": {jobs: []string{"dedup"}, columns: lineitemColumns(), kind: refreshKind},
	"orders":   {jobs: []string{"dedup"}, columns: ordersColumns(), kind: refreshKind},
	"ycsb":     {jobs: []string{"dedup", "first"}, columns: ycsbColumns(nil)},
	"ycsb-f":   {jobs: []string{"partial"}, columns: ycsbColumns(oneField)},
	"streams3": {jobs: []string{"partial"}, columns: streamColumns(8, 3, textType, textOf(8))},
	"wide100":  {jobs: []string{"partial"}, columns: streamColumns(100, 8, int64Type, fillInt)},
	"metrics":  {jobs: []string{"dedup", "partial"}, columns: metricColumns()},
	"cdc":      {jobs: []string{"dedup"}, columns: customerColumns(), kind: changeKind},
	"groups":   {jobs: []string{"groups"}, columns: groupColumns()},
	"sketches": {jobs: []string{"agg"}, columns: sketchColumns()},
	"sets":     {jobs: []string{"validity"}, columns: validityColumns(perRun)},
	"random":   {jobs: []string{"validity"}, columns: validityColumns(perRow)},
}

// refreshKind: what a later run has of a key that the base has, too, is its deletion.
func refreshKind(r *row) int8 {
	if r.version > 0 {
		return remove
	}
	return insert
}

// changeKind makes the kinds of a change stream: an insert, then updates, some of which the stream ends with the old row of, and some
// deletes, after which the key is inserted again.
func changeKind(r *row) int8 {
	if r.version == 0 || kindOf(r.before) == remove && r.version > 1 {
		return insert
	}
	return kindOf(r.hash)
}

func kindOf(h uint64) int8 {
	switch u := unit(mix(h ^ 0x6b696e64)); {
	case u < 0.06:
		return remove
	case u < 0.1:
		return updateBefore
	}
	return updateAfter
}

// schema returns the value columns of a table, key columns first.
func (s *columnSet) schema(key *keyKind) *arrow.Schema {
	var fields []arrow.Field
	first := 0
	if s.columns[0].name == validityColumn { // which must come first
		fields, first = append(fields, s.columns[0].field()), 1
	}
	fields = append(fields, key.fields...)
	for _, c := range s.columns[first:] {
		fields = append(fields, c.field())
	}
	return arrow.NewSchema(fields, nil)
}

func (c *column) field() arrow.Field { return arrow.Field{Name: c.name, Type: c.typ, Nullable: true} }

// kindField is the column of row kinds in the files of a table that has any.
var kindField = arrow.Field{Name: kernel.KindColumn, Type: arrow.PrimitiveTypes.Int8}
