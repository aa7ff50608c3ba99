package rowmerge

import "strings"

// kindOf reads a row kind from its text; NULL and anything but +I, -U, +U and -D, in either case, is an error.
func kindOf(v any) (int8, *Error) {
	text, ok := v.(string)
	if !ok {
		return Insert, failf(KindRowKind, "NULL is not a row kind")
	}
	switch strings.ToUpper(text) {
	case "+I":
		return Insert, nil
	case "-U":
		return UpdateBefore, nil
	case "+U":
		return UpdateAfter, nil
	case "-D":
		return Delete, nil
	}
	return Insert, failf(KindRowKind, "%q is not a row kind", text)
}
