package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestChangelog lists what a delta changes, from files of every format.
func TestChangelog(t *testing.T) {
	for _, extension := range []string{".parquet", ".arrow", ".arrows"} {
		base, delta := twoRuns(t, extension)
		update := []string{`{"_VALUE_KIND":"-U","id":2,"name":"Bob","age":40}`, `{"_VALUE_KIND":"+U","id":2,"name":"Bobby","age":null}`}
		added := `{"_VALUE_KIND":"+I","id":3,"name":"Cid","age":20}`
		for _, c := range []struct {
			args []string
			want string
		}{
			{nil, lines(update[0], update[1], added)},
			{[]string{"--engine", "partial-update"}, lines(update[0], `{"_VALUE_KIND":"+U","id":2,"name":"Bobby","age":40}`, added)},
			{[]string{"--engine", "first-row"}, lines(added)},
			{[]string{"--option", "changelog-producer=full-compaction"}, lines(update[0], update[1], added)},
			{[]string{"--option", "changelog-producer.row-deduplicate=true", "--option", "changelog-producer.row-deduplicate-ignore-fields=name,age"}, lines(added)},
			{[]string{"--to", "csv"}, "_VALUE_KIND,id,name,age\n-U,2,Bob,40\n+U,2,Bobby,\n+I,3,Cid,20\n"},
			{[]string{"--keep-system-columns", "--option", "changelog-producer.row-deduplicate=true", "-e", "first-row"},
				lines(`{"_KEY_id":3,"_SEQUENCE_NUMBER":-1,"_VALUE_KIND":"+I","id":3,"name":"Cid","age":20}`)},
		} {
			if got := mustBraid(t, append([]string{"changelog", "-q", "--key", "id", base, delta}, c.args...)...); got != c.want {
				t.Errorf("%s %v:\n%swant\n%s", extension, c.args, got, c.want)
			}
		}
		if got := mustBraid(t, "changelog", "-q", "--key", "id", base, base, "--option", "changelog-producer.row-deduplicate=true"); got != "" {
			t.Errorf("%s: a table changes itself:\n%s", extension, got)
		}
	}
}

// TestChangelogOfDeletes has a table of two files, runs with sequence numbers and kinds, and a file that is written.
func TestChangelogOfDeletes(t *testing.T) {
	dir := t.TempDir()
	const columns = "_SEQUENCE_NUMBER:int! _VALUE_KIND:int8! id:int! name:text"
	path := func(name string) string { return filepath.Join(dir, name) }
	writeRun(t, path("old-0.arrow"), columns, `{"_SEQUENCE_NUMBER":1,"_VALUE_KIND":0,"id":1,"name":"Ann"}`)
	writeRun(t, path("old-1.arrow"), columns, `{"_SEQUENCE_NUMBER":2,"_VALUE_KIND":0,"id":2,"name":"Bob"}`)
	writeRun(t, path("new-0.arrow"), columns, `{"_SEQUENCE_NUMBER":3,"_VALUE_KIND":3,"id":1,"name":"Ann"},{"_SEQUENCE_NUMBER":6,"_VALUE_KIND":3,"id":3,"name":"Cid"}`)
	writeRun(t, path("new-1.arrow"), columns, `{"_SEQUENCE_NUMBER":5,"_VALUE_KIND":0,"id":3,"name":"Cid"}`)
	out := path("changes.parquet")
	r := braid("changelog", "--json", "--key", "id", path("old-*.arrow"), path("new-*.arrow"), "-o", out)
	var report changelogReport
	if err := json.Unmarshal([]byte(r.err), &report); err != nil || r.code != exitDone {
		t.Fatalf("exit %d: %v: %s", r.code, err, r.err)
	}
	if report.RowsIn != 5 || report.Output.Rows != 1 || len(report.Runs) != 3 {
		t.Errorf("%+v", report)
	}
	if got, want := mustBraid(t, "merge", "-q", "--key", "id", "--keep-deletes", "--keep-system-columns", out),
		lines(`{"_KEY_id":1,"_SEQUENCE_NUMBER":-1,"_VALUE_KIND":3,"id":1,"name":"Ann"}`); got != want {
		t.Errorf("%swant\n%s", got, want)
	}
	r = braid("changelog", "--force", "--key", "id", path("old-*.arrow"), path("new-*.arrow"), "-o", out)
	if r.code != exitDone || !strings.Contains(r.err, "1 row in the changelog of 2 runs, 5 rows in") {
		t.Errorf("exit %d: %s", r.code, r.err)
	}
}

// TestChangelogRefuses has mistakes of the command line and faults of the data, after which there is no file.
func TestChangelogRefuses(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	writeRun(t, "base.arrow", people, baseRows)
	writeRun(t, "delta.arrow", people, deltaRows)
	writeRun(t, "unsorted.arrow", people, `{"id":2},{"id":1}`)
	for _, c := range []struct{ args, want string }{
		{"--key id base.arrow", "name the table as it was, and then the runs"},
		{"--key id - -", "standard input can be read once"},
		{"--key id base.arrow *.arrow", "--order given"},
		{"--key id base.arrow delta.arrow --option changelog-producer=input", "has no table to compare with"},
		{"--key id base.arrow delta.arrow --engine first-row --option changelog-producer=full-compaction", "takes none or lookup"},
		{"--key it base.arrow delta.arrow", `key column "it" is not in base.arrow`},
		{"--key id base.arrow unsorted.arrow", "run 0 (unsorted.arrow), batch 0, row 1"},
		{"--key id unsorted.arrow delta.arrow", "looked-up rows (unsorted.arrow), batch 0, row 1"},
	} {
		r := braid(append([]string{"changelog", "-o", "out.arrow"}, strings.Fields(c.args)...)...)
		if r.code == exitDone || !strings.Contains(r.err, c.want) {
			t.Errorf("%s: exit %d, want an error with %q: %s", c.args, r.code, c.want, r.err)
		}
		if _, err := os.Stat("out.arrow"); err == nil {
			t.Errorf("%s: there is a file", c.args)
		}
	}
}
