package columnar

// LowerBound returns the first row in [from, to) whose key is not below the key of row at of end, to if there is none. The
// rows must ascend; guess is where to look first. keys and end are the views of the key columns.
func LowerBound(keys []View, from, to, guess int, end []View, at int) int {
	if len(keys) == 1 && keys[0].Nulls == 0 && end[0].Nulls == 0 {
		k, e := &keys[0], &end[0]
		switch k.Order {
		case OrderInt8:
			return gallop(Fixed[int8](k), from, to, guess, Fixed[int8](e)[at])
		case OrderInt16:
			return gallop(Fixed[int16](k), from, to, guess, Fixed[int16](e)[at])
		case OrderInt32:
			return gallop(Fixed[int32](k), from, to, guess, Fixed[int32](e)[at])
		case OrderInt64:
			return gallop(Fixed[int64](k), from, to, guess, Fixed[int64](e)[at])
		case OrderUint8:
			return gallop(Fixed[uint8](k), from, to, guess, Fixed[uint8](e)[at])
		case OrderUint16:
			return gallop(Fixed[uint16](k), from, to, guess, Fixed[uint16](e)[at])
		case OrderUint32:
			return gallop(Fixed[uint32](k), from, to, guess, Fixed[uint32](e)[at])
		case OrderUint64:
			return gallop(Fixed[uint64](k), from, to, guess, Fixed[uint64](e)[at])
		}
	}
	below := func(row int) bool { return CompareKeys(keys, row, end, at) < 0 }
	return gallopFunc(from, to, guess, below)
}

// CompareKeys compares row i of a with row j of b over all key columns, the first counting most.
func CompareKeys(a []View, i int, b []View, j int) int {
	for k := range a {
		if c := Compare(&a[k], i, &b[k], j); c != 0 {
			return c
		}
	}
	return 0
}

func gallop[T Integer](keys []T, from, to, guess int, end T) int {
	return gallopFunc(from, to, guess, func(row int) bool { return keys[row] < end })
}

// Integer is a type of key that compares as it stands.
type Integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

// gallopFunc looks around guess in growing steps and then halves the interval: cheap when the guess is near.
func gallopFunc(from, to, guess int, below func(row int) bool) int {
	lo, hi := from, to // the answer lies in [lo, hi]
	guess = min(max(guess, from), to)
	step := 8
	if guess < to && below(guess) {
		lo = guess + 1
		for lo+step < hi && below(lo+step) {
			lo += step + 1
			step *= 2
		}
		hi = min(hi, lo+step)
	} else {
		hi = guess
		for hi-step > lo && !below(hi-step) {
			hi -= step
			step *= 2
		}
		lo = max(lo, hi-step)
	}
	for lo < hi {
		mid := (lo + hi) >> 1
		if below(mid) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// Ascending checks rows [from, to) of a key against their predecessors, beginning with row from+1. It returns the first row
// below the one before it, or -1, and whether a row equals the one before it.
func Ascending(keys []View, from, to int) (falls int, repeats bool) {
	if len(keys) == 1 && keys[0].Nulls == 0 {
		k := &keys[0]
		switch k.Order {
		case OrderInt32:
			return ascendingIntegers(Fixed[int32](k), from, to)
		case OrderInt64:
			return ascendingIntegers(Fixed[int64](k), from, to)
		}
	}
	for row := from + 1; row < to; row++ {
		switch c := CompareKeys(keys, row-1, keys, row); {
		case c > 0:
			return row, repeats
		case c == 0:
			repeats = true
		}
	}
	return -1, repeats
}

func ascendingIntegers[T Integer](keys []T, from, to int) (falls int, repeats bool) {
	for row := from + 1; row < to; row++ {
		if keys[row] <= keys[row-1] {
			if keys[row] < keys[row-1] {
				return row, repeats
			}
			repeats = true
		}
	}
	return -1, repeats
}
