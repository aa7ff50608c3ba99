package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// writersRuns are files that three writers made: the table's columns, cities, and a city given up beside a plan. The last has
// its columns in another order.
func writersRuns(t *testing.T) (base, cities, plans string) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	all := writeRun(t, file("all.arrow"), "id:int! city:text plan:text", `{"id":1,"city":"Oslo","plan":"free"},{"id":2,"city":"Rome","plan":null}`)
	mustBraid(t, "validity", "encode", all, "-o", file("base.parquet"))
	some := writeRun(t, file("some.arrow"), "city:text id:int!", `{"id":1,"city":"Riga"},{"id":3,"city":"Bern"}`)
	mustBraid(t, "validity", "encode", "--table", file("base.parquet"), some, "-o", file("cities.arrow"))
	turned := writeRun(t, file("turned.arrow"), "plan:text city:text id:int!", `{"id":1,"plan":"gold","city":null}`)
	mustBraid(t, "validity", "encode", turned, "--supplied", "city,id", "-o", file("plans.arrows"))
	return file("base.parquet"), file("cities.arrow"), file("plans.arrows")
}

// TestMergeSupplied merges what writers supplied. Text has names in the place of bitmaps, files keep the bytes.
func TestMergeSupplied(t *testing.T) {
	base, cities, plans := writersRuns(t)
	merge := []string{"merge", "-k", "id", "-e", "partial-update-validity", base, cities, plans}
	rows := lines(`{"_VALIDITY_FIELDS":["id","city","plan"],"id":1,"city":null,"plan":"free"}`,
		`{"_VALIDITY_FIELDS":["id","city","plan"],"id":2,"city":"Rome","plan":null}`,
		`{"_VALIDITY_FIELDS":["id","city"],"id":3,"city":"Bern","plan":null}`)
	for _, c := range []struct{ args, want string }{
		{"", rows},
		{"--select plan,_VALIDITY_FIELDS,id", lines(`{"plan":"free","_VALIDITY_FIELDS":["plan","id"],"id":1}`,
			`{"plan":null,"_VALIDITY_FIELDS":["plan","id"],"id":2}`, `{"plan":null,"_VALIDITY_FIELDS":["id"],"id":3}`)},
		{"--select city,id --limit 1", lines(`{"city":null,"id":1}`)},
		{"--to csv --limit 1", lines("_VALIDITY_FIELDS,id,city,plan", `"[""id"",""city"",""plan""]",1,,free`)},
		{"--keep-system-columns --limit 1", lines(`{"_KEY_id":1,"_SEQUENCE_NUMBER":-1,"_VALUE_KIND":0,` + rows[1:strings.IndexByte(rows, '\n')])},
		{"--option braid.strict=true --batch-rows 1", rows},
	} {
		if got := mustBraid(t, append(merge, strings.Fields(c.args)...)...); got != c.want {
			t.Errorf("%s:\n%swant\n%s", c.args, got, c.want)
		}
	}
	table := mustBraid(t, append(merge, "--to", "table")...)
	if want := `["id","city"]`; !strings.Contains(table, want) {
		t.Errorf("%q is not in\n%s", want, table)
	}
	for _, name := range []string{"out.parquet", "out.arrow", "out.arrows"} {
		out := filepath.Join(t.TempDir(), name)
		mustBraid(t, append(merge, "-o", out)...)
		got := mustBraid(t, "validity", "decode", out)
		want := lines(`{"row":0,"supplied":["id","city","plan"]}`, `{"row":1,"supplied":["id","city","plan"]}`, `{"row":2,"supplied":["id","city"]}`)
		if got != want {
			t.Errorf("%s:\n%swant\n%s", name, got, want)
		}
	}
	// Another engine leaves the bytes as they are, and their bits are those of the table.
	if got := mustBraid(t, "merge", "-k", "id", base, cities, "--select", "_VALIDITY_FIELDS,city", "--limit", "1"); got != lines(`{"_VALIDITY_FIELDS":["id","city"],"city":"Riga"}`) {
		t.Error(got)
	}
}

// TestExplainSupplied holds that a plan tells which columns each file supplied.
func TestExplainSupplied(t *testing.T) {
	base, cities, plans := writersRuns(t)
	t.Chdir(filepath.Dir(base))
	got := mustBraid(t, "merge", "--explain", "-k", "id", "-e", "partial-update-validity", "base.parquet", "cities.arrow", "plans.arrows")
	want := lines(
		"                                    run 0: base.parquet  run 1: cities.arrow  run 2: plans.arrows",
		"rows                                                  2                    2                    1",
		"sets of columns                                       1                    1                    1",
		"rows with NULL in _VALIDITY_FIELDS                    0                    0                    0",
		"----------------------------------  -------------------  -------------------  -------------------",
		"id                                                  all                  all                  all",
		"city                                                all                  all                  all",
		"plan                                                all                    -                    -")
	if !strings.HasSuffix(got, want) || !strings.Contains(got, "column city utf8: last value supplied") {
		t.Errorf("%s, want the end\n%s", got, want)
	}
	if got := mustBraid(t, "merge", "--explain", "-k", "id", base, cities, plans); strings.Contains(got, "sets of columns") {
		t.Errorf("deduplicate tells what was supplied:\n%s", got)
	}
}

// TestReportSupplied holds that the report as JSON tells which columns each file supplied.
func TestReportSupplied(t *testing.T) {
	base, cities, plans := writersRuns(t)
	r := braid("merge", "-q", "--json", "-k", "id", "-e", "partial-update-validity", base, cities, "--run", plans, "--select", "id")
	var got report
	if err := json.Unmarshal([]byte(r.err), &got); err != nil || r.code != exitDone {
		t.Fatalf("%v: %s", err, r.err)
	}
	for i, want := range []suppliedReport{{Rows: 2, Supplied: map[string]int64{"id": 2, "city": 2, "plan": 2}},
		{Rows: 2, Supplied: map[string]int64{"id": 2, "city": 2}}, {Rows: 1, Supplied: map[string]int64{"id": 1, "city": 1}}} {
		found := got.Runs[i].Files[0].Supplied
		if found == nil || found.Rows != want.Rows || found.Sets != 1 || len(found.Supplied) != len(want.Supplied) || found.Supplied["city"] != want.Supplied["city"] {
			t.Errorf("run %d: %+v, want %+v", i, found, want)
		}
	}
	r = braid("merge", "-q", "--json", "-k", "id", base, cities)
	got = report{}
	if err := json.Unmarshal([]byte(r.err), &got); err != nil || got.Runs[0].Files[0].Supplied != nil {
		t.Errorf("deduplicate: %v: %s", err, r.err)
	}
}

// TestMergeSpoiltBitmaps holds that bytes that are no bitmap end a merge, and also another engine's if its result is to be text.
func TestMergeSpoiltBitmaps(t *testing.T) {
	dir := t.TempDir()
	spoilt := writeSupplied(t, filepath.Join(dir, "spoilt.arrow"), idCity, idCity, cut)
	for _, c := range []struct {
		args string
		code int
		says string
	}{
		{"-e partial-update-validity", exitError, `batch 2, row 0, column "_VALIDITY_FIELDS"`},
		{"-e partial-update-validity --report " + filepath.Join(dir, "report.json"), exitError, `batch 2, row 0, column "_VALIDITY_FIELDS"`},
		{"-e partial-update-validity --explain", exitError, `spoilt.arrow: run 0, batch 2, row 0, column "_VALIDITY_FIELDS"`},
		{"", exitError, `row 2 of the output, column "_VALIDITY_FIELDS"`},
		{"-o " + filepath.Join(dir, "out.arrow"), exitDone, ""},
	} {
		r := braid(append([]string{"merge", "-k", "id", spoilt}, strings.Fields(c.args)...)...)
		if r.code != c.code || !strings.Contains(r.err, c.says) {
			t.Errorf("%s: exit %d: %s", c.args, r.code, r.err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "report.json")); err == nil {
		t.Error("a merge that failed has a report")
	}
}
