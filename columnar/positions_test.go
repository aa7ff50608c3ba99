package columnar_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/columnar"
)

func TestPositions(t *testing.T) {
	own := ided(9, "_VALIDITY_FIELDS", arrow.BinaryTypes.Binary)
	for _, c := range []struct {
		what        string
		by          columnar.MatchBy
		file, table *arrow.Schema
		want        []int
	}{
		{"the same", columnar.MatchFieldID, schemaOf(own, ided(0, "a", i32), ided(1, "b", txt)), schemaOf(own, ided(0, "a", i32), ided(1, "b", txt)), []int{-1, 1, 2}},
		{"system columns do not count", columnar.MatchFieldID,
			schemaOf(ided(1073741824, "_KEY_k", i32), bare("_SEQUENCE_NUMBER", i64), bare("_VALUE_KIND", i8), own, ided(1, "k", i32), ided(2, "a", i32), ided(3, "b", i32)),
			schemaOf(own, ided(3, "b", i64), ided(1, "k", i32), ided(4, "c", i32), ided(2, "a2", i32)), []int{-1, 3, 1, -1, 2}},
		{"by name", columnar.MatchName, schemaOf(own, ided(0, "a", i32), ided(1, "b", txt)), schemaOf(ided(5, "b", txt), ided(1, "a", i32), own), []int{2, 1, -1}},
		{"a file from before the column", columnar.MatchFieldID, schemaOf(ided(0, "a", i32), ided(1, "b", txt)), schemaOf(own, ided(1, "b", txt), ided(0, "a", i32)), []int{-1, 1, 0}},
		{"a name used again", columnar.MatchFieldID, schemaOf(own, ided(0, "a", i32)), schemaOf(own, ided(5, "a", i32)), []int{-1, -1}},
	} {
		got, err := columnar.Positions(c.file, c.table, c.by)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v, want %v", c.what, got, err, c.want)
		}
	}
	for _, c := range [][2]*arrow.Schema{
		{schemaOf(ided(0, "a", i32), ided(0, "b", i32)), schemaOf(ided(0, "a", i32))},
		{schemaOf(ided(0, "a", i32)), schemaOf(ided(0, "a", i32), ided(0, "b", i32))},
	} {
		if _, err := columnar.Positions(c[0], c[1], columnar.MatchFieldID); !errors.Is(err, columnar.ErrSchema) {
			t.Error(err)
		}
	}
}
