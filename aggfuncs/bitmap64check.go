package aggfuncs

import (
	"encoding/binary"
	"math/bits"
)

// The containers of a 64-bit bitmap are those of the 32-bit format.
const (
	arrayMost   = 4096 // values of a container that is an array
	bitmapBytes = 8192 // of a container that is a bitmap
)

// checkRuns checks runs: in order, with a gap between any two.
func checkRuns(b []byte) (rest []byte, ok bool) {
	if len(b) < 2 {
		return nil, false
	}
	n := int(binary.LittleEndian.Uint16(b))
	b = b[2:]
	if n == 0 || len(b) < 4*n {
		return nil, false
	}
	next := 0 // the least value a run may begin with
	for i := range n {
		start, length := int(binary.LittleEndian.Uint16(b[4*i:])), int(binary.LittleEndian.Uint16(b[4*i+2:]))
		if start < next || start+length > 0xffff {
			return nil, false
		}
		next = start + length + 2
	}
	return b[4*n:], true
}

func checkBits(b []byte, count int) (rest []byte, ok bool) {
	if len(b) < bitmapBytes {
		return nil, false
	}
	ones := 0
	for i := 0; i < bitmapBytes; i += 8 {
		ones += bits.OnesCount64(binary.LittleEndian.Uint64(b[i:]))
	}
	return b[bitmapBytes:], ones == count
}

func checkArray(b []byte, count int) (rest []byte, ok bool) {
	if len(b) < 2*count {
		return nil, false
	}
	for i := 1; i < count; i++ {
		if binary.LittleEndian.Uint16(b[2*i:]) <= binary.LittleEndian.Uint16(b[2*i-2:]) {
			return nil, false
		}
	}
	return b[2*count:], true
}
