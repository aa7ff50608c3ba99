package simd

import (
	"unsafe"

	"github.com/braidmerge/braid/internal/invariants"
)

// Fixed is a value of a width that rows are moved by.
type Fixed interface {
	uint8 | uint16 | uint32 | uint64 | [16]byte | [32]byte
}

// Take sets dst[i] = src[sel[i]] for every i. dst must be as long as sel.
func Take[T Fixed](dst, src []T, sel []uint32) {
	if len(sel) == 0 {
		return
	}
	_ = dst[len(sel)-1]
	checkSelection(sel, len(src))
	takePortable(dst, src, sel)
}

// takePortable moves four rows a turn: one load of the row and one of the value each.
func takePortable[T Fixed](dst, src []T, sel []uint32) {
	ps, pd := unsafe.Pointer(unsafe.SliceData(src)), unsafe.Pointer(unsafe.SliceData(dst))
	size := unsafe.Sizeof(src[0])
	i := 0
	for ; i+4 <= len(sel); i += 4 {
		s := (*[4]uint32)(unsafe.Pointer(&sel[i]))
		d := (*[4]T)(unsafe.Add(pd, uintptr(i)*size))
		d[0] = *(*T)(unsafe.Add(ps, uintptr(s[0])*size))
		d[1] = *(*T)(unsafe.Add(ps, uintptr(s[1])*size))
		d[2] = *(*T)(unsafe.Add(ps, uintptr(s[2])*size))
		d[3] = *(*T)(unsafe.Add(ps, uintptr(s[3])*size))
	}
	for ; i < len(sel); i++ {
		dst[i] = src[sel[i]]
	}
}

// TakeBytes is Take for values of width bytes, any width.
func TakeBytes(dst, src []byte, width int, sel []uint32) {
	for i, row := range sel {
		at := int(row) * width
		copy(dst[i*width:i*width+width], src[at:at+width])
	}
}

func checkSelection(sel []uint32, rows int) {
	if invariants.Enabled {
		for i, row := range sel {
			invariants.Check(int(row) < rows, "selection %d is row %d of %d", i, row, rows)
		}
	}
}

func load[T any](p unsafe.Pointer, i uintptr) T {
	return *(*T)(unsafe.Add(p, i*unsafe.Sizeof(*new(T))))
}

func store[T any](p unsafe.Pointer, i uintptr, v T) {
	*(*T)(unsafe.Add(p, i*unsafe.Sizeof(v))) = v
}
