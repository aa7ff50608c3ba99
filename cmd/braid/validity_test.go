package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/validity"
)

// writeSupplied writes a file of the table _VALIDITY_FIELDS, id, city, plan. A value of the validity column is given as hex
// digits, or - for NULL.
func writeSupplied(t *testing.T, path string, values ...string) string {
	t.Helper()
	schema := arrow.NewSchema([]arrow.Field{{Name: validity.FieldsColumn, Type: arrow.BinaryTypes.Binary, Nullable: true},
		{Name: "id", Type: arrow.PrimitiveTypes.Int64}, {Name: "city", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "plan", Type: arrow.BinaryTypes.String, Nullable: true}}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	for i, value := range values {
		if value == "-" {
			b.Field(0).AppendNull()
		} else {
			b.Field(0).(*array.BinaryBuilder).Append(fromHex(t, value))
		}
		b.Field(1).(*array.Int64Builder).Append(int64(i))
		b.Field(2).AppendNull()
		b.Field(3).AppendNull()
	}
	record := b.NewRecord()
	defer record.Release()
	out, err := openOutput(target{path: path, format: extensions[filepath.Ext(path)], compression: "zstd"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer out.abort()
	if err := out.begin(schema); err != nil {
		t.Fatal(err)
	}
	for row := range record.NumRows() {
		slice := record.NewSlice(row, row+1)
		if err := out.write(slice); err != nil {
			t.Fatal(err)
		}
		slice.Release()
	}
	if err := out.commit(); err != nil {
		t.Fatal(err)
	}
	return path
}

func fromHex(t *testing.T, digits string) []byte {
	t.Helper()
	var b []byte
	for i := 0; i < len(digits); i += 2 {
		b = append(b, byte(strings.IndexByte("0123456789abcdef", digits[i])<<4|strings.IndexByte("0123456789abcdef", digits[i+1])))
	}
	return b
}

// Bitmaps of columns 1, of 1 and 2, and of 1 and 3.
const (
	onlyID = "3a3000000100000000000000100000000100"
	idCity = "3a30000001000000000001001000000001000200"
	idPlan = "3a30000001000000000001001000000001000300"
	cut    = "3a30000001000000"
)

func TestValiditySummary(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	writeSupplied(t, "0.parquet", idCity, idCity, "-")
	writeSupplied(t, "1.arrow", idPlan, onlyID, idPlan)
	writeSupplied(t, "2.arrows")
	got := mustBraid(t, "validity", "summary", "0.parquet", "1.*", "2.arrows")
	want := lines(
		"                                    0.parquet  1.arrow  2.arrows",
		"rows                                        3        3         0",
		"sets of columns                             1        2         0",
		"rows with NULL in _VALIDITY_FIELDS          1        0         0",
		"----------------------------------  ---------  -------  --------",
		"id                                        all      all         -",
		"city                                      all        -         -",
		"plan                                        -      67%         -")
	if got != want {
		t.Errorf("%s, want\n%s", got, want)
	}
	var report suppliedReport
	if err := json.Unmarshal([]byte(mustBraid(t, "validity", "summary", "--json", "1.arrow")), &report); err != nil {
		t.Fatal(err)
	}
	if report.Name != "1.arrow" || report.Rows != 3 || report.Null != 0 || report.Sets != 2 || report.Supplied["plan"] != 2 || report.Supplied["id"] != 3 {
		t.Errorf("%+v", report)
	}
}

// TestValiditySummaryShares draws shares that are nearly none and nearly all.
func TestValiditySummaryShares(t *testing.T) {
	r := suppliedReport{Rows: 1001, Null: 1, Supplied: map[string]int64{"a": 1, "b": 999, "c": 5, "d": 1000, "e": 335}, columns: []string{"a", "b", "c", "d", "e", "f"}}
	var got []string
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g"} {
		got = append(got, r.share(name))
	}
	if text := strings.Join(got, " "); text != "<1% >99% 1% all 34% - " {
		t.Errorf("%q", text)
	}
}

func TestValidityDecode(t *testing.T) {
	dir := t.TempDir()
	path := writeSupplied(t, filepath.Join(dir, "0.arrow"), idCity, "-", onlyID, "3a30000000000000")
	want := lines(`{"row":0,"supplied":["id","city"]}`, `{"row":1,"supplied":null}`, `{"row":2,"supplied":["id"]}`, `{"row":3,"supplied":[]}`)
	if got := mustBraid(t, "validity", "decode", path); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := mustBraid(t, "validity", "decode", "--limit", "2", path); strings.Count(got, "\n") != 2 {
		t.Error(got)
	}
	if got := mustBraid(t, "validity", "decode", path, "--limit", "0"); got != "" {
		t.Error(got)
	}
	mustBraid(t, "validity", "decode", path, "-o", filepath.Join(dir, "rows.parquet"))
	if found := inspected(t, filepath.Join(dir, "rows.parquet")); *found.Rows != 4 {
		t.Errorf("%+v", found)
	}
	broken := writeSupplied(t, filepath.Join(dir, "1.arrow"), idCity, idCity, cut)
	for _, command := range []string{"decode", "summary"} {
		r := braid("validity", command, broken)
		if r.code != exitError || !strings.Contains(r.err, "1.arrow: run 0, batch 2, row 0, column \"_VALIDITY_FIELDS\": corrupt data: not a roaring bitmap") {
			t.Errorf("%s: exit %d: %s", command, r.code, r.err)
		}
	}
}

func TestValidityEncode(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	table := writeSupplied(t, file("table.parquet"))
	cities := writeRun(t, file("cities.arrow"), "city:text "+system+"id:int!",
		`{"_SEQUENCE_NUMBER":5,"_VALUE_KIND":0,"id":1,"city":"Oslo"},{"_SEQUENCE_NUMBER":6,"_VALUE_KIND":2,"id":2}`, 1)
	got := mustBraid(t, "validity", "encode", "--table", table, cities)
	first := `"_VALIDITY_FIELDS":["id","city"],`
	want := lines(`{"_SEQUENCE_NUMBER":5,"_VALUE_KIND":0,`+first+`"id":1,"city":"Oslo","plan":null}`,
		`{"_SEQUENCE_NUMBER":6,"_VALUE_KIND":2,`+first+`"id":2,"city":null,"plan":null}`)
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
	mustBraid(t, "validity", "encode", "--supplied", "id", cities, "-o", file("ids.parquet"))
	if got := mustBraid(t, "validity", "decode", file("ids.parquet")); got != lines(`{"row":0,"supplied":["id"]}`, `{"row":1,"supplied":["id"]}`) {
		t.Error(got)
	}
	nameless := writeRun(t, file("nameless.arrow"), "id:int city:text", `{"id":1},{"city":"x"}`)
	towns := writeRun(t, file("towns.arrow"), "id:int town:text", `{"id":1}`)
	r := braid("validity", "encode", "--table", table, nameless, "-o", file("never.parquet"))
	if r.code != exitError || !strings.Contains(r.err, "nameless.arrow: run 0, batch 0, row 1, column \"id\": NULL in a NOT NULL column") {
		t.Errorf("exit %d: %s", r.code, r.err)
	}
	if _, err := os.Stat(file("never.parquet")); err == nil {
		t.Error("a file is left")
	}
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{exitUsage, "has a column _VALIDITY_FIELDS already", []string{"encode", table}},
		{exitUsage, "--supplied town: there is no such column", []string{"encode", "--supplied", "town", cities}},
		{exitUsage, "has a column _VALIDITY_FIELDS already", []string{"encode", "--table", file("ids.parquet"), table}},
		{exitError, `towns.arrow: schema error: the table has no column "town"`, []string{"encode", "--table", table, towns}},
		{exitError, "the table has no column _VALIDITY_FIELDS", []string{"encode", "--table", cities, cities}},
		{exitUsage, "has no column _VALIDITY_FIELDS", []string{"decode", cities}},
		{exitUsage, "has no column _VALIDITY_FIELDS", []string{"summary", cities}},
		{exitUsage, "--limit -1 is negative", []string{"decode", "--limit=-1", table}},
		{exitUsage, `Run "braid validity decode --help"`, []string{"decode", "--limit=-1", table}},
		{exitUsage, `Run "braid validity decode --help"`, []string{"decode"}},
		{exitUsage, "unexpected argument decod", []string{"decod"}},
		{exitError, "no such file", []string{"summary", file("nowhere.arrow")}},
	} {
		if r := braid(append([]string{"validity"}, c.args...)...); r.code != c.code || !strings.Contains(r.err, c.says) {
			t.Errorf("%v: exit %d: %s", c.args, r.code, r.err)
		}
	}
}
