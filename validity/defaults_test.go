package validity_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/validity"
)

// defaultTypes are columns with a default and how it shows, and another value as JSON and how that shows.
var defaultTypes = []struct {
	t           arrow.DataType
	text, shows string
	json, value string
}{
	{arrow.FixedWidthTypes.Boolean, "TRUE", "true", "false", "false"},
	{arrow.PrimitiveTypes.Int8, "-5", "-5", "3", "3"},
	{arrow.PrimitiveTypes.Uint64, "18446744073709551615", "18446744073709551615", "3", "3"},
	{arrow.PrimitiveTypes.Float32, "0.5", "0.5", "3", "3"},
	{arrow.PrimitiveTypes.Float64, "NaN", "NaN", "3", "3"},
	{&arrow.Decimal128Type{Precision: 6, Scale: 2}, "1.5", "1.5", `"3"`, "3"},
	{texts, "", "", `"xyz"`, "xyz"},
	{texts, "(null)", "(null)", `"xyz"`, "xyz"},
	{arrow.BinaryTypes.LargeString, "fallback", "fallback", `"xyz"`, "xyz"},
	{arrow.FixedWidthTypes.Date32, "2026-11-30", "2026-11-30", `"1970-01-02"`, "1970-01-02"},
	{arrow.FixedWidthTypes.Timestamp_ms, "2026-11-30 12:00:00", "2026-11-30 12:00:00Z", `"1970-01-02"`, "1970-01-02 00:00:00Z"},
}

// TestDefaultFill fills sliced columns of random NULLs.
func TestDefaultFill(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer mem.AssertSize(t, 0)
	rng := rand.New(rand.NewPCG(7, 51))
	for _, c := range defaultTypes {
		d, err := validity.DefaultOf(withDefault("x", c.t, c.text))
		if err != nil {
			t.Errorf("%s: %v", c.t, err)
			continue
		}
		for range 30 {
			var items []string
			for range rng.IntN(100) {
				items = append(items, []string{"null", c.json}[rng.IntN(2)])
			}
			column, _, err := array.FromJSON(mem, c.t, strings.NewReader("["+strings.Join(items, ",")+"]"))
			if err != nil {
				t.Fatal(err)
			}
			from := rng.IntN(len(items) + 1)
			slice := array.NewSlice(column, int64(from), int64(len(items)))
			got, err := d.Fill(slice, mem)
			if err != nil {
				t.Fatal(err)
			}
			if got.Len() != slice.Len() || got.NullN() != 0 || !arrow.TypeEqual(got.DataType(), c.t) {
				t.Fatalf("%s: %v of %v", c.t, got, slice)
			}
			for row := range got.Len() {
				want := c.shows
				if slice.IsValid(row) {
					want = c.value
				}
				if got.ValueStr(row) != want {
					t.Fatalf("%s, row %d: %q, want %q", c.t, row, got.ValueStr(row), want)
				}
			}
			got.Release()
			slice.Release()
			column.Release()
		}
	}
	if d, err := validity.DefaultOf(field("x", ints)); d != nil || err != nil {
		t.Error(d, err)
	}
}

// TestDefaultFillForged gives columns whose buffers hold less than they promise.
func TestDefaultFillForged(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer mem.AssertSize(t, 0)
	buffer := func(n int) *memory.Buffer { return memory.NewBufferBytes(make([]byte, n)) }
	falling := memory.NewBufferBytes([]byte{0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0})
	for _, c := range []struct {
		t       arrow.DataType
		text    string
		buffers []*memory.Buffer
	}{
		{ints, "1", []*memory.Buffer{buffer(1), buffer(7)}},
		{arrow.FixedWidthTypes.Boolean, "true", []*memory.Buffer{buffer(1), buffer(0)}},
		{texts, "x", []*memory.Buffer{buffer(1), falling, buffer(4)}},
	} {
		d, err := validity.DefaultOf(withDefault("x", c.t, c.text))
		if err != nil {
			t.Fatal(err)
		}
		data := array.NewData(c.t, 2, c.buffers, nil, 2, 0)
		column := forged{array.MakeFromData(array.NewData(arrow.Null, 2, nil, nil, 2, 0)), data}
		if _, err := d.Fill(column, mem); !errors.Is(err, validity.ErrCorrupt) || !strings.Contains(err.Error(), `column "x"`) {
			t.Errorf("%s: %v", c.t, err)
		}
	}
}

// forged is an array whose data nobody has looked at.
type forged struct {
	arrow.Array
	data arrow.ArrayData
}

func (f forged) Data() arrow.ArrayData { return f.data }
