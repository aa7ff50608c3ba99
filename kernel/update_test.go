package kernel_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/kernel"
)

// updateCase is an update of ranges of rows given as JSON.
type updateCase struct {
	t          *testing.T
	mem        *memory.CheckedAllocator
	table      kernel.Table
	sourceType *arrow.Schema
	source     string // rows, "" for no source
	sourceRows int    // rows of a batch of the source, 0 for all
	ranges     []kernel.RowRange
	opened     []string // names of the files that were opened
	batchRows  int
}

func newUpdate(t *testing.T, columns string) *updateCase {
	c := &updateCase{t: t, mem: memory.NewCheckedAllocator(memory.DefaultAllocator)}
	t.Cleanup(func() { c.mem.AssertSize(t, 0) })
	c.table.Schema = columnsOf(t, columns)
	return c
}

// columnsOf makes a schema of "name type, name type!" where ! is NOT NULL.
func columnsOf(t *testing.T, columns string) *arrow.Schema {
	t.Helper()
	types := map[string]arrow.DataType{"int": arrow.PrimitiveTypes.Int64, "int32": arrow.PrimitiveTypes.Int32, "int8": arrow.PrimitiveTypes.Int8,
		"text": arrow.BinaryTypes.String, "double": arrow.PrimitiveTypes.Float64, "bool": arrow.FixedWidthTypes.Boolean,
		"decimal": &arrow.Decimal128Type{Precision: 3, Scale: 1}, "list": arrow.ListOf(arrow.PrimitiveTypes.Int64),
		"map":  arrow.MapOf(arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64),
		"word": &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String},
		"runs": arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64), "view": arrow.BinaryTypes.StringView}
	var fields []arrow.Field
	for _, column := range strings.Split(columns, ", ") {
		name, typ, _ := strings.Cut(column, " ")
		bare := strings.TrimSuffix(typ, "!")
		if types[bare] == nil {
			t.Fatalf("no type %q", typ)
		}
		fields = append(fields, arrow.Field{Name: name, Type: types[bare], Nullable: bare == typ})
	}
	return arrow.NewSchema(fields, nil)
}

// file makes a column file of rows in batches of n.
func (c *updateCase) file(name, columns, rows string, n int) kernel.ColumnFile {
	schema := columnsOf(c.t, columns)
	var names []string
	for _, f := range schema.Fields() {
		if f.Name != kernel.RowIDColumn {
			names = append(names, f.Name)
		}
	}
	return kernel.ColumnFile{Name: name, Columns: names, Open: func(context.Context) (array.RecordReader, error) {
		c.opened = append(c.opened, name)
		return c.reader(schema, rows, n), nil
	}}
}

func (c *updateCase) reader(schema *arrow.Schema, rows string, n int) array.RecordReader {
	c.t.Helper()
	rec, _, err := array.RecordFromJSON(c.mem, schema, strings.NewReader("["+rows+"]"), array.WithUseNumber())
	if err != nil {
		c.t.Fatal(err)
	}
	defer rec.Release()
	var records []arrow.Record
	for from := int64(0); from < rec.NumRows(); from += int64(n) {
		slice := rec.NewSlice(from, min(from+int64(n), rec.NumRows()))
		defer slice.Release()
		records = append(records, slice)
	}
	reader, err := array.NewRecordReader(schema, records)
	if err != nil {
		c.t.Fatal(err)
	}
	return reader
}

// add adds a range with one file that has all columns.
func (c *updateCase) add(name string, first, rows int64, json string) *kernel.RowRange {
	var columns []string
	for _, f := range c.table.Schema.Fields() {
		columns = append(columns, f.Name+" "+columnWord(f))
	}
	f := c.file(name, strings.Join(columns, ", "), json, 3)
	f.Columns = nil
	c.ranges = append(c.ranges, kernel.RowRange{Name: name, FirstRowID: first, Rows: rows, Files: []kernel.ColumnFile{f}})
	return &c.ranges[len(c.ranges)-1]
}

func columnWord(f arrow.Field) string {
	words := map[arrow.Type]string{arrow.INT64: "int", arrow.INT32: "int32", arrow.INT8: "int8", arrow.STRING: "text", arrow.FLOAT64: "double", arrow.BOOL: "bool",
		arrow.DECIMAL128: "decimal", arrow.LIST: "list", arrow.MAP: "map", arrow.DICTIONARY: "word", arrow.RUN_END_ENCODED: "runs", arrow.STRING_VIEW: "view"}
	if f.Nullable {
		return words[f.Type.ID()]
	}
	return words[f.Type.ID()] + "!"
}

// action makes an action of texts: a condition, "" for none, and assignments.
func (c *updateCase) action(when string, set ...string) (a kernel.Action, err error) {
	if when != "" {
		if a.When, err = kernel.ParseCondition(when, c.table.Schema, c.sourceType); err != nil {
			return a, err
		}
	}
	for _, text := range set {
		s, err := kernel.ParseAssignment(text, c.table.Schema, c.sourceType)
		if err != nil {
			return a, err
		}
		a.Set = append(a.Set, s)
	}
	return a, nil
}

// update runs an update with one action of texts.
func (c *updateCase) update(when string, set ...string) (string, kernel.UpdateStats, error) {
	a, err := c.action(when, set...)
	if err != nil {
		return "", kernel.UpdateStats{}, err
	}
	return c.run(a)
}

// run gives the rows of the new column files, range by range, as JSON arrays.
func (c *updateCase) run(actions ...kernel.Action) (string, kernel.UpdateStats, error) {
	u, err := kernel.CompileUpdate(c.table, c.sourceType, actions...)
	if err != nil {
		return "", kernel.UpdateStats{}, err
	}
	var source array.RecordReader
	if c.sourceType != nil {
		n := c.sourceRows
		if n == 0 {
			n = 1 << 20
		}
		source = c.reader(c.sourceType, c.source, n)
		defer source.Release()
	}
	var out strings.Builder
	stats, err := u.Run(context.Background(), c.ranges, source, func(r *kernel.RowRange, columns *kernel.UpdateReader) error {
		fmt.Fprintf(&out, "%s:", r.Name)
		rows := int64(0)
		for columns.Next() {
			rec := columns.Record()
			rows += rec.NumRows()
			text, err := rowsJSON(rec)
			if err != nil {
				return err
			}
			out.WriteString(text)
		}
		if err := columns.Err(); err == nil && rows != r.Rows {
			return fmt.Errorf("%d rows in a range of %d", rows, r.Rows)
		}
		out.WriteString(" ")
		return nil
	}, kernel.UpdateOptions{Allocator: c.mem, BatchRows: c.batchRows})
	return strings.TrimSpace(out.String()), stats, err
}

// rowsJSON writes the rows of a record as JSON objects, one after another.
func rowsJSON(rec arrow.Record) (string, error) {
	var b strings.Builder
	for row := range int(rec.NumRows()) {
		b.WriteString(" (")
		for i, col := range rec.Columns() {
			if i > 0 {
				b.WriteString(", ")
			}
			if col.IsNull(row) {
				b.WriteString("NULL")
				continue
			}
			b.WriteString(col.ValueStr(row))
		}
		b.WriteString(")")
	}
	return b.String(), nil
}

func (c *updateCase) want(want string, when string, set ...string) kernel.UpdateStats {
	c.t.Helper()
	got, stats, err := c.update(when, set...)
	if err != nil || got != want {
		c.t.Errorf("UPDATE SET %q WHERE %s: %s, %v, want %s", set, when, got, err, want)
	}
	return stats
}

func int64Stats(t *testing.T, least, most string) kernel.ColumnStats {
	t.Helper()
	one := func(text string) arrow.Array {
		a, _, err := array.FromJSON(memory.DefaultAllocator, arrow.PrimitiveTypes.Int64, strings.NewReader("["+text+"]"))
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	return kernel.ColumnStats{Min: one(least), Max: one(most), NoNulls: true}
}

// TestUpdateTwoFilesPruningToOne leaves a file unopened that its statistics rule out.
func TestUpdateTwoFilesPruningToOne(t *testing.T) {
	c := newUpdate(t, "id int, v int")
	c.add("a", 0, 2, `{"id":1,"v":10},{"id":2,"v":20}`).Stats.Columns = map[string]kernel.ColumnStats{"id": int64Stats(t, "1", "2")}
	c.add("b", 2, 2, `{"id":3,"v":30},{"id":4,"v":40}`).Stats.Columns = map[string]kernel.ColumnStats{"id": int64Stats(t, "3", "4")}
	stats := c.want("b: (31) (40)", "id = 3", "v = v + 1")
	if want := (kernel.UpdateStats{Ranges: 2, Pruned: 1, Written: 1, RowsRead: 2, RowsUpdated: 1, RowsOut: 2}); stats != want {
		t.Errorf("%+v, want %+v", stats, want)
	}
	if fmt.Sprint(c.opened) != "[b]" {
		t.Errorf("opened %q", c.opened)
	}
	c.opened = nil
	if stats := c.want("", "id > 4", "v = 0"); stats.Pruned != 2 || c.opened != nil {
		t.Errorf("%+v, opened %q", stats, c.opened)
	}
	c.ranges[0].Stats = kernel.FileStats{} // without statistics a file is read, and kept as it is
	c.want("a: (10) (20) b: (31) (40)", "id = 3", "v = v + 1")
}

// TestUpdateConditionSeesValuesBefore sets a column that the condition reads, and swaps two.
func TestUpdateConditionSeesValuesBefore(t *testing.T) {
	c := newUpdate(t, "id int, b int")
	c.add("a", 0, 3, `{"id":1,"b":29},{"id":2,"b":30},{"id":3,"b":31}`)
	c.want("a: (29) (31) (32)", "b >= 30", "b = b + 1")
	c.want("a: (29, 1) (30, 2) (31, 3)", "", "id = b", "b = id")
	c.want("a: (2) (3) (4)", "b > id", "id = id + 1", "b = b")
}

// TestUpdatePartitionCondition leaves out ranges of other partitions, and refuses to move a row to another.
func TestUpdatePartitionCondition(t *testing.T) {
	c := newUpdate(t, "p text, v int")
	c.table.PartitionKeys = []string{"p"}
	partition := func(text string) arrow.Record {
		rec, _, err := array.RecordFromJSON(memory.DefaultAllocator, columnsOf(t, "p text"), strings.NewReader("["+text+"]"))
		if err != nil {
			t.Fatal(err)
		}
		return rec
	}
	c.add("a", 0, 1, `{"p":"x","v":1}`).Partition = partition(`{"p":"x"}`)
	c.add("b", 1, 1, `{"p":"y","v":2}`).Partition = partition(`{"p":"y"}`)
	c.add("c", 2, 1, `{"p":null,"v":3}`).Partition = partition(`{"p":null}`)
	if stats := c.want("b: (0)", "p = 'y'", "v = 0"); stats.Pruned != 2 {
		t.Errorf("%+v", stats)
	}
	c.want("c: (0)", "p IS NULL", "v = 0")
	c.want("a: (0)", "NOT p > 'x'", "v = 0")
	if _, _, err := c.update("v = 1", "p = 'z'"); !errors.Is(err, kernel.ErrNotSelfMerge) {
		t.Errorf("a partition column: %v", err)
	}
}

// TestUpdateMetadataColumnAndNull has row ids in a condition, for which ranges are left out, and NULL as a condition's value.
func TestUpdateMetadataColumnAndNull(t *testing.T) {
	c := newUpdate(t, "id int, b int")
	c.add("a", 10, 2, `{"id":1,"b":null},{"id":2,"b":11}`)
	c.add("b", 12, 2, `{"id":3,"b":10},{"id":4,"b":null}`)
	if stats := c.want("a: (NULL) (0)", "_ROW_ID = 11", "b = 0"); stats.Pruned != 1 {
		t.Errorf("%+v", stats)
	}
	c.want("a: (10) (11) b: (12) (13)", "", "b = _ROW_ID")
	c.want("b: (12) (12)", "_FIRST_ROW_ID = 12", "b = _FIRST_ROW_ID")
	c.want("a: (NULL) (12) b: (10) (NULL)", "b > 10", "b = b + 1")
	c.want("a: (NULL) (11) b: (0) (NULL)", "NOT b > 10", "b = 0")
	c.want("a: (7) (11) b: (10) (7)", "b IS NULL", "b = 7")
}

// TestUpdateConstantFalseChangesNothing opens no file for a condition that is false or NULL for every row, and needs none for an
// assignment of a column to itself.
func TestUpdateConstantFalseChangesNothing(t *testing.T) {
	c := newUpdate(t, "id int, b int")
	c.add("a", 0, 1, `{"id":1,"b":2}`)
	for _, when := range []string{"1 = 0", "NULL", "1 = NULL", "id = 1 AND FALSE"} {
		if stats := c.want("", when, "b = 0"); stats.Written != 0 || c.opened != nil {
			t.Errorf("%s: %+v, opened %q", when, stats, c.opened)
		}
	}
	if stats := c.want("", "id = 1", "b = b"); stats.Written != 0 || c.opened != nil {
		t.Errorf("b = b: %+v, opened %q", stats, c.opened)
	}
	c.want("a: (0)", "1 = 1", "b = 0")
}

// TestUpdateSubqueryRefused has what is no self-merge.
func TestUpdateSubqueryRefused(t *testing.T) {
	c := newUpdate(t, "id int, b int")
	c.add("a", 0, 1, `{"id":1,"b":2}`)
	for _, when := range []string{"id IN (SELECT id FROM t)", "EXISTS (SELECT 1)", "other.id = 1", "padded = 1", "rand() < 0.1"} {
		if _, _, err := c.update(when, "b = 0"); !errors.Is(err, kernel.ErrNotSelfMerge) {
			t.Errorf("%s: %v", when, err)
		}
	}
	eval := func(arrow.Record) (*array.Boolean, error) { return nil, errors.New("not to be asked") }
	set, err := c.action("", "b = 0")
	if err != nil {
		t.Fatal(err)
	}
	for name, when := range map[string]kernel.Condition{
		"subquery":          {Columns: []string{"id"}, Deterministic: true, Subquery: true, Eval: eval},
		"not deterministic": {Columns: []string{"id"}, Eval: eval},
		"no column":         {Deterministic: true, Eval: eval},
		"no such column":    {Columns: []string{"padded"}, Deterministic: true, Eval: eval},
		"no source":         {SourceColumns: []string{"id"}, Deterministic: true, Eval: eval},
	} {
		if _, _, err := c.run(kernel.Action{When: &when, Set: set.Set}); !errors.Is(err, kernel.ErrNotSelfMerge) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if c.opened != nil {
		t.Errorf("opened %q", c.opened)
	}
}

// TestUpdateActions takes the first action whose condition is true; one that sets nothing keeps its rows.
func TestUpdateActions(t *testing.T) {
	c := newUpdate(t, "a int, b int, c text")
	c.add("f", 0, 5, `{"a":1,"b":10,"c":"c1"},{"a":2,"b":20,"c":"c2"},{"a":3,"b":30,"c":"c3"},{"a":4,"b":40,"c":"c4"},{"a":5,"b":50,"c":"c5"}`)
	first, err1 := c.action("a = 5", "b = b + b")
	second, err2 := c.action("c > 'c2'", "b = b * 3", "c = concat(c, c)")
	keep, err3 := c.action("a < 4 OR a / (a - 4) = 5")
	if err := errors.Join(err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	for _, rows := range []int{0, 1, 2} {
		c.batchRows = rows
		if got, _, err := c.run(first, second); err != nil || got != "f: (10, c1) (20, c2) (90, c3c3) (120, c4c4) (100, c5)" {
			t.Errorf("%s, %v", got, err)
		}
		if got, _, err := c.run(second, first); err != nil || got != "f: (10, c1) (20, c2) (90, c3c3) (120, c4c4) (150, c5c5)" {
			t.Errorf("%s, %v", got, err)
		}
		if _, _, err := c.run(keep, second); !errors.Is(err, kernel.ErrDivideByZero) {
			t.Errorf("%v", err)
		}
		if got, _, err := c.run(first, kernel.Action{When: second.When}, kernel.Action{Set: first.Set}); err != nil || got != "f: (20) (40) (30) (40) (100)" {
			t.Errorf("%s, %v", got, err)
		}
	}
}

// TestUpdateLayouts updates columns of many types.
func TestUpdateLayouts(t *testing.T) {
	c := newUpdate(t, "id int, tiny int8, i int32, d double, b bool, t text, dec decimal, l list, m map, w word, r runs, s view, l2 list")
	c.add("f", 0, 4, `{"id":1,"tiny":1,"i":1,"d":0.5,"b":true,"t":"a","dec":"0.5","l":[1],"m":[{"key":"k","value":1}],"w":"x","r":5,"s":"text longer than a view holds","l2":[9]},
		{"id":2,"l2":[8,8]},
		{"id":3,"tiny":3,"i":3,"d":1.5,"b":false,"t":"ccc","dec":"1.5","l":[],"m":[],"w":"y","r":5,"s":"s","l2":null},
		{"id":4,"tiny":4,"i":4,"d":2.5,"b":true,"t":"","dec":"2.5","l":[4,4],"m":null,"w":"x","r":6,"s":"","l2":[]}`)
	for _, rows := range []int{0, 1, 3} {
		c.batchRows = rows
		c.want("f: (1) (7) (3) (7)", "id IN (2, 4)", "tiny = 7")
		c.want("f: (2, 1) (NULL, NULL) (4, 3) (4, 4)", "id < 4", "tiny = tiny + 1", "i = i + 0")
		c.want("f: (0.5) (NULL) (3) (2.5)", "id = 3", "d = d * 2")
		c.want("f: (true) (true) (NULL) (true)", "id IN (2, 3)", "b = id = 2 OR NULL")
		c.want("f: (a!) (NULL) (ccc!) ()", "id < 4", "t = t || '!'")
		c.want("f: (0.5) (NULL) (2.5) (3.5)", "dec > 0.5", "dec = dec + 1.0")
		c.want("f: ([1]) ([8,8]) (NULL) ([4,4])", "id IN (2, 3)", "l = l2")
		c.want("f: (NULL) (NULL) ([]) (NULL)", "id IN (1, 2)", "m = NULL")
		c.want("f: (x) (new) (y) (new)", "id IN (2, 4)", "w = 'new'")
		c.want("f: (5) (9) (5) (6)", "id = 2", "r = 9")
		c.want("f: (text longer than a view holds) (x) (s) (x)", "id IN (2, 4)", "s = 'x'")
		c.want("f: (x, x) (NULL, NULL) (y, y) (x, x)", "id <> 2", "t = w", "w = w || ''")
	}
}

// TestUpdateWideDecimal changes 34 rows of 40 (bug log B111).
func TestUpdateWideDecimal(t *testing.T) {
	c := newUpdate(t, "d decimal, v decimal")
	var rows, want []string
	for i := range 40 {
		rows = append(rows, fmt.Sprintf(`{"d":"%d.%d","v":"1.5"}`, i/10, i%10))
		want = append(want, map[bool]string{true: "(2.5)", false: "(1.5)"}[i > 5])
	}
	c.add("f", 0, 40, strings.Join(rows, ","))
	if stats := c.want("f: "+strings.Join(want, " "), "d > 0.5", "v = v + 1.0"); stats.RowsUpdated != 34 {
		t.Errorf("%+v", stats)
	}
}

// TestUpdateClauses takes one clause for a row (bug log B124).
func TestUpdateClauses(t *testing.T) {
	c := newUpdate(t, "i int, j int")
	c.add("f", 0, 2, `{"i":1,"j":1},{"i":2,"j":2}`)
	first, err1 := c.action("TRUE", "j = 2")
	second, err2 := c.action("i = 2", "j = 3")
	if got, _, err := c.run(first, second); errors.Join(err, err1, err2) != nil || got != "f: (2) (2)" {
		t.Errorf("%s, %v", got, err)
	}
}

// TestUpdateSourceRowIDs refuses NULL and repeated row ids (bug log B125).
func TestUpdateSourceRowIDs(t *testing.T) {
	c := newUpdate(t, "v int")
	c.sourceType = columnsOf(t, "_ROW_ID int, v int")
	c.add("f", 0, 3, `{"v":1},{"v":2},{"v":3}`)
	for _, rows := range []int{0, 1} {
		c.sourceRows = rows
		c.source = `{"_ROW_ID":1,"v":8},{"_ROW_ID":null,"v":9}`
		if _, _, err := c.update("", "v = s.v"); !errors.Is(err, kernel.ErrNullRowID) {
			t.Errorf("NULL: %v", err)
		}
		c.source = `{"_ROW_ID":1,"v":8},{"_ROW_ID":1,"v":9}`
		var at *kernel.RowIDError
		if _, _, err := c.update("", "v = s.v"); !errors.Is(err, kernel.ErrDuplicateRowID) || !errors.As(err, &at) || at.RowID != 1 {
			t.Errorf("twice: %v", err)
		}
		c.source = `{"_ROW_ID":1,"v":8},{"_ROW_ID":0,"v":9}`
		if _, _, err := c.update("", "v = s.v"); !errors.Is(err, kernel.ErrUnsorted) {
			t.Errorf("falling: %v", err)
		}
		for _, source := range []string{`{"_ROW_ID":3,"v":8}`, `{"_ROW_ID":-1,"v":8}`} {
			c.source = source
			if _, _, err := c.update("", "v = s.v"); !errors.Is(err, kernel.ErrRowRange) {
				t.Errorf("%s: %v", source, err)
			}
		}
		c.source = `{"_ROW_ID":0,"v":7},{"_ROW_ID":2,"v":9}`
		c.want("f: (7) (2) (9)", "", "v = s.v")
		c.want("f: (1) (2) (12)", "s.v > 7 AND v > 1", "v = v + s.v")
	}
}

// TestUpdateNotNullAtTheEnd checks NOT NULL on what comes out (bug log B129).
func TestUpdateNotNullAtTheEnd(t *testing.T) {
	c := newUpdate(t, "k int!, v int")
	c.sourceType = columnsOf(t, "_ROW_ID int, v int, k int")
	c.add("f", 0, 3, `{"k":1,"v":1},{"k":2,"v":2},{"k":3,"v":3}`)
	c.source = `{"_ROW_ID":1,"v":8,"k":null}`
	c.want("f: (1) (8) (3)", "", "v = s.v")
	c.want("f: (1, 1) (2, 8) (3, 3)", "", "v = s.v", "k = 1 + 1")
	var at *kernel.RowIDError
	if _, _, err := c.update("", "k = s.k"); !errors.Is(err, kernel.ErrNotNull) || !errors.As(err, &at) || at.RowID != 1 || at.Column != "k" {
		t.Errorf("%v", err)
	}
}

// TestUpdateMatchesOnce counts only rows of the source that meet the condition (bug log B130).
func TestUpdateMatchesOnce(t *testing.T) {
	c := newUpdate(t, "id int, value int")
	c.sourceType = columnsOf(t, "_ROW_ID int, value int")
	c.add("f", 0, 2, `{"id":1,"value":1},{"id":2,"value":2}`)
	c.source = `{"_ROW_ID":0,"value":10},{"_ROW_ID":0,"value":11},{"_ROW_ID":1,"value":20}`
	for _, rows := range []int{0, 1, 2} {
		c.sourceRows = rows
		c.want("f: (10) (2)", "s.value = 10", "value = s.value")
		if _, _, err := c.update("s.value >= 10", "value = s.value"); !errors.Is(err, kernel.ErrDuplicateRowID) {
			t.Errorf("%v", err)
		}
	}
}

// TestUpdateManyRows finds no duplicates where there are none (bug log B131).
func TestUpdateManyRows(t *testing.T) {
	const rows = 100_001
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	build := func(schema *arrow.Schema, n int, id bool) array.RecordReader {
		b := array.NewRecordBuilder(mem, schema)
		defer b.Release()
		var records []arrow.Record
		for from := 0; from < rows; from += n {
			for i := from; i < min(from+n, rows); i++ {
				b.Field(0).(*array.Int64Builder).Append(int64(i))
				if id {
					b.Field(1).(*array.Int64Builder).Append(1)
				}
			}
			rec := b.NewRecord()
			defer rec.Release()
			records = append(records, rec)
		}
		r, err := array.NewRecordReader(schema, records)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	table, source := columnsOf(t, "v int"), columnsOf(t, "_ROW_ID int, v int")
	for _, sourceRows := range []int{0, 8192, 7777} {
		value := "v = v + 1"
		var schema *arrow.Schema
		var in array.RecordReader
		if sourceRows > 0 {
			value, schema = "v = v + s.v", source
			in = build(source, sourceRows, true)
		}
		set, err := kernel.ParseAssignment(value, table, schema)
		if err != nil {
			t.Fatal(err)
		}
		u, err := kernel.CompileUpdate(kernel.Table{Schema: table}, schema, kernel.Action{Set: []kernel.Assignment{set}})
		if err != nil {
			t.Fatal(err)
		}
		next := int64(1)
		open := func(context.Context) (array.RecordReader, error) { return build(table, 8192, false), nil }
		stats, err := u.Run(context.Background(), []kernel.RowRange{{Rows: rows, Files: []kernel.ColumnFile{{Open: open}}}}, in,
			func(_ *kernel.RowRange, columns *kernel.UpdateReader) error {
				for columns.Next() {
					for _, v := range columns.Record().Column(0).(*array.Int64).Int64Values() {
						if v != next {
							return fmt.Errorf("%d, want %d", v, next)
						}
						next++
					}
				}
				return nil
			}, kernel.UpdateOptions{Allocator: mem})
		if err != nil || stats.RowsOut != rows || stats.RowsUpdated != rows {
			t.Errorf("source of batches of %d: %+v, %v", sourceRows, stats, err)
		}
		if in != nil {
			in.Release()
		}
	}
}

// TestUpdateListsBySource sets lists and maps from a source (bug log B132).
func TestUpdateListsBySource(t *testing.T) {
	c := newUpdate(t, "l list, m map, w word")
	c.sourceType = columnsOf(t, "_ROW_ID int, l list, m map, w word")
	c.add("f", 0, 4, `{"l":[1,2],"w":"a"},{"l":[]},{"l":null},{"l":[3],"m":[{"key":"k","value":1}]}`)
	c.source = `{"_ROW_ID":1,"l":[7,8,9],"m":[{"key":"n","value":2}],"w":"b"},{"_ROW_ID":3,"l":null,"m":null,"w":null}`
	for _, rows := range []int{0, 1} {
		c.sourceRows = rows
		c.want("f: ([1,2]) ([7,8,9]) (NULL) (NULL)", "", "l = s.l")
		c.want(`f: (NULL, a) ([{"key":"n","value":2}], b) (NULL, NULL) (NULL, NULL)`, "", "m = s.m", "w = s.w")
	}
}

// TestUpdateSourcePrunes leaves out ranges that no row of the source meets.
func TestUpdateSourcePrunes(t *testing.T) {
	c := newUpdate(t, "v int")
	c.sourceType = columnsOf(t, "_ROW_ID int, v int")
	c.add("a", 0, 2, `{"v":1},{"v":2}`)
	c.add("b", 2, 2, `{"v":3},{"v":4}`)
	c.add("c", 4, 2, `{"v":5},{"v":6}`).Stats.Columns = map[string]kernel.ColumnStats{"v": int64Stats(t, "5", "6")}
	c.source = `{"_ROW_ID":3,"v":9},{"_ROW_ID":4,"v":9}`
	if stats := c.want("b: (3) (9)", "v < 5", "v = s.v"); stats.Pruned != 2 || fmt.Sprint(c.opened) != "[b]" {
		t.Errorf("%+v, opened %q", stats, c.opened)
	}
}

// TestUpdateGaps has rows that are deleted: left out by the file, which fills the gaps with the first row as it becomes, and there
// in the file, where they stay and cannot fail.
func TestUpdateGaps(t *testing.T) {
	for _, rows := range []int{0, 1, 2, 3} {
		c := newUpdate(t, "id int, v int, t text")
		c.batchRows = rows
		c.ranges = []kernel.RowRange{{Name: "f", FirstRowID: 100, Rows: 7, Files: []kernel.ColumnFile{
			c.file("base", "_ROW_ID int, id int, v int, t text", `{"_ROW_ID":102,"id":3,"v":1,"t":"x"},{"_ROW_ID":104,"id":5,"v":0,"t":"y"},{"_ROW_ID":105,"id":6,"v":2}`, 2)}}}
		c.want("f: (11) (11) (11) (11) (0) (12) (11)", "v <> 0", "v = v + 10")
		c.want("f: (x!) (x!) (x!) (x!) (y!) (NULL) (x!)", "", "t = t || '!'")
		c.ranges[0].Deleted = roaring.BitmapOf(0, 1, 3, 4, 6)
		c.want("f: (3) (3) (3) (3) (0) (3) (3)", "6 / v > 0", "v = 3")

		c = newUpdate(t, "id int, v int!")
		c.batchRows = rows
		c.add("f", 0, 5, `{"id":1,"v":0},{"id":2,"v":1},{"id":3,"v":0},{"id":4,"v":2},{"id":5,"v":0}`).Deleted = roaring.BitmapOf(0, 2, 4)
		stats := c.want("f: (0) (6) (0) (3) (0)", "6 / v > 0", "v = 6 / v")
		if rows == 0 && (stats.RowsRead != 2 || stats.RowsUpdated != 2 || stats.RowsOut != 5) {
			t.Errorf("%+v", stats)
		}
		c.ranges[0].Deleted = roaring.BitmapOf(0, 1, 2, 3, 4)
		if _, _, err := c.update("", "v = 1"); !errors.Is(err, kernel.ErrRowRange) {
			t.Errorf("all deleted: %v", err)
		}
	}
}

// TestUpdateRowRanges has ranges and row ids that are wrong.
func TestUpdateRowRanges(t *testing.T) {
	rows := func(ids ...string) string {
		var all []string
		for _, id := range ids {
			all = append(all, `{"_ROW_ID":`+id+`,"v":1}`)
		}
		return strings.Join(all, ",")
	}
	for _, c := range []struct {
		name  string
		first int64
		rows  int64
		ids   string
		want  error
	}{
		{"no rows", 0, 0, "", kernel.ErrRowRange},
		{"fewer than none", 0, -1, "", kernel.ErrRowRange},
		{"ids without end", 1 << 62, 1 << 62, "", kernel.ErrRowRange},
		{"none there", 5, 2, "", kernel.ErrRowRange},
		{"below", 5, 2, rows("4"), kernel.ErrRowRange},
		{"above", 5, 2, rows("5", "7"), kernel.ErrRowRange},
		{"descending", 5, 2, rows("6", "5"), kernel.ErrRowRange},
		{"twice", 5, 2, rows("5", "5"), kernel.ErrDuplicateRowID},
		{"no id", 5, 2, rows("5", "null"), kernel.ErrNullRowID},
		{"right", 5, 2, rows("5", "6"), nil},
	} {
		for _, n := range []int{1, 10} {
			u := newUpdate(t, "v int")
			u.ranges = []kernel.RowRange{{FirstRowID: c.first, Rows: c.rows, Files: []kernel.ColumnFile{u.file("f", "_ROW_ID int, v int", c.ids, n)}}}
			if _, _, err := u.update("", "v = 2"); !errors.Is(err, c.want) || err == nil != (c.want == nil) {
				t.Errorf("%s: %v, want %v", c.name, err, c.want)
			}
		}
	}
	u := newUpdate(t, "v int")
	u.add("long", 0, 2, `{"v":1},{"v":2},{"v":3}`)
	if _, _, err := u.update("", "v = 2"); !errors.Is(err, kernel.ErrRowRange) {
		t.Errorf("a row too many: %v", err)
	}
	u.ranges[0].Rows = 4
	if _, _, err := u.update("", "v = 2"); !errors.Is(err, kernel.ErrRowRange) {
		t.Errorf("a row too few: %v", err)
	}
	u.ranges[0].Rows = 3
	u.add("again", 2, 1, `{"v":1}`)
	if _, _, err := u.update("", "v = 2"); !errors.Is(err, kernel.ErrRowRange) {
		t.Errorf("ranges that overlap: %v", err)
	}
}

// TestUpdateColumnFiles reads columns of several files, of which newer ones lack rows.
func TestUpdateColumnFiles(t *testing.T) {
	for _, n := range []int{1, 2, 10} {
		c := newUpdate(t, "a int, b int, t text, l list")
		one := c.file("one", "b int", `{"b":60},{"b":70}`, n)
		one.First = 1
		c.ranges = []kernel.RowRange{{Name: "f", FirstRowID: 100, Rows: 4, Files: []kernel.ColumnFile{
			c.file("base", "a int, b int, t text, l list", `{"a":1,"b":5,"t":"p"},{"a":2,"b":6,"t":"q","l":[2]},{"a":3,"b":7,"t":"r","l":[3,3]},{"a":4,"b":8,"t":"s"}`, n),
			one,
			c.file("two", "_ROW_ID int, b int, l list", `{"_ROW_ID":101,"b":9,"l":null},{"_ROW_ID":103,"b":10,"l":[]}`, n),
			c.file("three", "t text", `{"t":"w"},{"t":"x"},{"t":"y"},{"t":"z"}`, n)}}}
		c.want("f: (6) (11) (73) (14)", "", "b = a + b")
		c.want("f: (w+) (x) (y+) (z)", "l IS NULL AND a = 1 OR l IS NOT NULL AND a = 3", "t = t || '+'")
		c.want("f: (NULL) (NULL) ([3,3]) (NULL)", "b = 10", "l = NULL")
		c.opened = nil
		c.want("f: (w) (x) (y) (-)", "t = 'z'", "t = '-'")
		if fmt.Sprint(c.opened) != "[three base]" {
			t.Errorf("opened %q", c.opened)
		}
	}
	c := newUpdate(t, "a int, b int")
	c.ranges = []kernel.RowRange{{Rows: 2, Files: []kernel.ColumnFile{c.file("base", "a int", `{"a":1},{"a":2}`, 9), c.file("part", "_ROW_ID int, b int", `{"_ROW_ID":1,"b":9}`, 9)}}}
	if _, _, err := c.update("a = 1", "b = 1"); !errors.Is(err, kernel.ErrRowRange) {
		t.Errorf("a row without a column: %v", err)
	}
	c.ranges[0].Files = c.ranges[0].Files[:1]
	if _, _, err := c.update("a = 1", "b = 1"); !errors.Is(err, kernel.ErrSchema) {
		t.Errorf("no file with a column: %v", err)
	}
}

// TestUpdateFaults names the row that an update fails for.
func TestUpdateFaults(t *testing.T) {
	c := newUpdate(t, "id int, v int8, n int!")
	c.add("f", 40, 4, `{"id":1,"v":1,"n":1},{"id":2,"v":2,"n":0},{"id":3,"v":127,"n":1},{"id":4,"v":4,"n":1}`)
	for _, u := range []struct {
		when, set string
		want      error
		row       int64
		column    string
	}{
		{"", "v = v + 1", kernel.ErrOverflow, 42, "v"},
		{"", "n = 1 / n", kernel.ErrDivideByZero, 41, "n"},
		{"1 / n = 1", "v = 0", kernel.ErrDivideByZero, 41, ""},
		{"id = 4", "n = NULL", kernel.ErrNotNull, 43, "n"},
	} {
		for _, c.batchRows = range []int{0, 1} {
			var at *kernel.RowIDError
			if _, _, err := c.update(u.when, u.set); !errors.Is(err, u.want) || !errors.As(err, &at) || at.RowID != u.row || at.Column != u.column || at.Range != "f" {
				t.Errorf("SET %s: %v, want %v in row %d", u.set, err, u.want, u.row)
			}
		}
	}
	c.want("f: (2) (3) (127) (5)", "id <> 3", "v = v + 1")
	c.want("f: (1) (0) (1) (1)", "n <> 0 AND 1 / n = 1", "n = 1 / n")
}

// TestUpdateOwnConditions has conditions and assignments that are not parsed.
func TestUpdateOwnConditions(t *testing.T) {
	c := newUpdate(t, "id int, w word")
	c.add("f", 0, 3, `{"id":1,"w":"a"},{"id":2,"w":"b"},{"id":3}`)
	when := &kernel.Condition{Columns: []string{"w", kernel.RowIDColumn}, Deterministic: true, Eval: func(rec arrow.Record) (*array.Boolean, error) {
		words, ids := rec.Column(0).(*array.String), rec.Column(1).(*array.Int64)
		b := array.NewBooleanBuilder(memory.DefaultAllocator)
		for i := range words.Len() {
			if words.IsNull(i) {
				b.AppendNull()
			} else {
				b.Append(words.Value(i) == "b" && ids.Value(i) == 1)
			}
		}
		return b.NewBooleanArray(), nil
	}}
	value := func(a arrow.Array) kernel.Assignment {
		return kernel.Assignment{Column: "id", Columns: []string{"id"}, Eval: func(arrow.Record) (arrow.Array, error) { a.Retain(); return a, nil }}
	}
	three, _, err := array.FromJSON(memory.DefaultAllocator, arrow.PrimitiveTypes.Int64, strings.NewReader("[7,8,9]"))
	if err != nil {
		t.Fatal(err)
	}
	text, _, err := array.FromJSON(memory.DefaultAllocator, arrow.BinaryTypes.String, strings.NewReader(`["7","8","9"]`))
	if err != nil {
		t.Fatal(err)
	}
	if got, _, err := c.run(kernel.Action{When: when, Set: []kernel.Assignment{value(three)}}); err != nil || got != "f: (1) (8) (3)" {
		t.Errorf("%s, %v", got, err)
	}
	for _, wrong := range []arrow.Array{text, array.NewSlice(three, 0, 2)} {
		if _, _, err := c.run(kernel.Action{When: when, Set: []kernel.Assignment{value(wrong)}}); !errors.Is(err, kernel.ErrSchema) {
			t.Errorf("%v", err)
		}
	}
	u, err := kernel.CompileUpdate(c.table, nil, kernel.Action{When: when, Set: []kernel.Assignment{value(three)}})
	if err != nil || u.Deterministic() || fmt.Sprint(u.Columns(), u.InputFields()) != "[id] [id w]" {
		t.Errorf("%v, %v", u, err)
	}
	// What is parsed can be asked like any other.
	rec := c.reader(c.table.Schema, `{"id":4,"w":"x"},{"id":5}`, 9)
	defer rec.Release()
	rec.Next()
	parsed, err := c.action("id > 4 OR w = 'x' AND id = 0", "w = w || '!'")
	if err != nil {
		t.Fatal(err)
	}
	answer, err := parsed.When.Eval(rec.Record())
	if err != nil || answer.String() != "[false true]" {
		t.Errorf("%v, %v", answer, err)
	}
	one := array.NewRecord(columnsOf(t, "w word"), rec.Record().Columns()[1:], 2)
	defer one.Release()
	values, err := parsed.Set[0].Eval(one)
	if err != nil || values.String() != `["x!" (null)]` {
		t.Errorf("%v, %v", values, err)
	}
	if _, err := parsed.When.Eval(one); !errors.Is(err, kernel.ErrSchema) {
		t.Errorf("%v", err)
	}
}

// TestUpdateRefuses has updates that cannot be compiled.
func TestUpdateRefuses(t *testing.T) {
	c := newUpdate(t, "id int, v int")
	c.add("f", 0, 1, `{"id":1,"v":1}`)
	for _, u := range []struct {
		when string
		set  []string
		want error
	}{
		{"id", []string{"v = 1"}, kernel.ErrExpression},
		{"id = 1", []string{"v = 1", "v = 2"}, kernel.ErrExpression},
		{"id = 1", []string{"v = 'a'"}, kernel.ErrExpression},
		{"id = 1", []string{"v"}, kernel.ErrExpression},
		{"id = 1", []string{"w = 1"}, kernel.ErrNotSelfMerge},
		{"id = 1", []string{"_ROW_ID = 1"}, kernel.ErrNotSelfMerge},
		{"id = 1", []string{"v = w"}, kernel.ErrNotSelfMerge},
	} {
		if _, _, err := c.update(u.when, u.set...); !errors.Is(err, u.want) {
			t.Errorf("SET %q WHERE %s: %v", u.set, u.when, err)
		}
	}
	other := newUpdate(t, "id int32, v int")
	a, err := other.action("id = 1", "v = 1")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.run(a); !errors.Is(err, kernel.ErrSchema) {
		t.Errorf("a condition parsed for another table: %v", err)
	}
	c.table.Schema = columnsOf(t, "_ROW_ID int, v int")
	if _, _, err := c.run(kernel.Action{}); !errors.Is(err, kernel.ErrSchema) {
		t.Errorf("a column named as a system column: %v", err)
	}
}

// TestUpdateReadsAsFilesSay passes on what a file's reader says.
func TestUpdateReadsAsFilesSay(t *testing.T) {
	c := newUpdate(t, "id int, v int")
	failed := errors.New("disk on fire")
	c.ranges = []kernel.RowRange{{Name: "f", Rows: 1, Files: []kernel.ColumnFile{{Name: "base", Open: func(context.Context) (array.RecordReader, error) { return nil, failed }}}}}
	if _, _, err := c.update("id = 1", "v = 1"); !errors.Is(err, failed) || !strings.Contains(err.Error(), "f: base: open:") {
		t.Errorf("%v", err)
	}
	c.ranges[0].Files[0] = c.file("other", "id int, w int", `{"id":1,"w":1}`, 1)
	c.ranges[0].Files[0].Columns = nil
	if _, _, err := c.update("id = 1", "v = 1"); !errors.Is(err, kernel.ErrSchema) || !strings.Contains(err.Error(), `column "v" is missing`) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c.ranges = nil
	c.add("f", 0, 1, `{"id":1,"v":1}`)
	a, err := c.action("id = 1", "v = 1")
	if err != nil {
		t.Fatal(err)
	}
	u, err := kernel.CompileUpdate(c.table, nil, a)
	if err != nil {
		t.Fatal(err)
	}
	drain := func(_ *kernel.RowRange, columns *kernel.UpdateReader) error {
		for columns.Next() {
		}
		return nil
	}
	if _, err := u.Run(ctx, c.ranges, nil, drain, kernel.UpdateOptions{Allocator: c.mem}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, err := u.Run(context.Background(), c.ranges, nil, func(*kernel.RowRange, *kernel.UpdateReader) error { return failed },
		kernel.UpdateOptions{Allocator: c.mem}); !errors.Is(err, failed) {
		t.Errorf("%v", err)
	}
}

// TestReadRange reads column files side by side, without the rows that are deleted.
func TestReadRange(t *testing.T) {
	for _, n := range []int{1, 2, 10} {
		for _, c := range []struct {
			columns string
			deleted []uint32
			want    string
		}{
			{"a int, b int", nil, " (1, 5) (2, 9) (3, 7) (4, 10)"},
			{"b int, w word, _ROW_ID int, _FIRST_ROW_ID int", []uint32{2}, " (5, x, 100, 100) (9, NULL, 101, 100) (10, x, 103, 100)"},
			{"w word", []uint32{0, 1, 2, 3}, ""},
		} {
			u := newUpdate(t, "a int, b int, w word")
			r := &kernel.RowRange{Name: "f", FirstRowID: 100, Rows: 4, Deleted: roaring.BitmapOf(c.deleted...), Files: []kernel.ColumnFile{
				u.file("base", "a int, b int, w word", `{"a":1,"b":5,"w":"x"},{"a":2,"b":6},{"a":3,"b":7,"w":"y"},{"a":4,"b":8,"w":"x"}`, n),
				u.file("newer", "_ROW_ID int, b int", `{"_ROW_ID":101,"b":9},{"_ROW_ID":103,"b":10}`, n)}}
			reader, err := kernel.ReadRange(context.Background(), columnsOf(t, c.columns), r, kernel.UpdateOptions{Allocator: u.mem})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for reader.Next() {
				text, err := rowsJSON(reader.Record())
				if err != nil {
					t.Fatal(err)
				}
				got += text
			}
			if reader.Err() != nil || got != c.want {
				t.Errorf("%s: %s, %v, want %s", c.columns, got, reader.Err(), c.want)
			}
			reader.Release()
		}
	}
	u := newUpdate(t, "a int")
	r := &kernel.RowRange{Rows: 2, Files: []kernel.ColumnFile{u.file("base", "a int", `{"a":1}`, 1)}}
	for _, columns := range []string{"_ROW_ID int", "b int", "a text"} {
		if _, err := kernel.ReadRange(context.Background(), columnsOf(t, columns), r, kernel.UpdateOptions{Allocator: u.mem}); !errors.Is(err, kernel.ErrSchema) {
			t.Errorf("%s: %v", columns, err)
		}
	}
	reader, err := kernel.ReadRange(context.Background(), columnsOf(t, "a int"), r, kernel.UpdateOptions{Allocator: u.mem})
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Release()
	for reader.Next() {
	}
	if !errors.Is(reader.Err(), kernel.ErrRowRange) {
		t.Errorf("a row too few: %v", reader.Err())
	}
}

// TestUpdateLongTexts sets every row to a text that would not fit into one window of the usual size.
func TestUpdateLongTexts(t *testing.T) {
	c := newUpdate(t, "id int, t text")
	var rows []string
	for i := range 3000 {
		rows = append(rows, fmt.Sprintf(`{"id":%d,"t":"x"}`, i))
	}
	f := c.file("f", "id int, t text", strings.Join(rows, ","), 3000)
	c.ranges = []kernel.RowRange{{Name: "f", Rows: 3000, Files: []kernel.ColumnFile{f}}}
	a, err := c.action("", "t = '"+strings.Repeat("long", 12_000)+"'")
	if err != nil {
		t.Fatal(err)
	}
	u, err := kernel.CompileUpdate(c.table, nil, a)
	if err != nil {
		t.Fatal(err)
	}
	most := int64(0)
	stats, err := u.Run(context.Background(), c.ranges, nil, func(_ *kernel.RowRange, columns *kernel.UpdateReader) error {
		for columns.Next() {
			most = max(most, columns.Record().NumRows())
		}
		return nil
	}, kernel.UpdateOptions{Allocator: c.mem})
	if err != nil || stats.RowsOut != 3000 || most > 1400 {
		t.Errorf("%+v, records of up to %d rows, %v", stats, most, err)
	}
}

// TestUpdateForgedArrays wants an error of texts whose offsets leave their bytes.
func TestUpdateForgedArrays(t *testing.T) {
	table := columnsOf(t, "id int, t text")
	offsets := memory.NewBufferBytes(arrow.Int32Traits.CastToBytes([]int32{0, 1 << 20, 2}))
	texts := array.NewData(arrow.BinaryTypes.String, 2, []*memory.Buffer{nil, offsets, memory.NewBufferBytes([]byte("ab"))}, nil, 0, 0)
	ids := array.NewData(arrow.PrimitiveTypes.Int64, 2, []*memory.Buffer{nil, memory.NewBufferBytes(make([]byte, 16))}, nil, 0, 0)
	rec := array.NewRecord(table, []arrow.Array{array.MakeFromData(ids), array.MakeFromData(texts)}, 2)
	r := kernel.RowRange{Rows: 2, Files: []kernel.ColumnFile{{Open: kernel.FromRecords(rec).Files[0].Open}}}
	for _, set := range []string{"t = t || '!'", "t = 'x'", "id = id + 1"} {
		c := newUpdate(t, "id int, t text")
		c.ranges = []kernel.RowRange{r}
		if _, _, err := c.update("id = 0 OR t = 'a'", set); !errors.Is(err, kernel.ErrCorrupt) {
			t.Errorf("%s: %v", set, err)
		}
	}
	reader, err := kernel.ReadRange(context.Background(), table, &r, kernel.UpdateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Release()
	if reader.Next() || !errors.Is(reader.Err(), kernel.ErrCorrupt) {
		t.Errorf("%v", reader.Err())
	}
}
