package rowmerge_test

import (
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/internal/rowmerge"
)

// TestLookupChangelogWithoutResult covers groups whose only fresh version is an ignored delete.
func TestLookupChangelogWithoutResult(t *testing.T) {
	version := func(kind int8, level int) rowmerge.Version {
		return rowmerge.Version{Row: rowmerge.Row{Kind: kind, Key: []any{int32(1)}, Values: []any{int32(1), int32(level)}}, Level: level}
	}
	ignored := version(rowmerge.Delete, 0)
	below := version(rowmerge.Insert, 3)
	for _, c := range []struct {
		name, engine string
		versions     []rowmerge.Version
		higher       *rowmerge.Version
		stays        bool
	}{
		{"nothing before", "deduplicate", []rowmerge.Version{ignored}, nil, false},
		{"a row before", "deduplicate", []rowmerge.Version{ignored}, &below, true},
		{"a row among the inputs", "deduplicate", []rowmerge.Version{version(rowmerge.Insert, 2), ignored}, nil, true},
		{"first row", "first-row", []rowmerge.Version{ignored}, nil, false},
		{"first row before", "first-row", []rowmerge.Version{ignored}, &below, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := rowmerge.Problem{PrimaryKey: []string{"k"},
				Options: map[string]string{"merge-engine": c.engine, "ignore-delete": "true", "changelog-producer": "lookup",
					"changelog-producer.row-deduplicate": "true"},
				Schema: arrow.NewSchema([]arrow.Field{field("k", int32s), field("v", int32s)}, nil)}
			got, err := p.LookupChangelog(c.versions, c.higher)
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Changelog) > 0 || (got.Result != nil) != c.stays {
				t.Errorf("changelog %v, result %v", got.Changelog, got.Result)
			}
		})
	}
}
