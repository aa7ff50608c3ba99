package main

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// keyShapes are keys of various types for the same ids. The order of keys need not be that of ids.
var keyShapes = map[string]struct {
	types  []arrow.DataType
	append func(b []array.Builder, id uint64)
}{
	"int64": {[]arrow.DataType{arrow.PrimitiveTypes.Int64}, func(b []array.Builder, id uint64) {
		b[0].(*array.Int64Builder).Append(int64(id))
	}},
	"hashed": {[]arrow.DataType{arrow.PrimitiveTypes.Int64}, func(b []array.Builder, id uint64) {
		b[0].(*array.Int64Builder).Append(int64(mix(id)))
	}},
	"uuid": {[]arrow.DataType{arrow.BinaryTypes.String}, func(b []array.Builder, id uint64) {
		x, y := mix(id), mix(id+1<<40)
		b[0].(*array.StringBuilder).Append(fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", x>>32, x>>16&0xffff, x&0xffff, y>>48, y&0xffffffffffff))
	}},
	"url": {[]arrow.DataType{arrow.BinaryTypes.String}, func(b []array.Builder, id uint64) {
		b[0].(*array.StringBuilder).Append(fmt.Sprintf("https://shop-%03d.example.com/catalogue/item/%09d", id%100, id/100))
	}},
	"tenant": {[]arrow.DataType{arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64}, func(b []array.Builder, id uint64) {
		b[0].(*array.StringBuilder).Append(fmt.Sprintf("tenant-%05d", id%1000))
		b[1].(*array.Int64Builder).Append(int64(mix(id / 1000)))
	}},
	"flight": {[]arrow.DataType{arrow.FixedWidthTypes.Timestamp_us, arrow.BinaryTypes.String, arrow.BinaryTypes.String}, func(b []array.Builder, id uint64) {
		x := mix(id)
		b[0].(*array.TimestampBuilder).Append(arrow.Timestamp(id / 20 * 60_000_000))
		b[1].(*array.StringBuilder).Append(string([]byte{'A' + byte(x%26), 'A' + byte(x>>8%26), 'A' + byte(x>>16%26)}))
		b[2].(*array.StringBuilder).Append(string([]byte{'A' + byte(x>>24%26), 'A' + byte(x>>32%26), 'A' + byte(x>>40%26)}))
	}},
	"uuid16": {[]arrow.DataType{&arrow.FixedSizeBinaryType{ByteWidth: 16}}, func(b []array.Builder, id uint64) {
		x := binary.BigEndian.AppendUint64(nil, mix(id))
		b[0].(*array.FixedSizeBinaryBuilder).Append(binary.BigEndian.AppendUint64(x, mix(id+1<<40)))
	}},
	"words": {[]arrow.DataType{arrow.BinaryTypes.String}, func(b []array.Builder, id uint64) {
		var text []byte
		for x := mix(id); len(text) < 4 || x%16 > 0; x /= 16 { // lower case, four to sixteen letters, unlike letters unlikely
			text = append(text, "etaoinshrdlucmfw"[x%16])
		}
		b[0].(*array.StringBuilder).Append(string(strconv.AppendUint(append(text, '.'), id, 36)))
	}},
	"mixed": {[]arrow.DataType{arrow.PrimitiveTypes.Date32, arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64}, func(b []array.Builder, id uint64) {
		x := mix(id)
		b[0].(*array.Date32Builder).Append(arrow.Date32(id / 2000))
		b[1].(*array.StringBuilder).Append([]string{"de", "fr", "us", "brazil", "japan"}[x%5])
		b[2].(*array.Int64Builder).Append(int64(id))
	}},
	"decimal": {[]arrow.DataType{&arrow.Decimal128Type{Precision: 38, Scale: 2}}, func(b []array.Builder, id uint64) {
		if err := b[0].AppendValueFromString(fmt.Sprintf("%d.%02d", id*1_000_003, id%100)); err != nil {
			panic(err)
		}
	}},
}

// mix spreads ids over 64 bits.
func mix(x uint64) uint64 {
	x ^= x >> 31
	x *= 0x7fb5d329728ea185
	x ^= x >> 27
	x *= 0x81dadef4bc2dd44d
	return x ^ x>>33
}

// keyRows is how many rows a merge of BenchmarkKeys has.
const keyRows = 2 << 20

// BenchmarkKeys merges eight runs of seven columns under keys of various types, in alternation with the same rows under an
// int64 key, once without and once with the columns of the other key as values: what a key costs beside int64, and what of it
// is not for moving its bytes.
func BenchmarkKeys(b *testing.B) {
	for _, shape := range []string{"int64", "hashed", "decimal", "uuid", "uuid16", "url", "tenant", "flight", "mixed", "words"} {
		b.Run(shape, func(b *testing.B) {
			for _, share := range []float64{0, 0.5} {
				b.Run(fmt.Sprintf("share=%v", share), func(b *testing.B) { benchmarkKey(b, shape, share) })
			}
		})
	}
}

func benchmarkKey(b *testing.B, shape string, share float64) {
	plain, plainRuns, rows := keyedRuns("int64", 8, share, false)
	carried, carriedRuns, _ := keyedRuns(shape, 8, share, true)
	keyed, keyedRuns, _ := keyedRuns(shape, 8, share, false)
	var names []string
	for _, f := range keyed.Fields() {
		if strings.HasPrefix(f.Name, "key") {
			names = append(names, f.Name)
		}
	}
	options := map[string]string{"merge-engine": "deduplicate"}
	medians, stats := alternate(b, rows, merging(b, plain, []string{"key0"}, options, plainRuns),
		merging(b, carried, []string{"id"}, options, carriedRuns), merging(b, keyed, names, options, keyedRuns))
	b.ReportMetric(medians[0], "int64-ns/row")
	b.ReportMetric(medians[1], "carried-ns/row")
	b.ReportMetric(medians[2], "cpu-ns/row")
	b.ReportMetric(medians[2]/medians[0], "to-int64")
	b.ReportMetric(medians[2]/medians[1], "to-carried")
	report(b, &stats[2], rows)
}

// keyedRuns makes runs that are sorted by keys of a shape, and the same value columns as BenchmarkMerge. Carried ones are
// sorted by an int64 column id before those of the shape.
func keyedRuns(shape string, k int, share float64, carried bool) (*arrow.Schema, [][]arrow.Record, int) {
	s := keyShapes[shape]
	var fields []arrow.Field
	if carried {
		fields = append(fields, schema.Field(0))
	}
	for i, t := range s.types {
		fields = append(fields, arrow.Field{Name: fmt.Sprint("key", i), Type: t})
	}
	fields = append(fields, schema.Fields()[1:]...)
	keyed := arrow.NewSchema(fields, nil)
	rng := rand.New(rand.NewPCG(9, 9))
	var runs [][]arrow.Record
	rows := 0
	for number, ids := range makeKeys(k, share, keyRows, rng) {
		rows += len(ids)
		if !carried {
			sortByKey(s.types, s.append, ids)
		}
		runs = append(runs, keyedRun(keyed, s.types, s.append, ids, number, rng))
	}
	return keyed, runs, rows
}

func keyedRun(schema *arrow.Schema, types []arrow.DataType, add func([]array.Builder, uint64), ids []int64, number int, rng *rand.Rand) []arrow.Record {
	var records []arrow.Record
	for from := 0; from < len(ids); from += batchRows {
		part := ids[from:min(from+batchRows, len(ids))]
		builders := make([]array.Builder, len(types))
		for i, t := range types {
			builders[i] = array.NewBuilder(memory.DefaultAllocator, t)
		}
		for _, id := range part {
			add(builders, uint64(id))
		}
		values := makeBatch(part, number, rng)
		columns := make([]arrow.Array, 0, schema.NumFields())
		if schema.NumFields() == len(types)+len(values.Columns()) {
			columns = append(columns, values.Column(0))
		}
		for _, b := range builders {
			columns = append(columns, b.NewArray())
		}
		columns = append(columns, values.Columns()[1:]...)
		records = append(records, array.NewRecord(schema, columns, int64(len(part))))
	}
	return records
}

// sortByKey puts ids in the order of their keys.
func sortByKey(types []arrow.DataType, add func([]array.Builder, uint64), ids []int64) {
	builders := make([]array.Builder, len(types))
	for i, t := range types {
		builders[i] = array.NewBuilder(memory.DefaultAllocator, t)
	}
	for _, id := range ids {
		add(builders, uint64(id))
	}
	columns := make([]arrow.Array, len(types))
	for i, b := range builders {
		columns[i] = b.NewArray()
	}
	order := make([]int, len(ids))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(x, y int) int {
		for _, c := range columns {
			if d := compareValues(c, x, y); d != 0 {
				return d
			}
		}
		return x - y
	})
	sorted := make([]int64, len(ids))
	for i, at := range order {
		sorted[i] = ids[at]
	}
	copy(ids, sorted)
}

func compareValues(c arrow.Array, x, y int) int {
	switch c := c.(type) {
	case *array.Int64:
		return cmp.Compare(c.Value(x), c.Value(y))
	case *array.Timestamp:
		return cmp.Compare(c.Value(x), c.Value(y))
	case *array.String:
		return strings.Compare(c.Value(x), c.Value(y))
	case *array.FixedSizeBinary:
		return bytes.Compare(c.Value(x), c.Value(y))
	case *array.Date32:
		return cmp.Compare(c.Value(x), c.Value(y))
	case *array.Decimal128:
		return c.Value(x).Cmp(c.Value(y))
	}
	panic(c.DataType().String())
}
