package expression

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
)

// Names of the columns every table has beside its own: the id of a row, and that of the first row of its file.
const (
	RowIDColumn      = "_ROW_ID"
	FirstRowIDColumn = "_FIRST_ROW_ID"
)

// SourceAlias stands, with a dot behind it, before the columns of an update's source.
const SourceAlias = "s"

// Scope says what names in an expression mean: columns of Table, _ROW_ID and _FIRST_ROW_ID, and with `s.` before them
// columns of Source, which may be nil.
type Scope struct{ Table, Source *arrow.Schema }

// Ref is a column that an expression reads.
type Ref struct {
	Source bool // of the scope's Source
	Name   string
}

// String shows the column as expressions have it.
func (r Ref) String() string {
	if r.Source {
		return SourceAlias + "." + r.Name
	}
	return r.Name
}

// Field returns the field of a column. One that the scope does not have is ErrNotSelfMerge.
func (s Scope) Field(r Ref) (arrow.Field, error) {
	schema := s.Table
	if r.Source {
		schema = s.Source
	}
	var at []int
	if schema != nil {
		at = schema.FieldIndices(r.Name)
	}
	switch {
	case len(at) == 1:
		return schema.Field(at[0]), nil
	case len(at) > 1:
		return arrow.Field{}, fmt.Errorf("%w: column %q is there %d times", ErrExpression, r, len(at))
	case !r.Source && (r.Name == RowIDColumn || r.Name == FirstRowIDColumn):
		return arrow.Field{Name: r.Name, Type: arrow.PrimitiveTypes.Int64}, nil
	}
	return arrow.Field{}, &MissingColumnError{r.String()}
}

// Expression is a checked expression. It is immutable and may be used by many goroutines.
type Expression struct {
	root   *term
	refs   []Ref
	text   string
	staged arrow.DataType // of an assigned value: the type it is made in
}

// Parse reads an expression and checks it against the columns there are. A text that is none, or whose types do not fit, is
// ErrExpression, and a subquery, another table's column or a random function ErrNotSelfMerge. What is constant is computed
// here, so that its overflow or division by zero is an error of Parse.
func Parse(text string, scope Scope) (*Expression, error) {
	s, err := parse(text)
	if err != nil {
		return nil, err
	}
	c := checker{scope: scope}
	root, err := c.check(s)
	if err != nil {
		return nil, err
	}
	return newExpression(root, text), nil
}

// ParseAssignment reads `column = expression`. The column is not looked up.
func ParseAssignment(text string, scope Scope) (column string, value *Expression, err error) {
	tokens, err := scan(text)
	if err != nil {
		return "", nil, err
	}
	name := tokens[0]
	if name.kind != tokenName && name.kind != tokenWord || len(tokens) < 2 || !tokens[1].is("=") {
		return "", nil, fmt.Errorf("%w: %q is not of the form column = value", ErrExpression, text)
	}
	value, err = Parse(text[tokens[1].at+1:], scope)
	return name.text, value, err
}

func newExpression(root *term, text string) *Expression {
	e := &Expression{root: root, text: text}
	seen := map[Ref]bool{}
	root.walk(func(t *term) {
		if t.op == opColumn && !seen[t.ref] {
			seen[t.ref] = true
			e.refs = append(e.refs, t.ref)
		}
	})
	return e
}

// String is the text the expression was read from.
func (e *Expression) String() string { return e.text }

// Refs lists the columns that are left after folding, each once. The caller must not change it.
func (e *Expression) Refs() []Ref { return e.refs }

// Width returns how many bytes of constant text a value may have at most.
func (e *Expression) Width() (bytes int) {
	e.root.walk(func(t *term) {
		if t.op == opConstant && t.typ.Kind == KindText {
			bytes += len(t.value.texts.one)
		}
	})
	return bytes
}

// Type returns the type of the values.
func (e *Expression) Type() Type { return e.root.typ }

// Column returns the column that the expression is, if it is nothing else.
func (e *Expression) Column() (Ref, bool) { return e.root.ref, e.root.op == opColumn }

// Truth is the value of a condition that is the same for every row.
type Truth uint8

const (
	Varies Truth = iota // it depends on the row
	Always              // it is true
	Never               // it is false or NULL
)

// Condition wants a boolean expression, and says whether it is constant.
func (e *Expression) Condition() (Truth, error) {
	switch t := e.root; {
	case t.typ.Kind != KindBool && t.typ.Kind != KindNull:
		return Varies, fmt.Errorf("%w: %q is %s, not a condition", ErrExpression, e.text, t.typ)
	case t.op != opConstant:
		return Varies, nil
	case t.value.isNull() || !t.value.bool():
		return Never, nil
	}
	return Always, nil
}
