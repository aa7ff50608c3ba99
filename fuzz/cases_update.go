package fuzz

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/braidmerge/braid/internal/rowmerge"
)

// checkSelfMerge updates rows. Values are numbers, texts and NULL.
func checkSelfMerge(c Case) error {
	var rows, want [][]any
	if err := decodeJSON(c.Rows, &rows); err != nil {
		return err
	}
	if err := decodeJSON(c.Expect.Rows, &want); err != nil {
		return err
	}
	actions := c.Actions
	if actions == nil {
		actions = []CaseAction{{Set: c.Set}}
		if c.Where != nil {
			actions[0].When = *c.Where
		}
	}
	var compiled []rowmerge.Action
	for _, a := range actions {
		action, err := a.compile(c.Columns)
		if err != nil {
			return err
		}
		compiled = append(compiled, action)
	}
	got := rowmerge.SelfMerge(plainValues(rows), compiled)
	if want := plainValues(want); !reflect.DeepEqual(got, want) {
		return fmt.Errorf("rows are %v, want %v", got, want)
	}
	return nil
}

// plainValues puts int64 in the place of JSON numbers.
func plainValues(rows [][]any) [][]any {
	for _, row := range rows {
		for i, v := range row {
			if n, ok := v.(json.Number); ok {
				row[i], _ = strconv.ParseInt(n.String(), 10, 64)
			}
		}
	}
	return rows
}

func (a CaseAction) compile(columns []string) (rowmerge.Action, error) {
	action := rowmerge.Action{Set: map[int]func([]any) any{}}
	when := a.When
	if when == "" {
		when = "1 = 1"
	}
	var err error
	if action.When, err = compileExpression(when, columns); err != nil {
		return action, err
	}
	for name, text := range a.Set {
		at := slices.Index(columns, name)
		if at < 0 {
			return action, fmt.Errorf("no column %q", name)
		}
		if action.Set[at], err = compileExpression(text, columns); err != nil {
			return action, err
		}
	}
	return action, nil
}

type expression = func(row []any) any

// compileExpression compiles what update cases use: operand, or operand operator operand, where an operand is a column, an
// integer, a 'text' or concat(operand, operand). NULL on a side gives NULL.
func compileExpression(text string, columns []string) (expression, error) {
	for _, op := range []string{">=", "<=", "=", ">", "<", "+", "*"} {
		left, right, ok := strings.Cut(text, " "+op+" ")
		if !ok {
			continue
		}
		return binary(op, left, right, columns)
	}
	text = strings.TrimSpace(text)
	if inside, ok := strings.CutPrefix(text, "concat("); ok {
		left, right, _ := strings.Cut(strings.TrimSuffix(inside, ")"), ",")
		return binary("concat", left, right, columns)
	}
	if at := slices.Index(columns, text); at >= 0 {
		return func(row []any) any { return row[at] }, nil
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return func([]any) any { return n }, nil
	}
	if strings.HasPrefix(text, "'") && strings.HasSuffix(text, "'") && len(text) > 1 {
		return func([]any) any { return text[1 : len(text)-1] }, nil
	}
	return nil, fmt.Errorf("expression %q", text)
}

func binary(op, left, right string, columns []string) (expression, error) {
	l, err := compileExpression(left, columns)
	if err != nil {
		return nil, err
	}
	r, err := compileExpression(right, columns)
	if err != nil {
		return nil, err
	}
	return func(row []any) any {
		a, b := l(row), r(row)
		if a == nil || b == nil {
			return nil
		}
		return operate(op, a, b)
	}, nil
}

func operate(op string, a, b any) any {
	switch op {
	case "+":
		return a.(int64) + b.(int64)
	case "*":
		return a.(int64) * b.(int64)
	case "concat":
		return a.(string) + b.(string)
	}
	order := rowmerge.Compare(a, b)
	return map[string]bool{"=": order == 0, ">": order > 0, "<": order < 0, ">=": order >= 0, "<=": order <= 0}[op]
}
