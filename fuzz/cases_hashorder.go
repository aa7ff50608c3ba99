package fuzz

import (
	"encoding/json"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/internal/rowmerge"
)

// hashOrder lists cells of cases whose answer hangs on the order of the reference's hash table: nested_update with a
// count-limit meets a late record, so that only some of the accumulated rows are let in, the first ones, and these are other
// rows in hash order than in order of first appearance. The value is the answer in order of first appearance.
var hashOrder = map[string]struct {
	row    int
	column string
	value  string
}{
	"random-111-0530": {2, "v0", `[[2, 3, null]]`},
	"random-111-0739": {5, "v0", `[[0, 2, "y"], [2, 1, "x"]]`},
	"random-111-0766": {1, "v1", `[[1, 3, "y"], [1, null, "y"], [0, 3, "z"], [null, null, "y"]]`},
}

// putHashOrder puts the answer in order of first appearance into the rows of a case that is listed in hashOrder.
func (c Case) putHashOrder(want []rowmerge.Row, schema *arrow.Schema) error {
	cell, ok := hashOrder[c.Name]
	if !ok {
		return nil
	}
	at := schema.FieldIndices(cell.column)
	if len(at) == 0 || cell.row >= len(want) {
		return fmt.Errorf("case %s has no row %d with a column %q", c.Name, cell.row, cell.column)
	}
	value, err := rawValue(schema.Field(at[0]).Type, json.RawMessage(cell.value))
	want[cell.row].Values[at[0]] = value
	return err
}
