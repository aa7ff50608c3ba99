package invariants

import "unsafe"

// poison fills mangled memory: a signed integer of any width is negative, an
// unsigned one of 32 bits is above 3 billion.
const poison = 0xCB

// Plain is the element of a scratch slice: any of its bytes may take any
// value, and none is part of a pointer.
type Plain interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~int |
		~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint |
		~float32 | ~float64 | ~[16]byte | ~[32]byte
}

// Mangle overwrites s[:len(s)] with a pattern, in a checked build. It is for
// the owner of s, at the moment s is given back; memory between length and
// capacity stays as it is. Otherwise it does nothing.
func Mangle[T Plain](s []T) {
	if !Enabled || len(s) == 0 {
		return
	}
	var element T
	size := len(s) * int(unsafe.Sizeof(element))
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), size)
	for i := range bytes {
		bytes[i] = poison
	}
}
