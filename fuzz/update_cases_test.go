package fuzz

import (
	"encoding/json"
	"testing"
)

// TestUpdateCasesFail wants the comparison of the kernel with the cases of updates to see answers that are wrong.
func TestUpdateCasesFail(t *testing.T) {
	asked := 0
	for _, name := range []string{"cases.json", "bug-cases.json"} {
		for _, c := range caseFile(t, name).Cases {
			if c.Type != "self_merge_update" {
				continue
			}
			asked++
			if err := c.checkUpdateKernel(allWays(0)); err != nil {
				t.Errorf("%s: %v", c.Name, err)
			}
			var rows [][]any
			if err := decodeJSON(c.Expect.Rows, &rows); err != nil {
				t.Fatal(err)
			}
			rows[len(rows)-1][1] = 4711
			changed, err := json.Marshal(rows)
			if err != nil {
				t.Fatal(err)
			}
			c.Expect.Rows = changed
			if c.checkUpdateKernel(someWays(asked)) == nil {
				t.Errorf("%s: a wrong value is not seen", c.Name)
			}
		}
	}
	if asked != 8 {
		t.Errorf("%d cases of updates, want 8", asked)
	}
}
