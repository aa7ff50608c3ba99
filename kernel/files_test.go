package kernel_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/internal/testscale"
	"github.com/braidmerge/braid/kernel"
)

// TestDeletedRows holds that rows of a deletion vector are not there, however many there are. BRAID_SAMPLE makes it fewer rows.
func TestDeletedRows(t *testing.T) {
	for _, share := range []float64{0, 0.0001, 0.01, 0.5, 0.999, 1} {
		for _, batchRows := range []int{1, 7, 1000, 20_000} {
			t.Run(fmt.Sprintf("%v of batches of %d", share, batchRows), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(uint64(batchRows), 3))
				mem := checked(t)
				plan := compile(t, shaped, nil, "id")
				var runs []kernel.Run
				var left [][]int64
				for number := range 3 {
					ids := make([]int64, testscale.Few(t, 5000, 1000))
					for i := range ids {
						ids[i] = int64(3*i + rng.IntN(2))
					}
					run := shapedRun(t, mem, number, ids, batchRows, "x")
					deleted, kept := roaring.New(), []int64{}
					for i, id := range ids {
						if rng.Float64() < share {
							deleted.Add(uint32(i))
						} else {
							kept = append(kept, id)
						}
					}
					run.Files[0].Deleted, run.Files[0].Rows = deleted, int64(len(ids))
					runs, left = append(runs, run), append(left, kept)
				}
				ids, last := lastRuns(left)
				want := make([]string, len(ids))
				for i, id := range ids {
					want[i] = fmt.Sprintf("%d %d x", id, last[id])
				}
				got, err := merge(plan, runs, kernel.WithAllocator(mem))
				if err != nil || !slices.Equal(got, want) {
					t.Fatalf("%d rows, %d are not deleted, %v", len(got), len(want), err)
				}
			})
		}
	}
}

func TestDeletedPastTheEnd(t *testing.T) {
	mem := checked(t)
	plan := compile(t, orders, nil, "id")
	r := run(t, mem, orders, "1 1 a\n2 2 b")
	r.Files[0].Deleted = roaring.BitmapOf(1, 2)
	if _, err := merge(plan, []kernel.Run{r}, kernel.WithAllocator(mem)); !errors.Is(err, kernel.ErrCorrupt) || !strings.Contains(err.Error(), "position 2") {
		t.Errorf("position 2 of 2 rows gives %v", err)
	}
}

// TestBlameSkipsDeleted holds that errors count the rows as the file does.
func TestBlameSkipsDeleted(t *testing.T) {
	mem := checked(t)
	plan := compile(t, orders, nil, "id")
	r := run(t, mem, orders, "9 0 x\n1 1 a\n2 2 b\n1 3 c")
	r.Files[0].Deleted = roaring.BitmapOf(0)
	if _, err := merge(plan, []kernel.Run{r}, kernel.WithAllocator(mem)); !errors.Is(err, kernel.ErrUnsorted) || !strings.Contains(err.Error(), "row 3") {
		t.Errorf("row 3 falls: %v", err)
	}
}

// known gives a run's only file the keys of its ids and notes when it is opened.
func known(t *testing.T, mem memory.Allocator, run *kernel.Run, name string, least, most int64, opened *[]string) {
	file := &run.Files[0]
	file.Name = name
	for rec, id := range map[*arrow.Record]int64{&file.MinKey: least, &file.MaxKey: most} {
		*rec = record(t, mem, arrow.NewSchema(shaped.Fields()[:1], nil), fmt.Sprint(id))
		t.Cleanup((*rec).Release)
	}
	open := file.Open
	file.Open = func(ctx context.Context) (array.RecordReader, error) {
		*opened = append(*opened, name)
		return open(ctx)
	}
}

// TestFilesSleep holds that a file whose least key is known is opened when the merge gets there and not before, and that
// files without a rival pass as slices.
func TestFilesSleep(t *testing.T) {
	mem := checked(t)
	plan := compile(t, shaped, nil, "id")
	ids := func(from int64) (s []int64) {
		for i := range int64(4000) {
			s = append(s, from+i)
		}
		return s
	}
	var opened []string
	files := map[string]kernel.Run{}
	for number, f := range []struct {
		name string
		from int64
	}{{"c", 200_000}, {"a", 0}, {"b", 100_000}, {"d", 300_000}, {"overlap", 302_000}} {
		r := shapedRun(t, mem, number, ids(f.from), 4000, "x")
		known(t, mem, &r, f.name, f.from, f.from+3999, &opened)
		files[f.name] = r
	}
	twoFiles := kernel.Run{Files: append(slices.Clone(files["a"].Files), files["d"].Files...)}
	runs := []kernel.Run{files["c"], twoFiles, files["b"], files["overlap"]}
	reader, err := plan.Merge(context.Background(), runs, kernel.WithAllocator(mem))
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Release()
	if len(opened) != 0 {
		t.Errorf("%q opened before the first row", opened)
	}
	rows := int64(0)
	for reader.Next() {
		rows += reader.Record().NumRows()
		if rows <= 4000 && !slices.Equal(opened, []string{"a"}) {
			t.Errorf("%q opened for the rows of a", opened)
		}
	}
	if err := reader.Err(); err != nil || rows != 18_000 {
		t.Fatalf("%d rows, %v", rows, err)
	}
	if want := []string{"a", "b", "c", "d", "overlap"}; !slices.Equal(opened, want) {
		t.Errorf("opened in the order %q, want %q", opened, want)
	}
	if s := reader.Stats(); !checkedBuild && s.SlicedRows < 12_000 {
		t.Errorf("%d rows passed as slices", s.SlicedRows)
	}
}

func TestKeysOutsideTheirRange(t *testing.T) {
	mem := checked(t)
	plan := compile(t, shaped, nil, "id")
	var opened []string
	for _, keys := range [][2]int64{{2, 9}, {0, 2}} {
		r := shapedRun(t, mem, 0, []int64{1, 2, 3}, 2, "x")
		known(t, mem, &r, "f", keys[0], keys[1], &opened)
		if _, err := merge(plan, []kernel.Run{r}, kernel.WithAllocator(mem)); !errors.Is(err, kernel.ErrCorrupt) {
			t.Errorf("keys 1 to 3 in a file from %d to %d: %v", keys[0], keys[1], err)
		}
	}
	r := shapedRun(t, mem, 0, []int64{1}, 1, "x")
	r.Files[0].MinKey = record(t, mem, orders, "1 1 a", "2 2 b")
	defer r.Files[0].MinKey.Release()
	if _, err := merge(plan, []kernel.Run{r}, kernel.WithAllocator(mem)); !errors.Is(err, kernel.ErrSchema) {
		t.Errorf("a MinKey of two rows: %v", err)
	}
}

// TestMapping merges a file of an older schema with one of the table's: a column renamed and cast, one added, one dropped, and
// the key under its old name.
func TestMapping(t *testing.T) {
	mem := checked(t)
	field := func(name string, dt arrow.DataType, id string) arrow.Field {
		return arrow.Field{Name: name, Type: dt, Nullable: true, Metadata: arrow.NewMetadata([]string{"PARQUET:field_id"}, []string{id})}
	}
	table := arrow.NewSchema([]arrow.Field{field("id", arrow.PrimitiveTypes.Int64, "0"), field("amount", arrow.PrimitiveTypes.Int64, "1"),
		field("note", arrow.BinaryTypes.String, "3")}, nil)
	old := arrow.NewSchema([]arrow.Field{field("gone", arrow.BinaryTypes.String, "2"), field("n", arrow.PrimitiveTypes.Int32, "1"),
		field("key", arrow.PrimitiveTypes.Int32, "0")}, nil)
	mapping, err := columnar.NewMapping(old, table, columnar.MatchFieldID)
	if err != nil {
		t.Fatal(err)
	}
	for _, engine := range []string{"deduplicate", "partial-update"} {
		plan := compile(t, table, map[string]string{"merge-engine": engine}, "id")
		older := run(t, mem, old, "x 10 1\n x 20 2")
		older.Files[0].Mapping = mapping
		newer := run(t, mem, table, "2 - b\n3 30 c")
		got, err := merge(plan, []kernel.Run{older, newer}, kernel.WithAllocator(mem))
		want := []string{"1 10 -", "2 - b", "3 30 c"}
		if engine == "partial-update" {
			want[1] = "2 20 b"
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: got %q, %v, want %q", engine, got, err, want)
		}
		wrong := run(t, mem, table, "2 - b")
		wrong.Files[0].Mapping = mapping
		if _, err := merge(plan, []kernel.Run{wrong}, kernel.WithAllocator(mem)); !errors.Is(err, kernel.ErrSchema) {
			t.Errorf("a file of another schema than its mapping: %v", err)
		}
	}
}

// TestForgedOffsets holds that offsets of text that fall are an error that names the column, in windows and in slices.
func TestForgedOffsets(t *testing.T) {
	for _, rows := range []int{4, 3000} {
		for _, runs := range []int{1, 2} {
			mem := checked(t)
			plan := compile(t, shaped, nil, "id")
			var ids []int64
			for i := range int64(rows) {
				ids = append(ids, i)
			}
			good := shapedRun(t, mem, 0, ids, rows, "text")
			source, err := good.Files[0].Open(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			source.Next()
			rec := source.Record()
			offsets := make([]int32, rows+1)
			for i := range offsets {
				offsets[i] = int32(4 * i)
			}
			offsets[rows/2], offsets[rows/2+1] = offsets[rows/2+1], offsets[rows/2]
			data := array.NewData(arrow.BinaryTypes.String, rows, []*memory.Buffer{nil, memory.NewBufferBytes(arrow.Int32Traits.CastToBytes(offsets)),
				memory.NewBufferBytes(make([]byte, 4*rows))}, nil, 0, 0)
			text := array.MakeFromData(data)
			forged := array.NewRecord(shaped, []arrow.Array{rec.Column(0), rec.Column(1), text}, int64(rows))
			for _, opts := range [][]kernel.MergeOption{nil, {kernel.WithStringViews()}} {
				_, err = merge(plan, append([]kernel.Run{good, kernel.FromRecords(forged)}[2-runs:], kernel.Run{}), append(opts, kernel.WithAllocator(mem))...)
				if !errors.Is(err, kernel.ErrCorrupt) || !strings.Contains(err.Error(), fmt.Sprintf(`run %d, batch 0, column "text"`, runs-1)) {
					t.Errorf("%d rows, %d runs, %d options: %v", rows, runs, len(opts), err)
				}
			}
			forged.Release()
			text.Release()
			data.Release()
			source.Release()
		}
	}
}
