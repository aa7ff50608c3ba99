package fuzz_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/fuzz"
	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/internal/rungen"
	"github.com/braidmerge/braid/internal/testscale"
	"github.com/braidmerge/braid/kernel"
)

// written is rows of a table in the order in which a writer gets them.
type written struct {
	problem rowmerge.Problem
	records []arrow.Record
	rows    []rowmerge.Row
}

// drawWritten makes the runs of a random problem a writer's input: their records in random order, or their rows, shuffled, in
// records of random length. Some columns get a default. ok is false for tables that the kernel refuses.
func drawWritten(t *testing.T, seed uint64, rows int, mem memory.Allocator) (w written, plan *kernel.Plan, ok bool) {
	rng := rand.New(rand.NewPCG(seed, 61))
	spec := rungen.Random(seed, rows)
	spec.Snapshots, spec.Fault = false, ""
	made, err := rungen.Generate(mem, spec)
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	defer made.Release()
	options := maps.Clone(made.Options)
	if rng.IntN(3) == 0 {
		options["ignore-update-before"] = "true"
	}
	w.problem = rowmerge.Problem{Schema: withDefaults(rng, made.Schema), PrimaryKey: made.PrimaryKey, PartitionKeys: made.PartitionKeys, Options: options}
	if plan, ok = writePlan(w.problem); !ok {
		return w, nil, false
	}
	var names []string
	for _, f := range made.Schema.Fields() {
		names = append(names, f.Name)
	}
	for _, run := range made.Runs {
		for _, rec := range run.Records {
			rec.Retain()
			w.records = append(w.records, rec)
		}
	}
	rng.Shuffle(len(w.records), func(i, j int) { w.records[i], w.records[j] = w.records[j], w.records[i] })
	for _, rec := range w.records {
		decoded, err := rowmerge.RowsOf(rec, names, nil)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		w.rows = append(w.rows, decoded...)
	}
	if rng.IntN(2) == 0 {
		w.shuffle(t, rng, mem)
	}
	return w, plan, true
}

// shuffle makes records of the rows in another order. At times one has a row kind that is none.
func (w *written) shuffle(t *testing.T, rng *rand.Rand, mem memory.Allocator) {
	releaseAll(w.records)
	w.records = nil
	rng.Shuffle(len(w.rows), func(i, j int) { w.rows[i], w.rows[j] = w.rows[j], w.rows[i] })
	if at := w.problem.Schema.FieldIndices(w.problem.Options["rowkind.field"]); len(at) > 0 && len(w.rows) > 0 && rng.IntN(2) == 0 {
		w.rows[rng.IntN(len(w.rows))].Values[at[0]] = "no kind"
	}
	fields := append([]arrow.Field{{Name: kernel.KindColumn, Type: arrow.PrimitiveTypes.Int8}}, w.problem.Schema.Fields()...)
	for chunk := range slices.Chunk(w.rows, 1+rng.IntN(len(w.rows)+1)) {
		rec, err := fuzz.BuildRecord(mem, arrow.NewSchema(fields, nil), chunk)
		if err != nil {
			t.Fatal(err)
		}
		w.records = append(w.records, rec)
	}
}

// withDefaults gives some columns a default and makes some NOT NULL.
func withDefaults(rng *rand.Rand, s *arrow.Schema) *arrow.Schema {
	fields := slices.Clone(s.Fields())
	for i, f := range fields {
		text := map[arrow.Type]string{arrow.INT8: "-7", arrow.INT32: "12", arrow.INT64: "-9000000000", arrow.UINT16: "65535", arrow.FLOAT64: "0.5",
			arrow.BOOL: "True", arrow.STRING: "+U", arrow.LARGE_STRING: "a default", arrow.DECIMAL128: "1"}[f.Type.ID()]
		if text != "" && rng.IntN(3) == 0 {
			fields[i].Metadata = arrow.MetadataFrom(map[string]string{"paimon.default": text})
		}
		fields[i].Nullable = f.Nullable && rng.IntN(12) > 0
	}
	return arrow.NewSchema(fields, nil)
}

// writePlan compiles the plan of a table; ok is false if the kernel refuses it.
func writePlan(p rowmerge.Problem) (plan *kernel.Plan, ok bool) {
	options, err := kernel.ParseOptions(p.Options)
	if err != nil {
		return nil, false
	}
	plan, err = kernel.Compile(kernel.Table{Schema: p.Schema, PrimaryKey: p.PrimaryKey, PartitionKeys: p.PartitionKeys}, options)
	return plan, err == nil
}

// byKernel puts the rows to a write buffer. row is the row that an error is about, -1 if none; added is whether it is an error
// of Add.
func (w written) byKernel(plan *kernel.Plan, first int64, mem memory.Allocator) (file []rowmerge.Row, row int, added bool, err error) {
	b, err := plan.NewWriteBuffer(first, mem)
	if err != nil {
		return nil, -1, false, err
	}
	defer b.Release()
	for _, rec := range w.records {
		if err := b.Add(rec); err != nil {
			return nil, w.rowOf(err), true, err
		}
	}
	out, err := b.Flush(context.Background(), kernel.WithBatchRows(1000))
	if err != nil {
		return nil, w.rowOf(err), false, err
	}
	defer out.Release()
	var names []string
	for _, f := range w.problem.Schema.Fields() {
		names = append(names, f.Name)
	}
	for out.Next() {
		rows, err := rowmerge.RowsOf(out.Record(), names, w.problem.PrimaryKey)
		if err != nil {
			return nil, -1, false, err
		}
		file = append(file, rows...)
	}
	if b.Rows() != 0 {
		return nil, -1, false, fmt.Errorf("%d rows are left in the buffer", b.Rows())
	}
	return file, w.rowOf(out.Err()), false, out.Err()
}

// rowOf counts the place of an error over all records.
func (w written) rowOf(err error) int {
	var at *kernel.RowError
	if !errors.As(err, &at) || at.Row < 0 {
		return -1
	}
	row := at.Row
	for _, rec := range w.records[:at.Batch] {
		row += int(rec.NumRows())
	}
	return row
}

// nullKey says whether the error is about a NULL in a key column that the schema lets be NULL, which the reference writes.
func (w written) nullKey(err error) bool {
	var at *kernel.RowError
	if !errors.Is(err, kernel.ErrNotNull) || !errors.As(err, &at) || !slices.Contains(w.problem.PrimaryKey, at.Column) {
		return false
	}
	f, _ := w.problem.Schema.FieldsByName(at.Column)
	return f[0].Nullable
}

// check compares the buffer with the reference.
func (w written) check(plan *kernel.Plan, first int64, mem memory.Allocator) error {
	want, wrong := w.problem.Write(w.rows, first)
	got, row, added, err := w.byKernel(plan, first, mem)
	var fault *rowmerge.Error
	switch {
	case w.nullKey(err):
		return nil
	case wrong == nil && err == nil:
		if d := rowmerge.Diff(want.File, got, rowmerge.Comparison{Kinds: true, Sequences: true}); d != "" {
			return errors.New(d)
		}
		return nil
	case err == nil || !errors.As(wrong, &fault):
		return fmt.Errorf("error %v, want %v", err, wrong)
	case !slices.ContainsFunc(errorKinds[fault.Kind], func(kind error) bool { return errors.Is(err, kind) }):
		return fmt.Errorf("error %v, want %v", err, wrong)
	case added && row != fault.Row:
		return fmt.Errorf("error %v at row %d, want %v", err, row, wrong)
	}
	return nil
}

// TestWriteBuffer writes random rows and compares with the reference's writer.
func TestWriteBuffer(t *testing.T) {
	t.Parallel()
	mem := fuzz.NewMemory()
	defer mem.AssertSize(t, 0)
	files, faults := 0, map[string]int{}
	for _, c := range []struct{ problems, rows int }{{1500, 40}, {300, 500}, {10, 20_000}} {
		for seed := range testscale.Seeds(t, c.problems) {
			w, plan, ok := drawWritten(t, seed<<8+uint64(c.rows), c.rows, mem)
			if !ok {
				continue
			}
			if err := w.check(plan, int64(seed), mem); err != nil {
				t.Errorf("seed %d, %d rows: %v", seed, c.rows, err)
			}
			if _, wrong := w.problem.Write(w.rows, 0); wrong != nil {
				kind, _, _ := strings.Cut(wrong.Error(), ",")
				faults[kind]++
			} else {
				files++
			}
			releaseAll(w.records)
		}
	}
	if testscale.Sample(t) == 1 && (files < 300 || len(faults) < 3) {
		t.Errorf("%d files and the faults %v", files, faults)
	}
	t.Log(files, faults)
}

// TestWriteBufferCheckerFails spoils answers of the reference, one way at a time, and finds that the comparison sees it.
func TestWriteBufferCheckerFails(t *testing.T) {
	mem := fuzz.NewMemory()
	defer mem.AssertSize(t, 0)
	for name, spoil := range map[string]func(*written){
		"a row too few":        func(w *written) { w.rows = w.rows[:len(w.rows)-1] },
		"another order":        func(w *written) { slices.Reverse(w.rows) },
		"another kind":         func(w *written) { w.rows[0].Kind ^= 3 },
		"another option":       func(w *written) { w.problem.Options["ignore-delete"] = "true" },
		"another merge engine": func(w *written) { w.problem.Options["merge-engine"] = "first-row" },
	} {
		seen := false
		for seed := uint64(0); seed < 300 && !seen; seed++ {
			w, plan, ok := drawWritten(t, seed<<8+40, 40, mem)
			if !ok || len(w.rows) == 0 {
				releaseAll(w.records)
				continue
			}
			spoil(&w)
			seen = w.check(plan, 5, mem) != nil
			releaseAll(w.records)
		}
		if !seen {
			t.Errorf("%s is not seen", name)
		}
	}
}
