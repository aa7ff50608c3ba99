package aggfuncs

import (
	"fmt"

	"github.com/braidmerge/braid/validity"
)

// Pick is a rule that takes a column's value from one row of the key.
type Pick uint8

const (
	LastRow     Pick = iota // the last row that counts
	FirstRow                // the first row that counts
	LastNonNull             // the last row that counts and has a value, else the last that counts
)

// String says in words which row it is.
func (p Pick) String() string {
	switch p {
	case LastRow:
		return "last row"
	case FirstRow:
		return "first row"
	case LastNonNull:
		return "last value that is not NULL"
	}
	return fmt.Sprintf("Pick(%d)", uint8(p))
}

// Rows sets in pick the row that FirstRow or the other rules take when no value is NULL: one row for every group that has a
// row that counts. All masks are of equal length; pick may be counts.
func (p Pick) Rows(pick, counts, ends []uint64) {
	if p == FirstRow {
		validity.FirstValid(pick, counts, ends)
		return
	}
	validity.LastValid(pick, counts, ends)
}

// LastValues sets in pick the rows of LastNonNull: has are the rows that count and have a value, rows is what Rows has
// picked. A group without a value keeps its row. All masks are of equal length; pick may be has.
func LastValues(pick, has, rows, ends []uint64) {
	validity.LastValid(pick, has, ends)
	validity.OrEnds(pick, rows) // a group's last value never lies behind its last row that counts
}
