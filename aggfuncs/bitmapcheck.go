package aggfuncs

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// The portable format of roaring bitmaps: a header with the upper 16 bits and the number of values of every container, places
// of the containers unless there are runs and few containers, then the containers.
const (
	cookiePlain = 12346 // no container has runs
	cookieRuns  = 12347 // in the lower 16 bits; the number of containers less one is in the upper
	fewRuns     = 4     // from so many containers on, places are there in spite of runs
	arrayMost   = 4096  // values of a container that is an array
	bitmapBytes = 8192  // of a container that is a bitmap
)

// checkBitmap makes an error of bytes that are not exactly one bitmap in the portable format: it allocates nothing, so that a
// forged count asks for nothing. Where containers lie is not read from the bytes but follows from their order.
func checkBitmap(b []byte) error {
	n, runs, rest, err := bitmapHeader(b)
	if err != nil {
		return err
	}
	if len(rest) < 4*n {
		return corruptBitmap("%d containers in %d bytes", n, len(b))
	}
	keys, rest := rest[:4*n], rest[4*n:]
	if runs == nil || n >= fewRuns {
		if len(rest) < 4*n {
			return corruptBitmap("%d containers in %d bytes", n, len(b))
		}
		rest = rest[4*n:]
	}
	for i := range n {
		key, count := binary.LittleEndian.Uint16(keys[4*i:]), int(binary.LittleEndian.Uint16(keys[4*i+2:]))+1
		if i > 0 && key <= binary.LittleEndian.Uint16(keys[4*i-4:]) {
			return corruptBitmap("containers out of order")
		}
		var ok bool
		switch {
		case runs != nil && runs[i/8]>>(i%8)&1 != 0:
			rest, ok = checkRuns(rest)
		case count > arrayMost:
			rest, ok = checkBits(rest, count)
		default:
			rest, ok = checkArray(rest, count)
		}
		if !ok {
			return corruptBitmap("container %d is broken", i)
		}
	}
	if len(rest) > 0 {
		return corruptBitmap("%d bytes behind its end", len(rest))
	}
	return nil
}

func corruptBitmap(format string, args ...any) error {
	return fmt.Errorf("%w: not a roaring bitmap: %s", ErrCorrupt, fmt.Sprintf(format, args...))
}

// bitmapHeader reads the number of containers and, if some have runs, which.
func bitmapHeader(b []byte) (n int, runs, rest []byte, err error) {
	if len(b) < 4 {
		return 0, nil, nil, corruptBitmap("%d bytes", len(b))
	}
	cookie := binary.LittleEndian.Uint32(b)
	if cookie&0xffff == cookieRuns {
		n = int(cookie>>16) + 1
		flags := (n + 7) / 8
		if len(b) < 4+flags {
			return 0, nil, nil, corruptBitmap("%d containers in %d bytes", n, len(b))
		}
		return n, b[4 : 4+flags], b[4+flags:], nil
	}
	if cookie != cookiePlain || len(b) < 8 {
		return 0, nil, nil, corruptBitmap("it begins with %#x, of %d bytes", cookie, len(b))
	}
	size := binary.LittleEndian.Uint32(b[4:])
	if size > 1<<16 {
		return 0, nil, nil, corruptBitmap("%d containers", size)
	}
	return int(size), nil, b[8:], nil
}

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
