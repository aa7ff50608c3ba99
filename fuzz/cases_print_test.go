package fuzz

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/internal/rungen"
	"github.com/braidmerge/braid/internal/testscale"
)

// printed generates the problem of a seed and prints it as a case.
func printed(t *testing.T, seed uint64) (Case, error) {
	t.Helper()
	mem := NewMemory()
	defer mem.AssertSize(t, 0)
	p, err := rungen.Generate(mem, rungen.Random(seed, 40))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Release()
	problem := rowmerge.Problem{Schema: p.Schema, PrimaryKey: p.PrimaryKey, PartitionKeys: p.PartitionKeys, Options: p.Options,
		KeepDeletes: seed%2 == 0}
	for _, r := range p.Runs {
		problem.Runs = append(problem.Runs, rowmerge.Run{Records: r.Records, Sequence: r.Sequence})
	}
	return CaseOf("seed-"+strconv.FormatUint(seed, 10), problem)
}

// saved writes a case file and loads it.
func saved(t *testing.T, file CaseFile) *CaseFile {
	t.Helper()
	text, err := json.MarshalIndent(file, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "printed.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	loaded, err := LoadCases(path)
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

// TestPrintedCases prints generated problems as cases, loads them again, and runs them green; with another answer each turns
// red. A problem that cannot be a case is refused for a reason that there is.
func TestPrintedCases(t *testing.T) {
	var file CaseFile
	engines, faulty, nested := map[string]int{}, 0, 0
	reasons := []string{"no name for type", "partition keys", "run ", "no row kind", "not UTF-8", "out of range", "another error", "another answer"}
	refused := map[string]int{}
	for seed := range testscale.Seeds(t, 800) {
		c, err := printed(t, seed)
		if err != nil {
			reason := ""
			for _, r := range reasons {
				if reason == "" && strings.Contains(err.Error(), r) {
					reason = r
				}
			}
			if reason == "" {
				t.Errorf("seed %d: %v", seed, err)
			}
			refused[reason]++
			continue
		}
		engines[strings.ToLower(c.Engine)]++
		if c.Expect.Error != nil {
			faulty++
		}
		text, _ := json.Marshal(c.Schema)
		if strings.Contains(string(text), "ARRAY") || strings.Contains(string(text), "MAP") {
			nested++
		}
		file.Cases = append(file.Cases, c)
	}
	t.Logf("%d cases, %d with errors, %d with nested columns, engines %v; refused: %v", len(file.Cases), faulty, nested, engines, refused)
	rarest := min(faulty, nested, engines["aggregation"], engines["partial-update"], engines["deduplicate"], engines["first-row"])
	if rarest == 0 && testscale.Sample(t) == 1 {
		t.Error("a kind of problem is not among the cases")
	}
	loaded := saved(t, file)
	report := judged{}.report(loaded, someWays)
	for _, failure := range report.Failures {
		t.Error(failure)
	}
	for i, c := range loaded.Cases {
		if tamper(&c) && (judged{}).check(c) == nil {
			t.Errorf("%s: another answer is not noticed: %s", c.Name, loaded.Cases[i].Expect.Rows)
		}
	}
}

// tamper changes the answer that a case expects. It returns false for an answer without rows.
func tamper(c *Case) bool {
	if c.Expect.Error != nil {
		c.Expect.ErrorKind = "other"
		return true
	}
	var rows []CaseRow
	if json.Unmarshal(c.Expect.Rows, &rows) != nil || len(rows) == 0 {
		return false
	}
	rows[len(rows)-1].Seq++
	c.Expect.Rows, _ = json.Marshal(rows)
	return true
}

// TestTypeTextIsParsed wants the text of a type to be read as that type.
func TestTypeTextIsParsed(t *testing.T) {
	for _, text := range []string{"BOOLEAN", "BIGINT NOT NULL", "DECIMAL(9,2)", "CHAR(3)", "VARCHAR(7) NOT NULL", "BYTES", "TIME",
		"TIMESTAMP(0)", "TIMESTAMP(3)", "TIMESTAMP(9)", "TIMESTAMP_LTZ(6)", "ARRAY<INT>", "MAP<STRING,ARRAY<DOUBLE>>",
		"ARRAY<ROW<k INT,l STRING NOT NULL>>"} {
		f, err := parseField("c", text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := typeText(f); err != nil || got != text {
			t.Errorf("%s is written as %s, %v", text, got, err)
		}
	}
}
