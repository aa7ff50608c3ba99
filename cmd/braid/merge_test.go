package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// people are the columns of the runs of most tests.
const people = "id:int! name:text age:int"

const (
	baseRows  = `{"id":1,"name":"Ann","age":30},{"id":2,"name":"Bob","age":40},{"id":4,"name":"Dan","age":50}`
	deltaRows = `{"id":2,"name":"Bobby","age":null},{"id":3,"name":"Cid","age":20}`
)

// The rows of base and delta merged.
var (
	deduplicated = lines(`{"id":1,"name":"Ann","age":30}`, `{"id":2,"name":"Bobby","age":null}`, `{"id":3,"name":"Cid","age":20}`, `{"id":4,"name":"Dan","age":50}`)
	updated      = lines(`{"id":1,"name":"Ann","age":30}`, `{"id":2,"name":"Bobby","age":40}`, `{"id":3,"name":"Cid","age":20}`, `{"id":4,"name":"Dan","age":50}`)
	first        = lines(`{"id":1,"name":"Ann","age":30}`, `{"id":2,"name":"Bob","age":40}`, `{"id":3,"name":"Cid","age":20}`, `{"id":4,"name":"Dan","age":50}`)
)

// twoRuns writes a base and a delta of these format.
func twoRuns(t testing.TB, extension string) (base, delta string) {
	dir := t.TempDir()
	return writeRun(t, filepath.Join(dir, "base"+extension), people, baseRows), writeRun(t, filepath.Join(dir, "delta"+extension), people, deltaRows)
}

func TestEngines(t *testing.T) {
	base, delta := twoRuns(t, ".arrow")
	options := filepath.Join(t.TempDir(), "options.json")
	if err := os.WriteFile(options, []byte(`{"merge-engine": "partial-update", "bucket": 4, "ignore-delete": true}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, deduplicated},
		{[]string{"--engine", "deduplicate"}, deduplicated},
		{[]string{"-e", "partial-update"}, updated},
		{[]string{"--option", "merge-engine=partial-update"}, updated},
		{[]string{"--options", options}, updated},
		{[]string{"--options", options, "--engine", "first-row"}, first},
		{[]string{"--options", options, "--option=merge-engine=deduplicate"}, deduplicated},
	} {
		if got := mustBraid(t, append([]string{"merge", "--key", "id", base, delta}, c.args...)...); got != c.want {
			t.Errorf("%v:\n%swant\n%s", c.args, got, c.want)
		}
	}
}

// TestFormats reads and writes every format, and reads back what can be read.
func TestFormats(t *testing.T) {
	for _, in := range []string{".parquet", ".arrow", ".feather", ".ipc", ".arrows"} {
		base, delta := twoRuns(t, in)
		dir := t.TempDir()
		for _, c := range []struct{ name, want string }{
			{"out.jsonl", updated}, {"out.ndjson", updated}, {"out.json", updated},
			{"out.csv", lines("id,name,age", "1,Ann,30", "2,Bobby,40", "3,Cid,20", "4,Dan,50")},
			{"out.txt", lines("id  name   age", "--  -----  ---", " 1  Ann     30", " 2  Bobby   40", " 3  Cid     20", " 4  Dan     50")},
			{"out.parquet", ""}, {"out.arrow", ""}, {"out.arrows", ""}, {"out.feather", ""},
		} {
			path := filepath.Join(dir, c.name)
			mustBraid(t, "merge", "-k", "id", "-e", "partial-update", base, delta, "-o", path)
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got, want := string(content), c.want
			if want == "" {
				got, want = mustBraid(t, "merge", "-k", "id", path, "--to", "jsonl"), updated
			}
			if got != want {
				t.Errorf("%s to %s:\n%swant\n%s", in, c.name, got, want)
			}
		}
	}
}

// TestStandardStreams reads a run from standard input and writes to standard output.
func TestStandardStreams(t *testing.T) {
	base, delta := twoRuns(t, ".arrows")
	in, err := os.ReadFile(delta)
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	code := run(context.Background(), []string{"merge", "--key", "id", base, "-", "--to", "arrows", "-o", "-"}, bytes.NewReader(in), &out, &errs)
	if code != exitDone {
		t.Fatal(errs.String())
	}
	var back bytes.Buffer
	if code = run(context.Background(), []string{"merge", "-qk", "id", "-"}, &out, &back, &errs); code != exitDone || back.String() != deduplicated {
		t.Errorf("exit %d: %s\n%s", code, errs.String(), back.String())
	}
	// Parquet and Arrow files can go to a pipe as well.
	for _, to := range []string{"parquet", "arrow"} {
		out.Reset()
		if code := run(context.Background(), []string{"merge", "--key", "id", base, delta, "--to", to}, nil, &out, &errs); code != exitDone {
			t.Fatal(errs.String())
		}
		path := filepath.Join(t.TempDir(), "from-pipe")
		if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := mustBraid(t, "merge", "--key", "id", path); got != deduplicated { // its first bytes say what it is
			t.Errorf("%s:\n%s", to, got)
		}
	}
}

// TestRunOrder mixes operands and --run flags: the newest run is the one written last.
func TestRunOrder(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b", "c"} {
		writeRun(t, filepath.Join(dir, name+".arrow"), people, `{"id":1,"name":"`+name+`"}`)
	}
	writeRun(t, filepath.Join(dir, "d.arrow"), people, `{"id":7,"name":"d"}`)
	t.Chdir(dir)
	for _, c := range []struct{ args, want string }{
		{"a.arrow b.arrow c.arrow", "c"},
		{"--run a.arrow b.arrow --run c.arrow", "c"},
		{"--run c.arrow b.arrow --run a.arrow", "a"},
		{"c.arrow --run a.arrow -q b.arrow", "b"},
		{"--run=b.arrow a.arrow -o - c.arrow", "c"},
		{"c.arrow --run b.arrow,d.arrow", "b"},
		{"--run b.arrow,d.arrow -- c.arrow", "c"},
	} {
		out := mustBraid(t, strings.Fields("merge --key id --select name --limit 1 "+c.args)...)
		if out != lines(`{"name":"`+c.want+`"}`) {
			t.Errorf("%s: %s", c.args, out)
		}
	}
}

func TestGlobs(t *testing.T) {
	dir := t.TempDir()
	writeRun(t, filepath.Join(dir, "old-1.arrow"), people, `{"id":1,"name":"old"}`)
	writeRun(t, filepath.Join(dir, "old-2.arrow"), people, `{"id":1,"name":"new"}`)
	writeRun(t, filepath.Join(dir, "seq-1.arrow"), system+people, `{"_SEQUENCE_NUMBER":9,"_VALUE_KIND":0,"id":1,"name":"high"}`)
	writeRun(t, filepath.Join(dir, "seq-2.arrow"), system+people, `{"_SEQUENCE_NUMBER":5,"_VALUE_KIND":0,"id":1,"name":"low"}`)
	writeRun(t, filepath.Join(dir, "part-1.arrow"), people, `{"id":1,"name":"one"}`)
	writeRun(t, filepath.Join(dir, "part-2.arrow"), people, `{"id":2,"name":"two"}`)
	writeRun(t, filepath.Join(dir, "odd[1].arrow"), people, `{"id":1,"name":"odd"}`)
	t.Chdir(dir)
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"old-?.arrow", exitUsage, "--order given"},
		{"old-?.arrow --order given", exitDone, `{"name":"new"}`},
		{"seq-*.arrow", exitDone, `{"name":"high"}`},
		{"old-1.arrow seq-*.arrow", exitUsage, "old-1.arrow has no column _SEQUENCE_NUMBER"},
		{"old-1*.arrow", exitDone, `{"name":"old"}`}, // a single match has no order
		{"--run part-*.arrow", exitDone, `{"name":"one"}` + "\n" + `{"name":"two"}`},
		{"odd[1].arrow", exitDone, `{"name":"odd"}`},
		{"none-*.arrow", exitError, "no file matches none-*.arrow"},
		{"[.arrow", exitUsage, "syntax error"},
	} {
		r := braid(strings.Fields("merge --key id --select name " + c.args)...)
		if r.code != c.code || !strings.Contains(r.out+r.err, c.want) {
			t.Errorf("%s: exit %d, %s%s", c.args, r.code, r.out, r.err)
		}
	}
}

func TestSystemColumns(t *testing.T) {
	dir := t.TempDir()
	base := writeRun(t, filepath.Join(dir, "base.parquet"), system+people, `{"_SEQUENCE_NUMBER":1,"_VALUE_KIND":0,"id":1,"name":"Ann"},{"_SEQUENCE_NUMBER":2,"_VALUE_KIND":0,"id":2,"name":"Bob"}`)
	delta := writeRun(t, filepath.Join(dir, "delta.parquet"), system+people, `{"_SEQUENCE_NUMBER":3,"_VALUE_KIND":3,"id":1,"name":"Ann"},{"_SEQUENCE_NUMBER":4,"_VALUE_KIND":2,"id":2,"name":"Bobby"}`)
	for _, c := range []struct{ args, want string }{
		{"", lines(`{"id":2,"name":"Bobby","age":null}`)},
		{"--keep-deletes", lines(`{"id":1,"name":"Ann","age":null}`, `{"id":2,"name":"Bobby","age":null}`)},
		{"--keep-deletes --keep-system-columns --select name", lines(`{"_KEY_id":1,"_SEQUENCE_NUMBER":3,"_VALUE_KIND":3,"name":"Ann"}`, `{"_KEY_id":2,"_SEQUENCE_NUMBER":4,"_VALUE_KIND":2,"name":"Bobby"}`)},
		{"--select age,name", lines(`{"age":null,"name":"Bobby"}`)},
		{"--limit 0", ""},
		{"--option ignore-delete=true", lines(`{"id":1,"name":"Ann","age":null}`, `{"id":2,"name":"Bobby","age":null}`)},
		{"--threads 3", lines(`{"id":2,"name":"Bobby","age":null}`)},
		{"--batch-rows 1 --memory-limit 64MiB", lines(`{"id":2,"name":"Bobby","age":null}`)},
	} {
		if got := mustBraid(t, append([]string{"merge", "--key", "id", base, delta}, strings.Fields(c.args)...)...); got != c.want {
			t.Errorf("%s:\n%swant\n%s", c.args, got, c.want)
		}
	}
}

// TestSchemasThatMayDiffer has runs whose columns differ in order, nullability and metadata only.
func TestSchemasThatMayDiffer(t *testing.T) {
	dir := t.TempDir()
	base := writeRun(t, filepath.Join(dir, "base.arrow"), "id:int name:text! age:int!", `{"id":1,"name":"Ann","age":30}`)
	delta := writeRun(t, filepath.Join(dir, "delta.parquet"), "age:int id:int! name:text", `{"id":1,"name":null,"age":31},{"id":2,"name":null,"age":null}`)
	want := lines(`{"id":1,"name":"Ann","age":31}`, `{"id":2,"name":null,"age":null}`)
	if got := mustBraid(t, "merge", "-k", "id", "-e", "partial-update", base, delta); got != want {
		t.Errorf("%swant\n%s", got, want)
	}
}

func TestLimitStopsEarly(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "runs")
	mustBraid(t, "gen", "--rows", "500000", "--runs", "2", "--format", "arrow", "-o", dir)
	report := filepath.Join(dir, "report.json")
	out := mustBraid(t, "merge", "--key", "id", filepath.Join(dir, "run-*.arrow"), "--limit", "10", "--report", report)
	if strings.Count(out, "\n") != 10 {
		t.Errorf("%d rows", strings.Count(out, "\n"))
	}
	r := readReport(t, report)
	if r.RowsIn >= 500_000 || r.Output.Rows != 10 || !r.Limited {
		t.Errorf("report %+v", r)
	}
}

func readReport(t *testing.T, path string) report {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var r report
	if err := json.Unmarshal(content, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestReports(t *testing.T) {
	base, delta := twoRuns(t, ".parquet")
	out := filepath.Join(t.TempDir(), "out.arrow")
	r := braid("merge", "-k", "id", base, delta, "-o", out)
	if r.code != exitDone || !strings.HasPrefix(r.err, "merged 2 runs: 5 rows in, 4 out, ") || !strings.Contains(r.err, out) {
		t.Errorf("report %q", r.err)
	}
	if r := braid("merge", "-k", "id", base, delta, "-o", out, "--force", "--quiet"); r.err != "" {
		t.Errorf("quiet says %q", r.err)
	}
	r = braid("merge", "-k", "id", base, delta, "-o", out, "--force", "--json", "-q")
	var got report
	if err := json.Unmarshal([]byte(r.err), &got); err != nil {
		t.Fatalf("%v: %s", err, r.err)
	}
	if got.RowsIn != 5 || got.Output.Rows != 4 || got.Engine != "deduplicate" || len(got.Runs) != 2 || *got.Runs[1].Files[0].Rows != 2 || got.Seconds.Total <= 0 || got.Output.Bytes == 0 {
		t.Errorf("report %s", r.err)
	}
}

func TestExplain(t *testing.T) {
	base, delta := twoRuns(t, ".arrow")
	out := mustBraid(t, "merge", "-k", "id", "-e", "partial-update", "--explain", base, delta)
	if !strings.Contains(out, "partial-update") || !strings.Contains(out, "age") {
		t.Errorf("plan %q", out)
	}
}

// TestInputsAreGivenBack checks that no file is mapped when a merge is over, after success, early end and error.
func TestInputsAreGivenBack(t *testing.T) {
	dir := t.TempDir()
	mustBraid(t, "gen", "--rows", "300000", "--runs", "3", "--format", "arrow", "-o", dir)
	unsorted := writeRun(t, filepath.Join(dir, "unsorted.arrow"), "id:int! quantity:int32", `{"id":2},{"id":1}`)
	runs := filepath.Join(dir, "run-*.arrow")
	braid("merge", "-k", "id", runs, "-o", filepath.Join(dir, "out.arrow"))
	braid("merge", "-k", "id", runs, "--limit", "3")
	braid("merge", "-k", "id", unsorted)
	braid("merge", "-k", "id", runs, unsorted)
	braid("inspect", "-k", "id", runs, unsorted)
	maps, err := os.ReadFile("/proc/self/maps")
	if errors.Is(err, os.ErrNotExist) {
		t.Skip(err)
	}
	if strings.Contains(string(maps), dir) {
		t.Error("files are still mapped")
	}
}
