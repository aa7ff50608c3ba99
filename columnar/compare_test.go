package columnar_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// TestCompareAscending has lists in ascending order, to be read beside the text of the semantics.
func TestCompareAscending(t *testing.T) {
	mem := memory.DefaultAllocator
	floats64 := array.NewFloat64Builder(mem)
	floats64.AppendNull()
	floats64.AppendValues([]float64{math.Inf(-1), -math.MaxFloat64, -1, -math.SmallestNonzeroFloat64, math.Copysign(0, -1), 0,
		math.SmallestNonzeroFloat64, 0x1p-1022, 1, math.MaxFloat64, math.Inf(1), math.NaN()}, nil)
	floats32 := array.NewFloat32Builder(mem)
	floats32.AppendNull()
	floats32.AppendValues([]float32{float32(math.Inf(-1)), -math.MaxFloat32, -1, -math.SmallestNonzeroFloat32,
		float32(math.Copysign(0, -1)), 0, math.SmallestNonzeroFloat32, 0x1p-126, 1, math.MaxFloat32, float32(math.Inf(1)),
		float32(math.NaN())}, nil)
	bools := array.NewBooleanBuilder(mem)
	bools.AppendNull()
	bools.AppendValues([]bool{false, true}, nil)
	int8s := array.NewInt8Builder(mem)
	int8s.AppendNull()
	int8s.AppendValues([]int8{-128, -1, 0, 1, 127}, nil)
	uint64s := array.NewUint64Builder(mem)
	uint64s.AppendNull()
	uint64s.AppendValues([]uint64{0, 1, math.MaxInt64, 1 << 63, math.MaxUint64}, nil)
	timestamps := array.NewTimestampBuilder(mem, &arrow.TimestampType{Unit: arrow.Nanosecond})
	timestamps.AppendNull()
	timestamps.AppendValues([]arrow.Timestamp{math.MinInt64, -1_000_001, -1_000_000, -1, 0, 999_999, 1_000_000, math.MaxInt64}, nil)
	decimals := array.NewDecimal128Builder(mem, &arrow.Decimal128Type{Precision: 38, Scale: 2})
	decimals.AppendNull()
	decimals.AppendValues([]decimal128.Num{decimal128.New(math.MinInt64, 0), decimal128.New(-1, 0), decimal128.New(-1, 1),
		decimal128.FromI64(-1), decimal128.FromI64(0), decimal128.FromI64(1), decimal128.New(0, 1<<63), decimal128.New(0, math.MaxUint64),
		decimal128.New(1, 0), decimal128.New(math.MaxInt64, math.MaxUint64)}, nil)
	texts := array.NewStringBuilder(mem)
	texts.AppendNull()
	texts.AppendValues([]string{"", "\x00", "\x00\x00", "A", "a", "a\x00", "aa", "ab", "b", "z", "é", "日本", "\U0001F600", "\xff", "\xff\xff"}, nil)

	for _, b := range []array.Builder{floats64, floats32, bools, int8s, uint64s, timestamps, decimals, texts} {
		a := b.NewArray()
		v := viewOf(t, a)
		for i := range v.Rows {
			for j := range v.Rows {
				if got, want := columnar.Compare(&v, i, &v, j), cmp.Compare(i, j); sign(got) != want {
					t.Errorf("%s: %v and %v compare %d, want %d", a.DataType(), valueOf(a, i), valueOf(a, j), got, want)
				}
			}
		}
		a.Release()
		b.Release()
	}
}

// sign makes -1, 0 or 1 of the result of a comparison.
func sign(c int) int { return cmp.Compare(c, 0) }

// TestCompareNaN finds every NaN equal, whatever its bits.
func TestCompareNaN(t *testing.T) {
	b := array.NewFloat64Builder(memory.DefaultAllocator)
	for _, bits := range []uint64{0x7ff8000000000000, 0x7ff8000000000001, 0x7ff0000000000001, 0xfff8000000000000, math.MaxUint64} {
		b.Append(math.Float64frombits(bits))
	}
	wide := b.NewArray()
	narrow := array.NewFloat32Builder(memory.DefaultAllocator)
	for _, bits := range []uint32{0x7fc00000, 0x7fc00001, 0x7f800001, 0xffc00000, math.MaxUint32} {
		narrow.Append(math.Float32frombits(bits))
	}
	for _, a := range []arrow.Array{wide, narrow.NewArray()} {
		v := viewOf(t, a)
		for i := range v.Rows {
			for j := range v.Rows {
				if c := columnar.Compare(&v, i, &v, j); c != 0 {
					t.Errorf("%s: NaNs %d and %d compare %d, want 0", a.DataType(), i, j, c)
				}
			}
		}
	}
}

// TestCompare compares random values of two arrays with the naive order, both ways round and three at a time.
func TestCompare(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	for _, dt := range keyTypes {
		other := dt
		for seed := range uint64(20) {
			rng := rand.New(rand.NewPCG(seed, 1))
			if columnar.OrderOf(dt) == columnar.OrderText {
				other = textTypes[rng.IntN(len(textTypes))] // texts compare whatever their type
			}
			a := newArray(rng, mem, dt, randomRaws(rng, dt, 20))
			b := newArray(rng, mem, other, randomRaws(rng, other, 20))
			checkCompare(t, seed, a, b)
			a.Release()
			b.Release()
		}
	}
}

func checkCompare(t *testing.T, seed uint64, a, b arrow.Array) {
	t.Helper()
	va, vb := viewOf(t, a), viewOf(t, b)
	valuesA, valuesB := valuesOf(a), valuesOf(b)
	for i, x := range valuesA {
		for j, y := range valuesB {
			there, back, want := columnar.Compare(&va, i, &vb, j), columnar.Compare(&vb, j, &va, i), compareValues(x, y)
			if sign(there) != want || sign(back) != -want {
				t.Fatalf("seed %d, %s and %s: %v and %v compare %d, and %d the other way, want %d", seed, a.DataType(), b.DataType(), x,
					y, there, back, want)
			}
			for k := range valuesA {
				if there <= 0 && columnar.Compare(&vb, j, &va, k) <= 0 && columnar.Compare(&va, i, &va, k) > 0 {
					t.Fatalf("seed %d, %s and %s: %v <= %v <= %v, but not the first and the last", seed, a.DataType(), b.DataType(), x, y,
						valuesA[k])
				}
			}
		}
	}
}

// TestString shows values as errors do.
func TestString(t *testing.T) {
	long := strings.Repeat("x", 50)
	for _, c := range []struct {
		t    arrow.DataType
		json string
		want []string
	}{
		{arrow.FixedWidthTypes.Boolean, `[true, false, null]`, []string{"true", "false", "NULL"}},
		{arrow.PrimitiveTypes.Int8, `[-128, 0, 127]`, []string{"-128", "0", "127"}},
		{arrow.PrimitiveTypes.Int16, `[-32768]`, []string{"-32768"}},
		{arrow.PrimitiveTypes.Int32, `[-2147483648, 2147483647]`, []string{"-2147483648", "2147483647"}},
		{arrow.PrimitiveTypes.Int64, `[-5, 9223372036854775807]`, []string{"-5", "9223372036854775807"}},
		{arrow.PrimitiveTypes.Uint8, `[255]`, []string{"255"}},
		{arrow.PrimitiveTypes.Uint16, `[65535]`, []string{"65535"}},
		{arrow.PrimitiveTypes.Uint32, `[4294967295]`, []string{"4294967295"}},
		{arrow.PrimitiveTypes.Uint64, `[18446744073709551615]`, []string{"18446744073709551615"}},
		{arrow.PrimitiveTypes.Float32, `[1.5, null]`, []string{"1.5", "NULL"}},
		{arrow.PrimitiveTypes.Float64, `[-0.25]`, []string{"-0.25"}},
		{arrow.FixedWidthTypes.Date32, `["1970-01-31"]`, []string{"30"}},
		{&arrow.TimestampType{Unit: arrow.Millisecond}, `["1969-12-31 23:59:59.999"]`, []string{"-1"}},
		{&arrow.Decimal128Type{Precision: 10, Scale: 2}, `["-12.34"]`, []string{"-1234"}},
		{arrow.BinaryTypes.String, `["", "a\"b", "é", null, "` + long + `"]`,
			[]string{`""`, `"a\"b"`, `"é"`, "NULL", `"` + long[:40] + `"...`}},
		{arrow.BinaryTypes.LargeString, `["` + long[:40] + `"]`, []string{`"` + long[:40] + `"`}},
		{arrow.BinaryTypes.Binary, `["/wCA"]`, []string{"0xff0080"}},
		{&arrow.FixedSizeBinaryType{ByteWidth: 2}, `["YWI=", "//8="]`, []string{`"ab"`, "0xffff"}},
		{arrow.FixedWidthTypes.Duration_s, `[null, "1s"]`, []string{"NULL", "?"}},
		{arrow.Null, `[null]`, []string{"NULL"}},
	} {
		a, _, err := array.FromJSON(memory.DefaultAllocator, c.t, strings.NewReader(c.json), array.WithUseNumber())
		if err != nil {
			t.Fatalf("%s: %v", c.t, err)
		}
		v := viewOf(t, a)
		for row, want := range c.want {
			if got := v.String(row); got != want {
				t.Errorf("%s: row %d is shown as %s, want %s", c.t, row, got, want)
			}
		}
		a.Release()
	}
}

// TestStringOfAnything shows values of every type, however odd.
func TestStringOfAnything(t *testing.T) {
	forEachArray(t, mergeTypes, 50, func(t *testing.T, _ *rand.Rand, seed uint64, a arrow.Array) {
		v := viewOf(t, a)
		for row, value := range valuesOf(a) {
			if got := v.String(row); got == "" || (got == "NULL") != (value == nil) {
				t.Fatalf("seed %d: row %d, %v, is shown as %q", seed, row, value, got)
			}
		}
	})
}

// A text that is valid UTF-8 and longer than 40 bytes, a character of which lies across byte 40.
func TestStringCutsBetweenCharacters(t *testing.T) {
	b := array.NewStringBuilder(memory.DefaultAllocator)
	b.Append("a" + strings.Repeat("é", 20))
	v := viewOf(t, b.NewArray())
	if got, want := v.String(0), `"a`+strings.Repeat("é", 19)+`"...`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
