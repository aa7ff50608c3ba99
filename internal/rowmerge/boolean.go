package rowmerge

func newBoolAnd(c column, o *functionOptions) (*Function, *Error) {
	return boolean("and", c, func(a, b bool) bool { return a && b })
}

func newBoolOr(c column, o *functionOptions) (*Function, *Error) {
	return boolean("or", c, func(a, b bool) bool { return a || b })
}

func boolean(word string, c column, f func(a, b bool) bool) (*Function, *Error) {
	if c.root() != "BOOLEAN" {
		return nil, configf("Data type for bool %s column must be 'BooleanType' but was '%s'.", word, c.sql)
	}
	return &Function{agg: withNulls(func(acc, in any) (any, *Error) { return f(acc.(bool), in.(bool)), nil })}, nil
}
