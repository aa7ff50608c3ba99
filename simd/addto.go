package simd

import "unsafe"

// The loops that bring values to groups take them from where TakeBlocks finds them, by rows that are looked up, and say nothing of where
// groups end: of has the group of each row, and out what every group has come to before. No element of of is beyond out. They are fastest
// where of ascends.
//
//	rows   4  9  2  7
//	of     0  2  2  5
//	out    +v4   +v9+v2         +v7

// AddTo adds values to those of their groups, and says whether a sum did not fit. Then what it has written means nothing.
func AddTo[T Signed](out []T, blocks []unsafe.Pointer, rows, of []uint32) (overflows bool) {
	of = of[:len(rows)]
	checkTo(len(out), blocks, rows, of)
	if out64, ok := any(out).([]int64); ok {
		done, over := addToTier(out64, blocks, rows, of)
		if over {
			return true
		}
		rows, of = rows[done:], of[done:]
	}
	return addToPortable(out, blocks, rows, of)
}

// MinTo leaves the lesser of a value and that of its group there.
func MinTo[T Integer](out []T, blocks []unsafe.Pointer, rows, of []uint32) {
	of = of[:len(rows)]
	checkTo(len(out), blocks, rows, of)
	if out64, ok := any(out).([]int64); ok {
		done := minToTier(out64, blocks, rows, of)
		rows, of = rows[done:], of[done:]
	}
	minToPortable(out, blocks, rows, of)
}

// MaxTo leaves the greater of a value and that of its group there.
func MaxTo[T Integer](out []T, blocks []unsafe.Pointer, rows, of []uint32) {
	of = of[:len(rows)]
	checkTo(len(out), blocks, rows, of)
	if out64, ok := any(out).([]int64); ok {
		done := maxToTier(out64, blocks, rows, of)
		rows, of = rows[done:], of[done:]
	}
	maxToPortable(out, blocks, rows, of)
}

func checkTo(groups int, blocks []unsafe.Pointer, rows, of []uint32) {
	checkSelection(of, groups)
	checkSelection(rows, len(blocks)*BlockRows)
	checkBlocks(rows, blocks)
}

func addToPortable[T Signed](out []T, blocks []unsafe.Pointer, rows, of []uint32) (overflows bool) {
	pb, po := unsafe.Pointer(unsafe.SliceData(blocks)), unsafe.Pointer(unsafe.SliceData(out))
	size := unsafe.Sizeof(*new(T))
	of = of[:len(rows)]
	var over T
	for i, row := range rows {
		x := *(*T)(unsafe.Add(*(*unsafe.Pointer)(unsafe.Add(pb, uintptr(row/BlockRows)*8)), uintptr(row%BlockRows)*size))
		to := (*T)(unsafe.Add(po, uintptr(of[i])*size))
		before := *to
		sum := before + x
		over |= (sum ^ before) & (sum ^ x)
		*to = sum
	}
	return over < 0
}

func minToPortable[T Integer](out []T, blocks []unsafe.Pointer, rows, of []uint32) {
	pb, po := unsafe.Pointer(unsafe.SliceData(blocks)), unsafe.Pointer(unsafe.SliceData(out))
	size := unsafe.Sizeof(*new(T))
	of = of[:len(rows)]
	for i, row := range rows {
		x := *(*T)(unsafe.Add(*(*unsafe.Pointer)(unsafe.Add(pb, uintptr(row/BlockRows)*8)), uintptr(row%BlockRows)*size))
		to := (*T)(unsafe.Add(po, uintptr(of[i])*size))
		*to = min(*to, x)
	}
}

func maxToPortable[T Integer](out []T, blocks []unsafe.Pointer, rows, of []uint32) {
	pb, po := unsafe.Pointer(unsafe.SliceData(blocks)), unsafe.Pointer(unsafe.SliceData(out))
	size := unsafe.Sizeof(*new(T))
	of = of[:len(rows)]
	for i, row := range rows {
		x := *(*T)(unsafe.Add(*(*unsafe.Pointer)(unsafe.Add(pb, uintptr(row/BlockRows)*8)), uintptr(row%BlockRows)*size))
		to := (*T)(unsafe.Add(po, uintptr(of[i])*size))
		*to = max(*to, x)
	}
}
