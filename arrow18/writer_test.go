package arrow18_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/arrow18"
	"github.com/braidmerge/braid/columnar"
)

// unwritable are the layouts that Parquet files cannot hold.
var unwritable = []string{
	"month interval", "day time interval", "month day nano interval", "binary view", "utf8 view",
	"list view", "large list view", "run-end encoded", "sparse union", "dense union",
}

// others are the layouts that come back as another type, with the same values. The rest come back as they are.
var others = map[string]arrow.DataType{
	"date64":             arrow.PrimitiveTypes.Date32,
	"time32[s]":          arrow.FixedWidthTypes.Time32ms,
	"timestamp[s]":       &arrow.TimestampType{Unit: arrow.Millisecond},
	"dictionary":         &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String, Ordered: true},
	"list of dictionary": arrow.ListOf(arrow.BinaryTypes.String),
	"map of dictionary":  arrow.MapOf(arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64),
	"large list":         largeListRead(arrow.BinaryTypes.String),
}

// largeListRead is a large list as it comes from a Parquet file. Arrow tells such lists apart by more than their values' type.
func largeListRead(dt arrow.DataType) arrow.DataType { return arrow.LargeListOfField(element(dt)) }

func element(dt arrow.DataType) arrow.Field {
	return arrow.Field{Name: "element", Type: dt, Nullable: true, Metadata: arrow.NewMetadata([]string{"PARQUET:field_id"}, []string{"-1"})}
}

// back is what a layout comes back as from a Parquet file.
func (l layout) back(t *testing.T, mem memory.Allocator) arrow.Array {
	if dt, ok := others[l.name]; ok {
		l.v17 = dt
	}
	return l.build17(t, mem)
}

// encode writes records to a Parquet file in memory.
func encode(t testing.TB, schema *arrow.Schema, options arrow18.WriteOptions, recs ...arrow.Record) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := arrow18.NewParquetWriter(&out, schema, options)
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range recs {
		if err := w.Write(rec); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// decode reads all records of a Parquet file in memory.
func decode(t testing.TB, b []byte, options arrow18.ReadOptions) (*arrow.Schema, []arrow.Record) {
	t.Helper()
	r, err := arrow18.NewParquetReader(context.Background(), "test.parquet", bytes.NewReader(b), int64(len(b)), options)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	var recs []arrow.Record
	for r.Next() {
		r.Record().Retain()
		recs = append(recs, r.Record())
	}
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
	return r.Schema(), recs
}

// together makes one record of records, and releases them.
func together(t testing.TB, mem memory.Allocator, schema *arrow.Schema, recs []arrow.Record) arrow.Record {
	t.Helper()
	columns := make([]arrow.Array, schema.NumFields())
	rows := int64(0)
	for _, rec := range recs {
		rows += rec.NumRows()
	}
	for i := range columns {
		var parts []arrow.Array
		for _, rec := range recs {
			parts = append(parts, rec.Column(i))
		}
		if len(parts) == 0 {
			columns[i] = array.MakeArrayOfNull(mem, schema.Field(i).Type, 0)
			continue
		}
		var err error
		if columns[i], err = array.Concatenate(parts, mem); err != nil {
			t.Fatal(err)
		}
	}
	out := array.NewRecord(schema, columns, rows)
	for _, c := range columns {
		c.Release()
	}
	for _, rec := range recs {
		rec.Release()
	}
	return out
}

func one(a arrow.Array) arrow.Record {
	schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: a.DataType(), Nullable: true}}, nil)
	return array.NewRecord(schema, []arrow.Array{a}, int64(a.Len()))
}

// TestRoundTrip writes every layout, whole and sliced, and reads it back.
func TestRoundTrip(t *testing.T) {
	for _, l := range layouts {
		if slices.Contains(unwritable, l.name) {
			continue
		}
		t.Run(l.name, func(t *testing.T) {
			for _, cut := range cuts {
				mem, _ := checked(t)
				whole, wantWhole := l.build17(t, mem), l.back(t, mem)
				source, want := array.NewSlice(whole, cut[0], cut[1]), array.NewSlice(wantWhole, cut[0], cut[1])
				rec := one(source)
				b := encode(t, rec.Schema(), arrow18.WriteOptions{Allocator: poisoned{mem}}, rec)
				_, recs := decode(t, b, arrow18.ReadOptions{Allocator: poisoned{mem}})
				if len(recs) == 1 {
					got := recs[0].Column(0)
					if !arrow.TypeEqual(got.DataType(), want.DataType()) || !equalArrays(got, want) || got.NullN() != want.NullN() {
						t.Errorf("rows %v: got %s %v, want %s %v", cut, got.DataType(), got, want.DataType(), want)
					}
				} else if want.Len() > 0 || len(recs) > 0 {
					t.Errorf("rows %v: %d records", cut, len(recs))
				}
				for _, r := range append(recs, rec) {
					r.Release()
				}
				for _, a := range []arrow.Array{whole, wantWhole, source, want} {
					a.Release()
				}
			}
		})
	}
}

// equalArrays compares arrays, and dictionary arrays by their values.
func equalArrays(a, b arrow.Array) bool {
	if a.DataType().ID() != arrow.DICTIONARY {
		return array.Equal(a, b)
	}
	for i := range a.Len() {
		if a.Len() != b.Len() || valueAt(a, i) != valueAt(b, i) {
			return false
		}
	}
	return true
}

func TestUnwritable(t *testing.T) {
	for _, l := range layouts {
		if !slices.Contains(unwritable, l.name) {
			continue
		}
		for path, dt := range map[string]arrow.DataType{
			"c": l.v17, "c.f": arrow.StructOf(arrow.Field{Name: "f", Type: l.v17}), "c.item": arrow.ListOf(l.v17),
			"c.value": arrow.MapOf(arrow.BinaryTypes.String, l.v17),
		} {
			mem, _ := checked(t)
			schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: dt, Nullable: true}}, nil)
			_, err := arrow18.NewParquetWriter(io.Discard, schema, arrow18.WriteOptions{Allocator: mem})
			if !errors.Is(err, columnar.ErrSchema) || !strings.Contains(err.Error(), fmt.Sprintf("column %q", path)) {
				t.Errorf("%s: error %v", path, err)
			}
		}
	}
}

// TestWriteNestedNulls writes lists whose NULLs span values, which Parquet has no place for: under a NULL of their own, of a
// parent, and of a list of fixed size.
func TestWriteNestedNulls(t *testing.T) {
	numbers := arrow.ListOf(arrow.PrimitiveTypes.Int32)
	pair := arrow.FixedSizeListOfField(2, element(arrow.BinaryTypes.String))
	cases := []struct {
		name           string
		dt             arrow.DataType
		values, wanted string
		valid          []int // rows that stay valid
	}{
		{"list", numbers, `[[1, 2], [3], [4, 5, 6], [], [7]]`, `[[1, 2], null, null, [], [7]]`, []int{0, 3, 4}},
		{"large list", largeListRead(pair),
			`[[["a", "b"], null], [["c", "d"]], [["e", null]], [], [["f", "g"]]]`, `[null, [["c", "d"]], null, [], [["f", "g"]]]`, []int{1, 3, 4}},
		{"map", arrow.MapOf(arrow.BinaryTypes.String, numbers), `[[{"key": "a", "value": [1]}], [{"key": "b", "value": null}], [], [{"key": "c", "value": [2, 3]}], []]`,
			`[[{"key": "a", "value": [1]}], null, [], [{"key": "c", "value": [2, 3]}], null]`, []int{0, 2, 3}},
		{"fixed size list", pair, `[["a", "b"], ["c", "d"], ["e", null], ["f", "g"], ["h", "i"]]`, `[null, ["c", "d"], ["e", null], null, ["h", "i"]]`, []int{1, 2, 4}},
		{"list in struct", arrow.StructOf(arrow.Field{Name: "n", Type: arrow.PrimitiveTypes.Int8, Nullable: true}, arrow.Field{Name: "l", Type: numbers, Nullable: true}),
			`[{"n": 1, "l": [1, 2]}, {"n": 2, "l": [3]}, {"n": null, "l": null}, {"n": 4, "l": [4, 5]}, {"n": 5, "l": []}]`,
			`[{"n": 1, "l": [1, 2]}, null, {"n": null, "l": null}, null, {"n": 5, "l": []}]`, []int{0, 2, 4}},
		{"list in struct in struct", arrow.StructOf(arrow.Field{Name: "s", Type: arrow.StructOf(arrow.Field{Name: "l", Type: pair, Nullable: true}), Nullable: true}),
			`[{"s": {"l": ["a", "b"]}}, {"s": {"l": ["c", "d"]}}, {"s": null}, {"s": {"l": null}}, {"s": {"l": ["e", "f"]}}]`,
			`[{"s": {"l": ["a", "b"]}}, null, {"s": null}, {"s": {"l": null}}, null]`, []int{0, 2, 3}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			mem, _ := checked(t)
			l := layout{name: c.name, v17: c.dt, values: c.values}
			full := l.build17(t, mem)
			l.values = c.wanted
			wanted := l.build17(t, mem)
			hollow := withNulls(mem, full, c.valid)
			for _, cut := range cuts {
				source, want := array.NewSlice(hollow, cut[0], cut[1]), array.NewSlice(wanted, cut[0], cut[1])
				rec := one(source)
				schema, recs := decode(t, encode(t, rec.Schema(), arrow18.WriteOptions{Allocator: mem}, rec), arrow18.ReadOptions{Allocator: mem})
				got := together(t, mem, schema, recs)
				if !array.Equal(got.Column(0), want) {
					t.Errorf("rows %v: got %v, want %v", cut, got.Column(0), want)
				}
				for _, r := range []interface{ Release() }{source, want, rec, got} {
					r.Release()
				}
			}
			for _, a := range []arrow.Array{full, wanted, hollow} {
				a.Release()
			}
		})
	}
}

// withNulls is a with only the rows in valid not NULL, over the same children.
func withNulls(mem memory.Allocator, a arrow.Array, valid []int) arrow.Array {
	bits := memory.NewResizableBuffer(mem)
	defer bits.Release()
	bits.Resize(1)
	bits.Bytes()[0] = 0
	for _, i := range valid {
		bits.Bytes()[0] |= 1 << i
	}
	d := a.Data()
	data := array.NewData(d.DataType(), d.Len(), append([]*memory.Buffer{bits}, d.Buffers()[1:]...), d.Children(), d.Len()-len(valid), 0)
	defer data.Release()
	return array.MakeFromData(data)
}
