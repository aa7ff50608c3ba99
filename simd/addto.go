package simd

import "unsafe"

// The loops that bring values to groups take them in the order they come in, and say nothing of where groups end: of has the group of
// each, and out what the values of every group have come to before. No element of of is beyond out.
//
//	in     3  1  4  5      rows of one run
//	of     0  2  2  7
//	out    +3    +1+4                   +5

// AddTo adds values to those of their groups, and says whether a sum did not fit. Then what it has written means nothing.
func AddTo[T Signed](out, in []T, of []uint32) (overflows bool) {
	of = of[:len(in)]
	checkSelection(of, len(out))
	if in64, ok := any(in).([]int64); ok {
		done, over := addToTier(any(out).([]int64), in64, of)
		if over {
			return true
		}
		in, of = in[done:], of[done:]
	}
	return addToPortable(out, in, of)
}

// MinTo leaves the lesser of a value and that of its group there.
func MinTo[T Integer](out, in []T, of []uint32) {
	of = of[:len(in)]
	checkSelection(of, len(out))
	p := unsafe.Pointer(unsafe.SliceData(out))
	for i, x := range in {
		group := uintptr(of[i])
		store(p, group, min(x, load[T](p, group)))
	}
}

// MaxTo leaves the greater of a value and that of its group there.
func MaxTo[T Integer](out, in []T, of []uint32) {
	of = of[:len(in)]
	checkSelection(of, len(out))
	p := unsafe.Pointer(unsafe.SliceData(out))
	for i, x := range in {
		group := uintptr(of[i])
		store(p, group, max(x, load[T](p, group)))
	}
}

func addToPortable[T Signed](out, in []T, of []uint32) (overflows bool) {
	p := unsafe.Pointer(unsafe.SliceData(out))
	of = of[:len(in)]
	var over T
	for i, x := range in {
		group := uintptr(of[i])
		before := load[T](p, group)
		sum := before + x
		over |= (sum ^ before) & (sum ^ x)
		store(p, group, sum)
	}
	return over < 0
}
