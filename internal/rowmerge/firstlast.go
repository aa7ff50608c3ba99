package rowmerge

// newFirstValue makes first_value: the first input, NULL too.
func newFirstValue(c column, o *functionOptions) (*Function, *Error) {
	seen := false
	return &Function{
		agg: func(acc, in any) (any, *Error) {
			if !seen {
				seen = true
				return in, nil
			}
			return acc, nil
		},
		reset: func() { seen = false },
	}, nil
}

// newFirstNonNullValue makes first_non_null_value: the first input that is not NULL.
func newFirstNonNullValue(c column, o *functionOptions) (*Function, *Error) {
	seen := false
	return &Function{
		agg: func(acc, in any) (any, *Error) {
			if !seen && in != nil {
				seen = true
				return in, nil
			}
			return acc, nil
		},
		reset: func() { seen = false },
	}, nil
}

// newLastValue makes last_value: the last input, NULL too. A retract leaves NULL.
func newLastValue(c column, o *functionOptions) (*Function, *Error) {
	return &Function{
		agg:     func(acc, in any) (any, *Error) { return in, nil },
		retract: func(acc, in any) (any, *Error) { return nil, nil },
	}, nil
}

// newLastNonNullValue makes last_non_null_value: the last input that is not NULL. A retract of a value leaves NULL.
func newLastNonNullValue(c column, o *functionOptions) (*Function, *Error) {
	return &Function{
		agg: func(acc, in any) (any, *Error) {
			if in == nil {
				return acc, nil
			}
			return in, nil
		},
		retract: func(acc, in any) (any, *Error) {
			if in == nil {
				return acc, nil
			}
			return nil, nil
		},
	}, nil
}

// newPrimaryKey makes primary-key, the function of key columns: the last input, retracts included.
func newPrimaryKey(c column, o *functionOptions) (*Function, *Error) {
	last := func(acc, in any) (any, *Error) { return in, nil }
	return &Function{agg: last, retract: last}, nil
}
