package arrow18_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/decimal256"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/arrow18"
	"github.com/braidmerge/braid/columnar"
)

// unscaled makes a decimal array of unscaled values, of whatever size, and a NULL before each.
func unscaled(t *testing.T, mem memory.Allocator, dt arrow.DataType, values ...string) arrow.Array {
	b := array.NewBuilder(mem, dt)
	defer b.Release()
	for _, v := range values {
		b.AppendNull()
		wide, err := decimal256.FromString(v, 76, 0)
		if err != nil {
			t.Fatal(err)
		}
		switch b := b.(type) {
		case *array.Decimal128Builder:
			words := wide.Array()
			b.Append(decimal128.New(int64(words[1]), words[0]))
		case *array.Decimal256Builder:
			b.Append(wide)
		}
	}
	return b.NewArray()
}

// TestWriteDecimals writes values of more digits than their type has, as sums may be: they come back as they are where the
// bytes that Parquet gives the type hold them, and are an error where not.
func TestWriteDecimals(t *testing.T) {
	d128 := func(p int32) arrow.DataType { return &arrow.Decimal128Type{Precision: p, Scale: 2} }
	d256 := func(p int32) arrow.DataType { return &arrow.Decimal256Type{Precision: p, Scale: 2} }
	tens := func(n int) string { return "1" + strings.Repeat("0", n) }
	cases := []struct {
		dt        arrow.DataType
		fit, miss []string
	}{
		{d128(5), []string{"99999", "2147483647", "-2147483648"}, []string{"2147483648", "-2147483649", tens(20)}},
		{d128(12), []string{tens(15), "9223372036854775807", "-9223372036854775808"}, []string{"9223372036854775808", "-9223372036854775809", "-" + tens(30)}},
		{d128(20), []string{tens(20), "2361183241434822606847", "-2361183241434822606848"}, []string{"2361183241434822606848", "-2361183241434822606849"}},
		{d128(38), []string{"-" + tens(37), "170141183460469231731687303715884105727"}, nil},
		{d256(5), []string{"2147483647", "-2147483648"}, []string{"2147483648", "-" + tens(60)}},
		{d256(50), []string{tens(50), "-" + tens(50)}, []string{tens(60), "-" + tens(60)}},
	}
	for _, c := range cases {
		mem, _ := checked(t)
		a := unscaled(t, mem, c.dt, c.fit...)
		slice := array.NewSlice(a, 1, int64(a.Len()))
		for _, source := range []arrow.Array{a, slice} {
			rec := one(source)
			_, recs := decode(t, encode(t, rec.Schema(), arrow18.WriteOptions{Allocator: mem}, rec), arrow18.ReadOptions{Allocator: mem})
			if got := recs[0].Column(0); !arrow.TypeEqual(got.DataType(), c.dt) || !array.Equal(got, source) {
				t.Errorf("%s: got %s %v, want %v", c.dt, got.DataType(), got, source)
			}
			recs[0].Release()
			rec.Release()
		}
		a.Release()
		slice.Release()
		for _, v := range c.miss {
			a := unscaled(t, mem, c.dt, v)
			rec := one(a)
			w, err := arrow18.NewParquetWriter(&bytes.Buffer{}, rec.Schema(), arrow18.WriteOptions{Allocator: mem})
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Write(rec); !errors.Is(err, columnar.ErrTooLarge) || !containsAll(err.Error(), `column "c"`, "row 1") {
				t.Errorf("%s %s: error %v", c.dt, v, err)
			}
			a.Release()
			rec.Release()
		}
	}
}

// TestWriteNestedDecimals writes decimals within other types.
func TestWriteNestedDecimals(t *testing.T) {
	mem, _ := checked(t)
	d := &arrow.Decimal128Type{Precision: 7, Scale: 2}
	for dt, values := range map[arrow.DataType]string{
		arrow.StructOf(arrow.Field{Name: "d", Type: d, Nullable: true}): `[{"d": "1.50"}, null, {"d": null}, {"d": "-2.00"}]`,
		arrow.ListOf(d):                          `[["1.50", null], null, [], ["-2.00"]]`,
		arrow.FixedSizeListOf(2, d):              `[["1.50", null], null, ["3.00", "4.00"]]`,
		arrow.MapOf(arrow.BinaryTypes.String, d): `[[{"key": "k", "value": "1.50"}], null, [], [{"key": "l", "value": null}]]`,
	} {
		a := layout{name: dt.String(), v17: dt, values: values}.build17(t, mem)
		rec := one(a)
		_, recs := decode(t, encode(t, rec.Schema(), arrow18.WriteOptions{Allocator: mem}, rec), arrow18.ReadOptions{Allocator: mem})
		if got := recs[0].Column(0); !array.Equal(got, a) {
			t.Errorf("%s: got %v, want %v", dt, got, a)
		}
		for _, r := range []interface{ Release() }{a, rec, recs[0]} {
			r.Release()
		}
	}
}
