package kernel

import (
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
)

// Table is what a merge must know of the table its runs belong to.
//
// Schema has the value columns only, in table order; the system columns of a file are not part of it. The nullable flag of a
// field says whether the column is NOT NULL. What Arrow cannot say travels as field metadata: `paimon.type` (for example
// `VARCHAR(10)`) and `paimon.default`.
//
// Rows are ordered and grouped by the primary key less the partition keys (docs/semantics.md, "Keys").
type Table struct {
	Schema        *arrow.Schema
	PrimaryKey    []string
	PartitionKeys []string
}

// Names of the system columns a run may carry beside the value columns of its table, as Paimon stores them.
const (
	// KeyPrefix before a primary-key column's name is the name of its key column.
	KeyPrefix = "_KEY_"
	// SequenceColumn holds the sequence number of a row (int64).
	SequenceColumn = "_SEQUENCE_NUMBER"
	// KindColumn holds the row kind of a row (int8): 0 +I, 1 -U, 2 +U, 3 -D.
	KindColumn = "_VALUE_KIND"
)

// keyNames lists the trimmed primary key: the primary-key columns that are no partition keys.
func (t Table) keyNames() []string {
	names := make([]string, 0, len(t.PrimaryKey))
	for _, name := range t.PrimaryKey {
		if !slices.Contains(t.PartitionKeys, name) {
			names = append(names, name)
		}
	}
	return names
}
