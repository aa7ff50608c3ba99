package text_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/float16"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/cmd/braid/text"
)

// writer is what all writers of this package are.
type writer interface {
	Write(arrow.Record) error
	Close() error
}

// render writes the record, cut in two, and releases it.
func render(t *testing.T, record arrow.Record, make func(io.Writer, *arrow.Schema) writer) string {
	t.Helper()
	defer record.Release()
	var out bytes.Buffer
	w := make(&out, record.Schema())
	for _, bounds := range [][2]int64{{0, record.NumRows() / 2}, {record.NumRows() / 2, record.NumRows()}} {
		slice := record.NewSlice(bounds[0], bounds[1])
		if err := w.Write(slice); err != nil {
			t.Fatal(err)
		}
		slice.Release()
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func jsonLines(out io.Writer, schema *arrow.Schema) writer { return text.NewJSONLines(out, schema) }
func csvText(out io.Writer, schema *arrow.Schema) writer   { return text.NewCSV(out, schema) }
func table(out io.Writer, schema *arrow.Schema) writer     { return text.NewTable(out, schema) }

// column makes a record of one column "c" from a JSON array.
func column(t *testing.T, mem memory.Allocator, dt arrow.DataType, values string) arrow.Record {
	t.Helper()
	a, _, err := array.FromJSON(mem, dt, strings.NewReader(values), array.WithUseNumber())
	if err != nil {
		t.Fatalf("%s: %v", dt, err)
	}
	defer a.Release()
	schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: dt, Nullable: true}}, nil)
	return array.NewRecord(schema, []arrow.Array{a}, -1)
}

func TestTypes(t *testing.T) {
	timestamp := func(unit arrow.TimeUnit, zone string) arrow.DataType {
		return &arrow.TimestampType{Unit: unit, TimeZone: zone}
	}
	for _, c := range []struct {
		dt                arrow.DataType
		values            string // as Arrow reads them
		wantJSON, wantCSV string // the values, one a line
	}{
		{arrow.PrimitiveTypes.Int8, `[-128, null, 7]`, "-128 null 7", "-128  7"},
		{arrow.PrimitiveTypes.Int64, `[-9223372036854775808, 9223372036854775807]`, "-9223372036854775808 9223372036854775807", "-9223372036854775808 9223372036854775807"},
		{arrow.PrimitiveTypes.Uint64, `[18446744073709551615, 0]`, "18446744073709551615 0", "18446744073709551615 0"},
		{arrow.PrimitiveTypes.Float32, `[0.1, -2]`, "0.1 -2", "0.1 -2"},
		{arrow.PrimitiveTypes.Float64, `[1e300, 0.000001, 1e-7, 100000]`, "1e+300 0.000001 1e-07 100000", "1e+300 0.000001 1e-07 100000"},
		{arrow.FixedWidthTypes.Boolean, `[true, false, null]`, "true false null", "true false "},
		{&arrow.Decimal128Type{Precision: 10, Scale: 2}, `["-12.5", "0.07"]`, `"-12.50" "0.07"`, "-12.50 0.07"},
		{&arrow.Decimal256Type{Precision: 50, Scale: 1}, `["12345678901234567890123456789012345678901234567.8"]`, `"12345678901234567890123456789012345678901234567.8"`, "12345678901234567890123456789012345678901234567.8"},
		{arrow.BinaryTypes.String, `["plain", "a\"b\\c\n\u0001", "grün"]`, `"plain" "a\"b\\c\n\u0001" "grün"`, "plain \"a\"\"b\\c\n\u0001\" grün"},
		{arrow.BinaryTypes.LargeString, `["", null]`, `"" null`, `"" `},
		{arrow.BinaryTypes.StringView, `["short", "longer than twelve bytes"]`, `"short" "longer than twelve bytes"`, "short longer than twelve bytes"},
		{arrow.BinaryTypes.Binary, `["AQL/"]`, `"AQL/"`, "AQL/"},
		{&arrow.FixedSizeBinaryType{ByteWidth: 2}, `["AQI=", null]`, `"AQI=" null`, "AQI= "},
		{arrow.FixedWidthTypes.Date32, `["2001-02-03", "0001-01-01"]`, `"2001-02-03" "0001-01-01"`, "2001-02-03 0001-01-01"},
		{arrow.FixedWidthTypes.Date64, `["1969-12-31"]`, `"1969-12-31"`, "1969-12-31"},
		{arrow.FixedWidthTypes.Time32ms, `["04:05:06.007"]`, `"04:05:06.007"`, "04:05:06.007"},
		{arrow.FixedWidthTypes.Time64ns, `["23:59:59.999999999", "00:00:00"]`, `"23:59:59.999999999" "00:00:00"`, "23:59:59.999999999 00:00:00"},
		{timestamp(arrow.Microsecond, ""), `["2001-02-03 04:05:06.000007", "1969-12-31 23:59:59.5"]`, `"2001-02-03T04:05:06.000007" "1969-12-31T23:59:59.5"`, "2001-02-03T04:05:06.000007 1969-12-31T23:59:59.5"},
		{timestamp(arrow.Second, "UTC"), `["2001-02-03 04:05:06"]`, `"2001-02-03T04:05:06Z"`, "2001-02-03T04:05:06Z"},
		{timestamp(arrow.Second, "+02:00"), `["2001-02-03 04:05:06Z"]`, `"2001-02-03T06:05:06+02:00"`, "2001-02-03T06:05:06+02:00"},
		{timestamp(arrow.Second, "Nowhere/Land"), `[981173106]`, `"2001-02-03T04:05:06Z"`, "2001-02-03T04:05:06Z"},
		{arrow.FixedWidthTypes.Duration_ms, `["15ms"]`, `"15ms"`, "15ms"},
		{arrow.FixedWidthTypes.MonthInterval, `[{"months": 5}]`, `{"months":5}`, `"{""months"":5}"`},
		{arrow.ListOf(arrow.PrimitiveTypes.Int32), `[[1, null], [], null]`, `[1,null] [] null`, `"[1,null]" [] `},
		{arrow.FixedSizeListOf(2, arrow.BinaryTypes.String), `[["a", "b"]]`, `["a","b"]`, `"[""a"",""b""]"`},
		{arrow.StructOf(arrow.Field{Name: "z", Type: arrow.PrimitiveTypes.Int8, Nullable: true}, arrow.Field{Name: "a", Type: arrow.BinaryTypes.String}), `[{"z": null, "a": "x"}]`, `{"z":null,"a":"x"}`, `"{""z"":null,""a"":""x""}"`},
		{arrow.MapOf(arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64), `[[{"key": "k", "value": 1}], []]`, `[{"key":"k","value":1}] []`, `"[{""key"":""k"",""value"":1}]" []`},
		{&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}, `["a", "b", "a", null]`, `"a" "b" "a" null`, "a b a "},
		{arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64), `[5, 5, 6]`, "5 5 6", "5 5 6"},
		{arrow.Null, `[null, null]`, "null null", " "},
	} {
		t.Run(c.dt.String(), func(t *testing.T) {
			checked := memory.NewCheckedAllocator(memory.NewGoAllocator())
			defer checked.AssertSize(t, 0)
			wantJSON := ""
			for _, value := range strings.Split(c.wantJSON, " ") {
				wantJSON += `{"c":` + value + "}\n"
			}
			if strings.Contains(c.wantJSON, "longer than") {
				wantJSON = `{"c":"short"}` + "\n" + `{"c":"longer than twelve bytes"}` + "\n"
			}
			got := render(t, column(t, checked, c.dt, c.values), jsonLines)
			if got != wantJSON {
				t.Errorf("JSON is\n%swant\n%s", got, wantJSON)
			}
			for _, line := range strings.Split(strings.TrimSpace(got), "\n") {
				if !json.Valid([]byte(line)) {
					t.Errorf("%s is not JSON", line)
				}
			}
			wantCSV := "c\n" + strings.ReplaceAll(c.wantCSV, " ", "\n") + "\n"
			if strings.Contains(c.wantCSV, "longer than") {
				wantCSV = "c\nshort\nlonger than twelve bytes\n"
			}
			if got := render(t, column(t, checked, c.dt, c.values), csvText); got != wantCSV {
				t.Errorf("CSV is\n%swant\n%s", got, wantCSV)
			}
		})
	}
}

// TestFloatsThatAreNoNumbers has the values that JSON has no number for.
func TestFloatsThatAreNoNumbers(t *testing.T) {
	b := array.NewFloat64Builder(memory.DefaultAllocator)
	defer b.Release()
	b.AppendValues([]float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1)}, nil)
	h := array.NewFloat16Builder(memory.DefaultAllocator)
	defer h.Release()
	h.AppendValues([]float16.Num{float16.New(0.5), float16.Inf(), float16.NaN(), float16.New(-2)}, nil)
	d := array.NewDecimal128Builder(memory.DefaultAllocator, &arrow.Decimal128Type{Precision: 5, Scale: -2})
	defer d.Release()
	d.AppendValues([]decimal128.Num{decimal128.FromI64(3), decimal128.FromI64(0), decimal128.FromI64(-1), decimal128.FromI64(10)}, nil)
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "f", Type: arrow.PrimitiveTypes.Float64}, {Name: "h", Type: arrow.FixedWidthTypes.Float16}, {Name: "d", Type: &arrow.Decimal128Type{Precision: 5, Scale: -2}},
	}, nil)
	record := array.NewRecord(schema, []arrow.Array{b.NewArray(), h.NewArray(), d.NewArray()}, 4)
	want := `{"f":"NaN","h":0.5,"d":"300"}
{"f":"+Inf","h":"+Inf","d":"0"}
{"f":"-Inf","h":"NaN","d":"-100"}
{"f":-0,"h":-2,"d":"1000"}
`
	if got := render(t, record, jsonLines); got != want {
		t.Errorf("JSON is\n%swant\n%s", got, want)
	}
}

// TestTextThatIsNotUTF8 has bytes that JSON cannot hold.
func TestTextThatIsNotUTF8(t *testing.T) {
	b := array.NewStringBuilder(memory.DefaultAllocator)
	defer b.Release()
	b.AppendValues([]string{"a\xffb", "\xc3", "ok"}, nil)
	schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: arrow.BinaryTypes.String}}, nil)
	record := array.NewRecord(schema, []arrow.Array{b.NewArray()}, 3)
	want := "{\"c\":\"a\ufffdb\"}\n{\"c\":\"\ufffd\"}\n{\"c\":\"ok\"}\n"
	if got := render(t, record, jsonLines); got != want {
		t.Errorf("JSON is %q, want %q", got, want)
	}
}

// TestCSVReadsBack reads what was written with another implementation of CSV.
func TestCSVReadsBack(t *testing.T) {
	values := []string{"plain", "with, comma", "with \"quotes\"", "two\nlines", " spaces ", "", "\r", `"`}
	b := array.NewStringBuilder(memory.DefaultAllocator)
	defer b.Release()
	b.AppendValues(values, nil)
	schema := arrow.NewSchema([]arrow.Field{{Name: "a, b", Type: arrow.BinaryTypes.String}, {Name: "c", Type: arrow.BinaryTypes.String}}, nil)
	a := b.NewArray()
	record := array.NewRecord(schema, []arrow.Array{a, a}, int64(len(values)))
	rows, err := csv.NewReader(strings.NewReader(render(t, record, csvText))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 1+len(values) || rows[0][0] != "a, b" {
		t.Fatalf("rows %q", rows)
	}
	for i, value := range values {
		if got := rows[1+i]; got[0] != value || got[1] != value {
			t.Errorf("row %d is %q, want %q twice", i, got, value)
		}
	}
}

func TestTable(t *testing.T) {
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "id", Type: arrow.PrimitiveTypes.Int64},
		{Name: "name", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "note", Type: arrow.BinaryTypes.String, Nullable: true},
	}, nil)
	record, _, err := array.RecordFromJSON(memory.DefaultAllocator, schema, strings.NewReader(`[
		{"id": 7, "name": "grün", "note": "one\nline"},
		{"id": 1000000, "name": null, "note": "a text that is much longer than what a table has room for"},
		{"id": -1, "name": "x", "note": null}]`))
	if err != nil {
		t.Fatal(err)
	}
	want := `     id  name  note
-------  ----  ----------------------------------------
      7  grün  one line
1000000        a text that is much longer than what a …
     -1  x     
`
	if got := render(t, record, table); got != want {
		t.Errorf("table is\n%s\nwant\n%s", got, want)
	}
}

// TestLongTable goes past the rows that are measured.
func TestLongTable(t *testing.T) {
	b := array.NewInt64Builder(memory.DefaultAllocator)
	defer b.Release()
	for i := range int64(5000) {
		b.Append(i * i * i)
	}
	schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: arrow.PrimitiveTypes.Int64}}, nil)
	lines := strings.Split(render(t, array.NewRecord(schema, []arrow.Array{b.NewArray()}, 5000), table), "\n")
	if len(lines) != 5003 || lines[2] != "        0" || lines[5001] != "124925014999" {
		t.Errorf("%d lines, first %q, last %q", len(lines), lines[2], lines[5001])
	}
}

func TestEmpty(t *testing.T) {
	schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: arrow.PrimitiveTypes.Int64}, {Name: "d", Type: arrow.BinaryTypes.String}}, nil)
	for _, c := range []struct {
		make func(io.Writer, *arrow.Schema) writer
		want string
	}{{jsonLines, ""}, {csvText, "c,d\n"}, {table, "c  d\n-  -\n"}} {
		var out bytes.Buffer
		if err := c.make(&out, schema).Close(); err != nil || out.String() != c.want {
			t.Errorf("%q, error %v, want %q", out.String(), err, c.want)
		}
	}
}

// failing refuses what is written to it.
type failing struct{}

var errFull = errors.New("disk full")

func (failing) Write([]byte) (int, error) { return 0, errFull }

func TestWriteErrors(t *testing.T) {
	for _, make := range []func(io.Writer, *arrow.Schema) writer{jsonLines, csvText, table} {
		record := column(t, memory.DefaultAllocator, arrow.PrimitiveTypes.Int64, `[1, 2, 3]`)
		w := make(failing{}, record.Schema())
		err := w.Write(record)
		if err == nil {
			err = w.Close()
		}
		record.Release()
		if !errors.Is(err, errFull) {
			t.Errorf("error %v", err)
		}
	}
}

func BenchmarkJSONLines(b *testing.B) {
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "id", Type: arrow.PrimitiveTypes.Int64}, {Name: "name", Type: arrow.BinaryTypes.String}, {Name: "price", Type: arrow.PrimitiveTypes.Float64},
		{Name: "at", Type: arrow.FixedWidthTypes.Timestamp_us},
	}, nil)
	builder := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer builder.Release()
	for i := range 10_000 {
		builder.Field(0).(*array.Int64Builder).Append(int64(i) * 1000)
		builder.Field(1).(*array.StringBuilder).Append("a name of usual length")
		builder.Field(2).(*array.Float64Builder).Append(float64(i) / 7)
		builder.Field(3).(*array.TimestampBuilder).Append(arrow.Timestamp(i) * 1_000_003)
	}
	record := builder.NewRecord()
	defer record.Release()
	w := text.NewJSONLines(io.Discard, schema)
	for b.Loop() {
		if err := w.Write(record); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/10_000, "ns/row")
}
