package kernel_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/kernel"
)

// levelTable has a key and a value.
var levelTable = arrow.NewSchema([]arrow.Field{
	{Name: "k", Type: arrow.PrimitiveTypes.Int64}, {Name: "v", Type: arrow.BinaryTypes.String, Nullable: true}}, nil)

// levelRecord makes a record of keys, whose values are all text.
func levelRecord(mem memory.Allocator, text string, keys ...int64) arrow.Record {
	b := array.NewRecordBuilder(mem, levelTable)
	defer b.Release()
	for _, key := range keys {
		b.Field(0).(*array.Int64Builder).Append(key)
		b.Field(1).(*array.StringBuilder).Append(text)
	}
	return b.NewRecord()
}

// levelPlan compiles a plan of levelTable.
func levelPlan(t *testing.T, options ...string) *kernel.Plan {
	t.Helper()
	set := map[string]string{}
	for _, o := range options {
		name, value, _ := strings.Cut(o, "=")
		set[name] = value
	}
	parsed, err := kernel.ParseOptions(set)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := kernel.Compile(kernel.Table{Schema: levelTable, PrimaryKey: []string{"k"}}, parsed)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// changesOf shows kind, key and value of changes.
func changesOf(rec arrow.Record) string {
	if rec == nil {
		return ""
	}
	var out strings.Builder
	kinds := rec.Column(2).(*array.Int8)
	for i := range int(rec.NumRows()) {
		fmt.Fprintf(&out, "%s%d%s ", []string{"+I", "-U", "+U", "-D"}[kinds.Value(i)], rec.Column(3).(*array.Int64).Value(i), rec.Column(4).ValueStr(i))
	}
	return out.String()
}

// merged reads a merge to its end.
func merged(t *testing.T, r *kernel.Reader, err error) (rows int64, changes string, fault error) {
	t.Helper()
	if err != nil {
		return 0, "", err
	}
	defer r.Release()
	for r.Next() {
		rows += r.Record().NumRows()
		changes += changesOf(r.Changelog())
	}
	if r.Changelog() != nil {
		t.Error("there is a changelog behind the end")
	}
	return rows, changes, r.Err()
}

// checkedMemory is an allocator that must be empty in the end.
func checkedMemory(t *testing.T) *memory.CheckedAllocator {
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	t.Cleanup(func() { mem.AssertSize(t, 0) })
	return mem
}

// TestChangelogRefuses has options and inputs that WithChangelog and ByLevel do not take.
func TestChangelogRefuses(t *testing.T) {
	find := func(context.Context, arrow.Record) (arrow.Record, error) { return nil, nil }
	higher := &kernel.Run{}
	for _, c := range []struct {
		name    string
		options string
		how     []kernel.MergeOption
		level   int
		want    error
		says    string
	}{
		{"no producer", "none", []kernel.MergeOption{kernel.WithChangelog(kernel.Changelog{})}, 0, kernel.ErrOption, "changelog-producer is not none"},
		{"a projection", "input", []kernel.MergeOption{kernel.WithChangelog(kernel.Changelog{}), kernel.WithProjection("k")}, 0, kernel.ErrOption, "WithProjection"},
		{"by level", "input", []kernel.MergeOption{kernel.WithChangelog(kernel.Changelog{}), kernel.ByLevel()}, 0, kernel.ErrOption, "ByLevel"},
		{"views", "input", []kernel.MergeOption{kernel.WithChangelog(kernel.Changelog{}), kernel.WithStringViews()}, 0, kernel.ErrOption, "WithStringViews"},
		{"no top level", "full-compaction", []kernel.MergeOption{kernel.WithChangelog(kernel.Changelog{})}, 0, kernel.ErrOption, "TopLevel"},
		{"a lookup without use", "input", []kernel.MergeOption{kernel.WithChangelog(kernel.Changelog{Find: find})}, 0, kernel.ErrOption, "producer lookup"},
		{"two lookups", "lookup", []kernel.MergeOption{kernel.WithChangelog(kernel.Changelog{Find: find, Higher: higher})}, 0, kernel.ErrOption, "not both"},
		{"a run above", "full-compaction", []kernel.MergeOption{kernel.WithChangelog(kernel.Changelog{TopLevel: 2})}, 3, kernel.ErrInternalState, "run 0 has level 3"},
		{"a file that cannot be opened", "lookup", []kernel.MergeOption{kernel.WithChangelog(kernel.Changelog{Higher: &kernel.Run{Files: []kernel.File{{}}}})}, 0, kernel.ErrOption, "no Open"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := levelPlan(t, "changelog-producer="+c.options).Merge(context.Background(), []kernel.Run{{Level: c.level}}, c.how...)
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v, want %v with %q", err, c.want, c.says)
			}
		})
	}
}

// TestChangelogComesWithRecords has results in several records a window, windows without results, and a reader that is
// released early.
func TestChangelogComesWithRecords(t *testing.T) {
	mem := checkedMemory(t)
	old, deltas := levelRecord(mem, "old", 1, 2, 3), levelRecord(mem, "new", 2, 4)
	defer old.Release()
	defer deltas.Release()
	base := kernel.FromRecords(old)
	base.Level = 2
	plan := levelPlan(t, "changelog-producer=full-compaction")
	read := func(opts ...kernel.MergeOption) *kernel.Reader {
		r, err := plan.Merge(context.Background(), []kernel.Run{base, kernel.FromRecords(deltas)},
			append(opts, kernel.WithAllocator(mem), kernel.WithChangelog(kernel.Changelog{TopLevel: 2}))...)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := read(kernel.WithBatchRows(3))
	if !r.Next() || r.Record().NumRows() != 3 {
		t.Fatal(r.Record(), r.Err())
	}
	kept := r.Changelog()
	if got := changesOf(kept); got != "-U2old +U2new +I4new " {
		t.Error(got)
	}
	if !kept.Schema().Equal(r.ChangelogSchema()) {
		t.Errorf("schema %v, want %v", kept.Schema(), r.ChangelogSchema())
	}
	kept.Retain()
	defer kept.Release()
	if !r.Next() || r.Changelog() != nil || r.Record().NumRows() != 1 {
		t.Error("the second record of a window has changes, or not one row")
	}
	if r.Next() {
		t.Error("there is a third record")
	}
	r.Release()
	early := read()
	early.Next()
	early.Release()
	read().Release()
}

// TestChangelogOfNoResult has a window in which every row is deleted: its record has no row.
func TestChangelogOfNoResult(t *testing.T) {
	mem := checkedMemory(t)
	old := levelRecord(mem, "old", 1, 2)
	defer old.Release()
	b := array.NewRecordBuilder(mem, arrow.NewSchema(append([]arrow.Field{{Name: kernel.KindColumn, Type: arrow.PrimitiveTypes.Int8}}, levelTable.Fields()...), nil))
	defer b.Release()
	b.Field(0).(*array.Int8Builder).AppendValues([]int8{3, 3}, nil)
	b.Field(1).(*array.Int64Builder).AppendValues([]int64{1, 2}, nil)
	b.Field(2).(*array.StringBuilder).AppendNull()
	b.Field(2).(*array.StringBuilder).AppendNull()
	gone := b.NewRecord()
	defer gone.Release()
	base := kernel.FromRecords(old)
	r, err := levelPlan(t, "changelog-producer=lookup").Merge(context.Background(), []kernel.Run{kernel.FromRecords(gone)},
		kernel.WithAllocator(mem), kernel.WithChangelog(kernel.Changelog{Higher: &base}))
	if rows, changes, err := merged(t, r, err); rows != 0 || changes != "-D1old -D2old " || err != nil {
		t.Errorf("%d rows, changes %q, error %v", rows, changes, err)
	}
}

// TestChangelogFind has a function that looks keys up: what it is asked, and what it may answer.
func TestChangelogFind(t *testing.T) {
	mem := checkedMemory(t)
	high, fresh := levelRecord(mem, "high", 2), levelRecord(mem, "new", 1, 2, 3, 3)
	found, falling := levelRecord(mem, "old", 0, 1, 9), levelRecord(mem, "old", 3, 1)
	records := []arrow.Record{high, fresh, found, falling}
	defer func() {
		for _, rec := range records {
			rec.Release()
		}
	}()
	run := kernel.FromRecords(high)
	run.Level = 1
	for _, c := range []struct {
		name    string
		answer  arrow.Record
		err     error
		changes string
		want    error
	}{
		{"nothing", nil, nil, "+I1new -U2high +U2new +I3new ", nil},
		{"rows, some of other keys", found, nil, "-U1old +U1new -U2high +U2new +I3new ", nil},
		{"no row", found.NewSlice(1, 1), nil, "+I1new -U2high +U2new +I3new ", nil},
		{"rows out of order", falling, nil, "", kernel.ErrUnsorted},
		{"other columns", array.NewRecord(arrow.NewSchema(levelTable.Fields()[:1], nil), found.Columns()[:1], 3), nil, "", kernel.ErrSchema},
		{"an error", nil, context.DeadlineExceeded, "", context.DeadlineExceeded},
	} {
		t.Run(c.name, func(t *testing.T) {
			asked := ""
			find := func(_ context.Context, keys arrow.Record) (arrow.Record, error) {
				asked += fmt.Sprint(keys.Schema().Field(0).Name, keys.Column(0))
				return c.answer, c.err
			}
			r, err := levelPlan(t, "changelog-producer=lookup").Merge(context.Background(), []kernel.Run{run, kernel.FromRecords(fresh)},
				kernel.WithAllocator(mem), kernel.WithChangelog(kernel.Changelog{Find: find}))
			if c.answer == found || c.answer == falling {
				c.answer.Retain() // the merge releases it
			}
			_, changes, err := merged(t, r, err)
			if changes != c.changes || !errors.Is(err, c.want) || asked != "k[1 3]" {
				t.Errorf("asked %q, changes %q, error %v", asked, changes, err)
			}
		})
	}
}

// TestChangelogOfWriteBuffer has the rows of a write buffer as its changelog.
func TestChangelogOfWriteBuffer(t *testing.T) {
	mem := checkedMemory(t)
	b, err := levelPlan(t, "changelog-producer=input").NewWriteBuffer(1, mem)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Release()
	rec := levelRecord(mem, "x", 2, 1, 2)
	defer rec.Release()
	if err := b.Add(rec); err != nil {
		t.Fatal(err)
	}
	flushed, err := b.Flush(context.Background(), kernel.WithChangelog(kernel.Changelog{}))
	if err != nil {
		t.Fatal(err)
	}
	defer flushed.Release()
	changes := ""
	for flushed.Next() {
		changes += changesOf(flushed.(interface{ Changelog() arrow.Record }).Changelog())
	}
	if changes != "+I1x +I2x +I2x " || flushed.Err() != nil {
		t.Errorf("changes %q, error %v", changes, flushed.Err())
	}
}

// TestPartition divides ranges of keys, and refuses those that are none.
func TestPartition(t *testing.T) {
	mem := checkedMemory(t)
	plan := levelPlan(t)
	var all []arrow.Record
	defer func() {
		for _, rec := range all {
			rec.Release()
		}
	}()
	key := func(keys ...int64) arrow.Record {
		all = append(all, levelRecord(mem, "", keys...))
		return all[len(all)-1]
	}
	span := func(from, to int64) kernel.KeyRange { return kernel.KeyRange{Min: key(from), Max: key(to)} }
	got, err := plan.Partition([]kernel.KeyRange{span(5, 9), span(1, 3), span(3, 4), span(10, 12), span(6, 7), span(8, 8)})
	if want := "[[[1] [2]] [[4 5] [0]] [[3]]]"; fmt.Sprint(got) != want || err != nil {
		t.Errorf("%v, %v, want %s", got, err, want)
	}
	if got, err := plan.Partition(nil); len(got) > 0 || err != nil {
		t.Errorf("%v, %v", got, err)
	}
	for _, c := range []struct {
		name string
		r    kernel.KeyRange
		want error
	}{
		{"no key", kernel.KeyRange{Min: key(1)}, kernel.ErrSchema},
		{"two rows", kernel.KeyRange{Min: key(1, 2), Max: key(3)}, kernel.ErrSchema},
		{"backwards", span(2, 1), kernel.ErrCorrupt},
	} {
		if _, err := plan.Partition([]kernel.KeyRange{span(1, 2), c.r}); !errors.Is(err, c.want) || !strings.Contains(err.Error(), "range 1") {
			t.Errorf("%s: error %v, want %v", c.name, err, c.want)
		}
	}
}
