package fuzz

import (
	"encoding/json"
	"path/filepath"
	"testing"
)

// TestFunctionCases drives the contract of aggregate functions with every agg case: the operations are the rows of one group.
func TestFunctionCases(t *testing.T) {
	paths, err := filepath.Glob("testdata/cases/*.json*")
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, path := range paths {
		file, err := LoadCases(path)
		if err != nil {
			t.Fatal(err)
		}
		run := 0
		for _, c := range file.Cases {
			if c.Type != "agg" {
				continue
			}
			run++
			if err := checkFunction(c); err != nil {
				t.Errorf("%s: %v", c.Name, err)
			}
		}
		t.Logf("%s: %d cases", filepath.Base(path), run)
		total += run
	}
	if total < 300 {
		t.Errorf("only %d agg cases", total)
	}
}

// TestFunctionCasesFail changes the expectation of cases, which must then fail.
func TestFunctionCasesFail(t *testing.T) {
	c := Case{Function: "sum", FieldType: "INT", Acc: json.RawMessage("1"), Ops: []json.RawMessage{json.RawMessage(`["agg", 2]`)}}
	for value, fails := range map[string]bool{"3": false, "4": true, "null": true} {
		c.Expect.Value = json.RawMessage(value)
		if err := checkFunction(c); fails != (err != nil) {
			t.Errorf("1 + 2 = %s: %v", value, err)
		}
	}
}
