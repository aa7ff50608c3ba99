package simd

// Signed are the integers with a sign.
type Signed interface {
	~int8 | ~int16 | ~int32 | ~int64
}

// Integer are the integers.
type Integer interface {
	Signed | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// The loops over groups bring the values of each together, one group after another, without a branch on where groups end: a row in the
// middle of a group writes what it has so far where the group's result will be. ends has the bit of the last row of every group, which
// that of the last row is, and none behind it; out has a value for each.
//
//	in     3  4  1  5  2
//	ends   0  1  1  0  1
//	out    7  1  7

// SumGroups adds the values of groups, and says whether a sum did not fit on the way. Then what it has written means nothing.
func SumGroups[T Signed](out, in []T, ends []uint64) (overflows bool) {
	var acc T
	if in64, ok := any(in).([]int64); ok {
		from, done, groups, over := sumGroupsTier(any(out).([]int64), in64, ends)
		if over {
			return true
		}
		acc, in, out, ends = T(from), in[done:], out[groups:], ends[done/64:]
	}
	return sumGroupsPortable(out, in, ends, acc)
}

// MinGroups finds the least values of groups. No value is above most.
func MinGroups[T Integer](out, in []T, ends []uint64, most T) {
	acc := most
	if in64, ok := any(in).([]int64); ok {
		from, done, groups := minGroupsTier(any(out).([]int64), in64, ends, int64(most))
		acc, in, out, ends = T(from), in[done:], out[groups:], ends[done/64:]
	}
	minGroupsPortable(out, in, ends, acc, most)
}

// MaxGroups finds the greatest values of groups. No value is below least.
func MaxGroups[T Integer](out, in []T, ends []uint64, least T) {
	acc := least
	if in64, ok := any(in).([]int64); ok {
		from, done, groups := maxGroupsTier(any(out).([]int64), in64, ends, int64(least))
		acc, in, out, ends = T(from), in[done:], out[groups:], ends[done/64:]
	}
	maxGroupsPortable(out, in, ends, acc, least)
}

// sumGroupsPortable adds to acc, which the first group has begun with.
func sumGroupsPortable[T Signed](out, in []T, ends []uint64, acc T) (overflows bool) {
	var over T
	group := 0
	for w := 0; len(in) > 0; w++ {
		rows, e := in[:min(64, len(in))], ends[w]
		in = in[len(rows):]
		if e == ^uint64(0) { // all but the first are alone
			s := acc + rows[0]
			over |= (s ^ acc) & (s ^ rows[0])
			out[group] = s
			copy(out[group+1:], rows[1:])
			group += 64
			acc = 0
			continue
		}
		for _, x := range rows {
			s := acc + x
			over |= (s ^ acc) & (s ^ x)
			out[group] = s
			end := e & 1
			e >>= 1
			group += int(end)
			acc = s & (T(end) - 1)
		}
	}
	return over < 0
}

// minGroupsPortable begins with acc, which the first group has begun with.
func minGroupsPortable[T Integer](out, in []T, ends []uint64, acc, most T) {
	group := 0
	for w := 0; len(in) > 0; w++ {
		rows, e := in[:min(64, len(in))], ends[w]
		in = in[len(rows):]
		if e == ^uint64(0) { // all but the first are alone
			out[group] = min(acc, rows[0])
			copy(out[group+1:], rows[1:])
			group += 64
			acc = most
			continue
		}
		for _, x := range rows {
			acc = min(acc, x)
			out[group] = acc
			end := e & 1
			e >>= 1
			group += int(end)
			acc ^= (acc ^ most) & -T(end)
		}
	}
}

// maxGroupsPortable begins with acc, which the first group has begun with.
func maxGroupsPortable[T Integer](out, in []T, ends []uint64, acc, least T) {
	group := 0
	for w := 0; len(in) > 0; w++ {
		rows, e := in[:min(64, len(in))], ends[w]
		in = in[len(rows):]
		if e == ^uint64(0) { // all but the first are alone
			out[group] = max(acc, rows[0])
			copy(out[group+1:], rows[1:])
			group += 64
			acc = least
			continue
		}
		for _, x := range rows {
			acc = max(acc, x)
			out[group] = acc
			end := e & 1
			e >>= 1
			group += int(end)
			acc ^= (acc ^ least) & -T(end)
		}
	}
}
