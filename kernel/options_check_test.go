package kernel

import (
	"errors"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
)

// Options that are filled by hand can be wrong in ways no text can be.
func TestCheckOptionsFilledByHand(t *testing.T) {
	field := func(name string) arrow.Field {
		return arrow.Field{Name: name, Type: arrow.PrimitiveTypes.Int32, Nullable: true}
	}
	table := Table{
		Schema:     arrow.NewSchema([]arrow.Field{field("k"), field("a"), field("g")}, nil),
		PrimaryKey: []string{"k"},
	}
	negative := int32(-1)
	column := func(f FieldOptions) map[string]FieldOptions { return map[string]FieldOptions{"a": f} }
	for _, c := range []struct {
		name    string
		options Options
		want    string // empty: no error
	}{
		{"zero", Options{}, ""},
		{"engine", Options{Engine: 9},
			"option error: merge-engine: value 9 is none of deduplicate, first-row, partial-update, aggregation, partial-update-validity"},
		{"changelog", Options{Changelog: 4},
			"option error: changelog-producer: value 4 is none of none, input, lookup, full-compaction"},
		{"null strategy", Options{Fields: column(FieldOptions{NestedKeyNullStrategy: 4})},
			"option error: fields.a.nested-key-null-strategy: value 4 is none of merge, ignore, error"},
		{"count limit", Options{Fields: column(FieldOptions{CountLimit: &negative})},
			"option error: fields.a.count-limit: -1 is below 0"},
		{"group without a sequence column", Options{Engine: PartialUpdate, SequenceGroups: []SequenceGroup{{Protected: []string{"a"}}}},
			"option error: fields..sequence-group: a sequence group needs a sequence column and a protected column"},
		{"group without a protected column", Options{Engine: PartialUpdate, SequenceGroups: []SequenceGroup{{Sequence: []string{"g"}}}},
			"option error: fields.g.sequence-group: a sequence group needs a sequence column and a protected column"},
		{"one group twice", Options{Engine: PartialUpdate, SequenceGroups: []SequenceGroup{
			{Sequence: []string{"g"}, Protected: []string{"a"}}, {Sequence: []string{"g"}, Protected: []string{"a"}}}},
			`option error: fields.g.sequence-group: column "a" is listed twice`},
		{"empty name", Options{SequenceFields: []string{""}}, `option error: sequence.field: the table has no column ""`},
		{"removal in an engine without it", Options{RemoveRecordOnDelete: true, IgnoreDelete: true}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := c.options.check(table, functions{})
			if c.want == "" {
				if err != nil {
					t.Fatalf("got %v, want no error", err)
				}
				return
			}
			if err == nil || err.Error() != c.want || !errors.Is(err, ErrOption) {
				t.Fatalf("got %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestCheckTableWithoutSchema(t *testing.T) {
	err := Table{PrimaryKey: []string{"k"}}.check()
	if !errors.Is(err, ErrSchema) || err.Error() != "schema error: the table has no schema" {
		t.Fatalf("got %v", err)
	}
}
