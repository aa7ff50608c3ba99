package rowmerge_test

import (
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/internal/rowmerge"
)

// TestTables merges the problems of testdata/*.txt. A file is a list of cases:
//
//	case NAME
//	options KEY=VALUE ...
//	schema COLUMN:TYPE ...         a ! after the type makes the column NOT NULL
//	key COLUMN ...
//	partition COLUMN ...
//	select COLUMN ...              the projection
//	keep                           retract results are given, too
//	run ROW; ROW; ...              one line per run, oldest first
//	snapshot NUMBER                the sequence number of every row of the run before
//	want ROW                       one line per row, or "want none", or "want error KIND"
//
// A row is KIND or KIND#NUMBER, then its values. Types are int, bigint, double, text, bytes and money, a decimal of 4 digits, 2
// of them after the point; - is NULL. A line that starts with # is a remark.
func TestTables(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no tables", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range strings.Split("\n"+string(data), "\ncase ")[1:] {
			name, body, _ := strings.Cut(block, "\n")
			t.Run(filepath.Base(file)+"/"+name, func(t *testing.T) { runTable(t, body) })
		}
	}
}

// tableCase is a case of a file, with its rows not read yet.
type tableCase struct {
	problem   rowmerge.Problem
	runs      []string
	snapshots map[int]int64
	want      []string
}

func runTable(t *testing.T, body string) {
	c := readTable(t, body)
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	for i, text := range c.runs {
		rec := buildRun(t, mem, c.problem.Schema, readRows(t, c.problem.Schema, text))
		defer rec.Release()
		run := rowmerge.Run{Records: []arrow.Record{rec}}
		if n, ok := c.snapshots[i]; ok {
			run.Sequence = &n
		}
		c.problem.Runs = append(c.problem.Runs, run)
	}
	got, err := c.problem.Merge()
	if kind, ok := strings.CutPrefix(c.want[0], "error "); ok {
		wantKind(t, rowmerge.Kind(kind), err)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	var want []rowmerge.Row
	for _, text := range c.want {
		if text != "none" {
			want = append(want, readRows(t, c.wanted(), text)...)
		}
	}
	comparison := rowmerge.Comparison{Kinds: true, Sequences: slices.ContainsFunc(want, func(r rowmerge.Row) bool { return r.Sequence >= 0 })}
	if d := rowmerge.Diff(want, got, comparison); d != "" {
		t.Error(d)
	}
}

// wanted is the schema of the answer.
func (c tableCase) wanted() *arrow.Schema {
	if c.problem.Projection == nil {
		return c.problem.Schema
	}
	var fields []arrow.Field
	for _, name := range c.problem.Projection {
		fields = append(fields, c.problem.Schema.Field(c.problem.Schema.FieldIndices(name)[0]))
	}
	return arrow.NewSchema(fields, nil)
}

func readTable(t *testing.T, body string) tableCase {
	t.Helper()
	c := tableCase{problem: rowmerge.Problem{Options: map[string]string{}}, snapshots: map[int]int64{}}
	for _, line := range strings.Split(body, "\n") {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		names := strings.Fields(rest)
		switch word {
		case "options":
			for _, option := range names {
				key, value, _ := strings.Cut(option, "=")
				c.problem.Options[key] = value
			}
		case "schema":
			c.problem.Schema = readSchema(t, names)
		case "key":
			c.problem.PrimaryKey = names
		case "partition":
			c.problem.PartitionKeys = names
		case "select":
			c.problem.Projection = names
		case "keep":
			c.problem.KeepDeletes = true
		case "run":
			c.runs = append(c.runs, rest)
		case "snapshot":
			n, err := strconv.ParseInt(rest, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			c.snapshots[len(c.runs)-1] = n
		case "want":
			c.want = append(c.want, rest)
		case "", "#":
		default:
			t.Fatalf("line %q", line)
		}
	}
	if c.problem.Schema == nil || len(c.want) == 0 {
		t.Fatal("a case needs a schema and an answer")
	}
	return c
}

var tableTypes = map[string]arrow.DataType{
	"int":    arrow.PrimitiveTypes.Int32,
	"bigint": arrow.PrimitiveTypes.Int64,
	"double": arrow.PrimitiveTypes.Float64,
	"text":   arrow.BinaryTypes.String,
	"bytes":  arrow.BinaryTypes.Binary,
	"money":  &arrow.Decimal128Type{Precision: 4, Scale: 2},
}

func readSchema(t *testing.T, columns []string) *arrow.Schema {
	t.Helper()
	var fields []arrow.Field
	for _, column := range columns {
		name, typ, _ := strings.Cut(column, ":")
		word, notNull := strings.CutSuffix(typ, "!")
		if tableTypes[word] == nil {
			t.Fatalf("type %q", typ)
		}
		fields = append(fields, arrow.Field{Name: name, Type: tableTypes[word], Nullable: !notNull})
	}
	return arrow.NewSchema(fields, nil)
}

// readRows reads rows. Sequence is -1 for a row without a number.
func readRows(t *testing.T, schema *arrow.Schema, text string) []rowmerge.Row {
	t.Helper()
	var rows []rowmerge.Row
	for _, part := range strings.Split(text, ";") {
		words := strings.Fields(part)
		if len(words) == 0 {
			continue
		}
		if len(words) != schema.NumFields()+1 {
			t.Fatalf("row %q has not %d values", part, schema.NumFields())
		}
		row := rowmerge.Row{Sequence: -1}
		kind, number, numbered := strings.Cut(words[0], "#")
		if row.Kind = int8(slices.Index([]string{"+I", "-U", "+U", "-D"}, kind)); row.Kind < 0 {
			t.Fatalf("row kind %q", kind)
		}
		if numbered {
			row.Sequence, _ = strconv.ParseInt(number, 10, 64)
		}
		for i, word := range words[1:] {
			row.Values = append(row.Values, readWord(t, schema.Field(i).Type, word))
		}
		rows = append(rows, row)
	}
	return rows
}

func readWord(t *testing.T, typ arrow.DataType, word string) any {
	t.Helper()
	if word == "-" {
		return nil
	}
	switch typ := typ.(type) {
	case *arrow.StringType:
		return word
	case *arrow.BinaryType:
		data, err := hex.DecodeString(strings.TrimPrefix(word, "0x"))
		if err != nil {
			t.Fatal(err)
		}
		return data
	case *arrow.Float64Type:
		f, err := strconv.ParseFloat(word, 64)
		if err != nil {
			t.Fatal(err)
		}
		return f
	case *arrow.Decimal128Type:
		f, err := strconv.ParseFloat(word, 64)
		if err != nil {
			t.Fatal(err)
		}
		return decimal(int64(math.Round(f * math.Pow10(int(typ.Scale)))))
	case *arrow.Int64Type:
		n, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	n, err := strconv.ParseInt(word, 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	return int32(n)
}

// buildRun builds a record with kinds and, if every row has one, sequence numbers.
func buildRun(t *testing.T, mem memory.Allocator, schema *arrow.Schema, rows []rowmerge.Row) arrow.Record {
	t.Helper()
	fields := slices.Clone(schema.Fields())
	fields = append(fields, arrow.Field{Name: "_VALUE_KIND", Type: arrow.PrimitiveTypes.Int8})
	numbered := !slices.ContainsFunc(rows, func(r rowmerge.Row) bool { return r.Sequence < 0 })
	if numbered {
		fields = append(fields, arrow.Field{Name: "_SEQUENCE_NUMBER", Type: arrow.PrimitiveTypes.Int64})
	}
	b := array.NewRecordBuilder(mem, arrow.NewSchema(fields, nil))
	defer b.Release()
	for _, row := range rows {
		cells := append(slices.Clone(row.Values), row.Kind)
		if numbered {
			cells = append(cells, row.Sequence)
		}
		for i, v := range cells {
			appendCell(t, b.Field(i), v)
		}
	}
	return b.NewRecord()
}

func appendCell(t *testing.T, b array.Builder, v any) {
	t.Helper()
	if v == nil {
		b.AppendNull()
		return
	}
	switch v := v.(type) {
	case int8:
		b.(*array.Int8Builder).Append(v)
	case int32:
		b.(*array.Int32Builder).Append(v)
	case int64:
		b.(*array.Int64Builder).Append(v)
	case float64:
		b.(*array.Float64Builder).Append(v)
	case string:
		b.(*array.StringBuilder).Append(v)
	case []byte:
		b.(*array.BinaryBuilder).Append(v)
	default:
		if err := appendDecimal(b, v); err != nil {
			t.Fatal(err)
		}
	}
}

func wantKind(t *testing.T, kind rowmerge.Kind, err error) {
	t.Helper()
	if got := kindOf(err); got != kind {
		t.Errorf("error %v, want one of kind %s", err, kind)
	}
}

func kindOf(err error) rowmerge.Kind {
	if e, ok := err.(*rowmerge.Error); ok {
		return e.Kind
	}
	return rowmerge.Kind(fmt.Sprint(err))
}

func decimal(unscaled int64) decimal128.Num { return decimal128.FromI64(unscaled) }

func appendDecimal(b array.Builder, v any) error {
	d, ok := v.(decimal128.Num)
	if !ok {
		return fmt.Errorf("no column for a %T", v)
	}
	b.(*array.Decimal128Builder).Append(d)
	return nil
}
