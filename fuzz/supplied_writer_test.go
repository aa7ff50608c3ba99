package fuzz_test

import (
	"bytes"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/braidmerge/braid/fuzz"
	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/validity"
)

// written is rows of a table with these keys as a writer completes them that supplies some columns of all rows, of each row or
// by action; in a table without a validity column they are complete as they are. Some rows do not say what they supplied, and
// a few have other bytes.
func (p *suppliedProblem) written(table *arrow.Schema, ids []int64) arrow.Record {
	given := p.drawValues(table, ids)
	if !table.HasField(validity.FieldsColumn) {
		return given
	}
	defer given.Release()
	w, err := validity.NewWriter(table, p.mem)
	if err != nil {
		panic(err)
	}
	var rec arrow.Record
	switch p.rng.IntN(4) {
	case 0, 1:
		some := p.columnsOf(given, p.drawSupplied(given))
		defer some.Release()
		rec, err = w.Write(some)
	case 2:
		matrix := p.drawMatrix(given)
		defer matrix.Release()
		rec, err = w.WriteRows(given, matrix)
	default:
		actions := [][]string{p.drawSupplied(given), p.drawSupplied(given), p.drawSupplied(given)}
		matched := make([]int, len(ids))
		for i := range matched {
			matched[i] = p.rng.IntN(3)
		}
		rec, err = w.WriteActions(given, actions, matched)
	}
	if err != nil {
		panic(err)
	}
	if p.oneIn(2) {
		return rec
	}
	defer rec.Release()
	return p.forged(rec)
}

// drawValues draws values for all columns but the validity column.
func (p *suppliedProblem) drawValues(table *arrow.Schema, ids []int64) arrow.Record {
	fields := slices.DeleteFunc(slices.Clone(table.Fields()), func(f arrow.Field) bool { return f.Name == validity.FieldsColumn })
	rows := make([]rowmerge.Row, len(ids))
	for i, id := range ids {
		for _, f := range fields {
			if f.Name == "id" || f.Name == "old0" {
				rows[i].Values = append(rows[i].Values, integerOf(f, id))
				continue
			}
			rows[i].Values = append(rows[i].Values, p.drawValue(f))
		}
	}
	rec, err := fuzz.BuildRecord(p.mem, arrow.NewSchema(fields, nil), rows)
	if err != nil {
		panic(err)
	}
	return rec
}

// integerOf is a number as a column has it.
func integerOf(f arrow.Field, n int64) any {
	if f.Type.ID() == arrow.INT32 {
		return int32(n)
	}
	return n
}

func (p *suppliedProblem) drawValue(f arrow.Field) any {
	if p.oneIn(4) {
		return nil
	}
	switch f.Type.ID() {
	case arrow.STRING:
		return []string{"", "a", "some more", "a text that is longer than the others are"}[p.rng.IntN(4)]
	case arrow.FLOAT64:
		return float64(p.rng.IntN(9)) / 2
	case arrow.BOOL:
		return p.oneIn(2)
	}
	return integerOf(f, int64(p.rng.IntN(50)))
}

// drawSupplied draws the columns that a writer supplies; the key is always one.
func (p *suppliedProblem) drawSupplied(given arrow.Record) []string {
	var names []string
	for _, f := range given.Schema().Fields() {
		if f.Name == "id" || f.Name == "old0" || p.oneIn(2) {
			names = append(names, f.Name)
		}
	}
	return names
}

func (p *suppliedProblem) columnsOf(rec arrow.Record, names []string) arrow.Record {
	var fields []arrow.Field
	var columns []arrow.Array
	for _, name := range names {
		at := rec.Schema().FieldIndices(name)[0]
		fields, columns = append(fields, rec.Schema().Field(at)), append(columns, rec.Column(at))
	}
	return array.NewRecord(arrow.NewSchema(fields, nil), columns, rec.NumRows())
}

// drawMatrix draws which rows supply some of the columns.
func (p *suppliedProblem) drawMatrix(given arrow.Record) arrow.Record {
	var fields []arrow.Field
	for _, f := range given.Schema().Fields() {
		if f.Name != "id" && f.Name != "old0" && !p.oneIn(4) {
			fields = append(fields, arrow.Field{Name: f.Name, Type: arrow.FixedWidthTypes.Boolean, Nullable: true})
		}
	}
	schema := arrow.NewSchema(fields, nil)
	if len(fields) == 0 {
		return array.NewRecord(schema, nil, given.NumRows())
	}
	b := array.NewRecordBuilder(p.mem, schema)
	defer b.Release()
	for i := range fields {
		for range given.NumRows() {
			if p.oneIn(5) {
				b.Field(i).AppendNull()
			} else {
				b.Field(i).(*array.BooleanBuilder).Append(p.oneIn(2))
			}
		}
	}
	return b.NewRecord()
}

// forged is a record in which some rows have NULL, another bitmap or, very few, no bitmap in the validity column.
func (p *suppliedProblem) forged(rec arrow.Record) arrow.Record {
	own := rec.Schema().FieldIndices(validity.FieldsColumn)[0]
	b := array.NewBuilder(p.mem, rec.Schema().Field(own).Type)
	defer b.Release()
	nulls, others, bad := 1+p.rng.IntN(10), 2+p.rng.IntN(20), -1
	if p.forges && p.oneIn(6) {
		bad = p.rng.IntN(int(rec.NumRows()))
	}
	for row := range int(rec.NumRows()) {
		value := bytesAt(rec.Column(own), row)
		switch {
		case row == bad:
			value = p.spoiltBitmap(value)
		case p.oneIn(nulls):
			b.AppendNull()
			continue
		case p.oneIn(others):
			value = p.otherBitmap(int(rec.NumCols()))
		}
		appendBytes(b, value)
	}
	column := b.NewArray()
	defer column.Release()
	columns := slices.Clone(rec.Columns())
	columns[own] = column
	return array.NewRecord(rec.Schema(), columns, rec.NumRows())
}

// spoiltBitmap is what bytes become that are cut short or of which one changes; that may be a bitmap still.
func (p *suppliedProblem) spoiltBitmap(value []byte) []byte {
	value = slices.Clone(value)
	if p.oneIn(2) {
		return value[:p.rng.IntN(len(value))]
	}
	value[p.rng.IntN(len(value))] ^= 1 << p.rng.IntN(8)
	return value
}

// otherBitmap is a bitmap of any columns and some that there are not.
func (p *suppliedProblem) otherBitmap(columns int) []byte {
	m := roaring.New()
	for range p.rng.IntN(2 * columns) {
		m.Add(uint32(p.rng.IntN(columns + 3)))
	}
	if p.oneIn(4) {
		m.Add(p.rng.Uint32())
	}
	if p.oneIn(4) {
		m.AddRange(0, uint64(p.rng.IntN(70_000)))
	}
	if p.oneIn(2) {
		m.RunOptimize()
	}
	value, err := m.ToBytes()
	if err != nil {
		panic(err)
	}
	return value
}

func bytesAt(a arrow.Array, row int) []byte {
	return a.(interface{ Value(int) []byte }).Value(row)
}

func appendBytes(b array.Builder, value []byte) {
	b.(interface{ Append([]byte) }).Append(value)
}

// supplied gives a bitmap of a file as the table has it. ok is false for bytes that are no bitmap. It reads every value once.
func (f *suppliedFile) supplied(value []byte) (out []byte, ok bool) {
	read, known := f.read[string(value)]
	if !known {
		read.out, read.ok = f.readSupplied(value)
		if f.read == nil {
			f.read = map[string]suppliedValue{}
		}
		f.read[string(value)] = read
	}
	return read.out, read.ok
}

// suppliedValue is what a value of a file's validity column is in the table.
type suppliedValue struct {
	out []byte
	ok  bool
}

func (f *suppliedFile) readSupplied(value []byte) (out []byte, ok bool) {
	m := roaring.New()
	n, err := m.ReadFrom(bytes.NewReader(value))
	if err != nil || n != int64(len(value)) || m.Validate() != nil {
		return nil, false
	}
	var places []int64
	for place, bit := range f.bits {
		if bit >= 0 && m.Contains(uint32(bit)) {
			places = append(places, int64(place))
		}
	}
	return rowmerge.BuildRbm32(places), true
}
