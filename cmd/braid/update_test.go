package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestUpdate updates files of every format that can be.
func TestUpdate(t *testing.T) {
	for _, extension := range []string{".parquet", ".arrow"} {
		base, delta := twoRuns(t, extension)
		for _, c := range []struct {
			args []string
			want string
		}{
			{[]string{"--set", "age = age + 1", "--where", "id > 2"}, lines(`{"id":1,"name":"Ann","age":30}`, `{"id":2,"name":"Bob","age":40}`, `{"id":4,"name":"Dan","age":51}`,
				`{"id":2,"name":"Bobby","age":null}`, `{"id":3,"name":"Cid","age":21}`)},
			{[]string{"--set", "age = NULL", "--set", "name = name || '!'", "--where", "id < 4"}, lines(`{"id":1,"name":"Ann!","age":null}`, `{"id":2,"name":"Bob!","age":null}`,
				`{"id":4,"name":"Dan","age":50}`, `{"id":2,"name":"Bobby!","age":null}`, `{"id":3,"name":"Cid!","age":null}`)},
			{[]string{"--set", "id = _ROW_ID", "--set=name='x'", "--set", "age = id"}, lines(`{"id":0,"name":"x","age":1}`, `{"id":1,"name":"x","age":2}`, `{"id":2,"name":"x","age":4}`,
				`{"id":3,"name":"x","age":2}`, `{"id":4,"name":"x","age":3}`)},
			{[]string{"--set", "age = 0", "--where", "1 = 0"}, lines(`{"id":1,"name":"Ann","age":30}`, `{"id":2,"name":"Bob","age":40}`, `{"id":4,"name":"Dan","age":50}`,
				`{"id":2,"name":"Bobby","age":null}`, `{"id":3,"name":"Cid","age":20}`)},
			{[]string{"--set", "age = 0", "--where", "_ROW_ID IN (3, 9)", "--columns-only"}, lines(`{"_ROW_ID":3,"age":0}`, `{"_ROW_ID":4,"age":20}`)},
			{[]string{"--set", "age = age", "--columns-only"}, ""},
		} {
			if got := mustBraid(t, append([]string{"update", "-q", base, delta}, c.args...)...); got != c.want {
				t.Errorf("%s %v:\n%swant\n%s", extension, c.args, got, c.want)
			}
		}
	}
}

// TestUpdatePrunes has a Parquet file whose statistics rule the condition out.
func TestUpdatePrunes(t *testing.T) {
	dir := t.TempDir()
	const columns = "id:int! v:int note:text w:word"
	writeRun(t, filepath.Join(dir, "a.parquet"), columns, `{"id":1,"v":10,"w":"x"},{"id":2,"v":null}`)
	writeRun(t, filepath.Join(dir, "b.parquet"), columns, `{"id":3,"v":30,"w":"x"},{"id":4,"v":40,"w":"y"}`)
	out := filepath.Join(dir, "out.arrow")
	for _, c := range []struct {
		where        string
		pruned, rows int64
	}{{"id = 3", 1, 1}, {"id > 4", 2, 0}, {"v < 10", 2, 0}, {"v IS NULL", 1, 1}, {"note IS NULL", 0, 4}, {"note = 'x'", 2, 0}, {"w = 'x'", 0, 2}} {
		r := braid("update", "--json", "--force", "-o", out, "--set", "v = -1", "--where", c.where, filepath.Join(dir, "*.parquet"))
		var report updateReport
		if err := json.Unmarshal([]byte(r.err), &report); err != nil || r.code != exitDone {
			t.Fatalf("%s: exit %d: %v: %s", c.where, r.code, err, r.err)
		}
		if int64(report.FilesPruned) != c.pruned || report.RowsUpdated != c.rows || report.Rows != 4 || report.Output.Rows != 4 || len(report.Files) != 2 {
			t.Errorf("%s: %+v", c.where, report)
		}
	}
	r := braid("update", "--force", "-o", out, "--set", "v = -1", "--where", "id = 3", filepath.Join(dir, "a.parquet"), filepath.Join(dir, "b.parquet"))
	if r.code != exitDone || !strings.Contains(r.err, "updated 1 row of 4 in 2 files") || !strings.Contains(r.err, "1 without a row to update") {
		t.Errorf("exit %d: %s", r.code, r.err)
	}
	if found := inspected(t, out); *found.Rows != 4 || found.Schema[3].Name != "w" {
		t.Errorf("%+v", found)
	}
}

// TestUpdateRefuses has mistakes of the command line and faults of the data, after which there is no file.
func TestUpdateRefuses(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	writeRun(t, "base.arrow", people, baseRows)
	writeRun(t, "stream.arrows", people, baseRows)
	writeRun(t, "keys.arrow", system+people, `{"_SEQUENCE_NUMBER":1,"_VALUE_KIND":0,"id":1}`)
	writeRun(t, "ids.arrow", "_ROW_ID:int! id:int", `{"_ROW_ID":1,"id":1}`)
	writeRun(t, "other.arrow", "id:int! name:int age:int", `{"id":1}`)
	before := names(t, ".")
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"base.arrow"}, exitUsage, "missing flags: --set"},
		{[]string{"--set", "age = 1"}, exitUsage, "no files"},
		{[]string{"--set", "age = 1", "-"}, exitUsage, "standard input cannot be updated"},
		{[]string{"--set", "age", "base.arrow"}, exitUsage, `"age" is not of the form column = value`},
		{[]string{"--set", "ages = 1", "base.arrow"}, exitUsage, `did you mean "age"?`},
		{[]string{"--set", "age = ages", "base.arrow"}, exitUsage, `did you mean "age"?`},
		{[]string{"--set", "age = 1", "--set", "age = 2", "base.arrow"}, exitUsage, `column "age" is set twice`},
		{[]string{"--set", "age = 'x'", "base.arrow"}, exitUsage, "is text, which does not become int64"},
		{[]string{"--set", "age = 1", "--where", "age >", "base.arrow"}, exitUsage, "the end at byte 5"},
		{[]string{"--set", "age = 1", "--where", "age", "base.arrow"}, exitUsage, "integer, not a condition"},
		{[]string{"--set", "age = 1", "--where", "id IN (SELECT id FROM t)", "base.arrow"}, exitUsage, "subquery"},
		{[]string{"--set", "age = 1", "stream.arrows"}, exitUsage, "is a stream"},
		{[]string{"--set", "age = 1", "keys.arrow"}, exitUsage, "updated by merging"},
		{[]string{"--set", "id = 1", "ids.arrow"}, exitUsage, "column _ROW_ID"},
		{[]string{"--set", "age = 1", "base.arrow", "other.arrow"}, exitError, `column "name" is int64, not utf8`},
		{[]string{"--set", "age = 1", "missing.arrow"}, exitError, "missing.arrow: no such file"},
		{[]string{"--set", "age = 10 / (id - 2)", "base.arrow"}, exitError, `row id 1 (base.arrow), column "age": division by zero: 10 / 0`},
		{[]string{"--set", "age = age + 9223372036854775807", "base.arrow", "base.arrow"}, exitError, `row id 0 (base.arrow), column "age": integer overflow`},
		{[]string{"--set", "id = NULL", "--where", "id = 4", "base.arrow"}, exitError, `row id 2 (base.arrow), column "id": NULL in a NOT NULL column`},
	} {
		r := braid(append([]string{"update", "-o", "out.parquet"}, c.args...)...)
		if r.code != c.code || !strings.Contains(r.err, c.want) {
			t.Errorf("%q: exit %d, %s", c.args, r.code, r.err)
		}
		if got := names(t, "."); got != before {
			t.Fatalf("%q: files are %s, were %s", c.args, got, before)
		}
	}
	if err := os.WriteFile("out.parquet", []byte("there"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := braid("update", "-o", "out.parquet", "--set", "age = 1", "base.arrow"); r.code != exitError || !strings.Contains(r.err, "--force") {
		t.Errorf("exit %d, %s", r.code, r.err)
	}
	if r := braid("update", "--help"); r.code != exitDone || !strings.Contains(r.out, "--where") {
		t.Errorf("exit %d, %s", r.code, r.out)
	}
}
