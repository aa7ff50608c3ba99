package rowmerge

import (
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// numbered reports whether rows have sequence numbers.
func (p Problem) numbered() bool {
	for _, run := range p.Runs {
		if run.Sequence != nil {
			return true
		}
		for _, rec := range run.Records {
			if columnNamed(rec, sequenceColumn) != nil {
				return true
			}
		}
	}
	return false
}

// readRuns decodes all rows of all runs, with the values of the given columns.
func (p Problem) readRuns(t *table, columns []int, f *faults) []Version {
	rows := int64(0)
	for _, run := range p.Runs {
		for _, rec := range run.Records {
			rows += rec.NumRows()
		}
	}
	all := make([]Version, 0, rows)
	for r, run := range p.Runs {
		index, from := 0, len(all)
		for _, rec := range run.Records {
			all = p.readRecord(all, &recordReader{table: t, columns: columns, record: rec, faults: f}, r, &index)
		}
		checkSorted(all[from:], f)
	}
	return all
}

// readRecord decodes the rows of one record of run r behind those there are. A record that does not fit the table gives an
// error and no rows.
func (p Problem) readRecord(all []Version, rr *recordReader, r int, index *int) []Version {
	run := p.Runs[r]
	needed := slices.Concat(rr.columns, rr.table.options.sequence)
	if rr.table.options.kindColumn >= 0 && columnNamed(rr.record, kindColumn) == nil {
		needed = append(needed, rr.table.options.kindColumn)
	}
	if err := rr.check(needed, run.Sequence == nil && p.numbered()); err != nil {
		rr.faults.at(Version{Run: r, Index: *index}, "", err)
		return all
	}
	rr.find()
	for i := range int(rr.record.NumRows()) {
		v := Version{Level: run.Level, Run: r, Index: *index}
		rr.row(i, &v)
		if run.Sequence != nil {
			v.Sequence = *run.Sequence
		}
		all = append(all, v)
		*index++
	}
	return all
}

// checkSorted notes every row of a run whose key is below the key before it.
func checkSorted(run []Version, f *faults) {
	for i := 1; i < len(run); i++ {
		if CompareRows(run[i-1].Key, run[i].Key, false) > 0 {
			f.at(run[i], "", failf(KindUnsorted, "the key is below the one before it, %s", formatValues(run[i-1].Key)))
		}
	}
}

// recordReader decodes rows of one record.
type recordReader struct {
	table   *table
	columns []int
	record  arrow.Record
	faults  *faults

	keys, values, order []arrow.Array // what rows have of the record, once it is checked
	sequence            *array.Int64  // nil for none
	kinds               *array.Int8   // nil for none
	kindTexts           arrow.Array   // where there are no kinds; nil for none
	room                []any         // for the values of all rows
}

// check finds columns that are missing or of another type than the table's.
func (rr *recordReader) check(needed []int, numbered bool) *Error {
	for _, i := range needed {
		if err := rr.checkColumn(rr.table.columns[i], columnNamed(rr.record, rr.table.columns[i].name)); err != nil {
			return err
		}
	}
	for _, i := range rr.table.key {
		if err := rr.checkColumn(rr.table.columns[i], rr.keyColumn(i)); err != nil {
			return err
		}
	}
	sequence, kind := columnNamed(rr.record, sequenceColumn), columnNamed(rr.record, kindColumn)
	switch {
	case numbered && sequence == nil:
		return failf(KindSchema, "some runs have sequence numbers, this record has none")
	case sequence != nil && sequence.DataType().ID() != arrow.INT64:
		return failf(KindSchema, "%s is %s, not int64", sequenceColumn, sequence.DataType())
	case kind != nil && kind.DataType().ID() != arrow.INT8:
		return failf(KindSchema, "%s is %s, not int8", kindColumn, kind.DataType())
	}
	return nil
}

func (rr *recordReader) checkColumn(c column, a arrow.Array) *Error {
	if a == nil {
		return failf(KindSchema, "column %q is missing", c.name)
	}
	if got := plainType(a.DataType()); !sameValues(got, c.typ) {
		return failf(KindSchema, "column %q is %s, not %s", c.name, got, c.typ)
	}
	return nil
}

// keyColumn is the column that holds key column i: the system column if the record has it.
func (rr *recordReader) keyColumn(i int) arrow.Array {
	name := rr.table.columns[i].name
	if a := columnNamed(rr.record, keyPrefix+name); a != nil {
		return a
	}
	return columnNamed(rr.record, name)
}

// find finds the columns that rows are made of.
func (rr *recordReader) find() {
	named := func(c int) arrow.Array { return columnNamed(rr.record, rr.table.columns[c].name) }
	for _, k := range rr.table.key {
		rr.keys = append(rr.keys, rr.keyColumn(k))
	}
	for _, c := range rr.columns {
		rr.values = append(rr.values, named(c))
	}
	for _, c := range rr.table.options.sequence {
		rr.order = append(rr.order, named(c))
	}
	rr.sequence, _ = columnNamed(rr.record, sequenceColumn).(*array.Int64)
	rr.kinds, _ = columnNamed(rr.record, kindColumn).(*array.Int8)
	if c := rr.table.options.kindColumn; c >= 0 && rr.kinds == nil {
		rr.kindTexts = named(c)
	}
	rr.room = make([]any, (len(rr.keys)+len(rr.values)+len(rr.order))*int(rr.record.NumRows()))
}

// row decodes row i into v, whose place is set.
func (rr *recordReader) row(i int, v *Version) {
	v.Key = rr.cells(rr.keys, i, v)
	v.Values = rr.cells(rr.values, i, v)
	v.order = rr.cells(rr.order, i, v)
	if slices.Contains(v.Key, nil) && !rr.table.options.nullableKeys {
		rr.faults.at(*v, "", failf(KindNullKey, "the key has a NULL"))
	}
	v.Sequence = -1
	if rr.sequence != nil {
		if rr.sequence.IsNull(i) {
			rr.faults.at(*v, sequenceColumn, failf(KindNotNull, "NULL sequence number"))
		} else {
			v.Sequence = rr.sequence.Value(i)
		}
	}
	v.Kind = rr.kind(i, v)
}

// cells decodes row i of some columns.
func (rr *recordReader) cells(columns []arrow.Array, i int, v *Version) []any {
	if len(columns) == 0 {
		return nil
	}
	values := rr.room[:len(columns):len(columns)]
	rr.room = rr.room[len(columns):]
	for c, a := range columns {
		values[c] = rr.value(a, i, v)
	}
	return values
}

func (rr *recordReader) value(a arrow.Array, i int, v *Version) any {
	value, err := decode(a, i)
	rr.faults.at(*v, "", err)
	return value
}

// kind reads the row kind from its system column, else from the column of rowkind.field, else it is +I.
func (rr *recordReader) kind(i int, v *Version) int8 {
	if a := rr.kinds; a != nil {
		if a.IsNull(i) || a.Value(i) < Insert || a.Value(i) > Delete {
			rr.faults.at(*v, kindColumn, failf(KindRowKind, "%s is not a row kind", a.ValueStr(i)))
			return Insert
		}
		return a.Value(i)
	}
	if rr.kindTexts == nil {
		return Insert
	}
	kind, err := kindOf(rr.value(rr.kindTexts, i, v))
	rr.faults.at(*v, rr.table.columns[rr.table.options.kindColumn].name, err)
	return kind
}

// columnNamed gives the first column of that name, nil if there is none.
func columnNamed(rec arrow.Record, name string) arrow.Array {
	if at := rec.Schema().FieldIndices(name); len(at) > 0 {
		return rec.Column(at[0])
	}
	return nil
}

// sameValues reports whether two plain types have the same values: equal types, but for the layout of text, bytes and lists
// and the names of list elements.
func sameValues(a, b arrow.DataType) bool {
	a, b = plainType(a), plainType(b)
	if an, ok := a.(arrow.NestedType); ok {
		bn, ok := b.(arrow.NestedType)
		return ok && sameFields(a, b, an.Fields(), bn.Fields())
	}
	if ac, bc := valueClass(a), valueClass(b); ac != "" || bc != "" {
		return ac == bc
	}
	return arrow.TypeEqual(a, b)
}

func sameFields(a, b arrow.DataType, af, bf []arrow.Field) bool {
	if valueClass(a) != valueClass(b) || len(af) != len(bf) {
		return false
	}
	for i := range af {
		if !sameValues(af[i].Type, bf[i].Type) {
			return false
		}
		if a.ID() == arrow.STRUCT && af[i].Name != bf[i].Name {
			return false
		}
	}
	return true
}

// valueClass names the types that hold the same values in several layouts, and nested types; "" for others.
func valueClass(t arrow.DataType) string {
	switch t.(type) {
	case *arrow.StringType, *arrow.LargeStringType, *arrow.StringViewType:
		return "text"
	case *arrow.BinaryType, *arrow.LargeBinaryType, *arrow.BinaryViewType, *arrow.FixedSizeBinaryType:
		return "bytes"
	case *arrow.MapType:
		return "map"
	case *arrow.StructType:
		return "struct"
	case arrow.ListLikeType:
		return "list"
	case *arrow.SparseUnionType, *arrow.DenseUnionType:
		return "union"
	}
	return ""
}
