package rowmerge

// newBytesFunction makes a function of binary columns of variable length that is a union of what the bytes stand for. Bytes
// are decoded only where both sides are there.
func newBytesFunction(what string, c column, union func(acc, in []byte) ([]byte, *Error)) (*Function, *Error) {
	if root := c.root(); root != "VARBINARY" && root != "BYTES" {
		return nil, configf("Data type for %s column must be 'VarBinaryType' but was '%s'.", what, c.sql)
	}
	return &Function{agg: withNulls(func(acc, in any) (any, *Error) {
		out, err := union(acc.([]byte), in.([]byte))
		if err != nil {
			return nil, err
		}
		return out, nil
	})}, nil
}

// corruptf makes an error about bytes.
func corruptf(format string, args ...any) *Error { return failf(KindCorrupt, format, args...) }
