package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/internal/cputier"
)

// inspected runs inspect --json on one file.
func inspected(t *testing.T, args ...string) inspection {
	t.Helper()
	var found inspection
	out := mustBraid(t, append([]string{"inspect", "--json"}, args...)...)
	if err := json.Unmarshal([]byte(out), &found); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return found
}

func TestInspect(t *testing.T) {
	dir := t.TempDir()
	rows := `{"_SEQUENCE_NUMBER":5,"_VALUE_KIND":0,"id":1},{"_SEQUENCE_NUMBER":9,"_VALUE_KIND":3,"id":2},{"_SEQUENCE_NUMBER":7,"_VALUE_KIND":0,"id":2,"name":"x"},{"_SEQUENCE_NUMBER":8,"_VALUE_KIND":9,"id":9}`
	for _, name := range []string{"a.parquet", "a.arrow", "a.arrows"} {
		path := writeRun(t, filepath.Join(dir, name), system+people, rows, 3)
		found := inspected(t, path, "--key", "id")
		if *found.Rows != 4 || len(found.Schema) != 5 || found.Schema[2].Name != "id" || found.Schema[2].Nullable || !found.Schema[3].Nullable {
			t.Errorf("%s: %+v", name, found)
		}
		if found.Kinds["+I"] != 2 || found.Kinds["-D"] != 1 || found.Kinds["bad kind 9"] != 1 || found.Sequence.Min != 5 || found.Sequence.Max != 9 {
			t.Errorf("%s: kinds %v, sequence %+v", name, found.Kinds, found.Sequence)
		}
		if o := found.Order; !o.Sorted || o.Unique || o.Min != "1" || o.Max != "9" || o.Fault != nil {
			t.Errorf("%s: order %+v", name, o)
		}
		switch name {
		case "a.parquet":
			if len(found.Batches) != 1 || len(found.Columns) != 5 || found.Columns[0].Compression[0] != "zstd" || found.Columns[3].Nulls != 3 {
				t.Errorf("%s: batches %+v, columns %+v", name, found.Batches, found.Columns)
			}
		default:
			if len(found.Batches) != 2 || found.Batches[0].Rows != 3 || found.Batches[1].Rows != 1 {
				t.Errorf("%s: batches %+v", name, found.Batches)
			}
		}
	}
	text := mustBraid(t, "inspect", "--key", "name,id", filepath.Join(dir, "a.*"))
	for _, want := range []string{"a.parquet: Parquet, 4 rows", "a.arrow: Arrow file, 4 rows", "a.arrows: Arrow stream, 4 rows", "  row kinds: +I 2, -D 1, bad kind 9 1\n", "  sequence numbers: 5 to 9\n", "NOT sorted: row 3 (batch 1, row 0) has NULL, 9 after x, 2\n    smallest NULL, 1\n    largest  x, 2\n", "    id                int64  not null\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if r := braid("inspect", filepath.Join(dir, "a.arrow"), filepath.Join(dir, "b.arrow")); r.code != exitError || !strings.Contains(r.err, "b.arrow: no such file") {
		t.Errorf("exit %d, %s", r.code, r.err)
	}
}

// TestInspectOrder looks for the first row out of order in every place of three batches.
func TestInspectOrder(t *testing.T) {
	dir := t.TempDir()
	for fall := range 10 {
		var rows []string
		for row := range 10 {
			id := row*2 + 100
			if row >= fall && fall > 0 {
				id = row
			}
			rows = append(rows, fmt.Sprintf(`{"id":%d}`, id))
		}
		path := writeRun(t, filepath.Join(dir, "a.arrow"), "id:int", strings.Join(rows, ","), 4)
		o := inspected(t, path, "--key", "id").Order
		if fall == 0 {
			if !o.Sorted || !o.Unique || o.Min != "100" || o.Max != "118" {
				t.Errorf("sorted rows: %+v", o)
			}
			continue
		}
		want := faultReport{Row: int64(fall), Batch: fall / 4, RowInBatch: fall % 4, Key: fmt.Sprint(fall), After: fmt.Sprint(fall*2 + 98)}
		if o.Sorted || o.Unique || *o.Fault != want || o.Min != fmt.Sprint(fall) || o.Max != want.After {
			t.Errorf("fall at %d: %+v, fault %+v", fall, o, o.Fault)
		}
	}
	path := writeRun(t, filepath.Join(dir, "list.arrow"), "id:int l:list", `{"id":1,"l":[1]}`)
	if r := braid("inspect", "--key", "l", path); r.code != exitUsage || !strings.Contains(r.err, "cannot be a key") {
		t.Errorf("exit %d, %s", r.code, r.err)
	}
	empty := inspected(t, writeRun(t, filepath.Join(dir, "empty.arrow"), "id:int", ""), "--key", "id")
	if *empty.Rows != 0 || !empty.Order.Sorted || empty.Order.Min != "" {
		t.Errorf("no rows: %+v", empty.Order)
	}
}

func TestGen(t *testing.T) {
	for _, c := range []struct{ key, columns, format string }{
		{"int", "id", "parquet"}, {"string", "id", "arrow"}, {"composite", "region,id", "arrows"},
	} {
		dir := filepath.Join(t.TempDir(), "deep", "runs")
		out := mustBraid(t, "gen", "--rows", "20000", "--runs", "3", "--duplicates", "0.25", "--deletes", "0.1", "--nulls", "0.3", "--key", c.key, "--format", c.format, "-o", dir,
			"--columns", "a:bool,b:int8,c:int16,d:int32,e:int64,f:float32,g:float64,h:decimal,i:date,j:timestamp,k:string,l:binary")
		if got, want := names(t, dir), strings.NewReplacer("F", c.format).Replace("run-0.F run-1.F run-2.F"); got != want {
			t.Fatalf("files %s, want %s", got, want)
		}
		rows, deletes := int64(0), int64(0)
		for run := range 3 {
			found := inspected(t, filepath.Join(dir, fmt.Sprintf("run-%d.%s", run, c.format)), "--key", c.columns)
			if !found.Order.Sorted || !found.Order.Unique {
				t.Errorf("%s: run %d: %+v", c.key, run, found.Order)
			}
			if run == 0 && found.Kinds["-D"] != 0 {
				t.Errorf("%s: the first run has deletes", c.key)
			}
			rows += *found.Rows
			deletes += found.Kinds["-D"]
		}
		if rows != 20000 || deletes < 1700 || deletes > 2300 {
			t.Errorf("%s: %d rows, %d deletes", c.key, rows, deletes)
		}
		// The hint is a command that works, and gives the keys that are not deleted.
		_, hint, _ := strings.Cut(out, "next: braid ")
		args := strings.Fields(strings.ReplaceAll(hint, "'", ""))
		r := braid(append(args, "--json", "--keep-deletes")...)
		var merged report
		if err := json.Unmarshal([]byte(r.err), &merged); err != nil || merged.Output.Rows != 15000 {
			t.Errorf("%s: %v: %d keys: %s", c.key, args, merged.Output.Rows, r.err)
		}
	}
}

// TestGenIsDeterministic compares the files of the same seed and of another one.
func TestGenIsDeterministic(t *testing.T) {
	dir := t.TempDir()
	for name, seed := range map[string]string{"a": "7", "b": "7", "c": "8"} {
		mustBraid(t, "gen", "--rows", "5000", "--runs", "2", "--seed", seed, "--format", "arrow", "-q", "-o", filepath.Join(dir, name))
	}
	for run := range 2 {
		file := fmt.Sprintf("run-%d.arrow", run)
		a, b, c := content(t, filepath.Join(dir, "a", file)), content(t, filepath.Join(dir, "b", file)), content(t, filepath.Join(dir, "c", file))
		if a != b || a == c {
			t.Errorf("%s: same seed equal %v, other seed equal %v", file, a == b, a == c)
		}
	}
	if r := braid("gen", "--rows", "10", "--format", "arrow", "-o", filepath.Join(dir, "a")); r.code != exitError || !strings.Contains(r.err, "exists; --force replaces it") {
		t.Errorf("exit %d, %s", r.code, r.err)
	}
	mustBraid(t, "gen", "--rows", "10", "--format", "arrow", "--force", "-o", filepath.Join(dir, "a"))
	if got := names(t, filepath.Join(dir, "a")); got != "run-0.arrow run-1.arrow run-2.arrow run-3.arrow" {
		t.Errorf("files %s", got)
	}
}

// TestGenWithoutSystemColumns has runs that only their order settles.
func TestGenWithoutSystemColumns(t *testing.T) {
	dir := t.TempDir()
	out := mustBraid(t, "gen", "--rows", "1000", "--runs", "12", "--deletes", "0", "--no-system-columns", "--columns", "a:int32", "-o", dir)
	if !strings.Contains(out, "--order given") {
		t.Errorf("hint %s", out)
	}
	found := inspected(t, filepath.Join(dir, "run-07.parquet"))
	if len(found.Schema) != 2 || found.Kinds != nil || found.Sequence != nil {
		t.Errorf("%+v", found)
	}
}

func TestDemo(t *testing.T) {
	size := int64(0)
	for _, name := range demoFiles {
		info, err := os.Stat(filepath.Join("demo", "data", name))
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
	}
	if size > 1_000_000 {
		t.Errorf("the files of the demo have %d bytes", size)
	}
	told := mustBraid(t, "demo")
	for _, want := range []string{"before: 120,000 flights and 11,384 corrections\nafter:  119,337 flights\n", "corrected once", "corrected twice", "as it is   gone", "rows/s"} {
		if !strings.Contains(told, want) {
			t.Errorf("%q is not in\n%s", want, told)
		}
	}
	dir := filepath.Join(t.TempDir(), "my flights")
	out := mustBraid(t, "demo", "--write", dir)
	_, hint, _ := strings.Cut(strings.TrimSpace(out), "next: braid ")
	var args []string
	for i, word := range strings.Split(hint, "'") {
		if i%2 == 1 {
			args = append(args, word) // it was quoted
		} else {
			args = append(args, strings.Fields(word)...)
		}
	}
	mustBraid(t, args...)
	merged := inspected(t, filepath.Join(dir, "merged.parquet"), "--key", "flight")
	if *merged.Rows != 119_337 || !merged.Order.Unique {
		t.Errorf("merged %+v", merged.Order)
	}
	if r := braid("demo", "--write", dir); r.code != exitError || !strings.Contains(r.err, "base.parquet exists") {
		t.Errorf("exit %d, %s", r.code, r.err)
	}
	mustBraid(t, "demo", "--write", dir, "--force")
}

// TestDemoResult compares the demo's merge with one that goes row by row.
func TestDemoResult(t *testing.T) {
	d := &demo{}
	defer d.release()
	if err := d.read(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := d.merge(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := map[int64]string{}
	for _, run := range d.runs {
		for _, record := range run.records {
			for row, flight := range flightsOf(record) {
				delay := valueOf(record, "delay", row)
				switch {
				case len(record.Schema().FieldIndices("_VALUE_KIND")) == 0:
					want[flight] = delay + " " + valueOf(record, "origin", row)
				case delay == "(null)":
					delete(want, flight)
				default:
					_, origin, _ := strings.Cut(want[flight], " ")
					want[flight] = delay + " " + origin
				}
			}
		}
	}
	for _, record := range d.result {
		for row, flight := range flightsOf(record) {
			if got := valueOf(record, "delay", row) + " " + valueOf(record, "origin", row); got != want[flight] {
				t.Fatalf("flight %d is %s, want %s", flight, got, want[flight])
			}
			delete(want, flight)
		}
	}
	if len(want) > 0 {
		t.Errorf("%d flights are missing", len(want))
	}
}

func valueOf(record arrow.Record, name string, row int) string {
	return record.Column(record.Schema().FieldIndices(name)[0]).ValueStr(row)
}

func TestVersion(t *testing.T) {
	var r versionReport
	if err := json.Unmarshal([]byte(mustBraid(t, "version", "--json")), &r); err != nil {
		t.Fatal(err)
	}
	if r.Go == "" || r.Tier != cputier.Current().String() || r.L2Bytes <= 0 || len(r.Tiers) == 0 {
		t.Errorf("%+v", r)
	}
	if out := mustBraid(t, "version"); !strings.HasPrefix(out, "braid ") || !strings.Contains(out, "CPU tier "+r.Tier) {
		t.Error(out)
	}
}

func TestByteSize(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "1048576": 1 << 20, "512KiB": 512 << 10, "64 MiB": 64 << 20, "1.5GiB": 3 << 29, "2gb": 2e9, "10B": 10, "3TB": 3e12} {
		var size byteSize
		if err := size.UnmarshalText([]byte(text)); err != nil || int64(size) != want {
			t.Errorf("%s is %d, error %v, want %d", text, size, err, want)
		}
	}
	for _, text := range []string{"", "B", "MiB", "-1", "1XB", "1e30", "NaN", "Inf"} {
		var size byteSize
		if err := size.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%s is %d", text, size)
		}
	}
	for n, want := range map[int64]string{0: "0 B", 1023: "1023 B", 1024: "1.0 KiB", 5 << 20: "5.0 MiB", 3 << 29: "1.5 GiB"} {
		if got := bytesText(n); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
}

func TestGrouped(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -1234567: "-1,234,567", 100000: "100,000"} {
		if got := grouped(n); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"delay", "delay", 0}, {"delya", "delay", 2}, {"dely", "delay", 1}, {"Delay", "delay", 0}, {"kitten", "sitting", 3}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("from %s to %s: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
