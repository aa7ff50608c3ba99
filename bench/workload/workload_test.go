package workload_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/arrow18"
	"github.com/braidmerge/braid/bench/rowhash"
	"github.com/braidmerge/braid/bench/workload"
	"github.com/braidmerge/braid/kernel"
)

const testRows = 10_000

func parse(t *testing.T, cell string) workload.Name {
	t.Helper()
	n, err := workload.Parse(cell)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func load(t *testing.T, n workload.Name, seed uint64) *workload.Memory {
	t.Helper()
	w, err := workload.Load(context.Background(), n, testRows, seed, seed%2 == 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Release)
	return w
}

// merged merges runs and sums up the result.
func merged(t *testing.T, m *workload.Manifest, job string, runs []kernel.Run) (rowhash.Sum, error) {
	t.Helper()
	plan, err := m.Plan(job)
	if err != nil {
		return rowhash.Sum{}, err
	}
	reader, err := plan.Merge(context.Background(), runs)
	if err != nil {
		return rowhash.Sum{}, err
	}
	defer reader.Release()
	sum, err := rowhash.NewTable(m.ColumnNames(), m.Key)
	if err != nil {
		t.Fatal(err)
	}
	for reader.Next() {
		if err := sum.Add(reader.Record()); err != nil {
			t.Fatal(err)
		}
	}
	return sum.Sum(), reader.Err()
}

// TestAnswersAgree merges every workload of the catalog and compares the result with the answer of the generator.
func TestAnswersAgree(t *testing.T) {
	for _, cell := range append(workload.Catalog(), workload.Small()...) {
		w := load(t, cell, 1)
		got, err := merged(t, w.Manifest, cell.Job, w.KernelRuns())
		if err != nil {
			t.Errorf("%v: %v", cell, err)
			continue
		}
		answer := w.Jobs[cell.Job].Answer
		if d := answer.Differs(got, w.ColumnNames()); d != "" {
			t.Errorf("%v: %s", cell, d)
		}
		if answer.Rows == 0 || answer.Rows > w.Keys {
			t.Errorf("%v: %d rows of %d keys", cell, answer.Rows, w.Keys)
		}
	}
}

// TestAnotherAnswerIsSeen changes a value, drops a run, and turns the order of runs, each of which must show.
func TestAnotherAnswerIsSeen(t *testing.T) {
	w := load(t, parse(t, "dedup/int64/k8/dup50/uniform/mixed"), 1)
	answer := w.Jobs["dedup"].Answer
	runs := w.KernelRuns()
	turned := slices.Clone(runs)
	slices.Reverse(turned)
	for name, runs := range map[string][]kernel.Run{"a run less": runs[1:], "turned": turned} {
		got, err := merged(t, w.Manifest, "dedup", runs)
		if err != nil {
			t.Fatal(err)
		}
		if answer.Differs(got, w.ColumnNames()) == "" {
			t.Errorf("%s: no difference is seen", name)
		}
	}
	other := load(t, w.Name(), 2)
	if answer.Differs(other.Jobs["dedup"].Answer, w.ColumnNames()) == "" {
		t.Error("another seed gives the same answer")
	}
}

func TestSameSeedSameRows(t *testing.T) {
	n := parse(t, "dedup/uuid/k8/dup47/uniform/mixed")
	a, b := load(t, n, 7), load(t, n, 7)
	if a.Rows != b.Rows || a.Jobs["agg"].Answer.Differs(b.Jobs["agg"].Answer, a.ColumnNames()) != "" {
		t.Error("the same seed gives other rows")
	}
}

// TestMappedMemory merges runs whose memory is mapped.
func TestMappedMemory(t *testing.T) {
	for _, cell := range []string{"dedup/int64/k8/dup50/uniform/mixed", "dedup/int64/k8/dup0/ordered/list", "partial/user/k8/dup40/zipf/ycsb-f"} {
		n := parse(t, cell)
		w, err := workload.Load(context.Background(), n, testRows, 1, true)
		if err != nil {
			t.Fatal(err)
		}
		got, err := merged(t, w.Manifest, n.Job, w.KernelRuns())
		if err != nil {
			t.Fatal(err)
		}
		if d := w.Jobs[n.Job].Answer.Differs(got, w.ColumnNames()); d != "" {
			t.Errorf("%s: %s", cell, d)
		}
		w.Release()
	}
}

func TestRowsAndShares(t *testing.T) {
	for _, layout := range []string{"uniform", "big", "skewed", "ordered", "stretches", "refresh", "zipf"} {
		for _, k := range []int{2, 8, 64} {
			for _, share := range []int{0, 10, 30} {
				n := parse(t, fmt.Sprintf("dedup/order/k%d/dup%d/%s/orders", k, share, layout))
				w, err := workload.Load(context.Background(), n, 50_000, 1, false)
				if err != nil {
					t.Fatal(err)
				}
				w.Release()
				if math.Abs(w.Superseded-float64(share)/100) > 0.03 {
					t.Errorf("%v: %.3f of the rows are superseded", n, w.Superseded)
				}
				if math.Abs(float64(w.Rows)-50_000) > 2_500 {
					t.Errorf("%v: %d rows", n, w.Rows)
				}
				for run, r := range w.Runs {
					if r.Rows == 0 {
						t.Errorf("%v: run %d has no rows", n, run)
					}
				}
			}
		}
	}
}

// TestFiles writes workloads in all formats and merges them from there.
func TestFiles(t *testing.T) {
	for _, cell := range []string{"dedup/int64/k8/dup10/uniform/mixed", "dedup/order-line/k8/dup10/refresh/lineitem", "dedup/int64/k2/dup10/uniform/list"} {
		n := parse(t, cell)
		dir, written, err := workload.Write(context.Background(), t.TempDir(), n, testRows, 1, workload.Formats)
		if err != nil {
			t.Fatal(err)
		}
		m, err := workload.ReadManifest(dir)
		if err != nil {
			t.Fatal(err)
		}
		if m.Rows != written.Rows || m.Name() != written.Name() {
			t.Errorf("%s: the manifest reads as another", cell)
		}
		for _, format := range workload.Formats {
			runs, err := m.FileRuns(dir, format)
			if err != nil {
				t.Fatal(err)
			}
			got, err := merged(t, m, n.Job, runs)
			if err != nil {
				t.Fatal(err)
			}
			if d := m.Jobs[n.Job].Answer.Differs(got, m.ColumnNames()); d != "" {
				t.Errorf("%s from %s: %s", cell, format, d)
			}
		}
	}
}

func TestNothingStaysAfterAnError(t *testing.T) {
	root := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, _, err := workload.Write(ctx, root, parse(t, "dedup/int64/k8/dup10/uniform/mixed"), testRows, 1, workload.Formats)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if left, _ := os.ReadDir(root); len(left) > 0 {
		t.Errorf("%v stays", left)
	}
}

func TestSinkEndsIt(t *testing.T) {
	full := errors.New("full")
	n := parse(t, "dedup/int64/k8/dup10/uniform/mixed")
	if _, err := workload.Generate(context.Background(), n, testRows, 1, func(int, arrow.Record) error { return full }); !errors.Is(err, full) {
		t.Errorf("error %v", err)
	}
}

func TestBadNames(t *testing.T) {
	for _, cell := range []string{
		"", "dedup", "/int64/k8/dup10/uniform/mixed", "dedup/int64/k8/dup10/uniform", "dedup/int64/k8/dup10/uniform/mixed/more",
		"other/int64/k8/dup10/uniform/mixed", "dedup/other/k8/dup10/uniform/mixed", "dedup/int64/8/dup10/uniform/mixed",
		"dedup/int64/k08/dup10/uniform/mixed", "dedup/int64/k0/dup0/uniform/mixed", "dedup/int64/k2/dup51/uniform/mixed",
		"dedup/int64/k8/dup10/other/mixed", "dedup/int64/k8/dup10/uniform/other", "agg/int64/k8/dup10/uniform/text8",
		"dedup/order/k64/dup31/refresh/orders",
	} {
		if _, err := workload.Parse(cell); !errors.Is(err, workload.ErrName) {
			t.Errorf("%q: error %v", cell, err)
		}
	}
	for _, rows := range []int64{0, 1, 1 << 40} {
		if _, err := workload.Generate(context.Background(), parse(t, "dedup/int64/k8/dup10/uniform/mixed"), rows, 1, nil); !errors.Is(err, workload.ErrName) {
			t.Errorf("%d rows: error %v", rows, err)
		}
	}
}

func TestSelect(t *testing.T) {
	all := workload.Catalog()
	for _, c := range []struct {
		patterns string
		least    int
	}{
		{"*", len(all)}, {"dedup", 30}, {"dedup/uuid/k8/dup47/uniform/mixed", 1}, {"*/uuid/k8", 10}, {"agg/int64/k*/dup10,partial/int64/k64", 5},
		{"first/url/k3/dup1/big/text24", 1}, // not in the catalog
	} {
		got, err := workload.Select(all, c.patterns)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) < c.least {
			t.Errorf("%q selects %d cells, at least %d are right", c.patterns, len(got), c.least)
		}
		for i, cell := range got {
			if slices.Contains(got[:i], cell) {
				t.Errorf("%q selects %v twice", c.patterns, cell)
			}
		}
	}
	for _, patterns := range []string{"nothing", "dedup/[", "dedup,nothing"} {
		if _, err := workload.Select(all, patterns); !errors.Is(err, workload.ErrName) {
			t.Errorf("%q: error %v", patterns, err)
		}
	}
}

// TestFlights makes the workload of flights from a file with NULLs, equal keys and rows in no order.
func TestFlights(t *testing.T) {
	path := filepath.Join(t.TempDir(), "flights.parquet")
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "date", Type: &arrow.TimestampType{Unit: arrow.Microsecond}, Nullable: true}, {Name: "delay", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		{Name: "distance", Type: arrow.PrimitiveTypes.Int64, Nullable: true}, {Name: "origin", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "destination", Type: arrow.BinaryTypes.String, Nullable: true},
	}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	for i := range 3000 {
		b.Field(0).(*array.TimestampBuilder).Append(arrow.Timestamp(i * 7919 % 1000 * 60_000_000))
		b.Field(1).(*array.Int64Builder).AppendValues([]int64{int64(i)}, []bool{i%5 != 0})
		b.Field(2).(*array.Int64Builder).AppendValues([]int64{int64(i)}, []bool{i%7 != 0})
		b.Field(3).(*array.StringBuilder).AppendValues([]string{"ABQ"}, []bool{i%11 != 0})
		b.Field(4).(*array.StringBuilder).Append([]string{"ZRH", "AMS"}[i%2])
	}
	rec := b.NewRecord()
	defer rec.Release()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := arrow18.NewParquetWriter(f, schema, arrow18.WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write(rec), w.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	if cells := workload.Flights(); len(cells) > 0 {
		t.Fatalf("there are flights before there is a file: %v", cells)
	}
	if err := workload.UseFlights(context.Background(), path); err != nil {
		t.Fatal(err)
	}
	for _, cell := range workload.Flights() {
		w := load(t, cell, 1)
		got, err := merged(t, w.Manifest, cell.Job, w.KernelRuns())
		if err != nil {
			t.Fatal(err)
		}
		if d := w.Jobs[cell.Job].Answer.Differs(got, w.ColumnNames()); d != "" {
			t.Errorf("%v: %s", cell, d)
		}
		if w.Keys < 900 || w.Keys > 2000 {
			t.Errorf("%v: %d keys", cell, w.Keys)
		}
	}
	if err := workload.UseFlights(context.Background(), filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a file that is not there is read")
	}
}

func TestBadManifests(t *testing.T) {
	dir := t.TempDir()
	if _, err := workload.ReadManifest(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	for _, text := range []string{"", "{}", `{"workload": "int64/k8/dup10/uniform/mixed"}`, `{"workload": "other"}`} {
		if err := os.WriteFile(filepath.Join(dir, workload.ManifestFile), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := workload.ReadManifest(dir); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}
