package validity_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/validity"
)

func field(name string, t arrow.DataType) arrow.Field {
	return arrow.Field{Name: name, Type: t, Nullable: true}
}

func withDefault(name string, t arrow.DataType, text string) arrow.Field {
	f := field(name, t)
	f.Metadata = arrow.MetadataFrom(map[string]string{"paimon.default": text})
	return f
}

func notNull(f arrow.Field) arrow.Field {
	f.Nullable = false
	return f
}

var (
	ints    = arrow.PrimitiveTypes.Int32
	texts   = arrow.BinaryTypes.String
	own     = field(validity.FieldsColumn, arrow.BinaryTypes.Binary)
	writers = arrow.NewSchema([]arrow.Field{own, notNull(field("k", ints)), field("a", texts), withDefault("b", ints, "7"),
		notNull(withDefault("c", texts, "D")), field("d", ints)}, nil)
)

// record makes a record of some columns of the table of the tests, from JSON.
func record(t testing.TB, mem memory.Allocator, json string, names ...string) arrow.Record {
	var fields []arrow.Field
	for _, name := range names {
		f, ok := writers.FieldsByName(name)
		if !ok {
			f = []arrow.Field{field(name, arrow.FixedWidthTypes.Boolean)}
		}
		fields = append(fields, arrow.Field{Name: name, Type: f[0].Type, Nullable: true})
	}
	rec, _, err := array.RecordFromJSON(mem, arrow.NewSchema(fields, nil), strings.NewReader(json))
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// rows shows complete rows, their validity as the positions of the columns supplied.
func rows(t testing.TB, rec arrow.Record) string {
	own := rec.Schema().FieldIndices(validity.FieldsColumn)[0]
	d := validity.NewDecoder(int(rec.NumCols()))
	source := d.Source(identity(int(rec.NumCols())))
	var b strings.Builder
	for row := range int(rec.NumRows()) {
		for i := range int(rec.NumCols()) {
			if i > 0 {
				b.WriteByte(' ')
			}
			c := rec.Column(i)
			if i != own {
				b.WriteString(strings.ReplaceAll(c.ValueStr(row), "(null)", "-"))
				continue
			}
			value := c.(interface{ Value(int) []byte }).Value(row)
			numbers := make([]uint32, 1)
			if _, err := validity.Read(source, numbers, validity.Column[int64]{Offsets: []int64{0, int64(len(value))}, Data: value}); err != nil {
				t.Fatal(err)
			}
			var positions []string
			for p := range int(rec.NumCols()) {
				if d.Has(numbers[0], p) {
					positions = append(positions, fmt.Sprint(p))
				}
			}
			fmt.Fprintf(&b, "{%s}", strings.Join(positions, ","))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestWriter(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer mem.AssertSize(t, 0)
	for _, c := range []struct {
		name    string
		columns []string
		json    string
		want    string
	}{
		{"one column, in another order", []string{"a", "k"}, `[{"k":1,"a":"x"},{"k":2}]`, "{1,2} 1 x 7 D -\n{1,2} 2 - 7 D -\n"},
		{"explicit NULL becomes the default and is supplied", []string{"k", "b"}, `[{"k":1},{"k":2,"b":5}]`, "{1,3} 1 - 7 D -\n{1,3} 2 - 5 D -\n"},
		{"all columns", []string{"k", "a", "b", "c", "d"}, `[{"k":1,"a":"x","b":2,"c":"y","d":3}]`, "{1,2,3,4,5} 1 x 2 y 3\n"},
		{"no column", nil, `[]`, ""},
		{"a column that is NULL everywhere", []string{"k", "d"}, `[{"k":1},{"k":2},{"k":3}]`,
			"{1,5} 1 - 7 D -\n{1,5} 2 - 7 D -\n{1,5} 3 - 7 D -\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, err := validity.NewWriter(writers, mem)
			if err != nil {
				t.Fatal(err)
			}
			rec := record(t, mem, c.json, c.columns...)
			defer rec.Release()
			out, err := w.Write(rec)
			if err != nil {
				t.Fatal(err)
			}
			defer out.Release()
			if !out.Schema().Equal(writers) || rows(t, out) != c.want {
				t.Errorf("%s, want %s", rows(t, out), c.want)
			}
		})
	}
}

func TestWriterRows(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer mem.AssertSize(t, 0)
	w, err := validity.NewWriter(writers, mem)
	if err != nil {
		t.Fatal(err)
	}
	rec := record(t, mem, `[{"k":1,"a":"x","b":2,"d":3},{"k":2,"a":"y","d":4},{"k":3,"b":5}]`, "k", "a", "b", "d")
	defer rec.Release()
	bools := arrow.NewSchema([]arrow.Field{field("b", arrow.FixedWidthTypes.Boolean), field("a", arrow.FixedWidthTypes.Boolean)}, nil)
	matrix, _, err := array.RecordFromJSON(mem, bools, strings.NewReader(`[{"a":false,"b":true},{"a":true,"b":true},{"a":true}]`))
	if err != nil {
		t.Fatal(err)
	}
	defer matrix.Release()
	out, err := w.WriteRows(rec, matrix)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Release()
	if got, want := rows(t, out), "{1,3,5} 1 - 2 D 3\n{1,2,3,5} 2 y 7 D 4\n{1,2,5} 3 - 7 D -\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestWriterActions writes what a MERGE with two clauses makes: WHEN MATCHED AND ... UPDATE SET a, WHEN NOT MATCHED INSERT *.
func TestWriterActions(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer mem.AssertSize(t, 0)
	w, err := validity.NewWriter(writers, mem)
	if err != nil {
		t.Fatal(err)
	}
	rec := record(t, mem, `[{"k":1,"a":"x","b":2,"c":"y"},{"k":2,"a":"z","b":3},{"k":3,"c":"w"}]`, "k", "a", "b", "c")
	defer rec.Release()
	actions := [][]string{{"k", "a", "b", "c"}, {"k", "a"}}
	out, err := w.WriteActions(rec, actions, []int{0, 1, 0})
	if err != nil {
		t.Fatal(err)
	}
	defer out.Release()
	if got, want := rows(t, out), "{1,2,3,4} 1 x 2 y -\n{1,2} 2 z 7 D -\n{1,2,3,4} 3 - 7 w -\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	_, err = w.WriteActions(rec, actions, []int{0, 0, 0})
	faulty(t, err, validity.ErrNotNull, 1, "c")
	_, err = w.WriteActions(rec, actions, []int{0, 1, 2})
	faulty(t, err, validity.ErrSchema, 2, "")
	_, err = w.WriteActions(rec, actions, []int{-1, 1, 1})
	faulty(t, err, validity.ErrSchema, 0, "")
	_, err = w.WriteActions(rec, [][]string{{"d"}}, []int{0, 0, 0})
	refused(t, err, `action 0 supplies column "d", which the record lacks`)
	_, err = w.WriteActions(rec, actions, []int{0})
	refused(t, err, "actions of 1 rows for 3 rows")
}

func faulty(t *testing.T, err, kind error, row int, column string) {
	t.Helper()
	var fault *validity.Fault
	if !errors.Is(err, kind) || !errors.As(err, &fault) || fault.Row != row || fault.Column != column {
		t.Errorf("%v, want %v at row %d, column %q", err, kind, row, column)
	}
}

func refused(t *testing.T, err error, says string) {
	t.Helper()
	if !errors.Is(err, validity.ErrSchema) || !strings.Contains(err.Error(), says) {
		t.Errorf("%v, want %q", err, says)
	}
}

func TestWriterRefuses(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer mem.AssertSize(t, 0)
	for _, c := range []struct {
		fields []arrow.Field
		says   string
	}{
		{[]arrow.Field{field("k", ints)}, "no column _VALIDITY_FIELDS"},
		{[]arrow.Field{own, own}, "twice"},
		{[]arrow.Field{own, field("k", ints), field("k", ints)}, `column "k" is there twice`},
		{[]arrow.Field{notNull(own)}, "NOT NULL"},
		{[]arrow.Field{field(validity.FieldsColumn, texts)}, "not binary"},
		{[]arrow.Field{own, withDefault("b", ints, "x")}, `default "x" of column "b"`},
		{[]arrow.Field{own, withDefault("b", arrow.PrimitiveTypes.Int8, "300")}, `default "300" of column "b"`},
		{[]arrow.Field{own, withDefault("b", arrow.BinaryTypes.Binary, "x")}, "have none"},
		{[]arrow.Field{own, withDefault("b", arrow.ListOf(ints), "[1]")}, "have none"},
		{[]arrow.Field{own, withDefault("b", ints, "(null)")}, "no value"},
	} {
		_, err := validity.NewWriter(arrow.NewSchema(c.fields, nil), mem)
		refused(t, err, c.says)
	}
	w, err := validity.NewWriter(writers, mem)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rec  *arrow.Schema
		says string
	}{
		{arrow.NewSchema([]arrow.Field{field("z", ints)}, nil), `no column "z"`},
		{arrow.NewSchema([]arrow.Field{own}, nil), "is filled by the writer"},
		{arrow.NewSchema([]arrow.Field{field("k", ints), field("k", ints)}, nil), `column "k" twice`},
		{arrow.NewSchema([]arrow.Field{field("k", texts)}, nil), `column "k" is utf8, not int32`},
	} {
		b := array.NewRecordBuilder(mem, c.rec)
		rec := b.NewRecord()
		_, err := w.Write(rec)
		refused(t, err, c.says)
		rec.Release()
		b.Release()
	}
	rec := record(t, mem, `[{"k":1,"c":"x"},{"k":2}]`, "k", "c")
	defer rec.Release()
	_, err = w.Write(rec)
	faulty(t, err, validity.ErrNotNull, 1, "c")
	other := record(t, mem, `[{"k":true}]`, "x")
	defer other.Release()
	_, err = w.WriteRows(rec, other)
	refused(t, err, "a matrix of 1 rows for 2 rows")
	ofNone := record(t, mem, `[{"x":true},{"x":true}]`, "x")
	defer ofNone.Release()
	_, err = w.WriteRows(rec, ofNone)
	refused(t, err, `matrix column "x"`)
	_, err = w.WriteRows(rec, rec)
	refused(t, err, `matrix column "k"`)
}

// TestWriterOtherTypes fills a validity column of every binary type, not in the first place.
func TestWriterOtherTypes(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer mem.AssertSize(t, 0)
	for _, binary := range []arrow.DataType{arrow.BinaryTypes.Binary, arrow.BinaryTypes.LargeBinary, arrow.BinaryTypes.BinaryView} {
		w, err := validity.NewWriter(arrow.NewSchema([]arrow.Field{field("k", ints), field(validity.FieldsColumn, binary), field("d", ints)}, nil), mem)
		if err != nil {
			t.Fatal(err)
		}
		rec := record(t, mem, `[{"k":1,"d":3},{"k":2}]`, "k", "d")
		out, err := w.Write(rec)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := rows(t, out), "1 {0,2} 3\n2 {0,2} -\n"; got != want {
			t.Errorf("%s: %s, want %s", binary, got, want)
		}
		out.Release()
		rec.Release()
	}
}

// TestWriterRowsOfAllTypes leaves out every other row of columns of many types, sliced, and finds NULL there and the value elsewhere.
func TestWriterRowsOfAllTypes(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer mem.AssertSize(t, 0)
	pair := arrow.StructOf(field("a", ints), field("b", texts))
	for _, c := range []struct {
		t    arrow.DataType
		json string
	}{
		{ints, `[1, null, 3, 4, 5]`},
		{arrow.FixedWidthTypes.Boolean, `[true, false, null, true, false]`},
		{texts, `["a", "b", "c", null, "e"]`},
		{arrow.BinaryTypes.StringView, `["a", "b", "a text of more than twelve bytes", null, "e"]`},
		{arrow.ListOf(ints), `[[1], [], null, [4, 5], [6]]`},
		{pair, `[{"a":1,"b":"x"}, null, {"a":2}, {"b":"y"}, {}]`},
		{arrow.FixedSizeListOf(2, ints), `[[1,2], [3,4], null, [5,6], [7,8]]`},
		{arrow.MapOf(texts, ints), `[[{"key":"a","value":1}], [], null, [], []]`},
		{&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: texts}, `["x", "y", null, "x", "y"]`},
		{arrow.Null, `[null, null, null, null, null]`},
	} {
		w, err := validity.NewWriter(arrow.NewSchema([]arrow.Field{own, field("x", c.t), field("y", c.t)}, nil), mem)
		if err != nil {
			t.Fatal(err)
		}
		whole, _, err := array.FromJSON(mem, c.t, strings.NewReader(c.json))
		if err != nil {
			t.Fatal(err)
		}
		column := array.NewSlice(whole, 1, 5)
		rec := array.NewRecord(arrow.NewSchema([]arrow.Field{field("x", c.t)}, nil), []arrow.Array{column}, 4)
		out, err := w.WriteActions(rec, [][]string{{"x"}, {}}, []int{0, 1, 1, 0})
		if err != nil {
			t.Fatal(err)
		}
		for row, supplied := range []bool{true, false, false, true} {
			got, want := out.Column(1).ValueStr(row), "(null)"
			if supplied {
				want = column.ValueStr(row)
			}
			if got != want || out.Column(2).ValueStr(row) != "(null)" {
				t.Errorf("%s, row %d: %s and %s, want %s", c.t, row, got, out.Column(2).ValueStr(row), want)
			}
		}
		out.Release()
		rec.Release()
		column.Release()
		whole.Release()
	}
}

// TestWriterRandom writes random matrices and compares every cell.
func TestWriterRandom(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer mem.AssertSize(t, 0)
	fields := []arrow.Field{own}
	for i := range 70 {
		f := field(fmt.Sprint("c", i), ints)
		if i%3 == 0 {
			f = withDefault(f.Name, ints, "-1")
		}
		fields = append(fields, f)
	}
	w, err := validity.NewWriter(arrow.NewSchema(fields, nil), mem)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 52))
		n, places := rng.IntN(200), rng.Perm(70)[:rng.IntN(71)]
		var given, bools []arrow.Field
		for _, p := range places {
			given, bools = append(given, fields[p+1]), append(bools, field(fields[p+1].Name, arrow.FixedWidthTypes.Boolean))
		}
		values, matrix := array.NewRecordBuilder(mem, arrow.NewSchema(given, nil)), array.NewRecordBuilder(mem, arrow.NewSchema(bools, nil))
		density := rng.Float64()
		want := make([]string, n)
		for row := range n {
			cells, positions := make([]string, 71), []int{}
			for p := range 70 {
				cells[p+1] = "-"
				if p%3 == 0 {
					cells[p+1] = "-1"
				}
			}
			for i, p := range places {
				v, on, null := int32(rng.IntN(100)), rng.Float64() < density, rng.IntN(3) == 0
				if null {
					values.Field(i).AppendNull()
				} else {
					values.Field(i).(*array.Int32Builder).Append(v)
				}
				if matrix.Field(i).(*array.BooleanBuilder).Append(on); !on {
					continue
				}
				positions = append(positions, p+1)
				if !null {
					cells[p+1] = fmt.Sprint(v)
				}
			}
			slices.Sort(positions)
			cells[0] = strings.ReplaceAll(strings.NewReplacer("[", "{", "]", "}").Replace(fmt.Sprint(positions)), " ", ",")
			want[row] = strings.Join(cells, " ") + "\n"
		}
		rec, supplied := values.NewRecord(), matrix.NewRecord()
		if len(places) == 0 {
			rec, supplied = array.NewRecord(rec.Schema(), nil, int64(n)), array.NewRecord(rec.Schema(), nil, int64(n))
		}
		out, err := w.WriteRows(rec, supplied)
		if err != nil {
			t.Fatal(err)
		}
		if got := rows(t, out); got != strings.Join(want, "") {
			t.Fatalf("seed %d: %s\nwant %s", seed, got, strings.Join(want, ""))
		}
		out.Release()
		rec.Release()
		supplied.Release()
		values.Release()
		matrix.Release()
	}
}
