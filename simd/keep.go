package simd

import (
	"math/bits"
	"unsafe"
)

// Keep writes the values of the rows of a mask one after another, and their groups, and returns how many there are. values and of have
// room for all rows of in; inOf has as many as in, and mask no bit behind them.
func Keep[T any](values []T, of []uint32, in []T, inOf []uint32, mask []uint64) int {
	checkMask(mask, len(in))
	values, of, inOf = values[:len(in)], of[:len(in)], inOf[:len(in)]
	pv, po := unsafe.Pointer(unsafe.SliceData(values)), unsafe.Pointer(unsafe.SliceData(of))
	pi, pg := unsafe.Pointer(unsafe.SliceData(in)), unsafe.Pointer(unsafe.SliceData(inOf))
	n := uintptr(0)
	for w, m := range mask {
		first := uintptr(w) << 6
		for ; m != 0; m &= m - 1 {
			row := first + uintptr(bits.TrailingZeros64(m))
			store(pv, n, load[T](pi, row))
			store(po, n, load[uint32](pg, row))
			n++
		}
	}
	return int(n)
}

// Mark sets the byte of every group of a row to 1.
func Mark(has []byte, of []uint32) {
	checkSelection(of, len(has))
	p := unsafe.Pointer(unsafe.SliceData(has))
	for _, group := range of {
		store(p, uintptr(group), byte(1))
	}
}
