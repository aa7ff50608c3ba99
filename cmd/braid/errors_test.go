package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestUsage has the mistakes of a command line: exit code 2, and a message that helps.
func TestUsage(t *testing.T) {
	base, delta := twoRuns(t, ".arrow")
	dir := t.TempDir()
	noJSON := filepath.Join(dir, "options.json")
	nested := filepath.Join(dir, "nested.json")
	for path, content := range map[string]string{noJSON: "merge-engine = first-row", nested: `{"fields": {"age": "sum"}}`, filepath.Join(dir, "rows.csv"): "id\n1\n", filepath.Join(dir, "what"): "what is this"} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ args, want string }{
		{"mrege", `did you mean "merge"?`},
		{"merge --kee id B D", "unknown flag --kee"},
		{"merge B D", "missing flags: --key=COLUMN"},
		{"merge --key id", "no runs"},
		{"merge --key idd B D", `key column "idd" is not in B; did you mean "id"? (its columns are id, name, age)`},
		{"merge --key id,id B D", `key column "id" is named twice`},
		{"merge --key id --select nme B D", `did you mean "name"?`},
		{"merge --key id --engine newest B D", "newest"},
		{"merge --key id --engine first-row --option merge-engine=deduplicate B D", "say different things"},
		{"merge --key id --option merge-engine B D", "not of the form name=value"},
		{"merge --key id --option a=1 --option a=2 B D", "given twice"},
		{"merge --key id --option fields.age.agregate-function=sum B D", "fields.age.agregate-function"},
		{"merge --key id --option fields.years.aggregate-function=sum B D", "years"},
		{"merge --key id --options " + noJSON + " B D", "must be a JSON object"},
		{"merge --key id --options " + nested + " B D", `option "fields" is neither text`},
		{"merge --key id --format csv B D", "--format"},
		{"merge --key id --format parquet -", "standard input is read as an Arrow stream"},
		{"merge --key id - -", "standard input can be read once, not 2 times"},
		{"merge --key id --run B, D", "names a file without a name"},
		{"merge --key id --to xlsx B D", "--to"},
		{"merge --key id B D -o " + filepath.Join(dir, "out.xlsx"), "use --to"},
		{"merge --key id B D --to csv --compression zstd", "csv is not compressed"},
		{"merge --key id B D --to arrow --compression gzip", "arrow is compressed with none, zstd, lz4, not with gzip"},
		{"merge --key id --limit=-1 B D", "--limit -1 is negative"},
		{"merge --key id --batch-rows=-1 B D", "--batch-rows -1 is negative"},
		{"merge --key id --threads 257 B D", "--threads 257 is not between 1 and 256"},
		{"merge --key id --memory-limit lots B D", `"lots" is no number of bytes`},
		{"merge --key id " + filepath.Join(dir, "rows.csv"), "csv files are written, not read"},
		{"merge --key id " + filepath.Join(dir, "what"), "use --format"},
		{"merge --key id B D --order newest", "--order"},
		{"merge --key id " + dir, dir + " is a directory; name its files, or a pattern such as '" + dir},
		{"inspect", "expected"},
		{"inspect --key nme B", `key column "nme" is not in B; did you mean "name"?`},
		{"gen", "--output"},
		{"gen -o X --runs 0", "--runs 0 is not between 1 and 4096"},
		{"gen -o X --rows=-5", "--rows -5 is out of range"},
		{"gen -o X --runs 2 --duplicates 0.6", "--duplicates 0.6 is not between 0 and 0.5"},
		{"gen -o X --runs 1 --duplicates 0", "--deletes 0.01 is not between 0 and 0"},
		{"gen -o X --nulls 2", "--nulls 2 is not between 0 and 1"},
		{"gen -o X --no-system-columns", "--deletes 0.01 needs the column _VALUE_KIND"},
		{"gen -o X --columns a:varchar", `"a:varchar" is not of the form name:type`},
		{"gen -o X --columns id:int32", "the name is taken"},
		{"gen -o X --columns a:int32,a:int64", "the name is taken"},
		{"gen -o X --key uuid", "--key"},
		{"demo --wirte X", "unknown flag --wirte"},
		{"version extra", "unexpected argument extra"},
	} {
		args := strings.Fields(strings.NewReplacer(" B", " "+base, " D", " "+delta, " X", " "+filepath.Join(dir, "gen")).Replace(c.args + " "))
		want := strings.ReplaceAll(c.want, " in B;", " in "+base+";")
		r := braid(args...)
		if r.code != exitUsage || !strings.Contains(r.err, want) {
			t.Errorf("%s: exit %d, %s", c.args, r.code, r.err)
		}
		if r.out != "" {
			t.Errorf("%s: wrote %q", c.args, r.out)
		}
	}
	if got := names(t, dir); got != "nested.json options.json rows.csv what" {
		t.Errorf("files left: %s", got)
	}
}

// TestHelp checks that help goes to standard output and is no error.
func TestHelp(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"", "Merge real flights"},
		{"--help", "braid demo"},
		{"merge --help", "braid merge --key id base.parquet"},
		{"merge -h", "--keep-deletes"},
		{"inspect --help", "braid inspect --key id"},
		{"gen --help", "braid gen -o runs"},
		{"demo --help", "braid demo --write flights"},
		{"version --help", "--json"},
	} {
		r := braid(strings.Fields(c.args)...)
		if r.code != exitDone || !strings.Contains(r.out, c.want) || r.err != "" {
			t.Errorf("%q: exit %d, out %q, err %q", c.args, r.code, r.out, r.err)
		}
	}
}

// TestDataErrors has faults in the data: exit code 1, and a message that says where.
func TestDataErrors(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	const kinds = "_VALUE_KIND:int8 id:int name:text age:int"
	good := writeRun(t, "good.arrow", people, baseRows)
	writeRun(t, "unsorted.arrow", people, `{"id":1},{"id":2},{"id":5},{"id":4},{"id":6}`, 3)
	writeRun(t, "unsorted.parquet", people, `{"id":1},{"id":2},{"id":5},{"id":4},{"id":6}`)
	writeRun(t, "kind.arrow", kinds, `{"_VALUE_KIND":0,"id":1},{"_VALUE_KIND":7,"id":2}`)
	writeRun(t, "nullkey.arrow", "id:int name:text age:int", `{"id":null,"name":"x"},{"id":2}`)
	writeRun(t, "types.arrow", "id:int! name:int age:int extra:text", `{"id":1}`)
	writeRun(t, "fewer.arrow", "id:int! age:int", `{"id":1}`)
	writeRun(t, "delete.arrow", kinds, `{"_VALUE_KIND":3,"id":1}`)
	for _, name := range []string{"whole.parquet", "whole.arrow", "whole.arrows"} {
		content, err := os.ReadFile(writeRun(t, name, people, baseRows, 1))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("cut-"+name, content[:len(content)*2/3], 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("empty-"+name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	before := names(t, ".")
	for _, c := range []struct {
		args string
		want []string
	}{
		{"unsorted.arrow", []string{"run 0 (unsorted.arrow)", "batch 1", "row 0", "not sorted"}},
		{good + " unsorted.arrow", []string{"run 1 (unsorted.arrow)", "batch 1", "row 0", "not sorted"}},
		{good + " unsorted.parquet", []string{"run 1 (unsorted.parquet)", "row 3", "not sorted"}},
		{"--run good.arrow,unsorted.arrow", []string{"unsorted.arrow", "not sorted"}},
		{good + " kind.arrow", []string{"run 1 (kind.arrow)", "row 1", "_VALUE_KIND", "bad row kind"}},
		{good + " nullkey.arrow", []string{"run 1 (nullkey.arrow)", "row 0", "id", "NULL"}},
		{good + " types.arrow", []string{"types.arrow", `column "name" is int64, not utf8`, `column "extra" (utf8) is not in the first file`}},
		{good + " fewer.arrow", []string{"fewer.arrow", `column "name" is missing`}},
		{"--engine first-row " + good + " delete.arrow", []string{"delete.arrow", "retract"}},
		{"cut-whole.parquet", []string{"cut-whole.parquet", "corrupt"}},
		{"cut-whole.arrow", []string{"cut-whole.arrow", "corrupt", "truncated"}},
		{"cut-whole.arrows", []string{"cut-whole.arrows", "corrupt", "ends inside a message"}},
		{"empty-whole.parquet", []string{"empty-whole.parquet", "corrupt"}},
		{"empty-whole.arrow", []string{"empty-whole.arrow", "corrupt"}},
		{"empty-whole.arrows", []string{"empty-whole.arrows", "corrupt", "empty"}},
		{"--format arrows good.arrow", []string{"good.arrow", "it is an Arrow file, not a stream"}},
		{"--format arrow whole.arrows", []string{"whole.arrows", "it is an Arrow stream, not an Arrow file"}},
		{"--format parquet good.arrow", []string{"good.arrow"}},
		{"missing.parquet", []string{"missing.parquet: no such file or directory"}},
		{"missing.arrow", []string{"missing.arrow: no such file or directory"}},
		{"missing.arrows", []string{"missing.arrows: no such file or directory"}},
		{"missing", []string{"missing: no such file or directory"}},
		{"--options missing.json " + good, []string{"missing.json: no such file or directory"}},
		{"--memory-limit 10B " + good, []string{"memory limit"}},
	} {
		args := append([]string{"merge", "--key", "id", "-o", "out.parquet"}, strings.Fields(c.args)...)
		r := braid(args...)
		if r.code != exitError {
			t.Errorf("%s: exit %d, %s", c.args, r.code, r.err)
		}
		for _, want := range c.want {
			if !strings.Contains(r.err, want) {
				t.Errorf("%s: %s: want %q in it", c.args, r.err, want)
			}
		}
		if got := names(t, "."); got != before {
			t.Fatalf("%s: files are %s, were %s", c.args, got, before)
		}
	}
}
