package kernel_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/kernel"
)

func TestEngines(t *testing.T) {
	for _, test := range []struct {
		name    string
		options map[string]string
		want    string
	}{
		{"deduplicate", nil, "1 10 a;2 - -;4 44 d"},
		{"first-row", map[string]string{"merge-engine": "first-row", "ignore-delete": "true"}, "1 10 a;2 20 b;3 30 c;4 40 -"},
		{"partial-update", map[string]string{"merge-engine": "partial-update", "ignore-delete": "true"}, "1 10 a;2 20 b;3 30 c;4 44 d"},
		{"partial-update removing", map[string]string{"merge-engine": "partial-update", "partial-update.remove-record-on-delete": "true"},
			"1 10 a;2 20 b;4 44 d"},
	} {
		t.Run(test.name, func(t *testing.T) {
			mem := checked(t)
			plan := compile(t, orders, test.options, "id")
			base := run(t, mem, withSystem, "1 0 1 10 a\n 2 0 2 20 b", "3 0 3 30 c\n 4 0 4 40 -")
			delta := run(t, mem, withSystem, "5 0 2 - -\n 6 3 3 - -\n 7 2 4 44 d")
			got, err := merge(plan, []kernel.Run{base, delta}, kernel.WithAllocator(mem))
			if err != nil {
				t.Fatal(err)
			}
			if want := strings.Split(test.want, ";"); !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestNoRuns(t *testing.T) {
	plan := compile(t, orders, nil, "id")
	for _, runs := range [][]kernel.Run{nil, {{}}, {kernel.FromRecords(), {}}} {
		if got, err := merge(plan, runs); err != nil || len(got) != 0 {
			t.Errorf("%d runs without a file: %q, %v", len(runs), got, err)
		}
	}
}

// TestSequenceDecides holds that sequence numbers, not the order of the runs, say which version is newest.
func TestSequenceDecides(t *testing.T) {
	mem := checked(t)
	plan := compile(t, orders, nil, "id")
	newer := run(t, mem, withSystem, "9 0 1 1 new")
	older := run(t, mem, withSystem, "3 0 1 2 old\n 4 0 2 2 alone")
	got, err := merge(plan, []kernel.Run{newer, older}, kernel.WithAllocator(mem), kernel.KeepSystemColumns())
	if want := []string{"1 9 0 1 1 new", "2 4 0 2 2 alone"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

// TestFileSequence holds that a number given for a file replaces those in it.
func TestFileSequence(t *testing.T) {
	mem := checked(t)
	plan := compile(t, orders, nil, "id")
	first, second := run(t, mem, withSystem, "9 0 1 1 a"), run(t, mem, withSystem, "3 0 1 2 b")
	one, two := int64(100), int64(200)
	first.Files[0].Sequence, second.Files[0].Sequence = &one, &two
	got, err := merge(plan, []kernel.Run{first, second}, kernel.WithAllocator(mem), kernel.KeepSystemColumns())
	if want := []string{"1 200 0 1 2 b"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

func TestKeepDeletes(t *testing.T) {
	mem := checked(t)
	plan := compile(t, orders, nil, "id")
	runs := []kernel.Run{run(t, mem, withSystem, "1 0 1 10 a"), run(t, mem, withSystem, "2 3 1 11 b\n 3 1 2 - -")}
	got, err := merge(plan, runs, kernel.WithAllocator(mem), kernel.KeepDeletes(), kernel.KeepSystemColumns())
	if want := []string{"1 2 3 1 11 b", "2 3 1 2 - -"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

func TestProjection(t *testing.T) {
	mem := checked(t)
	plan := compile(t, orders, map[string]string{"sequence.field": "n"}, "id")
	fields, err := plan.InputFields("text")
	if want := []string{"text", "n"}; err != nil || !slices.Equal(fields, want) {
		t.Fatalf("InputFields is %q, %v, want %q", fields, err, want)
	}
	runs := []kernel.Run{run(t, mem, orders, "1 5 newest"), run(t, mem, orders, "1 4 older")}
	got, err := merge(plan, runs, kernel.WithAllocator(mem), kernel.WithProjection("text"))
	if want := []string{"newest"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	if _, err := merge(plan, runs, kernel.WithProjection("nothing")); !errors.Is(err, kernel.ErrSchema) || !strings.Contains(err.Error(), "nothing") {
		t.Errorf("an unknown column is %v", err)
	}
}

// TestBatchRows holds that output records keep their bound and are valid one after another.
func TestBatchRows(t *testing.T) {
	mem := checked(t)
	plan := compile(t, orders, nil, "id")
	var rows []string
	for i := range 10 {
		rows = append(rows, fmt.Sprintf("%d %d t%d", i, i, i))
	}
	runs := []kernel.Run{run(t, mem, orders, strings.Join(rows, "\n")), run(t, mem, orders, "3 - x")}
	rows[3] = "3 - x"
	for _, bound := range []int{1, 3, 10, 1000} {
		reader, err := plan.Merge(context.Background(), runs, kernel.WithAllocator(mem), kernel.WithBatchRows(bound))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		var kept []arrow.Record
		for reader.Next() {
			rec := reader.Record()
			if rec.NumRows() > int64(bound) {
				t.Errorf("a record of %d rows, the bound is %d", rec.NumRows(), bound)
			}
			rec.Retain()
			kept = append(kept, rec)
		}
		reader.Release()
		for _, rec := range kept { // still valid, although the reader is gone
			got = append(got, text(rec)...)
			rec.Release()
		}
		if !slices.Equal(got, rows) {
			t.Errorf("at most %d rows: got %q, want %q", bound, got, rows)
		}
	}
}

// TestOwnership holds that a merge keeps only its own references: a reader given to it can be released at once, and stays its
// owner's otherwise.
func TestOwnership(t *testing.T) {
	mem := checked(t)
	plan := compile(t, orders, nil, "id")
	rec := record(t, mem, orders, "1 1 a", "2 2 b")
	input, err := array.NewRecordReader(orders, []arrow.Record{rec, rec})
	if err != nil {
		t.Fatal(err)
	}
	rec.Release()
	reader, err := plan.Merge(context.Background(), []kernel.Run{kernel.FromReader(input)}, kernel.WithAllocator(mem))
	input.Release()
	if err != nil {
		t.Fatal(err)
	}
	reader.Retain()
	reader.Release()
	if reader.Next() {
		t.Error("a run that falls from 2 to 1 gives a record")
	}
	if err := reader.Err(); !errors.Is(err, kernel.ErrUnsorted) {
		t.Errorf("the error is %v", err)
	}
	reader.Release()
}

// TestEarlyRelease leaves a merge in the middle.
func TestEarlyRelease(t *testing.T) {
	mem := checked(t)
	plan := compile(t, orders, nil, "id")
	runs := []kernel.Run{run(t, mem, orders, "1 1 a", "2 2 b", "3 3 c"), run(t, mem, orders, "1 1 a\n3 3 c")}
	for records := range 3 {
		reader, err := plan.Merge(context.Background(), runs, kernel.WithAllocator(mem), kernel.WithBatchRows(1))
		if err != nil {
			t.Fatal(err)
		}
		for range records {
			if !reader.Next() {
				t.Fatal(reader.Err())
			}
		}
		reader.Release()
		if reader.Next() || reader.Record() != nil {
			t.Error("a released reader gives a record")
		}
	}
}

// failing is a reader that ends with an error after the records of another.
type failing struct {
	array.RecordReader
	err error
}

func (f *failing) Err() error { return f.err }

func TestReaderErrors(t *testing.T) {
	mem := checked(t)
	plan := compile(t, orders, nil, "id")
	rec := record(t, mem, orders, "1 1 a")
	defer rec.Release()
	open := func(err error) kernel.Run {
		return kernel.Run{Files: []kernel.File{{Name: "delta.parquet", Open: func(context.Context) (array.RecordReader, error) {
			r, e := array.NewRecordReader(orders, []arrow.Record{rec})
			return &failing{r, err}, e
		}}}}
	}
	if got, err := merge(plan, []kernel.Run{open(io.EOF)}, kernel.WithAllocator(mem)); err != nil || len(got) != 1 {
		t.Errorf("io.EOF, a clean end, gives %q, %v", got, err)
	}
	broken := errors.New("disk on fire")
	_, err := merge(plan, []kernel.Run{kernel.FromRecords(rec), open(broken)}, kernel.WithAllocator(mem))
	var row *kernel.RowError
	if !errors.Is(err, broken) || !errors.As(err, &row) || row.Run != 1 || row.File != "delta.parquet" {
		t.Errorf("a failing reader gives %v", err)
	}
	_, err = merge(plan, []kernel.Run{{Files: []kernel.File{{Name: "x", Open: func(context.Context) (array.RecordReader, error) {
		return nil, broken
	}}}}})
	if !errors.Is(err, broken) {
		t.Errorf("a file that does not open gives %v", err)
	}
	short := open(nil)
	short.Files[0].Rows = 7
	if _, err := merge(plan, []kernel.Run{short}, kernel.WithAllocator(mem)); !errors.Is(err, kernel.ErrCorrupt) || !strings.Contains(err.Error(), "7") {
		t.Errorf("one row of seven gives %v", err)
	}
}

// slow is a reader that takes its time.
type slow struct{ array.RecordReader }

func (s *slow) Next() bool {
	time.Sleep(2 * time.Millisecond)
	return s.RecordReader.Next()
}

// TestReadTime holds that waiting for inputs counts as reading.
func TestReadTime(t *testing.T) {
	plan := compile(t, orders, nil, "id")
	rec := record(t, memory.DefaultAllocator, orders, "1 1 a")
	r, err := array.NewRecordReader(orders, []arrow.Record{rec})
	if err != nil {
		t.Fatal(err)
	}
	reader, err := plan.Merge(context.Background(), []kernel.Run{kernel.FromReader(&slow{r})})
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Release()
	for reader.Next() {
	}
	if s := reader.Stats(); s.Times.Read < 2*time.Millisecond {
		t.Errorf("%v spent reading", s.Times.Read)
	}
}

func TestCancel(t *testing.T) {
	mem := checked(t)
	plan := compile(t, orders, nil, "id")
	ctx, cancel := context.WithCancel(context.Background())
	reader, err := plan.Merge(ctx, []kernel.Run{run(t, mem, orders, "1 1 a", "2 2 b")}, kernel.WithAllocator(mem))
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Release()
	cancel()
	if reader.Next() || !errors.Is(reader.Err(), context.Canceled) {
		t.Errorf("a cancelled merge goes on: %v", reader.Err())
	}
}

// TestBadInput holds that errors name the run, the batch, the row and the column to blame.
func TestBadInput(t *testing.T) {
	keys := arrow.NewSchema([]arrow.Field{{Name: "id", Type: arrow.PrimitiveTypes.Int64, Nullable: true}, orders.Field(1), orders.Field(2)}, nil)
	other := arrow.NewSchema([]arrow.Field{orders.Field(0), {Name: "n", Type: arrow.PrimitiveTypes.Int64, Nullable: true}, orders.Field(2)}, nil)
	short := arrow.NewSchema(orders.Fields()[:2], nil)
	notNull := arrow.NewSchema([]arrow.Field{orders.Field(0), {Name: "n", Type: arrow.PrimitiveTypes.Int32}, orders.Field(2)}, nil)
	for _, test := range []struct {
		name    string
		schema  *arrow.Schema // of the table
		options map[string]string
		input   *arrow.Schema
		unique  bool
		batches []string // of run 1
		kind    error
		says    string
	}{
		{"unsorted", orders, nil, orders, false, []string{"1 1 a", "5 5 a\n4 4 b"}, kernel.ErrUnsorted, "run 1, batch 1, row 1, key (4)"},
		{"unsorted batches", orders, nil, orders, false, []string{"2 1 a", "1 5 a"}, kernel.ErrUnsorted, "run 1, batch 1, row 0"},
		{"repeated key", orders, nil, orders, true, []string{"1 1 a\n 2 - -\n2 5 a"}, kernel.ErrUnsorted, "run 1, batch 0, row 2"},
		{"bad kind", orders, nil, withSystem, false, []string{"1 0 1 1 a\n1 4 2 1 a"}, kernel.ErrRowKind, `run 1, batch 0, row 1, column "_VALUE_KIND"`},
		{"NULL key", keys, nil, keys, false, []string{"1 1 a", "- 2 b"}, kernel.ErrNotNull, `run 1, batch 1, row 0, column "id"`},
		{"other type", orders, nil, other, false, []string{"1 1 a"}, kernel.ErrSchema, `run 1: schema error: column "n" has type int64, the table has int32`},
		{"missing column", orders, nil, short, false, []string{"1 1"}, kernel.ErrSchema, `column "text" is missing`},
		{"numbers in some runs", orders, nil, withSystem, false, []string{"1 0 1 1 a"}, kernel.ErrSchema, "sequence numbers"},
		{"retract", orders, map[string]string{"merge-engine": "first-row"}, kindsOnly, false, []string{"0 7 1 a\n3 7 1 a"},
			kernel.ErrRetract, "run 1, batch 0, row 1, key (7)"},
		{"NULL", notNull, map[string]string{"merge-engine": "partial-update"}, orders, false, []string{"3 1 a\n3 - a"},
			kernel.ErrNotNull, `run 1, batch 0, row 1, column "n", key (3)`},
	} {
		t.Run(test.name, func(t *testing.T) {
			mem := checked(t)
			plan := compile(t, test.schema, test.options, "id")
			first := orders
			if test.name == "bad kind" {
				first = withSystem
			}
			good := run(t, mem, first, map[bool]string{true: "1 0 9 9 z", false: "9 9 z"}[first == withSystem])
			bad := run(t, mem, test.input, test.batches...)
			bad.UniqueKeys = test.unique
			_, err := merge(plan, []kernel.Run{good, bad}, kernel.WithAllocator(mem))
			if !errors.Is(err, test.kind) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %v, want %v and %q", err, test.kind, test.says)
			}
		})
	}
}

var kindsOnly = arrow.NewSchema(append([]arrow.Field{{Name: kernel.KindColumn, Type: arrow.PrimitiveTypes.Int8}}, orders.Fields()...), nil)

// TestNullableKey holds that primary-key.nullable decides about NULL keys, not the nullable flag of the field.
func TestNullableKey(t *testing.T) {
	mem := checked(t)
	for _, engine := range []string{"deduplicate", "partial-update", "first-row"} {
		plan := compile(t, orders, map[string]string{"merge-engine": engine, "primary-key.nullable": "true"}, "id")
		runs := []kernel.Run{run(t, mem, orders, "- 1 a\n5 5 b"), run(t, mem, orders, "- 1 a")}
		got, err := merge(plan, runs, kernel.WithAllocator(mem))
		if want := []string{"- 1 a", "5 5 b"}; err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: got %q, %v, want %q", engine, got, err, want)
		}
	}
}

// TestNotNullUnderProjection holds that a NULL is refused in a column that is read only for its order.
func TestNotNullUnderProjection(t *testing.T) {
	mem := checked(t)
	schema := arrow.NewSchema([]arrow.Field{orders.Field(0), {Name: "n", Type: arrow.PrimitiveTypes.Int32}, orders.Field(2)}, nil)
	plan := compile(t, schema, map[string]string{"merge-engine": "partial-update", "sequence.field": "n"}, "id")
	runs := []kernel.Run{run(t, mem, orders, "1 1 a"), run(t, mem, orders, "1 - b")}
	_, err := merge(plan, runs, kernel.WithAllocator(mem), kernel.WithProjection("text"))
	if !errors.Is(err, kernel.ErrNotNull) || !strings.Contains(err.Error(), `column "n"`) {
		t.Errorf("got %v", err)
	}
}

func TestMergeOptionsAreChecked(t *testing.T) {
	plan := compile(t, orders, nil, "id")
	for name, opt := range map[string]kernel.MergeOption{
		"WithBatchRows": kernel.WithBatchRows(0), "WithBatchBytes": kernel.WithBatchBytes(-1),
		"WithMemoryLimit": kernel.WithMemoryLimit(-1), "WithAllocator": kernel.WithAllocator(nil),
	} {
		if _, err := merge(plan, nil, opt); !errors.Is(err, kernel.ErrOption) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := merge(plan, nil, kernel.WithStringViews(), kernel.WithCopy())
	if !errors.Is(err, kernel.ErrOption) || !strings.Contains(err.Error(), "WithStringViews takes no WithCopy") {
		t.Errorf("views of copies: %v", err)
	}
	if _, err := merge(plan, []kernel.Run{{Files: []kernel.File{{}}}}); !errors.Is(err, kernel.ErrOption) {
		t.Errorf("a file without Open: %v", err)
	}
}

func TestPlanString(t *testing.T) {
	plan := compile(t, orders, map[string]string{"merge-engine": "partial-update", "ignore-delete": "true", "sequence.field": "n"}, "id")
	for _, want := range []string{"merge engine partial-update", "key: id", "n ascending", "retracts: passed over", "column text utf8: last value that is not NULL"} {
		if !strings.Contains(plan.String(), want) {
			t.Errorf("%q is not in\n%s", want, plan)
		}
	}
}
