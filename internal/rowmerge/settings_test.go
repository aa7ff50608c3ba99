package rowmerge_test

import (
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/internal/rowmerge"
)

// TestCheck compiles tables and options, those that are right and those that are not.
func TestCheck(t *testing.T) {
	type options = map[string]string
	for _, c := range []struct {
		name    string
		options options
		ok      bool
	}{
		{"no options", nil, true},
		{"unknown engine", options{"merge-engine": "upsert"}, false},
		{"engine in capitals", options{"merge-engine": "First-Row"}, true},
		{"a flag that is none", options{"ignore-delete": "yes"}, false},
		{"a flag in capitals", options{"ignore-delete": "TRUE"}, true},
		{"unknown direction", options{"sequence.field": "s", "sequence.field.sort-order": "down"}, false},
		{"sequence field", options{"sequence.field": " s , v "}, true},
		{"unknown sequence field", options{"sequence.field": "x"}, false},
		{"sequence field twice", options{"sequence.field": "s,s"}, false},
		{"sequence field with a function", options{"sequence.field": "s", "fields.s.aggregate-function": "max"}, false},
		{"sequence field of first-row", options{"sequence.field": "s", "merge-engine": "first-row"}, false},
		{"snapshot ordering", options{"sequence.snapshot-ordering": "true"}, true},
		{"snapshot ordering with a sequence field", options{"sequence.snapshot-ordering": "true", "sequence.field": "s"}, false},
		{"row kind field", options{"rowkind.field": "t"}, true},
		{"row kind field that is no text", options{"rowkind.field": "s"}, false},
		{"unknown row kind field", options{"rowkind.field": "x"}, false},
		{"input changelog of first-row", options{"merge-engine": "first-row", "changelog-producer": "input"}, false},
		{"lookup changelog of first-row", options{"merge-engine": "first-row", "changelog-producer": "lookup"}, true},
		{"unknown column under fields", options{"fields.x.aggregate-function": "sum"}, false},
		{"unknown column in a list under fields", options{"fields.s,x.sequence-group": "v"}, false},
		{"unknown option under fields", options{"fields.s.aggregate": "sum"}, false},
		{"path into a row", options{"fields.s.a.aggregate-function": "sum"}, false},
		{"option of another engine", options{"fields.s.aggregate-function": "sum"}, true},
		{"unknown option elsewhere", options{"bucket": "4", "fieldset": "x"}, true},
		{"sequence column in two groups", options{"merge-engine": "partial-update", "fields.s.sequence-group": "v",
			"fields.s,w.sequence-group": "t"}, false},
		{"sequence column protected by another group", options{"merge-engine": "partial-update", "fields.s.sequence-group": "v",
			"fields.w.sequence-group": "s"}, false},
		{"group that protects itself", options{"merge-engine": "partial-update", "fields.s.sequence-group": "s,v"}, true},
		{"count limit", options{"merge-engine": "aggregation", "fields.n.aggregate-function": "nested_update",
			"fields.n.count-limit": "2"}, true},
		{"count limit that is no number", options{"merge-engine": "aggregation", "fields.n.aggregate-function": "nested_update",
			"fields.n.count-limit": "two"}, false},
		{"unknown nested key", options{"merge-engine": "aggregation", "fields.n.aggregate-function": "nested_update",
			"fields.n.nested-key": "x"}, false},
		{"nested key", options{"merge-engine": "aggregation", "fields.n.aggregate-function": "nested_update",
			"fields.n.nested-key": " a "}, true},
		{"unknown null strategy", options{"merge-engine": "aggregation", "fields.n.aggregate-function": "nested_update",
			"fields.n.nested-key": "a", "fields.n.nested-key-null-strategy": "drop"}, false},
		{"time that is no text", options{"merge-engine": "aggregation", "fields.m.aggregate-function": "merge_map_with_keytime"}, false},
		{"time that is text", options{"merge-engine": "aggregation", "fields.m.aggregate-function": "merge_map_with_keytime",
			"fields.m.ts-field": "b"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			pair := arrow.StructOf(field("b", texts), field("a", int32s))
			p := rowmerge.Problem{PrimaryKey: []string{"k"}, Options: c.options, Schema: arrow.NewSchema([]arrow.Field{
				field("k", int32s), field("s", int32s), field("v", int32s), field("w", int32s), field("t", texts),
				field("n", arrow.ListOf(pair)), field("m", arrow.MapOf(texts, pair))}, nil)}
			err := p.Check()
			if c.ok && err != nil {
				t.Error(err)
			}
			if !c.ok {
				wantKind(t, rowmerge.KindConfig, err)
			}
		})
	}
}

// TestCheckTable refuses tables that have no key to merge by.
func TestCheckTable(t *testing.T) {
	two := []arrow.Field{field("k", int32s), field("l", arrow.ListOf(int32s))}
	schema := arrow.NewSchema(two, nil)
	for name, p := range map[string]rowmerge.Problem{
		"no schema":               {PrimaryKey: []string{"k"}},
		"no key":                  {Schema: schema},
		"unknown key":             {Schema: schema, PrimaryKey: []string{"x"}},
		"list as key":             {Schema: schema, PrimaryKey: []string{"l"}},
		"partition is all of it":  {Schema: schema, PrimaryKey: []string{"k"}, PartitionKeys: []string{"k"}},
		"column twice":            {Schema: arrow.NewSchema(append(two, two[0]), nil), PrimaryKey: []string{"k"}},
		"unknown projection":      {Schema: schema, PrimaryKey: []string{"k"}, Projection: []string{"x"}},
		"partition not in key":    {Schema: schema, PrimaryKey: []string{"k"}, PartitionKeys: []string{"l"}, Options: map[string]string{"sequence.field": "k"}},
		"engine of later columns": {Schema: schema, PrimaryKey: []string{"k"}, Options: map[string]string{"merge-engine": "aggregation", "fields.l.aggregate-function": "max"}},
	} {
		t.Run(name, func(t *testing.T) { wantKind(t, rowmerge.KindConfig, p.Check()) })
	}
}

// TestTableTypes takes what Arrow cannot say from the metadata.
func TestTableTypes(t *testing.T) {
	typed := func(t arrow.DataType, declared string) arrow.Field {
		return arrow.Field{Name: "f", Type: t, Nullable: true, Metadata: arrow.MetadataFrom(map[string]string{"paimon.type": declared})}
	}
	for _, c := range []struct {
		function string
		field    arrow.Field
		ok       bool
	}{
		{"listagg", field("f", texts), true},
		{"listagg", field("f", arrow.BinaryTypes.LargeString), true},
		{"listagg", typed(texts, "varchar(2147483647)"), true},
		{"listagg", typed(texts, "VARCHAR(10) NOT NULL"), false},
		{"listagg", typed(texts, "CHAR(4)"), false},
		{"rbm32", field("f", arrow.BinaryTypes.Binary), true},
		{"rbm32", typed(arrow.BinaryTypes.Binary, "VARBINARY(100)"), true},
		{"rbm32", typed(arrow.BinaryTypes.Binary, "BINARY(100)"), false},
		{"rbm32", field("f", &arrow.FixedSizeBinaryType{ByteWidth: 8}), false},
		{"max", typed(arrow.BinaryTypes.Binary, "GEOMETRY"), false},
		{"collect", field("f", arrow.LargeListOf(int32s)), true},
		{"collect", field("f", arrow.FixedSizeListOf(2, int32s)), false},
		{"sum", field("f", &arrow.DictionaryType{IndexType: int8s, ValueType: int32s}), true},
		{"sum", field("f", arrow.FixedWidthTypes.Timestamp_ms), false},
	} {
		_, err := rowmerge.NewFunction(c.function, c.field, nil)
		if (err == nil) != c.ok {
			t.Errorf("%s of %v: %v", c.function, c.field, err)
		}
	}
}
