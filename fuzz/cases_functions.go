package fuzz

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/aggfuncs"
	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/kernel"
	"github.com/braidmerge/braid/validity"
)

// functionErrors says which errors of aggregate functions stand for an error of each kind.
var functionErrors = map[rowmerge.Kind][]error{
	rowmerge.KindConfig:        {aggfuncs.ErrOption, kernel.ErrOption},
	rowmerge.KindRetract:       {aggfuncs.ErrRetract},
	rowmerge.KindArithmetic:    {aggfuncs.ErrOverflow, aggfuncs.ErrDivideByZero, aggfuncs.ErrInexact},
	rowmerge.KindNestedKeyNull: {aggfuncs.ErrNullNestedKey},
	rowmerge.KindCorrupt:       {aggfuncs.ErrCorrupt},
}

// checkFunction puts an agg case to the contract of aggregate functions, and compares with what it expects of the row merger, which TestCases holds to the case.
func checkFunction(c Case) error {
	field, err := parseField("f", c.FieldType)
	if err != nil {
		return err
	}
	got, err := driveFunction(c, field)
	if c.Expect.ErrorKind != "" {
		want := functionErrors[rowmerge.Kind(c.Expect.ErrorKind)]
		if !slices.ContainsFunc(want, func(kind error) bool { return errors.Is(err, kind) }) {
			return fmt.Errorf("error %v, want %s", err, c.Expect.ErrorKind)
		}
		return nil
	}
	if err != nil {
		return err
	}
	want, err := rawValue(field.Type, c.Expect.Value)
	if err != nil {
		return err
	}
	return c.diff([]rowmerge.Row{{Values: []any{want}}}, []rowmerge.Row{{Values: []any{got}}})
}

// driveFunction gives the result of a case's operations. The accumulator it starts from is a row that sets it and nothing else;
// where the function's own state is reset, a new group goes on from the result so far.
func driveFunction(c Case, field arrow.Field) (any, error) {
	factory, ok := aggfuncs.ByName(c.Function)
	if !ok {
		return nil, fmt.Errorf("no function %q", c.Function)
	}
	options, err := kernel.ParseOptions(c.Options)
	if err != nil {
		return nil, err
	}
	rule, err := factory(field, options.FunctionOptions("f"))
	if err != nil {
		return nil, err
	}
	acc, err := rawValue(field.Type, c.Acc)
	if err != nil {
		return nil, err
	}
	var ops []operation
	for _, raw := range c.Ops {
		var parts []json.RawMessage
		var o operation
		if err := errors.Join(json.Unmarshal(raw, &parts), json.Unmarshal(parts[0], &o.name)); err != nil {
			return nil, err
		}
		if o.name == "reset_keep_acc" {
			if acc, err = foldGroup(rule, field, acc, ops); err != nil {
				return nil, err
			}
			ops = nil
			continue
		}
		if o.input, err = rawValue(field.Type, parts[1]); err != nil {
			return nil, err
		}
		ops = append(ops, o)
	}
	return foldGroup(rule, field, acc, ops)
}

// foldGroup applies operations to an accumulator as one group.
func foldGroup(rule aggfuncs.Rule, field arrow.Field, acc any, ops []operation) (any, error) {
	mem := NewMemory()
	rows := []rowmerge.Row{{Values: []any{acc}}}
	g := aggfuncs.Groups{Rows: 1 + len(ops), Count: 1}
	for _, mask := range []*[]uint64{&g.Ends, &g.Set, &g.Skip, &g.Late, &g.Retract} {
		*mask = make([]uint64, validity.Words(g.Rows))
	}
	validity.Set(g.Ends, len(ops))
	validity.Set(g.Set, 0)
	validity.Set(g.Skip, 0)
	for i, o := range ops {
		rows = append(rows, rowmerge.Row{Values: []any{o.input}})
		switch o.name {
		case "agg_reversed":
			validity.Set(g.Late, i+1)
		case "retract":
			validity.Set(g.Retract, i+1)
		}
	}
	schema := arrow.NewSchema([]arrow.Field{field}, nil)
	rec, err := BuildRecord(mem, schema, rows)
	if err != nil {
		return nil, err
	}
	defer rec.Release()
	in, err := columnar.NewView(rec.Column(0).Data())
	if err != nil {
		return nil, err
	}
	data, err := applyRule(rule, &g, &in, rec.Column(0).Data(), mem)
	if err != nil {
		return nil, err
	}
	defer data.Release()
	result := array.MakeFromData(data)
	defer result.Release()
	out := array.NewRecord(schema, []arrow.Array{result}, 1)
	defer out.Release()
	got, err := rowmerge.RowsOf(out, []string{field.Name}, nil)
	if err != nil {
		return nil, err
	}
	return got[0].Values[0], nil
}

// applyRule gives the result of one group as an array of one row.
func applyRule(rule aggfuncs.Rule, g *aggfuncs.Groups, in *columnar.View, rows arrow.ArrayData, mem memory.Allocator) (arrow.ArrayData, error) {
	if rule.Function != nil {
		return rule.Function.Fold(g, in, mem)
	}
	words := validity.Words(g.Rows)
	pick, null, valid := make([]uint64, words), make([]uint64, words), make([]uint64, words)
	in.ValidMask(valid)
	nulls, err := rule.Picker.Pick(pick, null, g, valid)
	if err != nil {
		return nil, err
	}
	at := validity.Next(pick, 0)
	if nulls && validity.Get(null, at) {
		b := array.NewBuilder(mem, rows.DataType())
		defer b.Release()
		b.AppendNull()
		a := b.NewArray()
		defer a.Release()
		a.Data().Retain()
		return a.Data(), nil
	}
	return array.NewSliceData(rows, int64(at), int64(at)+1), nil
}
