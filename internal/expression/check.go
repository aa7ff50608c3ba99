package expression

import "fmt"

// checker makes terms of syntax.
type checker struct{ scope Scope }

func (c *checker) check(s *syntax) (*term, error) {
	switch s.op {
	case opColumn:
		return c.column(s)
	case opNumber:
		return number(s)
	case opText:
		return constantText(s.text), nil
	case opTrue, opFalse:
		return constantBool(s.op == opTrue), nil
	case opNull:
		return constantNull(), nil
	}
	args := make([]*term, len(s.args))
	for i, a := range s.args {
		var err error
		if args[i], err = c.check(a); err != nil {
			return nil, err
		}
	}
	t, err := typed(s.op, args)
	if err != nil {
		return nil, fmt.Errorf("%w: %w (byte %d)", ErrExpression, err, s.at)
	}
	t, err = t.fold()
	if err != nil {
		return nil, fmt.Errorf("%w (byte %d)", err, s.at)
	}
	return t, nil
}

func (c *checker) column(s *syntax) (*term, error) {
	ref := Ref{Name: s.text}
	switch {
	case s.alias == SourceAlias:
		ref.Source = true
	case s.alias != "":
		return nil, fmt.Errorf("%w: %q at byte %d is not of this table; %q is the alias of the source", ErrNotSelfMerge,
			s.alias+"."+s.text, s.at, SourceAlias)
	}
	field, err := c.scope.Field(ref)
	if err != nil {
		return nil, fmt.Errorf("%w (byte %d)", err, s.at)
	}
	t := newTerm(opColumn, typeOf(field.Type))
	t.ref, t.stored = ref, field.Type
	return t, nil
}

// typed gives an operator's term the type that its arguments call for, and the arguments the types it works on.
func typed(o op, args []*term) (*term, error) {
	switch {
	case o == opAnd || o == opOr || o == opNot:
		return logical(o, args)
	case o == opIsNull:
		return newTerm(o, Type{Kind: KindBool}, args...), nil
	case o == opIn:
		return membership(args)
	case o.compares():
		same, err := alike(o, args)
		if err != nil {
			return nil, err
		}
		return newTerm(o, Type{Kind: KindBool}, same...), nil
	case o == opConcat:
		return concatenation(args)
	}
	return arithmetic(o, args)
}

func logical(o op, args []*term) (*term, error) {
	for _, a := range args {
		if a.typ.Kind != KindBool && a.typ.Kind != KindNull {
			return nil, fmt.Errorf("%s works on conditions, not on %s", signOf[o], a.typ)
		}
	}
	return termOf(o, Type{Kind: KindBool}, Type{Kind: KindBool}, args)
}

// membership makes x IN (a, b) with every item of one type with x.
func membership(args []*term) (*term, error) {
	typ := args[0].typ
	for _, item := range args[1:] {
		var err error
		if typ, err = common(opIn, typ, item); err != nil {
			return nil, err
		}
	}
	same, err := comparable(args, typ)
	if err != nil {
		return nil, err
	}
	return newTerm(opIn, Type{Kind: KindBool}, same...), nil
}

// alike makes two arguments of one type to compare.
func alike(o op, args []*term) ([]*term, error) {
	typ, err := common(o, args[0].typ, args[1])
	if err != nil {
		var turned error
		if typ, turned = common(o, args[1].typ, args[0]); turned != nil {
			return nil, err
		}
	}
	return comparable(args, typ)
}

// common returns the type in which values of a type compare with those of a term.
func common(o op, a Type, other *term) (Type, error) {
	b := other.typ
	switch {
	case a.Kind == KindOther || b.Kind == KindOther:
		return a, fmt.Errorf("%s does not work on %s and %s", signOf[o], a, b)
	case a.Kind == KindNull:
		return b, nil
	case b.Kind == KindNull, a.equal(b):
		return a, nil
	case a.numeric() && b.numeric():
		return numericType(a, b), nil
	case other.literal() && (a.Kind == KindTime || a.Kind == KindText):
		return a, nil
	}
	return a, fmt.Errorf("%s does not compare %s with %s", signOf[o], a, b)
}

// literal says whether the term is a constant text, which may stand for a binary or a time.
func (t *term) literal() bool { return t.op == opConstant && t.typ.Kind == KindText && !t.typ.Binary }

// numericType is the type two numbers meet in.
func numericType(a, b Type) Type {
	switch {
	case a.Kind == KindFloat || b.Kind == KindFloat:
		return Type{Kind: KindFloat}
	case a.Kind == KindDecimal || b.Kind == KindDecimal:
		return Type{Kind: KindDecimal, Scale: max(a.Scale, b.Scale)}
	}
	return Type{Kind: KindInt}
}

func concatenation(args []*term) (*term, error) {
	typ := Type{Kind: KindText}
	for _, a := range args {
		if a.typ.Kind != KindText && a.typ.Kind != KindNull {
			return nil, fmt.Errorf("|| joins texts, not %s", a.typ)
		}
		typ.Binary = typ.Binary || a.typ.Binary
	}
	for _, a := range args {
		if a.typ.Kind == KindText && a.typ.Binary != typ.Binary && !a.literal() {
			return nil, fmt.Errorf("|| does not join text with binary")
		}
	}
	return termOf(opConcat, typ, typ, args)
}

// quotientScale is how many digits behind the point a quotient of decimals has at least.
const quotientScale = 6

// arithmetic makes the terms of + - * / and of the minus sign.
func arithmetic(o op, args []*term) (*term, error) {
	typ := Type{}
	for _, a := range args {
		switch {
		case !a.typ.numeric() && a.typ.Kind != KindNull:
			return nil, fmt.Errorf("%s works on numbers, not on %s", signOf[o], a.typ)
		case typ.Kind == KindNull:
			typ = a.typ
		case a.typ.Kind != KindNull:
			typ = numericType(typ, a.typ)
		}
	}
	if typ.Kind == KindNull {
		return constantNull(), nil
	}
	if typ.Kind != KindDecimal || o == opAdd || o == opSubtract || o == opNegate {
		return termOf(o, typ, typ, args)
	}
	return scaled(o, args)
}

// termOf makes a term of arguments that are converted to a type of their own.
func termOf(o op, typ, of Type, args []*term) (*term, error) {
	same, err := convertAll(args, of)
	if err != nil {
		return nil, err
	}
	return newTerm(o, typ, same...), nil
}

// scaled makes the term of a product or a quotient of decimals, whose scales need not be alike.
func scaled(o op, args []*term) (*term, error) {
	sides := make([]*term, 2)
	for i, a := range args {
		scale := int32(0)
		if a.typ.Kind == KindDecimal {
			scale = a.typ.Scale
		}
		var err error
		if sides[i], err = convert(a, Type{Kind: KindDecimal, Scale: scale}); err != nil {
			return nil, err
		}
	}
	typ := Type{Kind: KindDecimal, Scale: sides[0].typ.Scale + sides[1].typ.Scale}
	if o == opDivide {
		typ.Scale = max(quotientScale, sides[0].typ.Scale)
	}
	if typ.Scale > maxScale {
		return nil, fmt.Errorf("the product has %d digits after the point, more than %d", typ.Scale, maxScale)
	}
	return newTerm(o, typ, sides...), nil
}

// convert makes a term of the type, to which the term's own type leads without a loss of meaning. A constant is converted now,
// and only a constant text may stand for a time.
func convert(t *term, typ Type) (*term, error) {
	if t.typ.equal(typ) {
		return t, nil
	}
	return newTerm(opConvert, typ, t).fold()
}

// convertAll converts all terms to one type.
func convertAll(terms []*term, typ Type) ([]*term, error) {
	all := make([]*term, len(terms))
	for i, t := range terms {
		var err error
		if all[i], err = convert(t, typ); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// comparable converts terms that are only compared to one type. A decimal that is too large for the common scale is as good as
// any other above all that fit.
func comparable(terms []*term, typ Type) ([]*term, error) {
	all := make([]*term, len(terms))
	for i, t := range terms {
		if all[i] = t; t.typ.equal(typ) {
			continue
		}
		c := newTerm(opConvert, typ, t)
		c.clamp, c.fails = true, t.fails
		var err error
		if all[i], err = c.fold(); err != nil {
			return nil, err
		}
	}
	return all, nil
}
