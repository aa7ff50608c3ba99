package columnar_test

import (
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// forEachArray calls test with random arrays of a type, and wants all memory back in the end.
func forEachArray(t *testing.T, types []arrow.DataType, seeds uint64, test func(t *testing.T, rng *rand.Rand, seed uint64, a arrow.Array)) {
	for _, dt := range types {
		t.Run(dt.String(), func(t *testing.T) {
			mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
			defer mem.AssertSize(t, 0)
			for seed := range seeds {
				rng := rand.New(rand.NewPCG(seed, 1))
				a := newArray(rng, mem, dt, randomRaws(rng, dt, rng.IntN(70)))
				test(t, rng, seed, a)
				a.Release()
			}
		})
	}
}

func TestNewView(t *testing.T) {
	forEachArray(t, mergeTypes, 200, func(t *testing.T, rng *rand.Rand, seed uint64, a arrow.Array) {
		v := viewOf(t, a)
		values, nulls := valuesOf(a), 0
		for row, want := range values {
			if want == nil {
				nulls++
			}
			if got := read(&v, row); got != plain(want) {
				t.Fatalf("seed %d: row %d is %v, want %v", seed, row, got, want)
			}
		}
		if v.Rows != a.Len() || v.Nulls != nulls {
			t.Fatalf("seed %d: %d rows with %d NULLs, want %d with %d", seed, v.Rows, v.Nulls, a.Len(), nulls)
		}
		if order := columnar.OrderOf(a.DataType()); v.Order != order {
			t.Fatalf("seed %d: order %d, want %d", seed, v.Order, order)
		}
		for range 20 {
			from := rng.IntN(v.Rows + 1)
			checkRange(t, seed, &v, values, from, from+rng.IntN(v.Rows-from+1))
		}
		checkRange(t, seed, &v, values, 0, v.Rows)
	})
}

// read reads a value through a view: nil for NULL, a bool, or its bytes as a string.
func read(v *columnar.View, row int) any {
	switch {
	case v.IsNull(row):
		return nil
	case v.Layout.Form == columnar.FormBits:
		return v.Bool(row)
	}
	return string(v.Text(row))
}

// plain makes what read should return of a value that Arrow returned.
func plain(value any) any {
	switch value.(type) {
	case nil, bool:
		return value
	}
	return bytesOf(value)
}

// checkRange compares what a view says of rows [from, to) with a count.
func checkRange(t *testing.T, seed uint64, v *columnar.View, values []any, from, to int) {
	t.Helper()
	nulls, text, rows := 0, int64(0), int64(to-from)
	for row := from; row < to; row++ {
		if values[row] == nil {
			nulls++
		}
		if v.Layout.Form == columnar.FormText32 || v.Layout.Form == columnar.FormText64 {
			text += int64(len(v.Text(row)))
		}
	}
	if got := v.NullsIn(from, to); got != nulls {
		t.Fatalf("seed %d: %d NULLs in rows [%d, %d), want %d", seed, got, from, to, nulls)
	}
	if got := v.TextBytes(from, to); got != text {
		t.Fatalf("seed %d: %d bytes of text in rows [%d, %d), want %d", seed, got, from, to, text)
	}
	bitmap, want := (rows+7)/8, text
	switch v.Layout.Form {
	case columnar.FormBits:
		want = bitmap
	case columnar.FormFixed:
		want = rows * int64(v.Layout.Width)
	case columnar.FormText32:
		want += 4 * rows
	case columnar.FormText64:
		want += 8 * rows
	}
	if v.Nulls > 0 && v.Layout.Form != columnar.FormNull {
		want += bitmap
	}
	if got := v.BytesIn(from, to); got != want {
		t.Fatalf("seed %d: %d bytes in rows [%d, %d), want %d", seed, got, from, to, want)
	}
	if from == 0 && to == v.Rows && v.Bytes() != want {
		t.Fatalf("seed %d: %d bytes, want %d", seed, v.Bytes(), want)
	}
}

func TestFixed(t *testing.T) {
	b := array.NewInt32Builder(memory.DefaultAllocator)
	b.AppendValues([]int32{5, -6, 7, -8}, nil)
	a := b.NewInt32Array()
	s := array.NewSlice(a, 1, 3)
	v := viewOf(t, s)
	if got := columnar.Fixed[int32](&v); len(got) != 2 || got[0] != -6 || got[1] != 7 {
		t.Errorf("Fixed is %v, want [-6 7]", got)
	}
}

// TestNewViewOfNothing looks at arrays of length 0 in all the ways they come.
func TestNewViewOfNothing(t *testing.T) {
	empty := memory.NewBufferBytes(nil)
	for _, dt := range mergeTypes {
		for _, buffers := range [][]*memory.Buffer{nil, {}, {nil}, {nil, nil, nil}, {empty, empty, empty}, {nil, nil}} {
			for _, offset := range []int{0, 3} {
				for _, nulls := range []int{0, array.UnknownNullCount} {
					v, err := columnar.NewView(array.NewData(dt, 0, buffers, nil, nulls, offset))
					if err != nil || v.Rows != 0 || v.Nulls != 0 || v.Bytes() != 0 || v.NullsIn(0, 0) != 0 || v.TextBytes(0, 0) != 0 {
						t.Errorf("%s, %d buffers, offset %d: %+v, error %v", dt, len(buffers), offset, v, err)
					}
				}
			}
		}
	}
}

// TestNewViewNullCounts tells an absent bitmap from one that has no NULL, whatever the array says of their number.
func TestNewViewNullCounts(t *testing.T) {
	values := memory.NewBufferBytes([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
	for _, c := range []struct {
		bitmap        []byte // bits 3 to 9 are those of the rows
		claimed, want int
	}{
		{nil, 0, 0},
		{nil, array.UnknownNullCount, 0},
		{[]byte{}, 0, 0},
		{[]byte{0xff, 0xff}, array.UnknownNullCount, 0},
		{[]byte{0xf8, 0x03}, 0, 0},
		{[]byte{0xf0, 0x03}, array.UnknownNullCount, 1},
		{[]byte{0xf8, 0x01}, 1, 1},
		{[]byte{0x07, 0xfc}, array.UnknownNullCount, 7},
		{[]byte{0x28, 0x00, 0xff}, 5, 5},
	} {
		buffers := []*memory.Buffer{nil, values}
		if c.bitmap != nil {
			buffers[0] = memory.NewBufferBytes(c.bitmap)
		}
		v, err := columnar.NewView(array.NewData(arrow.PrimitiveTypes.Int8, 7, buffers, nil, c.claimed, 3))
		if err != nil || v.Nulls != c.want || v.NullsIn(0, 7) != c.want {
			t.Errorf("bitmap %x, %d NULLs claimed: %d NULLs, %d in all rows, error %v, want %d", c.bitmap, c.claimed, v.Nulls,
				v.NullsIn(0, 7), err, c.want)
		}
	}
}

// TestNewViewAnyAddress sees numbers at addresses that are no multiples of their width.
func TestNewViewAnyAddress(t *testing.T) {
	for shift := 1; shift < 8; shift++ {
		b := make([]byte, 100)
		for i := range b {
			b[i] = byte(i)
		}
		values := memory.NewBufferBytes(b[shift : shift+24])
		v, err := columnar.NewView(array.NewData(arrow.PrimitiveTypes.Uint64, 3, []*memory.Buffer{nil, values}, nil, 0, 0))
		if err != nil {
			t.Fatal(err)
		}
		for row, got := range columnar.Fixed[uint64](&v) {
			if want := 0x0706050403020100 + 0x0101010101010101*uint64(shift+8*row); got != want {
				t.Errorf("shift %d: row %d is %x, want %x", shift, row, got, want)
			}
		}
	}
}

// TestCopyRow keeps rows of many arrays in one view, and wants them to stay when the arrays are gone.
func TestCopyRow(t *testing.T) {
	var dst columnar.View
	forEachArray(t, mergeTypes, 100, func(t *testing.T, rng *rand.Rand, seed uint64, a arrow.Array) {
		if a.Len() == 0 {
			return
		}
		row := rng.IntN(a.Len())
		v := viewOf(t, a)
		want := valueOf(a, row)
		v.CopyRow(&dst, row)
		if v.Order != columnar.OrderNone {
			if c := columnar.Compare(&dst, 0, &v, row); c != 0 {
				t.Fatalf("seed %d: the copy of row %d compares %d with it", seed, row, c)
			}
		}
		for _, b := range a.Data().Buffers() {
			if b != nil {
				fill(b.Bytes(), 0xdb)
			}
		}
		if got := read(&dst, 0); got != plain(want) {
			t.Fatalf("seed %d: the copy of row %d is %v, want %v", seed, row, got, want)
		}
		nulls := 0
		if want == nil {
			nulls = 1
		}
		if dst.Rows != 1 || dst.Nulls != nulls || dst.Order != v.Order || dst.NullsIn(0, 1) != nulls {
			t.Fatalf("seed %d: the copy of row %d has %d rows, %d NULLs, order %d", seed, row, dst.Rows, dst.Nulls, dst.Order)
		}
	})
}

// TestCopyRowUsesItsMemoryAgain copies values that are no longer than the one before.
func TestCopyRowUsesItsMemoryAgain(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, dt := range keyTypes {
		raw := randomRaw(rng, dt)
		a := newArray(rng, memory.DefaultAllocator, dt, [][]byte{raw, raw})
		v := viewOf(t, a)
		var dst columnar.View
		v.CopyRow(&dst, 0)
		if allocs := testing.AllocsPerRun(10, func() { v.CopyRow(&dst, 1) }); allocs > 0 {
			t.Errorf("%s: %v allocations", dt, allocs)
		}
		a.Release()
	}
}
