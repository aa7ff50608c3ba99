package kernel_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/internal/testscale"
	"github.com/braidmerge/braid/kernel"
	"github.com/braidmerge/braid/validity"
)

// wideTable has columns c1, c2 and so on of a type behind the validity column and the key k.
func wideTable(columns int, dt arrow.DataType) *arrow.Schema {
	fields := []arrow.Field{suppliedField("V", arrow.BinaryTypes.Binary), suppliedField("k", nil)}
	for i := range columns - 2 {
		fields = append(fields, arrow.Field{Name: fmt.Sprint("c", i+1), Type: dt, Nullable: true})
	}
	return arrow.NewSchema(fields, nil)
}

// TestSuppliedWide merges rows of 2,000 columns, of which every row supplies its own, and rows with bitmaps far longer than the
// table is wide.
func TestSuppliedWide(t *testing.T) {
	mem := checked(t)
	const columns, keys, versions = 2000, 40, 3
	rng := rand.New(rand.NewPCG(9, 9))
	table := wideTable(columns, arrow.PrimitiveTypes.Int32)
	var runs []kernel.Run
	want := make([][]string, keys) // values, NULL as ""
	supplied := make([]*roaring.Bitmap, keys)
	for number := range versions {
		b := array.NewRecordBuilder(mem, table)
		for key := range keys {
			m := roaring.New()
			if number == 0 {
				want[key], supplied[key] = make([]string, columns), roaring.New()
			}
			b.Field(1).(*array.Int64Builder).Append(int64(key))
			m.Add(1)
			for c := 2; c < columns; c++ {
				gives, value := rng.IntN(3) == 0, ""
				if gives {
					m.Add(uint32(c))
				}
				if rng.IntN(4) > 0 {
					value = fmt.Sprint(number*columns*keys + key*columns + c)
					b.Field(c).(*array.Int32Builder).Append(int32(number*columns*keys + key*columns + c))
				} else {
					b.Field(c).AppendNull()
				}
				if gives || !supplied[key].Contains(uint32(c)) {
					want[key][c] = value
				}
			}
			supplied[key].Or(m)
			if key%2 == 0 { // so many that the container is one of bits
				for bit := uint32(columns); bit < 20_000; bit += 2 {
					m.Add(bit)
				}
			}
			value, err := m.ToBytes()
			if err != nil {
				t.Fatal(err)
			}
			b.Field(0).(*array.BinaryBuilder).Append(value)
		}
		rec := b.NewRecord()
		b.Release()
		t.Cleanup(rec.Release)
		runs = append(runs, kernel.FromRecords(rec))
	}
	for _, opts := range [][]kernel.MergeOption{nil, {kernel.WithCopy(), kernel.WithBatchRows(7)}} {
		reader, err := compile(t, table, suppliedOptions(), "k").Merge(context.Background(), runs, append(opts, kernel.WithAllocator(mem))...)
		if err != nil {
			t.Fatal(err)
		}
		key := 0
		for reader.Next() {
			rec := reader.Record()
			for row := range int(rec.NumRows()) {
				m := roaring.New()
				if _, err := m.FromBuffer(rec.Column(0).(*array.Binary).Value(row)); err != nil || !m.Equals(supplied[key]) {
					t.Fatalf("key %d: %v, %d columns supplied, want %d", key, err, m.GetCardinality(), supplied[key].GetCardinality())
				}
				for c := 2; c < columns; c++ {
					if column := rec.Column(c); column.IsNull(row) != (want[key][c] == "") || column.IsValid(row) && column.ValueStr(row) != want[key][c] {
						t.Fatalf("key %d, column %d: %s, want %q", key, c, column.ValueStr(row), want[key][c])
					}
				}
				key++
			}
		}
		if err := reader.Err(); err != nil || key != keys {
			t.Errorf("%d keys, %v", key, err)
		}
		reader.Release()
	}
}

// randomSupplied is rows of these keys of a table of boolean columns, each of which supplies some at random.
func randomSupplied(t testing.TB, mem memory.Allocator, rng *rand.Rand, table *arrow.Schema, keys []int64) arrow.Record {
	t.Helper()
	w, err := validity.NewWriter(table, mem)
	if err != nil {
		t.Fatal(err)
	}
	var matrixFields []arrow.Field
	for _, f := range table.Fields()[2:] {
		matrixFields = append(matrixFields, arrow.Field{Name: f.Name, Type: arrow.FixedWidthTypes.Boolean})
	}
	given, matrix := array.NewRecordBuilder(mem, arrow.NewSchema(table.Fields()[1:], nil)), array.NewRecordBuilder(mem, arrow.NewSchema(matrixFields, nil))
	defer given.Release()
	defer matrix.Release()
	given.Field(0).(*array.Int64Builder).AppendValues(keys, nil)
	bits := make([]bool, len(keys))
	random := func(b array.Builder) {
		word := uint64(0)
		for i := range bits {
			if i&63 == 0 {
				word = rng.Uint64()
			}
			bits[i] = word>>(i&63)&1 != 0
		}
		b.(*array.BooleanBuilder).AppendValues(bits, nil)
	}
	for i := range matrixFields {
		random(given.Field(i + 1))
		random(matrix.Field(i))
	}
	values, says := given.NewRecord(), matrix.NewRecord()
	defer values.Release()
	defer says.Release()
	rec, err := w.WriteRows(values, says)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// TestSuppliedLargeWindow merges a key with a million versions, which makes one window, each with a random bitmap of 80 columns.
// A pattern has a bit a column, so that those of the window are 16 MiB.
func TestSuppliedLargeWindow(t *testing.T) {
	if testing.Short() {
		t.Skip("a million rows")
	}
	mem := checked(t)
	const columns = 82
	rows := testscale.Few(t, 1<<20, 1<<17)
	table := wideTable(columns, arrow.FixedWidthTypes.Boolean)
	rec := randomSupplied(t, mem, rand.New(rand.NewPCG(3, 3)), table, make([]int64, rows))
	defer rec.Release()
	reader, err := compile(t, table, suppliedOptions(), "k").Merge(context.Background(), []kernel.Run{kernel.FromRecords(rec)}, kernel.WithAllocator(mem))
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Release()
	if !reader.Next() || reader.Record().NumRows() != 1 {
		t.Fatalf("no row, %v", reader.Err())
	}
	bitmaps := rec.Column(0).(*array.Binary)
	for c := 2; c < columns; c++ {
		last := rows - 1
		for m := roaring.New(); ; last-- {
			if _, err := m.FromBuffer(bitmaps.Value(last)); err != nil {
				t.Fatal(err)
			}
			if m.Contains(uint32(c)) {
				break
			}
		}
		if got, want := reader.Record().Column(c).(*array.Boolean).Value(0), rec.Column(c).(*array.Boolean).Value(last); got != want {
			t.Errorf("column %d is %v, row %d supplied %v", c, got, last, want)
		}
	}
	input := int64(len(bitmaps.ValueBytes()) + rows*(4+8+2*columns/8))
	high := reader.Stats().MemoryHigh
	t.Logf("%d MiB held for a window of %d MiB", high>>20, input>>20)
	if least, most := input+int64(rows)*16, 3*input; high < least || high > most {
		t.Errorf("%d bytes held, want %d to %d", high, least, most)
	}
}

// TestSuppliedMemoryLimit holds that a merge of random bitmaps works on less at a time before it gives up.
func TestSuppliedMemoryLimit(t *testing.T) {
	mem := checked(t)
	rng := rand.New(rand.NewPCG(5, 7))
	table := wideTable(102, arrow.FixedWidthTypes.Boolean)
	plan := compile(t, table, suppliedOptions(), "k")
	var runs []kernel.Run
	for range 4 {
		keys := make([]int64, 8000)
		for i := range keys {
			keys[i] = rng.Int64N(1 << 14)
		}
		whole := randomSupplied(t, mem, rng, table, sorted(keys))
		defer whole.Release()
		var records []arrow.Record
		for from := int64(0); from < whole.NumRows(); from += 500 {
			rec := whole.NewSlice(from, from+500)
			defer rec.Release()
			records = append(records, rec)
		}
		runs = append(runs, kernel.FromRecords(records...))
	}
	free, loose, err := mergeSupplied(t, plan, runs, kernel.WithAllocator(mem))
	if err != nil {
		t.Fatal(err)
	}
	const limit = 6 << 20
	tight, stats, err := mergeSupplied(t, plan, runs, kernel.WithAllocator(mem), kernel.WithMemoryLimit(limit))
	if err != nil || !slices.Equal(free, tight) {
		t.Errorf("%d rows with a limit, %d without, %v", len(tight), len(free), err)
	}
	// A checked build may cut all windows small, with a limit or without.
	if t.Logf("%d bytes held, %d without a limit", stats.MemoryHigh, loose.MemoryHigh); stats.MemoryHigh > limit || loose.MemoryHigh < limit && !checkedBuild {
		t.Errorf("%d bytes held for a limit of %d, %d without", stats.MemoryHigh, limit, loose.MemoryHigh)
	}
	if _, _, err := mergeSupplied(t, plan, runs, kernel.WithAllocator(mem), kernel.WithMemoryLimit(200_000)); !errors.Is(err, kernel.ErrMemoryLimit) {
		t.Errorf("a limit that is too low gives %v", err)
	}
}

// TestSuppliedStretch holds that rows of a run that has no rival pass as they are, and are looked at all the same.
func TestSuppliedStretch(t *testing.T) {
	mem := checked(t)
	table := wideTable(4, arrow.FixedWidthTypes.Boolean)
	plan := compile(t, table, suppliedOptions(), "k")
	keys := make([]int64, 6000)
	for i := range keys {
		keys[i] = int64(i)
	}
	rec := randomSupplied(t, mem, rand.New(rand.NewPCG(2, 2)), table, keys)
	defer rec.Release()
	other := suppliedRun(t, mem, table, "{1} 100000 true true")
	for _, copied := range []bool{false, true} {
		opts := []kernel.MergeOption{kernel.WithAllocator(mem)}
		if copied {
			opts = append(opts, kernel.WithCopy())
		}
		got, stats, err := mergeSupplied(t, plan, []kernel.Run{other, kernel.FromRecords(rec)}, opts...)
		if want := append(suppliedText(t, rec), "{1} 100000 true true"); err != nil || !slices.Equal(got, want) {
			t.Fatalf("%d rows, %v", len(got), err)
		}
		if passed := stats.SlicedRows > 5000; !checkedBuild && passed == copied {
			t.Errorf("WithCopy %v: %d rows passed as they are", copied, stats.SlicedRows)
		}
	}
	spoilt := append(make([]string, 0, 3000), "{1,2} 0 true true")
	for i := 1; i < cap(spoilt); i++ {
		row := fmt.Sprintf("{1,2} %d true -", i)
		if i == 2345 {
			row = "0x3a30000001000000 2345 true -"
		}
		spoilt = append(spoilt, row)
	}
	for _, opts := range [][]kernel.MergeOption{nil, {kernel.WithCopy()}, {kernel.WithProjection("c1")}} {
		runs := []kernel.Run{other, suppliedRun(t, mem, table, spoilt...)}
		_, _, err := mergeSupplied(t, plan, runs, append(opts, kernel.WithAllocator(mem))...)
		var at *kernel.RowError
		if !errors.Is(err, kernel.ErrCorrupt) || !errors.As(err, &at) || at.Run != 1 || at.Batch != 0 || at.Row != 2345 || at.Column != validity.FieldsColumn {
			t.Errorf("%d options: %v", len(opts), err)
		}
	}
}

// TestSuppliedScratchIsKept holds that a merge, once it is warm, allocates for a window no more than its record is made of.
func TestSuppliedScratchIsKept(t *testing.T) {
	if checkedBuild {
		return // checks allocate
	}
	rng := rand.New(rand.NewPCG(6, 9))
	table := wideTable(8, arrow.FixedWidthTypes.Boolean)
	var runs []kernel.Run
	for range 4 {
		keys := make([]int64, 300_000)
		for i := range keys {
			keys[i] = rng.Int64N(1 << 20)
		}
		rec := randomSupplied(t, memory.DefaultAllocator, rng, table, sorted(keys))
		defer rec.Release()
		runs = append(runs, kernel.FromRecords(rec))
	}
	reader, err := compile(t, table, suppliedOptions(), "k").Merge(context.Background(), runs)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Release()
	const windows = 8
	var before, after runtime.MemStats
	for i := range 5 + windows {
		if i == 5 {
			runtime.ReadMemStats(&before)
		}
		if !reader.Next() {
			t.Fatal(reader.Err())
		}
	}
	runtime.ReadMemStats(&after)
	const buffers, columns = 3 + 1 + 6, 8
	bound := 2*buffers + 6*columns + 6 // each buffer and its header, Arrow's objects for a column, those for a record
	if got := int(after.Mallocs-before.Mallocs) / windows; got > bound {
		t.Errorf("%d allocations a window, at most %d are its record", got, bound)
	}
}
