package kernel_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/kernel"
	"github.com/braidmerge/braid/validity"
)

// suppliedOptions are those of the engine that these tests are about.
func suppliedOptions(more ...string) map[string]string {
	options := map[string]string{"merge-engine": "partial-update-validity"}
	for i := 0; i < len(more); i += 2 {
		options[more[i]] = more[i+1]
	}
	return options
}

// suppliedField is a column given as "name:id"; V is the validity column and k an int64, others are texts that may be NULL.
func suppliedField(text string, own arrow.DataType) arrow.Field {
	name, id, _ := strings.Cut(text, ":")
	f := arrow.Field{Name: name, Type: arrow.BinaryTypes.String, Nullable: true}
	switch {
	case name == "V":
		f.Name, f.Type = validity.FieldsColumn, own
	case name == "k" || name == kernel.KeyPrefix+"k" || name == kernel.SequenceColumn:
		f.Type, f.Nullable = arrow.PrimitiveTypes.Int64, false
	case name == kernel.KindColumn:
		f.Type, f.Nullable = arrow.PrimitiveTypes.Int8, false
	}
	if id != "" {
		f.Metadata = arrow.NewMetadata([]string{"PARQUET:field_id"}, []string{id})
	}
	return f
}

// suppliedSchema is a schema of blank-separated columns.
func suppliedSchema(columns string, own arrow.DataType) *arrow.Schema {
	var fields []arrow.Field
	for _, text := range strings.Fields(columns) {
		fields = append(fields, suppliedField(text, own))
	}
	return arrow.NewSchema(fields, nil)
}

// marks are the bytes of a bitmap of these columns, "{1,2}".
func marks(t testing.TB, text string) []byte {
	t.Helper()
	m := roaring.New()
	for _, digits := range strings.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' }) {
		n, err := strconv.ParseUint(digits, 10, 32)
		if err != nil {
			t.Fatal(err)
		}
		m.Add(uint32(n))
	}
	m.RunOptimize()
	value, err := m.ToBytes()
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// bytesBuilder and bytesArray are what binary columns of all layouts have.
type (
	bytesBuilder interface{ Append([]byte) }
	bytesArray   interface{ Value(int) []byte }
)

// suppliedRun is a run of one record of rows as record takes them, the validity column as "{1,2}" or as hexadecimal "0x3a".
func suppliedRun(t testing.TB, mem memory.Allocator, schema *arrow.Schema, rows ...string) kernel.Run {
	t.Helper()
	b := array.NewRecordBuilder(mem, schema)
	defer b.Release()
	for _, row := range rows {
		for i, cell := range strings.Fields(row) {
			var err error
			switch own := schema.Field(i).Name == validity.FieldsColumn; {
			case cell == "-":
				b.Field(i).AppendNull()
			case own && cell[0] == '{':
				b.Field(i).(bytesBuilder).Append(marks(t, cell))
			case own:
				var value []byte
				_, err = fmt.Sscanf(cell, "0x%x", &value)
				b.Field(i).(bytesBuilder).Append(value)
			default:
				err = b.Field(i).AppendValueFromString(cell)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	rec := b.NewRecord()
	t.Cleanup(rec.Release)
	return kernel.Run{Files: []kernel.File{{Name: "f", Open: func(context.Context) (array.RecordReader, error) {
		return array.NewRecordReader(schema, []arrow.Record{rec})
	}}}}
}

// suppliedText shows rows as suppliedRun takes them; bytes that are not what the set they hold is written as are hexadecimal.
func suppliedText(t testing.TB, rec arrow.Record) []string {
	rows := text(rec)
	for c, f := range rec.Schema().Fields() {
		if f.Name != validity.FieldsColumn {
			continue
		}
		for i := range rows {
			cells := strings.Fields(rows[i])
			if column := rec.Column(c); column.IsValid(i) {
				value := column.(bytesArray).Value(i)
				m := roaring.New()
				if _, err := m.ReadFrom(bytes.NewReader(value)); err != nil {
					t.Fatal(err)
				}
				cells = slices.Concat(cells[:c:c], []string{"{" + strings.Trim(strings.ReplaceAll(fmt.Sprint(m.ToArray()), " ", ","), "[]") + "}"}, cells[len(cells)-rec.Schema().NumFields()+c+1:])
				if !bytes.Equal(value, marks(t, cells[c])) {
					cells[c] = fmt.Sprintf("0x%x", value)
				}
			}
			rows[i] = strings.Join(cells, " ")
		}
	}
	return rows
}

// mergeSupplied merges and returns all rows, or the error, and what the merge counted.
func mergeSupplied(t testing.TB, plan *kernel.Plan, runs []kernel.Run, opts ...kernel.MergeOption) ([]string, kernel.Stats, error) {
	t.Helper()
	reader, err := plan.Merge(context.Background(), runs, opts...)
	if err != nil {
		return nil, kernel.Stats{}, err
	}
	defer reader.Release()
	var rows []string
	for reader.Next() {
		rows = append(rows, suppliedText(t, reader.Record())...)
	}
	return rows, reader.Stats(), reader.Err()
}

// mapped has a run's file read by its mapping.
func mapped(t *testing.T, run kernel.Run, file, table *arrow.Schema) kernel.Run {
	t.Helper()
	var err error
	if run.Files[0].Mapping, err = columnar.NewMapping(file, table, columnar.MatchFieldID); err != nil {
		t.Fatal(err)
	}
	return run
}

// TestSuppliedMapping merges a file from before the validity column, one of an older schema and one of the table's. Bits move
// with their columns; the bytes of a lone record stay where columns have not moved.
func TestSuppliedMapping(t *testing.T) {
	for _, own := range []arrow.DataType{arrow.BinaryTypes.Binary, arrow.BinaryTypes.LargeBinary, arrow.BinaryTypes.BinaryView} {
		table := suppliedSchema("V:9 b:3 k:1 c:4 a2:2", own)
		oldest := suppliedSchema("a:2 k:1 b:3", own)
		older := suppliedSchema("_KEY_k:1073741824 k:1 a:2 gone:7 b:3 V:9", own)
		for _, c := range []struct {
			what    string
			options map[string]string
			merge   []kernel.MergeOption
			want    []string
		}{
			{"all columns", suppliedOptions(), nil, []string{
				"{1,2,4} - 1 - A", "{1,2} B2 2 - -", "- B3 3 - -", "{2,3,4} - 4 C4 A4", "{2,9} - 5 - -", "- - 6 - A6", "{1,2,4} B7 7 - A7"}},
			{"strict", suppliedOptions("braid.strict", "true"), nil, []string{
				"{1,2,4} - 1 - A", "{1,2} B2 2 - -", "{1,2} B3 3 - -", "{2,3,4} - 4 C4 A4", "{2} - 5 - -", "{2,4} - 6 - A6", "{1,2,4} B7 7 - A7"}},
			{"a projection", suppliedOptions(), []kernel.MergeOption{kernel.WithProjection("a2", validity.FieldsColumn, "k")}, []string{
				"A {0,2} 1", "- {2} 2", "- - 3", "A4 {0,2} 4", "- {2} 5", "A6 - 6", "A7 {0,2} 7"}},
			{"without the validity column", suppliedOptions(), []kernel.MergeOption{kernel.WithProjection("k", "b")}, []string{
				"1 -", "2 B2", "3 B3", "4 -", "5 -", "6 -", "7 B7"}},
		} {
			t.Run(fmt.Sprint(c.what, " of ", own), func(t *testing.T) {
				mem := checked(t)
				plan := compile(t, table, c.options, "k")
				runs := []kernel.Run{
					mapped(t, suppliedRun(t, mem, oldest, "A0 1 B0", "A6 6 -", "A7 7 -"), oldest, table),
					mapped(t, suppliedRun(t, mem, older, "1 1 A x B {0,1,3}", "2 2 - x B2 {0,3}", "3 3 - x B3 -", "4 4 A4 x - {0,1,2}", "7 7 no x B7 {3,0,2}"), older, table),
					suppliedRun(t, mem, table, "{1,2} - 1 - -", "{2,3} - 4 C4 -", "{2,9} - 5 - -"),
				}
				for _, rows := range []int{1, 3, 100} {
					got, _, err := mergeSupplied(t, plan, runs, append(c.merge, kernel.WithAllocator(mem), kernel.WithBatchRows(rows))...)
					if err != nil || !slices.Equal(got, c.want) {
						t.Errorf("records of %d rows: %q, %v, want %q", rows, got, err, c.want)
					}
				}
			})
		}
	}
}

// TestSuppliedPositions reads some columns of a file, whose bitmaps count all of them.
func TestSuppliedPositions(t *testing.T) {
	mem := checked(t)
	table, complete := suppliedSchema("V:9 k:1 a:2 b:3", arrow.BinaryTypes.Binary), suppliedSchema("gone:7 b:3 V:9 a:2 k:1", arrow.BinaryTypes.Binary)
	read := suppliedSchema("V:9 k:1 b:3", arrow.BinaryTypes.Binary)
	positions, err := columnar.Positions(complete, table, columnar.MatchFieldID)
	if err != nil {
		t.Fatal(err)
	}
	plan := compile(t, table, suppliedOptions(), "k")
	merge := func(positions []int) ([]string, error) {
		base := suppliedRun(t, mem, table, "{1,2,3} 1 A B", "{1,2,3} 2 A B")
		part := mapped(t, suppliedRun(t, mem, read, "{0,1,4} 1 -", "{3,4} 2 -", "{0,1,4} 3 B3"), read, table)
		part.Files[0].Positions = positions
		rows, _, err := mergeSupplied(t, plan, []kernel.Run{base, part}, kernel.WithAllocator(mem), kernel.WithProjection(validity.FieldsColumn, "k", "b"))
		return rows, err
	}
	want := []string{"{1,2} 1 -", "{1,2} 2 B", "{1,2} 3 B3"}
	if got, err := merge(positions); err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	if got, err := merge([]int{2, 4, 3, 1}); err != nil || !slices.Equal(got, want) {
		t.Errorf("with a position of the validity column: %q, %v, want %q", got, err, want)
	}
	for _, wrong := range [][]int{{}, positions[:3], append(slices.Clone(positions), -1), {-1, -2, 3, 1}, {-1, 4, 1 << 20, 1}, {-1, 4, 1, 1}} {
		if _, err := merge(wrong); !errors.Is(err, kernel.ErrSchema) {
			t.Errorf("positions %v: %v", wrong, err)
		}
	}
}

// TestSuppliedDictionaries merges a dictionary column, as one and as the values.
func TestSuppliedDictionaries(t *testing.T) {
	coded := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}
	table := wideTable(4, coded)
	plan := compile(t, table, suppliedOptions(), "k")
	mem := checked(t)
	runs := []kernel.Run{
		suppliedRun(t, mem, table, "{1,2,3} 1 red blue", "{1,2,3} 2 red red"),
		suppliedRun(t, mem, table, "{1,2} 1 - pink", "{1,3} 2 pink blue", "{1} 3 blue -"),
	}
	want := []string{"{1,2,3} 1 - blue", "{1,2,3} 2 red blue", "{1} 3 blue -"}
	for _, opts := range [][]kernel.MergeOption{nil, {kernel.WithPlainDictionaries()}} {
		reader, err := plan.Merge(context.Background(), runs, append(opts, kernel.WithAllocator(mem))...)
		if err != nil {
			t.Fatal(err)
		}
		if !reader.Next() {
			t.Fatal(reader.Err())
		}
		got := make([]string, reader.Record().NumRows())
		for i := range got {
			got[i] = suppliedText(t, reader.Record())[i]
			for c := 2; c < 4; c++ {
				if d, ok := reader.Record().Column(c).(*array.Dictionary); ok == (opts != nil) || ok && d.IsValid(i) && d.Dictionary().ValueStr(d.GetValueIndex(i)) != strings.Fields(want[i])[c] {
					t.Errorf("row %d, column %d: %v", i, c, reader.Record().Column(c))
				}
			}
		}
		if opts != nil && !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		reader.Release()
	}
}

// TestSuppliedValues has runs all of whose rows supply the same columns: those supplied all have a value or are all NULL, or some of
// each, and those left out are NULL or have a value, which rows that are alone keep.
func TestSuppliedValues(t *testing.T) {
	mem := checked(t)
	table := suppliedSchema("V k a b", arrow.BinaryTypes.Binary)
	plan := compile(t, table, suppliedOptions(), "k")
	for _, c := range []struct{ older, newer, want []string }{
		{[]string{"{1,2,3} 1 A B", "{1,2,3} 2 A B"}, []string{"{1,3} 1 - C", "{1,3} 3 - C"},
			[]string{"{1,2,3} 1 A C", "{1,2,3} 2 A B", "{1,3} 3 - C"}},
		{[]string{"{1,2,3} 1 - B", "{1,2,3} 2 - B"}, []string{"{1,3} 1 A C", "{1,3} 3 A C"},
			[]string{"{1,2,3} 1 - C", "{1,2,3} 2 - B", "{1,3} 3 A C"}},
		{[]string{"{1,2,3} 1 - B", "{1,2,3} 2 A B"}, []string{"{1,3} 1 A -", "{1,3} 3 - C"},
			[]string{"{1,2,3} 1 - -", "{1,2,3} 2 A B", "{1,3} 3 - C"}},
		{[]string{"{1,3} 1 A B", "{1,3} 2 A B"}, []string{"{1,3} 1 - C", "{1,3} 3 - C"},
			[]string{"{1,3} 1 - C", "{1,3} 2 A B", "{1,3} 3 - C"}},
		{[]string{"- 1 - B", "- 2 - B"}, []string{"{1,2} 1 A -", "{1,2} 3 A -"},
			[]string{"{1,2,3} 1 A B", "- 2 - B", "{1,2} 3 A -"}},
		{[]string{"{1,2} 1 A -", "{1,2} 2 A -"}, []string{"- 1 - -", "- 3 - -"},
			[]string{"{1,2} 1 A -", "{1,2} 2 A -", "- 3 - -"}},
	} {
		runs := []kernel.Run{suppliedRun(t, mem, table, c.older...), suppliedRun(t, mem, table, c.newer...)}
		if got, _, err := mergeSupplied(t, plan, runs, kernel.WithAllocator(mem)); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q and %q give %q, %v, want %q", c.older, c.newer, got, err, c.want)
		}
	}
}

// TestSuppliedKept merges retracts with and without what is kept of them.
func TestSuppliedKept(t *testing.T) {
	mem := checked(t)
	table := suppliedSchema("V k a", arrow.BinaryTypes.Binary)
	file := suppliedSchema(kernel.SequenceColumn+" "+kernel.KindColumn+" V k a", arrow.BinaryTypes.Binary)
	plan := compile(t, table, suppliedOptions("partial-update.remove-record-on-delete", "true"), "k")
	runs := []kernel.Run{
		suppliedRun(t, mem, file, "1 0 {1,2} 1 A", "2 0 {1,2} 2 A", "3 0 {1,2} 3 A"),
		suppliedRun(t, mem, file, "4 3 {1} 1 A", "5 3 {1} 2 -", "6 3 {1,2} 9 A"),
		suppliedRun(t, mem, file, "7 0 {1} 2 B", "8 1 {1,2} 3 A"),
	}
	kept, system := kernel.KeepDeletes(), kernel.KeepSystemColumns()
	for want, opts := range map[string][]kernel.MergeOption{
		"{1} 2 B;{1,2} 3 A":                                          nil,
		"{} 1 A;{1} 2 B;{1,2} 3 A;{1,2} 9 A":                         {kept},
		"1 4 3 {} 1 A;2 7 0 {1} 2 B;3 8 0 {1,2} 3 A;9 6 3 {1,2} 9 A": {kept, system},
		"2 7 0 {1} 2 B;3 8 0 {1,2} 3 A":                              {system},
	} {
		got, _, err := mergeSupplied(t, plan, runs, append(opts, kernel.WithAllocator(mem))...)
		if text := strings.Join(got, ";"); err != nil || text != want {
			t.Errorf("%q, %v, want %q", text, err, want)
		}
	}
	if _, _, err := mergeSupplied(t, compile(t, table, suppliedOptions(), "k"), runs, kernel.WithAllocator(mem)); !errors.Is(err, kernel.ErrRetract) {
		t.Errorf("retracts give %v", err)
	}
}
