package columnar

import (
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/validity"
)

// Positions returns for every column of a table where the bitmaps of a file's validity column have its bit: its position among
// the columns of the complete schema that the file was written under, system columns left out, or -1 if that lacks it. The
// validity column has no bit. A reader may read fewer columns of the file than there are. A match that is not unique is
// ErrSchema.
//
//	file    _KEY_k | _VALIDITY_FIELDS | k | a (id 2) | b (id 3)
//	table   _VALIDITY_FIELDS | b | k | c (id 4) | a2 (id 2)
//	        -1                 3   1   -1         2
func Positions(complete, table *arrow.Schema, by MatchBy) ([]int, error) {
	fields := slices.DeleteFunc(slices.Clone(complete.Fields()), func(f arrow.Field) bool {
		return strings.HasPrefix(f.Name, keyPrefix) || f.Name == sequenceColumn || f.Name == kindColumn
	})
	columns, err := newCandidates("", fields, by)
	if err != nil {
		return nil, err
	}
	positions, err := columns.match(table.Fields())
	if err != nil {
		return nil, err
	}
	for i, field := range table.Fields() {
		if field.Name == validity.FieldsColumn {
			positions[i] = -1
		}
	}
	return positions, nil
}
