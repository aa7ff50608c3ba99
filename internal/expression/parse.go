package expression

import (
	"fmt"
	"slices"
	"strings"
)

// maxDepth is how deep an expression may be nested, and maxOperators how many operators it may have.
const (
	maxDepth     = 100
	maxOperators = 1000
)

// syntax is a node of what a text says. Op is an operator, or what kind of leaf it is.
type syntax struct {
	op    op
	args  []*syntax
	text  string // of a number or a text; the name of a column
	alias string // before the name of a column, with a dot between
	at    int    // byte of the text
}

// parser reads tokens from the front.
type parser struct {
	tokens    []token
	depth     int
	operators int
}

// parse reads a whole text.
func parse(text string) (*syntax, error) {
	tokens, err := scan(text)
	if err != nil {
		return nil, err
	}
	p := &parser{tokens: tokens}
	s, err := p.or()
	if err != nil {
		return nil, err
	}
	if next := p.next(); next.kind != tokenEnd {
		return nil, p.unexpected("an operator or the end")
	}
	return s, nil
}

func (p *parser) next() token { return p.tokens[0] }

// skip reads a sign or a word if it is next.
func (p *parser) skip(text string) bool {
	if !p.next().is(text) {
		return false
	}
	p.tokens = p.tokens[1:]
	return true
}

// expect reads a sign or a word that must be next.
func (p *parser) expect(text string) error {
	if !p.skip(text) {
		return p.unexpected(text)
	}
	return nil
}

func (p *parser) unexpected(want string) error {
	if t := p.next(); t.is("SELECT") || t.is("EXISTS") {
		return errSubquery(t.at)
	}
	return fmt.Errorf("%w: %s at byte %d, where %s is expected", ErrExpression, p.next(), p.next().at, want)
}

func errSubquery(at int) error {
	return fmt.Errorf("%w: the subquery at byte %d reads other rows", ErrNotSelfMerge, at)
}

// node makes the node of an operator.
func (p *parser) node(o op, at int, args ...*syntax) (*syntax, error) {
	if p.operators++; p.operators > maxOperators {
		return nil, fmt.Errorf("%w: more than %d operators", ErrExpression, maxOperators)
	}
	return &syntax{op: o, args: args, at: at}, nil
}

// chain reads operands with one of some operators between them, from the left.
func (p *parser) chain(operand func() (*syntax, error), operators ...string) (*syntax, error) {
	left, err := operand()
	for err == nil {
		i := slices.IndexFunc(operators, p.next().is)
		if i < 0 {
			break
		}
		at := p.next().at
		p.tokens = p.tokens[1:]
		var right *syntax
		if right, err = operand(); err == nil {
			left, err = p.node(binaryOps[operators[i]], at, left, right)
		}
	}
	return left, err
}

var binaryOps = map[string]op{
	"OR": opOr, "AND": opAnd, "||": opConcat, "+": opAdd, "-": opSubtract, "*": opMultiply, "/": opDivide,
	"=": opEqual, "<>": opUnequal, "!=": opUnequal, "<": opLess, "<=": opAtMost, ">": opGreater, ">=": opAtLeast,
}

// or reads any expression.
func (p *parser) or() (*syntax, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, fmt.Errorf("%w: more than %d brackets inside one another", ErrExpression, maxDepth)
	}
	defer func() { p.depth-- }()
	return p.chain(func() (*syntax, error) { return p.chain(p.not, "AND") }, "OR")
}

func (p *parser) not() (*syntax, error) {
	at := p.next().at
	if !p.skip("NOT") {
		return p.predicate()
	}
	if p.depth++; p.depth > maxDepth {
		return nil, fmt.Errorf("%w: more than %d operators inside one another", ErrExpression, maxDepth)
	}
	defer func() { p.depth-- }()
	inner, err := p.not()
	if err != nil {
		return nil, err
	}
	return p.node(opNot, at, inner)
}

func (p *parser) predicate() (*syntax, error) {
	left, err := p.concat()
	if err != nil {
		return nil, err
	}
	at := p.next().at
	for _, sign := range []string{"=", "<>", "!=", "<", "<=", ">", ">="} {
		if p.skip(sign) {
			right, err := p.concat()
			if err != nil {
				return nil, err
			}
			return p.node(binaryOps[sign], at, left, right)
		}
	}
	if p.skip("IS") {
		negated := p.skip("NOT")
		if err := p.expect("NULL"); err != nil {
			return nil, err
		}
		return p.negatable(negated, opIsNull, at, left)
	}
	negated := p.skip("NOT")
	if !negated && !p.next().is("IN") {
		return left, nil
	}
	if err := p.expect("IN"); err != nil {
		return nil, err
	}
	items, err := p.list()
	if err != nil {
		return nil, err
	}
	return p.negatable(negated, opIn, at, append([]*syntax{left}, items...)...)
}

// negatable makes the node of a predicate, below NOT if it is negated.
func (p *parser) negatable(negated bool, o op, at int, args ...*syntax) (*syntax, error) {
	s, err := p.node(o, at, args...)
	if err != nil || !negated {
		return s, err
	}
	return p.node(opNot, at, s)
}

// list reads expressions in brackets, one at least.
func (p *parser) list() ([]*syntax, error) {
	if err := p.expect("("); err != nil {
		return nil, err
	}
	var items []*syntax
	for {
		item, err := p.or()
		if err != nil {
			return nil, err
		}
		items = append(items, item)
		if !p.skip(",") {
			return items, p.expect(")")
		}
	}
}

func (p *parser) concat() (*syntax, error) { return p.chain(p.sum, "||") }

func (p *parser) sum() (*syntax, error) { return p.chain(p.product, "+", "-") }

func (p *parser) product() (*syntax, error) { return p.chain(p.sign, "*", "/") }

// sign reads an operand with minus signs before it. A minus before a number is part of the number.
func (p *parser) sign() (*syntax, error) {
	at := p.next().at
	if !p.skip("-") {
		return p.primary()
	}
	if p.depth++; p.depth > maxDepth {
		return nil, fmt.Errorf("%w: more than %d operators inside one another", ErrExpression, maxDepth)
	}
	defer func() { p.depth-- }()
	if t := p.next(); t.kind == tokenNumber {
		p.tokens = p.tokens[1:]
		return &syntax{op: opNumber, text: "-" + t.text, at: at}, nil
	}
	inner, err := p.sign()
	if err != nil {
		return nil, err
	}
	return p.node(opNegate, at, inner)
}

// reserved are the words that name no column unless they are quoted.
var reserved = []string{"AND", "OR", "NOT", "IS", "IN", "NULL", "TRUE", "FALSE", "SELECT", "EXISTS"}

func (p *parser) primary() (*syntax, error) {
	t := p.next()
	leaf := func(o op) (*syntax, error) {
		p.tokens = p.tokens[1:]
		return &syntax{op: o, text: t.text, at: t.at}, nil
	}
	switch {
	case t.kind == tokenNumber:
		return leaf(opNumber)
	case t.kind == tokenText:
		return leaf(opText)
	case t.is("TRUE"):
		return leaf(opTrue)
	case t.is("FALSE"):
		return leaf(opFalse)
	case t.is("NULL"):
		return leaf(opNull)
	case p.skip("("):
		inner, err := p.or()
		if err != nil {
			return nil, err
		}
		return inner, p.expect(")")
	case t.kind == tokenName, t.kind == tokenWord && !slices.ContainsFunc(reserved, t.is):
		p.tokens = p.tokens[1:]
		return p.name(t)
	}
	return nil, p.unexpected("a value, a column or a bracket")
}

// name reads what follows a name: it is a function's, an alias, or a column's.
func (p *parser) name(t token) (*syntax, error) {
	switch {
	case t.kind == tokenWord && p.next().is("("):
		return p.call(t)
	case p.skip("."):
		column := p.next()
		if column.kind != tokenName && column.kind != tokenWord {
			return nil, p.unexpected("a column")
		}
		p.tokens = p.tokens[1:]
		return &syntax{op: opColumn, alias: t.text, text: column.text, at: t.at}, nil
	}
	return &syntax{op: opColumn, text: t.text, at: t.at}, nil
}

// unsteady are functions that give another value at every call, in engines that have them.
var unsteady = []string{"RAND", "RANDOM", "RANDN", "UUID", "NOW", "CURRENT_TIMESTAMP", "CURRENT_DATE"}

// call reads the arguments of a function.
func (p *parser) call(t token) (*syntax, error) {
	if slices.ContainsFunc(unsteady, t.is) {
		return nil, fmt.Errorf("%w: %s at byte %d gives another value every time", ErrNotSelfMerge, strings.ToLower(t.text), t.at)
	}
	if !t.is("CONCAT") {
		return nil, fmt.Errorf("%w: there is no function %q (byte %d)", ErrExpression, t.text, t.at)
	}
	args, err := p.list()
	if err != nil {
		return nil, err
	}
	joined := args[0]
	for _, arg := range args[1:] {
		if joined, err = p.node(opConcat, t.at, joined, arg); err != nil {
			return nil, err
		}
	}
	if len(args) == 1 {
		return nil, fmt.Errorf("%w: concat at byte %d has one argument, two at least are expected", ErrExpression, t.at)
	}
	return joined, nil
}
