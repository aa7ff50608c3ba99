package validity

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// A bitmap of 32-bit numbers in the portable roaring format. Numbers of the same upper 16 bits, the key, share a container,
// which holds the lower 16 bits. All integers are little-endian; this is {1, 3}:
//
//	3a300000 01000000   cookie of a bitmap without runs, one container
//	0000 0100           key 0, two numbers (less one)
//	10000000            the container begins at byte 16
//	0100 0300           it is an array: 1, 3
//
// and this is {1, 2, 3, 4}:
//
//	3b30 0000           cookie of a bitmap with runs, one container (less one)
//	01                  a bit a container: the first has runs
//	0000 0300           key 0, four numbers (less one)
//	0100 0100 0300      one run: from 1, three numbers more
const (
	cookiePlain = 12346 // no container has runs
	cookieRuns  = 12347 // in the lower 16 bits; the number of containers less one is in the upper
	placesFrom  = 4     // with runs, places of containers are there from so many containers on
	keySize     = 1 << 16
	mostKeys    = 1 << 16
	arrayMost   = 4096 // numbers of a container that is an array; one with more is a bitmap
	bitmapBytes = 8192 // of a container that is a bitmap
)

// CheckRoaring makes an error of bytes that are not exactly one bitmap in the portable roaring format: containers in the
// order of their keys, their numbers ascending and as many as the header says, runs with a gap between any two, and nothing
// behind the last. The error matches ErrCorrupt and says what is wrong. Nothing is allocated for a bitmap, nor for an error
// by what the bytes say. Where containers lie follows from their order; what the header says of it is not read.
func CheckRoaring(b []byte) error {
	r := bitmapReader{}
	return r.read(b)
}

// bitmapReader checks a bitmap and sets the bits of its numbers: that of number i is bit places[i] of bits, and none where
// that is below 0 or where there is no place for i.
type bitmapReader struct {
	places []int32
	bits   []uint64
}

func notRoaring(format string, args ...any) error {
	return fmt.Errorf("%w: not a roaring bitmap: %s", ErrCorrupt, fmt.Sprintf(format, args...))
}

func uint16At(b []byte, i int) int { return int(binary.LittleEndian.Uint16(b[2*i:])) }

// read reads a whole bitmap. Bits of bitmaps that turn out to be broken are set in part.
func (r *bitmapReader) read(b []byte) error {
	n, runs, rest, err := readHeader(b)
	if err != nil {
		return err
	}
	places := 0
	if runs == nil || n >= placesFrom {
		places = 4 * n
	}
	if len(rest) < 4*n+places {
		return notRoaring("a header of %d containers does not fit in %d bytes", n, len(b))
	}
	keys, rest := rest[:4*n], rest[4*n+places:]
	for i, before := 0, -1; i < n; i++ {
		key, count := uint16At(keys, 2*i), uint16At(keys, 2*i+1)+1
		if key <= before {
			return notRoaring("container %d has key %d after %d", i, key, before)
		}
		before = key
		var what string
		switch {
		case runs != nil && runs[i>>3]>>(i&7)&1 != 0:
			rest, what = r.readRuns(rest, key*keySize)
		case count > arrayMost:
			rest, what = r.readBits(rest, key*keySize, count)
		default:
			rest, what = r.readArray(rest, key*keySize, count)
		}
		if what != "" {
			return notRoaring("container %d %s", i, what)
		}
	}
	if len(rest) > 0 {
		return notRoaring("%d bytes behind its end", len(rest))
	}
	return nil
}

// readHeader reads the number of containers and, if some have runs, which.
func readHeader(b []byte) (n int, runs, rest []byte, err error) {
	if len(b) < 4 {
		return 0, nil, nil, notRoaring("it has %d bytes", len(b))
	}
	cookie := binary.LittleEndian.Uint32(b)
	switch {
	case cookie&0xffff == cookieRuns:
		n = int(cookie>>16) + 1
		if rest = b[4:]; len(rest) < (n+7)/8 {
			return 0, nil, nil, notRoaring("a header of %d containers does not fit in %d bytes", n, len(b))
		}
		return n, rest[:(n+7)/8], rest[(n+7)/8:], nil
	case cookie != cookiePlain:
		return 0, nil, nil, notRoaring("it begins with %d", cookie)
	case len(b) < 8:
		return 0, nil, nil, notRoaring("it has %d bytes", len(b))
	}
	size := binary.LittleEndian.Uint32(b[4:])
	if size > mostKeys {
		return 0, nil, nil, notRoaring("it has %d containers", size)
	}
	return int(size), nil, b[8:], nil
}

// known returns the places of the numbers of a container, from the first on.
func (r *bitmapReader) known(base int) []int32 {
	if base >= len(r.places) {
		return nil
	}
	return r.places[base:min(base+keySize, len(r.places))]
}

func (r *bitmapReader) set(place int32) {
	if place >= 0 {
		Set(r.bits, int(place))
	}
}

// readArray reads count ascending numbers. what says what is wrong.
func (r *bitmapReader) readArray(b []byte, base, count int) (rest []byte, what string) {
	if len(b) < 2*count {
		return nil, fmt.Sprintf("has %d numbers and %d bytes", count, len(b))
	}
	known := r.known(base)
	for i, before := 0, -1; i < count; i++ {
		x := uint16At(b, i)
		if x <= before {
			return nil, fmt.Sprintf("has %d after %d", x, before)
		}
		before = x
		if x < len(known) {
			r.set(known[x])
		}
	}
	return b[2*count:], ""
}

// readRuns reads runs: a number, and how many follow it without a gap.
func (r *bitmapReader) readRuns(b []byte, base int) (rest []byte, what string) {
	if len(b) < 2 {
		return nil, "has no number of runs"
	}
	n := uint16At(b, 0)
	b = b[2:]
	if n == 0 || len(b) < 4*n {
		return nil, fmt.Sprintf("has %d runs and %d bytes", n, len(b))
	}
	known := r.known(base)
	for i, next := 0, 0; i < n; i++ {
		from, more := uint16At(b, 2*i), uint16At(b, 2*i+1)
		if from < next {
			return nil, fmt.Sprintf("has a run from %d where the least is %d", from, next)
		}
		if from+more >= keySize {
			return nil, fmt.Sprintf("has a run of %d numbers from %d", more+1, from)
		}
		next = from + more + 2
		for x := from; x < min(from+more+1, len(known)); x++ {
			r.set(known[x])
		}
	}
	return b[4*n:], ""
}

// readBits reads a bitmap with a bit for every number of the container.
func (r *bitmapReader) readBits(b []byte, base, count int) (rest []byte, what string) {
	if len(b) < bitmapBytes {
		return nil, fmt.Sprintf("is a bitmap of %d bytes", len(b))
	}
	ones := 0
	for i := 0; i < bitmapBytes; i += 8 {
		ones += bits.OnesCount64(binary.LittleEndian.Uint64(b[i:]))
	}
	if ones != count {
		return nil, fmt.Sprintf("has %d numbers, not %d", ones, count)
	}
	known := r.known(base)
	for x, place := range known {
		if b[x>>3]>>(x&7)&1 != 0 {
			r.set(place)
		}
	}
	return b[bitmapBytes:], ""
}
