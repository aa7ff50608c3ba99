package fuzz

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/kernel"
)

// idField is a nullable field with a field id.
func idField(name string, t arrow.DataType, id int) arrow.Field {
	return arrow.Field{Name: name, Type: t, Nullable: true, Metadata: arrow.NewMetadata([]string{"PARQUET:field_id"}, []string{fmt.Sprint(id)})}
}

// jsonRun is a run of rows written as JSON.
func jsonRun(t *testing.T, schema *arrow.Schema, rows string) kernel.Run {
	t.Helper()
	mem := NewMemory()
	rec, _, err := array.RecordFromJSON(mem, schema, strings.NewReader(rows))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		rec.Release()
		mem.AssertSize(t, 0)
	})
	return kernel.FromRecords(rec)
}

// mapped gives the only file of a run a mapping from its schema to that of a table.
func mapped(t *testing.T, run kernel.Run, file, table *arrow.Schema) kernel.Run {
	t.Helper()
	m, err := columnar.NewMapping(file, table, columnar.MatchFieldID)
	if err != nil {
		t.Fatal(err)
	}
	run.Files[0].Mapping = m
	return run
}

// mergedText merges runs of a table with the key k and renders the rows, NULL as Arrow prints it.
func mergedText(t *testing.T, table *arrow.Schema, runs ...kernel.Run) ([]string, error) {
	t.Helper()
	mem := NewMemory()
	defer mem.AssertSize(t, 0)
	plan, err := kernel.Compile(kernel.Table{Schema: table, PrimaryKey: []string{"k"}}, kernel.Options{})
	if err != nil {
		return nil, err
	}
	merged, err := plan.Merge(context.Background(), runs, kernel.WithAllocator(mem))
	if err != nil {
		return nil, err
	}
	defer merged.Release()
	var rows []string
	for merged.Next() {
		rec := merged.Record()
		for i := range int(rec.NumRows()) {
			var values []string
			for _, col := range rec.Columns() {
				values = append(values, col.ValueStr(i))
			}
			rows = append(rows, strings.Join(values, " "))
		}
	}
	return rows, merged.Err()
}

func wantText(t *testing.T, want []string, table *arrow.Schema, runs ...kernel.Run) {
	t.Helper()
	if got, err := mergedText(t, table, runs...); err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

// testFieldsById: fields of structs go by their ids, also in lists and in the values of maps.
func testFieldsById(t *testing.T) {
	old := arrow.StructOf(idField("version", arrow.PrimitiveTypes.Int64, 2), idField("value", arrow.BinaryTypes.String, 3))
	now := arrow.StructOf(idField("val", arrow.BinaryTypes.String, 3), idField("version", arrow.PrimitiveTypes.Int64, 2), idField("note", arrow.BinaryTypes.String, 4))
	schema := func(row arrow.DataType) *arrow.Schema {
		return arrow.NewSchema([]arrow.Field{idField("k", arrow.PrimitiveTypes.Int32, 0), idField("m", row, 1), idField("l", arrow.ListOf(row), 5),
			idField("n", arrow.MapOf(arrow.BinaryTypes.String, row), 6)}, nil)
	}
	row := `{"version": 7, "value": "q"}`
	run := jsonRun(t, schema(old), fmt.Sprintf(`[{"k": 1, "m": %s, "l": [%s], "n": [{"key": "a", "value": %s}]}]`, row, row, row))
	is := `{"note":null,"val":"q","version":7}`
	wantText(t, []string{fmt.Sprintf(`1 %s [%s] [{"key":"a","value":%s}]`, is, is, is)}, schema(now), mapped(t, run, schema(old), schema(now)))
}

// testTimestampFloor: a timestamp of less precision is rounded down, also before 1970.
func testTimestampFloor(t *testing.T) {
	schema := func(unit arrow.TimeUnit) *arrow.Schema {
		return arrow.NewSchema([]arrow.Field{idField("k", arrow.PrimitiveTypes.Int32, 0), idField("v", &arrow.TimestampType{Unit: unit}, 1)}, nil)
	}
	rec := func() arrow.Record {
		b := array.NewRecordBuilder(memory.DefaultAllocator, schema(arrow.Nanosecond))
		defer b.Release()
		for i, ns := range []arrow.Timestamp{-1, -1000, -1001, 999} {
			b.Field(0).(*array.Int32Builder).Append(int32(i))
			b.Field(1).(*array.TimestampBuilder).Append(ns)
		}
		return b.NewRecord()
	}()
	defer rec.Release()
	run := mapped(t, kernel.FromRecords(rec), schema(arrow.Nanosecond), schema(arrow.Microsecond))
	text := func(us arrow.Timestamp) string {
		b := array.NewTimestampBuilder(memory.DefaultAllocator, &arrow.TimestampType{Unit: arrow.Microsecond})
		b.Append(us)
		return b.NewArray().ValueStr(0)
	}
	wantText(t, []string{"0 " + text(-1), "1 " + text(-1), "2 " + text(-2), "3 " + text(0)}, schema(arrow.Microsecond), run)
}

// testMissingColumns: a column that a file lacks is NULL, or the mapping is refused when it is NOT NULL.
func testMissingColumns(t *testing.T) {
	file := arrow.NewSchema([]arrow.Field{idField("k", arrow.PrimitiveTypes.Int32, 0)}, nil)
	a := idField("a", arrow.PrimitiveTypes.Int32, 1)
	table := arrow.NewSchema([]arrow.Field{file.Field(0), a}, nil)
	wantText(t, []string{"1 " + array.NullValueStr}, table, mapped(t, jsonRun(t, file, `[{"k": 1}]`), file, table))
	a.Nullable = false
	if _, err := columnar.NewMapping(file, arrow.NewSchema([]arrow.Field{file.Field(0), a}, nil), columnar.MatchFieldID); !errors.Is(err, columnar.ErrSchema) ||
		!strings.Contains(err.Error(), `"a"`) {
		t.Errorf("a missing NOT NULL column gives %v", err)
	}
}

// testFieldMetadata: fields of the output are those of the table.
func testFieldMetadata(t *testing.T) {
	v := arrow.Field{Name: "v", Type: arrow.PrimitiveTypes.Int64, Nullable: true,
		Metadata: arrow.NewMetadata([]string{"PARQUET:field_id", "ARROW:extension:name"}, []string{"7", "braid.unknown"})}
	k := arrow.Field{Name: "k", Type: arrow.PrimitiveTypes.Int32}
	plain := arrow.NewSchema([]arrow.Field{k, {Name: "v", Type: arrow.PrimitiveTypes.Int64, Nullable: true}}, nil)
	plan, err := kernel.Compile(kernel.Table{Schema: arrow.NewSchema([]arrow.Field{k, v}, nil), PrimaryKey: []string{"k"}}, kernel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	merged, err := plan.Merge(context.Background(), []kernel.Run{jsonRun(t, plain, `[{"k": 1, "v": 2}]`)})
	if err != nil {
		t.Fatal(err)
	}
	defer merged.Release()
	if !merged.Next() {
		t.Fatal(merged.Err())
	}
	if got := merged.Record().Schema().Field(1); !got.Equal(v) {
		t.Errorf("the field is %v, want %v", got, v)
	}
}

// testWidening: a mapping widens, and without one a file of another type is refused.
func testWidening(t *testing.T) {
	schema := func(v arrow.DataType) *arrow.Schema {
		return arrow.NewSchema([]arrow.Field{idField("k", arrow.PrimitiveTypes.Int32, 0), idField("v", v, 1)}, nil)
	}
	table, narrow, float := schema(arrow.PrimitiveTypes.Int64), schema(arrow.PrimitiveTypes.Int32), schema(arrow.PrimitiveTypes.Float64)
	first := mapped(t, jsonRun(t, narrow, `[{"k": 1, "v": 5}]`), narrow, table)
	wantText(t, []string{"1 5"}, table, first)
	_, err := mergedText(t, table, first, jsonRun(t, float, `[{"k": 1, "v": 5.5}]`))
	if !errors.Is(err, kernel.ErrSchema) || !strings.Contains(err.Error(), "run 1") || !strings.Contains(err.Error(), `"v" has type float64, the table has int64`) {
		t.Errorf("a float64 column in an int64 table gives %v", err)
	}
}

// testDictionaryIndicesRunOut: two hundred values do not fit the index of an int8 dictionary.
func testDictionaryIndicesRunOut(t *testing.T) {
	dict := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}
	table := arrow.NewSchema([]arrow.Field{{Name: "k", Type: arrow.PrimitiveTypes.Int32}, {Name: "v", Type: dict, Nullable: true}}, nil)
	run := func(prefix string, from int) kernel.Run {
		var rows []string
		for i := range 100 {
			rows = append(rows, fmt.Sprintf(`{"k": %d, "v": "%s%d"}`, from+2*i, prefix, i))
		}
		return jsonRun(t, table, "["+strings.Join(rows, ",")+"]")
	}
	_, err := mergedText(t, table, run("p", 0), run("q", 1))
	if !errors.Is(err, kernel.ErrTooLarge) || !strings.Contains(err.Error(), `"v"`) {
		t.Errorf("200 values in an int8 dictionary give %v", err)
	}
	if got, err := mergedText(t, table, run("p", 0), run("p", 1)); err != nil || len(got) != 200 {
		t.Errorf("100 values twice give %d rows, %v", len(got), err)
	}
}

// testEmptyImport: arrays of length 0 are released as often as they are retained.
func testEmptyImport(t *testing.T) {
	table := arrow.NewSchema([]arrow.Field{{Name: "k", Type: arrow.PrimitiveTypes.Int32}, {Name: "v", Type: arrow.ListOf(arrow.BinaryTypes.String), Nullable: true}}, nil)
	wantText(t, nil, table, jsonRun(t, table, `[]`), jsonRun(t, table, `[]`))
}
