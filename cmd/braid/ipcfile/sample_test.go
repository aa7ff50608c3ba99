package ipcfile_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// sampleSchema has a column of every layout that the format carries.
var sampleSchema = arrow.NewSchema([]arrow.Field{
	{Name: "id", Type: arrow.PrimitiveTypes.Int64},
	{Name: "flag", Type: arrow.FixedWidthTypes.Boolean, Nullable: true},
	{Name: "tiny", Type: arrow.PrimitiveTypes.Uint8, Nullable: true},
	{Name: "price", Type: &arrow.Decimal128Type{Precision: 20, Scale: 2}, Nullable: true},
	{Name: "text", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "long", Type: arrow.BinaryTypes.LargeString, Nullable: true},
	{Name: "at", Type: &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}, Nullable: true},
	{Name: "fixed", Type: &arrow.FixedSizeBinaryType{ByteWidth: 3}, Nullable: true},
	{Name: "list", Type: arrow.ListOf(arrow.PrimitiveTypes.Int32), Nullable: true},
	{Name: "pair", Type: arrow.FixedSizeListOf(2, arrow.PrimitiveTypes.Int16), Nullable: true},
	{Name: "row", Type: arrow.StructOf(arrow.Field{Name: "a", Type: arrow.PrimitiveTypes.Float64, Nullable: true}), Nullable: true},
	{Name: "map", Type: arrow.MapOf(arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64), Nullable: true},
	{Name: "word", Type: &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}, Nullable: true},
	{Name: "view", Type: arrow.BinaryTypes.StringView, Nullable: true},
	{Name: "nothing", Type: arrow.Null, Nullable: true},
}, nil)

// sampleRecord makes rows numbered from first; every third value is NULL.
func sampleRecord(t testing.TB, mem memory.Allocator, first, rows int) arrow.Record {
	t.Helper()
	var text strings.Builder
	for i := first; i < first+rows; i++ {
		if i%3 == 0 {
			fmt.Fprintf(&text, `{"id":%d}`, i)
			continue
		}
		fmt.Fprintf(&text, `{"id":%d,"flag":%v,"tiny":%d,"price":"%d.25","text":"text %d","long":"long %d","at":%d,"fixed":"YWJj",`, i, i%2 == 0, i%200, i, i, i, i)
		fmt.Fprintf(&text, `"list":[%d,null,3],"pair":[1,%d],"row":{"a":%d.5},"map":[{"key":"k","value":%d}],"word":"w%d","view":"a value longer than a view %d"}`, i, i%100, i, i, i%2, i)
	}
	record, _, err := array.RecordFromJSON(mem, sampleSchema, strings.NewReader("["+strings.ReplaceAll(text.String(), "}{", "},{")+"]"))
	if err != nil {
		t.Fatal(err)
	}
	return record
}

// sampleRecords makes batches of these many rows that share one dictionary, as a file demands.
func sampleRecords(t testing.TB, mem memory.Allocator, rows ...int) []arrow.Record {
	total := 0
	for _, n := range rows {
		total += n
	}
	whole := sampleRecord(t, mem, 0, total)
	defer whole.Release()
	var records []arrow.Record
	from := int64(0)
	for _, n := range rows {
		records = append(records, whole.NewSlice(from, from+int64(n)))
		from += int64(n)
	}
	return records
}

func release(records []arrow.Record) {
	for _, record := range records {
		record.Release()
	}
}

// seekBuffer is a buffer that knows where it is, all that the writer of files asks of a WriteSeeker.
type seekBuffer struct{ bytes.Buffer }

func (b *seekBuffer) Seek(int64, int) (int64, error) { return int64(b.Len()), nil }

// encodeFile writes the records as an IPC file.
func encodeFile(t testing.TB, records []arrow.Record, options ...ipc.Option) []byte {
	t.Helper()
	var out seekBuffer
	w, err := ipc.NewFileWriter(&out, append(options, ipc.WithSchema(records[0].Schema()))...)
	if err != nil {
		t.Fatal(err)
	}
	for _, record := range records {
		if err := w.Write(record); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// encodeStream writes the records as an IPC stream.
func encodeStream(t testing.TB, records []arrow.Record, options ...ipc.Option) []byte {
	t.Helper()
	var out bytes.Buffer
	w := ipc.NewWriter(&out, append(options, ipc.WithSchema(records[0].Schema()))...)
	for _, record := range records {
		if err := w.Write(record); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
