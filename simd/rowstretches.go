package simd

import "unsafe"

// Stretch is rows that lie one behind the other: Rows of them from Row on.
type Stretch struct{ Row, Rows uint32 }

// MeanStretch returns about how many rows the stretches have on average that a selection is made of. It looks at one row in eight.
func MeanStretch(sel []uint32) int {
	begin, seen := 1, 1
	for i := 1; i+7 < len(sel); i += 64 {
		for j := i; j < i+8; j++ {
			next := 0
			if sel[j] != sel[j-1]+1 {
				next = 1
			}
			begin += next
		}
		seen += 8
	}
	return seen / begin
}

// Stretches lists the stretches that a selection is made of, in its order, in dst, which it returns.
func Stretches(dst []Stretch, sel []uint32) []Stretch {
	dst = dst[:0]
	from := 0
	for i := 1; i <= len(sel); i++ {
		for i+7 < len(sel) && goesOn8(sel, i) {
			i += 8
		}
		if i == len(sel) || sel[i] != sel[i-1]+1 {
			dst = append(dst, Stretch{Row: sel[from], Rows: uint32(i - from)})
			from = i
		}
	}
	return dst
}

// goesOn8 says whether the eight rows from i on, which sel has, each lie behind the one before.
func goesOn8(sel []uint32, i int) bool {
	const ones = 1<<32 | 1
	before, rows := (*[4]uint64)(unsafe.Pointer(&sel[i-1])), (*[4]uint64)(unsafe.Pointer(&sel[i]))
	return (rows[0]-before[0]^ones)|(rows[1]-before[1]^ones)|(rows[2]-before[2]^ones)|(rows[3]-before[3]^ones) == 0
}
