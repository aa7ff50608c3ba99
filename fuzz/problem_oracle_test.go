package fuzz_test

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/bitutil"

	"github.com/braidmerge/braid/internal/rungen"
)

// oracle is a second reference, for large problems of simple tables: one key column of type int64 or utf8 without NULLs,
// no sequence.field, no rowkind.field, and retracts under deduplicate and first-row only. It keeps the rows of each key
// in a hash map and knows of the answer which input cells it consists of.
//
// Rows are numbered over all runs: row i of run r is base[r] + i.
type oracle struct {
	posed
	base    []int32
	columns [][]arrow.Array // per run, then per value column of the table
	numbers []int64         // nil: rows have none
	kinds   []int8          // nil: all +I
	keys    []string        // all keys, ascending, an int64 as 8 bytes in the order of its values
	versions
}

// versions lists the rows of each key: head holds the last row, next leads from row to row, and -1 ends the list.
type versions struct {
	head map[string]int32
	next []int32
}

// newOracle reads the problem, whose runs have one record each, or none.
func newOracle(p posed) *oracle {
	o := &oracle{posed: p, versions: versions{head: map[string]int32{}}}
	for r, run := range p.problem.Runs {
		o.base = append(o.base, int32(len(o.next)))
		o.columns = append(o.columns, nil)
		for _, rec := range run.Records {
			o.read(r, rec)
		}
	}
	for key := range o.head {
		o.keys = append(o.keys, key)
	}
	slices.Sort(o.keys)
	return o
}

func (o *oracle) read(r int, rec arrow.Record) {
	named := func(name string) arrow.Array { return rec.Column(rec.Schema().FieldIndices(name)[0]) }
	for _, f := range o.problem.Schema.Fields() {
		o.columns[r] = append(o.columns[r], named(f.Name))
	}
	if rec.Schema().HasField("_SEQUENCE_NUMBER") {
		o.numbers = append(o.numbers, named("_SEQUENCE_NUMBER").(*array.Int64).Int64Values()...)
	}
	if rec.Schema().HasField("_VALUE_KIND") {
		o.kinds = append(o.kinds, named("_VALUE_KIND").(*array.Int8).Int8Values()...)
	}
	key := named(o.trimmedKey()[0])
	for i := range key.Len() {
		text := keyText(key, i)
		last, ok := o.head[text]
		if !ok {
			last = -1
		}
		o.head[text] = int32(len(o.next))
		o.next = append(o.next, last)
	}
}

// keyText is a text that has the place of the key in the order of keys.
func keyText(key arrow.Array, i int) string {
	if numbers, ok := key.(*array.Int64); ok {
		return string(binary.BigEndian.AppendUint64(nil, uint64(numbers.Value(i))^1<<63))
	}
	return key.(*array.String).Value(i)
}

// rowsOf returns the rows of a key, oldest first.
func (o *oracle) rowsOf(key string) []int32 {
	var rows []int32
	for row := o.head[key]; row >= 0; row = o.next[row] {
		rows = append(rows, row)
	}
	slices.Reverse(rows)
	if o.numbers != nil {
		slices.SortStableFunc(rows, func(a, b int32) int {
			return cmp.Or(cmp.Compare(o.numbers[a], o.numbers[b]), cmp.Compare(o.adds(a), o.adds(b)))
		})
	}
	return rows
}

func (o *oracle) kind(row int32) int8 {
	if o.kinds == nil {
		return 0
	}
	return o.kinds[row]
}

// adds is 1 for an add and 0 for a retract.
func (o *oracle) adds(row int32) int { return 1 - int(o.kind(row)&1) }

// result is a row of the answer: for every column the row that gives its value.
type result struct {
	kind  int8
	last  int32 // gives the sequence number
	picks []int32
}

// resultOf applies the merge engine to the rows of a key. It returns false if the key has no result.
func (o *oracle) resultOf(key string, picks []int32) (result, bool) {
	rows := o.rowsOf(key)
	lone := len(rows) == 1 && o.problem.Options["braid.strict"] != "true"
	engine := o.problem.Options["merge-engine"]
	if o.problem.Options["ignore-delete"] == "true" && !lone {
		rows = slices.DeleteFunc(rows, func(row int32) bool { return o.adds(row) == 0 })
	}
	if len(rows) == 0 {
		return result{}, false
	}
	chosen := rows[len(rows)-1]
	if engine == "first-row" {
		chosen = rows[0]
	}
	res := result{kind: o.kind(chosen), last: chosen, picks: picks}
	for c := range picks {
		picks[c] = chosen
	}
	if engine == "partial-update" && !lone {
		res.kind = 0
		o.pickNonNull(rows, picks)
	}
	return res, o.Deletes || res.kind&1 == 0
}

// pickNonNull picks, for every column, the last row that has a value, or the last row.
func (o *oracle) pickNonNull(rows, picks []int32) {
	for c := range picks {
		for _, row := range rows {
			if column, i := o.cell(c, row); column.IsValid(i) {
				picks[c] = row
			}
		}
	}
}

// cell finds the value of a row in a column.
func (o *oracle) cell(column int, row int32) (arrow.Array, int) {
	r, found := slices.BinarySearch(o.base, row)
	if !found {
		r--
	}
	for len(o.columns[r]) == 0 || int(row-o.base[r]) >= o.columns[r][0].Len() {
		r++ // runs without rows begin where the next one does
	}
	return o.columns[r][column], int(row - o.base[r])
}

// check compares what merge makes of the problem with the oracle's answer, as it comes. It returns "" if all is well.
func (o *oracle) check(reader array.RecordReader) string {
	picks := make([]int32, o.problem.Schema.NumFields())
	next := 0
	for reader.Next() {
		rec := reader.Record()
		if wrong := checkRecord(rec, reader.Schema(), o.BatchRows); wrong != "" {
			return wrong
		}
		for i := range int(rec.NumRows()) {
			want, ok := o.following(&next, picks)
			if !ok {
				return "more rows than keys"
			}
			if wrong := o.compare(rec, i, want); wrong != "" {
				return fmt.Sprintf("key %d, %x: %s", next-1, o.keys[next-1], wrong)
			}
		}
	}
	if _, ok := o.following(&next, picks); ok && reader.Err() == nil {
		return fmt.Sprintf("the row of key %d, %x, is missing", next-1, o.keys[next-1])
	}
	if reader.Err() != nil {
		return reader.Err().Error()
	}
	return ""
}

// following finds the next key that has a result; next is the key behind it.
func (o *oracle) following(next *int, picks []int32) (result, bool) {
	for *next < len(o.keys) {
		*next++
		if want, ok := o.resultOf(o.keys[*next-1], picks); ok {
			return want, true
		}
	}
	return result{}, false
}

// compare looks at one row of the answer, bit for bit.
func (o *oracle) compare(rec arrow.Record, i int, want result) string {
	first := int(rec.NumCols()) - len(want.picks)
	for c, row := range want.picks {
		column, at := o.cell(c, row)
		if !sameCell(rec.Column(first+c), i, column, at) {
			return fmt.Sprintf("column %q: want %s, got %s", rec.ColumnName(first+c), column.ValueStr(at), rec.Column(first+c).ValueStr(i))
		}
	}
	for c := range first {
		switch rec.ColumnName(c) {
		case "_VALUE_KIND":
			if got := rec.Column(c).(*array.Int8).Value(i); got != want.kind {
				return fmt.Sprintf("kind %d, want %d", got, want.kind)
			}
		case "_SEQUENCE_NUMBER":
			if got := rec.Column(c).(*array.Int64).Value(i); o.numbers != nil && got != o.numbers[want.last] {
				return fmt.Sprintf("number %d, want %d", got, o.numbers[want.last])
			}
		}
	}
	return ""
}

// sameCell compares two values of one type by their bytes.
func sameCell(a arrow.Array, i int, b arrow.Array, j int) bool {
	if a.IsNull(i) || b.IsNull(j) || a.DataType().ID() == arrow.NULL {
		return a.IsNull(i) == b.IsNull(j)
	}
	x, y := a.Data(), b.Data()
	i, j = i+x.Offset(), j+y.Offset()
	switch bits := fixedBits(a.DataType()); bits {
	case 1:
		return bitutil.BitIsSet(x.Buffers()[1].Bytes(), i) == bitutil.BitIsSet(y.Buffers()[1].Bytes(), j)
	case 0:
		return bytes.Equal(textAt(a, i-x.Offset()), textAt(b, j-y.Offset()))
	default:
		width := bits / 8
		return bytes.Equal(x.Buffers()[1].Bytes()[i*width:(i+1)*width], y.Buffers()[1].Bytes()[j*width:(j+1)*width])
	}
}

func textAt(a arrow.Array, i int) []byte {
	if views, ok := a.(array.ViewLike); ok {
		return viewAt(a.Data(), views.ValueHeader(i))
	}
	width := 4
	if arrow.IsLargeBinaryLike(a.DataType().ID()) {
		width = 8
	}
	from, to := offsetAt(a.Data(), i, width), offsetAt(a.Data(), i+1, width)
	if from == to {
		return nil
	}
	return a.Data().Buffers()[2].Bytes()[from:to]
}

// oracleSpec draws a problem of that many rows, or of fewer if it has many columns, that the oracle can answer.
func oracleSpec(seed uint64, rows int) rungen.Spec {
	s := rungen.Random(seed, rows)
	s.Rows, s.Universe = rows/(1+len(s.Values)/4), 0
	s.Fault, s.Sequence, s.KindText, s.Snapshots, s.Detached, s.Partitions = rungen.NoFault, nil, rungen.NoKinds, false, false, 0
	s.Options = map[string]string{"merge-engine": []string{"deduplicate", "first-row", "partial-update"}[seed%3]}
	s.Keys = s.Keys[:1]
	s.Keys[0] = rungen.Column{Type: []string{"int64", "utf8"}[seed/3%2], Style: s.Keys[0].Style}
	if seed/6%2 == 0 {
		s.Options["braid.strict"] = "true"
	}
	switch {
	case seed%3 == 2 && s.Kinds != rungen.NoKinds:
		s.Kinds = rungen.Adds
	case seed%3 == 1, seed/12%2 == 0:
		s.Options["ignore-delete"] = "true"
	}
	for i := range s.Values {
		s.Values[i].NotNull = false
		if strings.Contains(s.Values[i].Type, "<") {
			s.Values[i].Type = "int64"
		}
		if rows > 20_000 && s.Values[i].Style == rungen.Long {
			s.Values[i].Style = rungen.Short
		}
	}
	return s
}
