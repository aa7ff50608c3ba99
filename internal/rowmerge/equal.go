package rowmerge

// Equal is structural equality: NULL equals NULL, numbers by value, floats by total order, text and bytes by their bytes,
// lists and structs part by part, maps as sets of entries.
func Equal(a, b any) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	switch a := a.(type) {
	case List:
		return equalAll(a, b.(List))
	case Struct:
		return equalAll(a, b.(Struct))
	case Map:
		return equalMaps(a, b.(Map))
	}
	return Compare(a, b) == 0
}

func equalAll(a, b []any) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !Equal(a[i], b[i]) {
			return false
		}
	}
	return true
}

// equalMaps pairs every entry of a with one of b.
func equalMaps(a, b Map) bool {
	left := entries(b)
	for _, e := range entries(a) {
		i := indexOf(left, e)
		if i < 0 {
			return false
		}
		left = append(left[:i], left[i+1:]...)
	}
	return len(left) == 0
}

// indexOf finds the first element equal to v, -1 if there is none.
func indexOf(list []any, v any) int {
	for i, w := range list {
		if Equal(v, w) {
			return i
		}
	}
	return -1
}
