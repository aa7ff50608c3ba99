package fuzz

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/internal/rowmerge"
)

// aggQuestions puts the operations of a function as a merge: agg as an add, retract as a retract, and agg_reversed as an add
// that is late in its sequence group. The accumulator the case starts from is a first add, where that comes to the same.
func (c Case) aggQuestions() ([]caseQuestion, error) {
	field, err := parseField("f", c.FieldType)
	if err != nil {
		return nil, err
	}
	ops, err := c.operations(field.Type)
	if err != nil || ops == nil {
		return nil, err
	}
	p := rowmerge.Problem{PrimaryKey: []string{"key"}, KeepDeletes: true, NoLoneRecordRule: true, Options: map[string]string{
		"merge-engine":                 "aggregation",
		"fields.f.aggregate-function":  c.Function,
		"fields.at.aggregate-function": "last_value",
		"fields.at.ignore-retract":     "true",
	}}
	if slices.ContainsFunc(ops, func(o operation) bool { return o.name == "agg_reversed" }) {
		if ops[0].name != "agg" {
			return nil, nil
		}
		delete(p.Options, "fields.at.aggregate-function")
		delete(p.Options, "fields.at.ignore-retract")
		p.Options["merge-engine"] = "partial-update"
		p.Options["fields.at.sequence-group"] = "f"
	}
	for k, v := range c.Options {
		p.Options[k] = v
	}
	p.Schema = arrow.NewSchema([]arrow.Field{
		{Name: "key", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
		field,
		{Name: "at", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
	}, nil)
	var versions []rowmerge.Version
	for i, o := range ops {
		row := rowmerge.Row{Sequence: int64(i), Values: []any{int32(1), o.input, int32(2)}}
		switch o.name {
		case "retract":
			row.Kind = rowmerge.Delete
		case "agg_reversed":
			row.Values[2] = int32(1)
		}
		versions = append(versions, rowmerge.Version{Row: row})
	}
	return caseQuestion{problem: p, columns: fieldNames(p.Schema)}.ofOneKey(versions)
}

// sketchQuestions puts the bytes of a sketch case as their union with an empty sketch, which is the same sketch.
func (c Case) sketchQuestions() ([]caseQuestion, error) {
	functions := map[string]string{"theta": "theta_sketch", "hll": "hll_sketch", "rbm32": "rbm32", "rbm64": "rbm64"}
	empty := c
	empty.Ints, empty.Range = nil, nil
	bytes, err := c.sketch()
	if err != nil {
		return nil, err
	}
	nothing, err := empty.sketch()
	if err != nil {
		return nil, err
	}
	p := rowmerge.Problem{PrimaryKey: []string{"key"}, Options: map[string]string{
		"merge-engine":                "aggregation",
		"fields.f.aggregate-function": functions[c.Function],
	}}
	p.Schema = arrow.NewSchema([]arrow.Field{
		{Name: "key", Type: arrow.PrimitiveTypes.Int32},
		{Name: "f", Type: arrow.BinaryTypes.Binary, Nullable: true},
	}, nil)
	first := rowmerge.Row{Values: []any{int32(1), bytes}}
	second := rowmerge.Row{Sequence: 1, Values: []any{int32(1), nothing}}
	return caseQuestion{problem: p, columns: fieldNames(p.Schema)}.ofOneKey([]rowmerge.Version{{Row: first}, {Row: second}})
}

// operation is one [op, input] of an agg case.
type operation struct {
	name  string
	input any
}

// operations lists what is done to a function from no accumulator on, nil if a merge cannot do the same.
func (c Case) operations(t arrow.DataType) ([]operation, error) {
	var ops []operation
	acc, err := rawValue(t, c.Acc)
	if err != nil {
		return nil, err
	}
	if len(c.Acc) > 0 && acc != nil {
		if c.Function == "first_value" || c.Function == "first_non_null_value" || !c.startsFrom(t, acc) {
			return nil, nil
		}
		ops = append(ops, operation{"agg", acc})
	}
	for _, raw := range c.Ops {
		var parts []json.RawMessage
		var o operation
		if err := errors.Join(json.Unmarshal(raw, &parts), json.Unmarshal(parts[0], &o.name)); err != nil {
			return nil, err
		}
		if o.name == "reset_keep_acc" {
			return nil, nil
		}
		if o.input, err = rawValue(t, parts[1]); err != nil {
			return nil, err
		}
		ops = append(ops, o)
	}
	return ops, nil
}

// startsFrom reports whether a first input gives the accumulator unchanged.
func (c Case) startsFrom(t arrow.DataType, acc any) bool {
	field, _ := parseField("f", c.FieldType)
	f, err := rowmerge.NewFunction(c.Function, field, c.Options)
	if err != nil {
		return false
	}
	first, wrong := f.Agg(nil, acc)
	return wrong == nil && rowmerge.Identical(first, acc)
}
