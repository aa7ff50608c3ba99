package arrow18_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/arrow18"
)

// The formulas of testdata/write.py, which wrote the files with another implementation of Parquet.

func null(i int) bool     { return i%7 == 3 }
func number(i int) int64  { return int64(i*7919%1009 - 500) }
func real(i int) float64  { return float64(number(i)) / 8 }
func word(i int) string   { return fmt.Sprintf("row-%03d-%s", i%50, strings.Repeat("x", i%4)) }
func bytesOf(i int) any   { return []byte(word(i)) } // JSON takes them as base64, as Arrow does
func small(i int) int64   { return ((number(i) % 100) + 100) % 100 }
func numberOf(i int) any  { return number(i) }
func realOf(i int) any    { return real(i) }
func wordOf(i int) any    { return word(i) }
func instant(i int) int64 { return number(i)*86_400_000_000_000 + int64(i)*1001 }

// each gives f of every row, NULL where null says.
func each(f func(i int) any) func(int) any {
	return func(i int) any {
		if null(i) {
			return nil
		}
		return f(i)
	}
}

// list gives a list of n values of f, for k from 0 on.
func list(n int, f func(k int) any) any {
	out := make([]any, n)
	for k := range out {
		out[k] = f(k)
	}
	return out
}

func inner(i int) any {
	return list(i%4, func(k int) any {
		if k == 1 && i%2 == 0 {
			return nil
		}
		return number(i + k)
	})
}

func pairsOf(key, value string, n int, f func(k int) (any, any)) any {
	return list(n, func(k int) any {
		a, b := f(k)
		return map[string]any{key: a, value: b}
	})
}

// scaled is number(i) * times as a decimal of a scale.
func scaled(scale int, times string) func(int) any {
	return func(i int) any {
		factor, ok := new(big.Int).SetString(times, 10)
		if !ok {
			panic(times)
		}
		v := new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(number(i)), factor), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil))
		return v.FloatString(scale)
	}
}

// expected is a column that a file must have.
type expected struct {
	name  string
	dt    arrow.DataType
	value func(i int) any
}

var (
	tString = arrow.BinaryTypes.String
	tInt32  = arrow.PrimitiveTypes.Int32
	tInt64  = arrow.PrimitiveTypes.Int64
	tInts   = arrow.ListOf(tInt32)
)

var numberColumns = []expected{
	{"i32", tInt32, each(numberOf)},
	{"i64", tInt64, func(i int) any { return number(i) << 33 }},
	{"f32", arrow.PrimitiveTypes.Float32, each(realOf)},
	{"f64", arrow.PrimitiveTypes.Float64, realOf},
	{"fixed", &arrow.FixedSizeBinaryType{ByteWidth: 5}, each(func(i int) any { return fmt.Appendf(nil, "%05d", i) })},
}

var stringColumns = []expected{
	{"s", tString, each(wordOf)},
	{"b", arrow.BinaryTypes.Binary, bytesOf},
}

var nestedColumns = []expected{
	{"lists", arrow.ListOf(tInts), each(func(i int) any {
		return list(i%5, func(k int) any {
			if k == 2 {
				return nil
			}
			return inner(i + k)
		})
	})},
	{"structs", arrow.StructOf(
		arrow.Field{Name: "n", Type: tInt64, Nullable: true},
		arrow.Field{Name: "in", Nullable: true, Type: arrow.StructOf(
			arrow.Field{Name: "s", Type: tString, Nullable: true}, arrow.Field{Name: "l", Type: tInts, Nullable: true})},
	), each(func(i int) any {
		out := map[string]any{"n": number(i), "in": map[string]any{"s": word(i), "l": inner(i)}}
		if i%5 == 1 {
			out["n"] = nil
		}
		return out
	})},
	{"maps", arrow.MapOf(tString, arrow.PrimitiveTypes.Float64), each(func(i int) any {
		return pairsOf("key", "value", i%3, func(k int) (any, any) {
			if k == 1 {
				return word(i + k), nil
			}
			return word(i + k), real(i + k)
		})
	})},
	{"pairs", arrow.ListOf(arrow.StructOf(arrow.Field{Name: "k", Type: tString, Nullable: true}, arrow.Field{Name: "v", Type: tInt64, Nullable: true})), each(func(i int) any {
		return pairsOf("k", "v", i%3, func(k int) (any, any) { return word(i + k), number(i + k) })
	})},
}

var fixedListColumns = []expected{
	{"pairs", arrow.FixedSizeListOf(2, tInt32), func(i int) any {
		if i%3 == 1 {
			return nil
		}
		if i%5 == 2 {
			return []any{number(i), nil}
		}
		return []any{number(i), number(i + 1)}
	}},
	{"full", arrow.FixedSizeListOf(3, tInt64), func(i int) any { return list(3, func(k int) any { return number(i + k) }) }},
	{"deep", arrow.ListOf(arrow.FixedSizeListOf(2, tString)), each(func(i int) any {
		return list(i%3, func(k int) any {
			if k == 1 {
				return nil
			}
			return []any{word(i + k), word(i + k + 1)}
		})
	})},
	{"none", arrow.FixedSizeListOf(4, tInt32), func(int) any { return nil }},
}

var decimalColumns = []expected{
	{"d9", &arrow.Decimal128Type{Precision: 9, Scale: 2}, each(scaled(2, "1"))},
	{"d18", &arrow.Decimal128Type{Precision: 18, Scale: 4}, each(scaled(4, "1000000000001"))},
	{"d38", &arrow.Decimal128Type{Precision: 38, Scale: 10}, each(scaled(10, "100000000000000000000000000000007"))},
	{"d76", &arrow.Decimal256Type{Precision: 76, Scale: 20}, each(scaled(20, "1"+strings.Repeat("0", 69)+"7"))},
}

// instantColumns are INT96 columns; zone is the time zone of the second, if the file tells it.
func instantColumns(zone string) []expected {
	at := each(func(i int) any { return instant(i) })
	return []expected{
		{"ts", &arrow.TimestampType{Unit: arrow.Nanosecond}, at},
		{"zoned", &arrow.TimestampType{Unit: arrow.Nanosecond, TimeZone: zone}, at},
		{"list", arrow.ListOf(&arrow.TimestampType{Unit: arrow.Nanosecond}), each(func(i int) any {
			return list(i%3, func(k int) any { return instant(i + k) })
		})},
	}
}

func smallAnd(add int64) func(int) any {
	return each(func(i int) any { return small(i) + add })
}

func repeats(i int) any { return list(i%3, func(int) any { return number(i) }) }

func day(i int) any { return arrow.Date32(number(i)).FormattedString() }

var typeColumns = []expected{
	{"bool", arrow.FixedWidthTypes.Boolean, each(func(i int) any { return (number(i)%3+3)%3 == 0 })},
	{"i8", arrow.PrimitiveTypes.Int8, smallAnd(-50)},
	{"i16", arrow.PrimitiveTypes.Int16, each(numberOf)},
	{"u8", arrow.PrimitiveTypes.Uint8, smallAnd(0)},
	{"u16", arrow.PrimitiveTypes.Uint16, smallAnd(60_000)},
	{"u32", arrow.PrimitiveTypes.Uint32, smallAnd(4_000_000_000)},
	{"u64", arrow.PrimitiveTypes.Uint64, each(func(i int) any { return uint64(small(i)) + 1<<63 })},
	{"f16", arrow.FixedWidthTypes.Float16, each(realOf)},
	{"date32", arrow.PrimitiveTypes.Date32, each(day)},
	{"date64", arrow.PrimitiveTypes.Date32, each(day)}, // Parquet has one kind of date
	{"time_ms", arrow.FixedWidthTypes.Time32ms, smallAnd(0)},
	{"time_us", arrow.FixedWidthTypes.Time64us, smallAnd(0)},
	{"time_ns", arrow.FixedWidthTypes.Time64ns, smallAnd(0)},
	{"ts_ms", &arrow.TimestampType{Unit: arrow.Millisecond}, each(numberOf)},
	{"ts_us", &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}, each(numberOf)},
	{"ts_ns", &arrow.TimestampType{Unit: arrow.Nanosecond, TimeZone: "Europe/Paris"}, each(numberOf)},
	{"duration", arrow.FixedWidthTypes.Duration_us, each(numberOf)},
	{"durations", arrow.ListOf(arrow.FixedWidthTypes.Duration_s), each(repeats)},
	{"dictionary", &arrow.DictionaryType{IndexType: tInt32, ValueType: tString}, each(wordOf)},
	{"large", arrow.BinaryTypes.LargeString, each(wordOf)},
	{"large_list", arrow.LargeListOfField(element(tInt32)), each(repeats)},
	{"null", arrow.Null, func(int) any { return nil }},
}

var dictionaryColumns = []expected{
	{"few", &arrow.DictionaryType{IndexType: tInt32, ValueType: tString}, each(func(i int) any { return word(i % 3) })},
	{"many", &arrow.DictionaryType{IndexType: tInt32, ValueType: tString}, func(i int) any { return word(i) + strconv.Itoa(i) }},
	{"bytes", &arrow.DictionaryType{IndexType: tInt32, ValueType: arrow.BinaryTypes.Binary}, each(bytesOf)},
}

var large = []expected{{"large", tString, each(wordOf)}}

// fixtures are the files, the rows of their row groups, and what they hold.
var fixtures = []struct {
	file    string
	groups  []int
	columns []expected
}{
	{"byte_stream_split", []int{120, 80}, numberColumns},
	{"delta_binary_packed", []int{150, 150, 100}, numberColumns[:2]},
	{"delta_strings", []int{130, 130, 40}, stringColumns},
	{"delta_strings_zstd", []int{300}, stringColumns},
	{"dictionary_then_plain", []int{300}, stringColumns},
	{"codec_none", []int{300}, stringColumns},
	{"codec_snappy", []int{300}, stringColumns},
	{"codec_gzip", []int{300}, stringColumns},
	{"codec_brotli", []int{300}, stringColumns},
	{"codec_zstd", []int{300}, stringColumns},
	{"codec_lz4", []int{300}, stringColumns},
	{"pages_v2", []int{100}, nestedColumns},
	{"nested", []int{60, 40}, nestedColumns},
	{"fixed_lists", []int{100, 50}, fixedListColumns},
	{"decimals", []int{120}, decimalColumns},
	{"decimals_as_integers", []int{120}, decimalColumns[:3]},
	{"int96", []int{80}, instantColumns("Europe/Paris")},
	{"int96_without_schema", []int{80}, instantColumns("")},
	{"types", []int{50, 40}, typeColumns},
	{"dictionaries", []int{120, 80}, dictionaryColumns},
	{"dictionaries_then_plain", []int{200}, dictionaryColumns},
	{"dictionaries_plain", []int{200}, dictionaryColumns},
	{"large_utf8_without_schema", []int{90}, large},
	{"page_index_and_checksums", []int{70, 70, 60}, numberColumns},
	{"zero_rows", []int{0}, nestedColumns},
	{"zero_groups", nil, numberColumns},
}

func fixture(name string) string { return filepath.Join("testdata", name+".parquet") }

// build computes rows [from, to) of a column.
func (e expected) build(t testing.TB, mem memory.Allocator, from, to int) arrow.Array {
	t.Helper()
	values := make([]any, 0, to-from)
	for i := from; i < to; i++ {
		values = append(values, e.value(i))
	}
	text, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	a, _, err := array.FromJSON(mem, e.dt, strings.NewReader(string(text)), array.WithUseNumber())
	if err != nil {
		t.Fatalf("column %s: %v", e.name, err)
	}
	return a
}

// TestFixtures reads every file of testdata in batches of several sizes, in one go and by columns.
func TestFixtures(t *testing.T) {
	for _, f := range fixtures {
		t.Run(f.file, func(t *testing.T) {
			for _, batch := range []int{0, 1, 7, 64} {
				mem, _ := checked(t)
				r, err := arrow18.OpenParquet(context.Background(), fixture(f.file), arrow18.ReadOptions{BatchRows: batch, Allocator: poisoned{mem}})
				if err != nil {
					t.Fatal(err)
				}
				rows := 0
				for _, g := range f.groups {
					rows += g
				}
				if r.NumRows() != int64(rows) {
					t.Errorf("%d rows, want %d", r.NumRows(), rows)
				}
				at := 0
				for r.Next() {
					rec := r.Record()
					n := int(rec.NumRows())
					if batch > 0 && n > batch || n == 0 {
						t.Fatalf("record of %d rows, batches are of %d", n, batch)
					}
					for i, want := range f.columns {
						wanted := want.build(t, mem, at, at+n)
						got := rec.Column(i)
						if rec.ColumnName(i) != want.name || !arrow.TypeEqual(got.DataType(), want.dt) || !equalArrays(got, wanted) {
							t.Errorf("rows %d to %d, %s %s: got %v, want %s %s %v", at, at+n, rec.ColumnName(i), got.DataType(), got, want.name, want.dt, wanted)
						}
						wanted.Release()
					}
					at += n
				}
				if r.Err() != nil || at != rows {
					t.Errorf("%d rows of %d, error %v", at, rows, r.Err())
				}
				if r.Schema().NumFields() != len(f.columns) {
					t.Errorf("schema %v", r.Schema())
				}
				r.Release()
			}
		})
	}
}
