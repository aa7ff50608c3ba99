package fuzz

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/internal/rowmerge"
)

// checkAgg drives one function.
func (j judged) checkAgg(c Case) error {
	got, t, err := j.aggregate(c)
	if done, wrong := c.checkError(err); done {
		return wrong
	}
	want, err := rawValue(t, c.Expect.Value)
	if err != nil {
		return err
	}
	return c.diff([]rowmerge.Row{{Values: []any{want}}}, []rowmerge.Row{{Values: []any{got}}})
}

func (j judged) aggregate(c Case) (any, arrow.DataType, error) {
	field, err := parseField("f", c.FieldType)
	if err != nil {
		return nil, nil, err
	}
	f, err := j.Function(c.Function, field, c.Options)
	if err != nil {
		return nil, nil, err
	}
	acc, err := rawValue(field.Type, c.Acc)
	if err != nil {
		return nil, nil, err
	}
	for _, raw := range c.Ops {
		if acc, err = applyOp(f, field.Type, acc, raw); err != nil {
			return nil, nil, err
		}
	}
	return acc, field.Type, nil
}

// applyOp applies one [op, input] to an accumulator.
func applyOp(f *rowmerge.Function, t arrow.DataType, acc any, raw json.RawMessage) (any, error) {
	var op []json.RawMessage
	var name string
	if err := errors.Join(json.Unmarshal(raw, &op), json.Unmarshal(op[0], &name)); err != nil {
		return nil, err
	}
	var in any
	if len(op) > 1 {
		var err error
		if in, err = rawValue(t, op[1]); err != nil {
			return nil, err
		}
	}
	var v any
	var wrong *rowmerge.Error
	switch name {
	case "agg":
		v, wrong = f.Agg(acc, in)
	case "agg_reversed":
		v, wrong = f.AggReversed(acc, in)
	case "retract":
		v, wrong = f.Retract(acc, in)
	case "reset_keep_acc":
		f.Reset()
		v = acc
	default:
		return nil, fmt.Errorf("no operation %q", name)
	}
	if wrong != nil {
		return nil, wrong
	}
	return v, nil
}
