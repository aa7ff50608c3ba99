package validity

import (
	"encoding/binary"
	"math/bits"
)

// appendRoaring appends the bitmap of the set bits of words, bit 0 of the first being number 0, in the portable format:
// every container in the form that takes the fewest bytes, runs only where they take less than the others.
func appendRoaring(dst []byte, words []uint64) []byte {
	n, withRuns := 0, false
	for at := 0; at < len(words); at += keySize / 64 {
		if c := newContainer(words, at); c.count > 0 {
			n++
			withRuns = withRuns || c.hasRuns()
		}
	}
	dst = appendHeader(dst, words, n, withRuns)
	for at := 0; at < len(words); at += keySize / 64 {
		dst = newContainer(words, at).append(dst)
	}
	return dst
}

// appendHeader appends everything before the n containers.
func appendHeader(dst []byte, words []uint64, n int, withRuns bool) []byte {
	first := len(dst)
	if withRuns {
		dst = binary.LittleEndian.AppendUint32(dst, cookieRuns|uint32(n-1)<<16)
		flags := len(dst)
		dst = append(dst, make([]byte, (n+7)/8)...)
		eachContainer(words, func(i int, c container) {
			if c.hasRuns() {
				dst[flags+i>>3] |= 1 << (i & 7)
			}
		})
	} else {
		dst = binary.LittleEndian.AppendUint32(dst, cookiePlain)
		dst = binary.LittleEndian.AppendUint32(dst, uint32(n))
	}
	eachContainer(words, func(_ int, c container) {
		dst = binary.LittleEndian.AppendUint16(dst, uint16(c.key))
		dst = binary.LittleEndian.AppendUint16(dst, uint16(c.count-1))
	})
	if withRuns && n < placesFrom {
		return dst
	}
	place := len(dst) - first + 4*n
	eachContainer(words, func(_ int, c container) {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(place))
		place += c.bytes()
	})
	return dst
}

// container is the numbers of one key that are to be written.
type container struct {
	key         int
	words       []uint64
	count, runs int
}

// newContainer counts the numbers and the runs of the key that begins at a word.
func newContainer(words []uint64, at int) container {
	c := container{key: at / (keySize / 64), words: words[at:min(at+keySize/64, len(words))]}
	before := uint64(0)
	for _, w := range c.words {
		c.count += bits.OnesCount64(w)
		c.runs += bits.OnesCount64(w &^ (w<<1 | before))
		before = w >> 63
	}
	return c
}

// eachContainer calls f for every key that has numbers.
func eachContainer(words []uint64, f func(i int, c container)) {
	i := 0
	for at := 0; at < len(words); at += keySize / 64 {
		if c := newContainer(words, at); c.count > 0 {
			f(i, c)
			i++
		}
	}
}

func (c container) runBytes() int { return 2 + 4*c.runs }

func (c container) hasRuns() bool { return c.runBytes() < min(2*c.count, bitmapBytes) }

func (c container) bytes() int {
	if c.hasRuns() {
		return c.runBytes()
	}
	return min(2*c.count, bitmapBytes)
}

func (c container) append(dst []byte) []byte {
	switch {
	case c.count == 0:
		return dst
	case c.hasRuns():
		return c.appendRuns(dst)
	case c.count > arrayMost:
		for _, w := range c.words {
			dst = binary.LittleEndian.AppendUint64(dst, w)
		}
		return append(dst, make([]byte, bitmapBytes-8*len(c.words))...)
	}
	for i, w := range c.words {
		for ; w != 0; w &= w - 1 {
			dst = binary.LittleEndian.AppendUint16(dst, uint16(i<<6+bits.TrailingZeros64(w)))
		}
	}
	return dst
}

func (c container) appendRuns(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint16(dst, uint16(c.runs))
	for from := Next(c.words, 0); from >= 0; {
		to := from
		for to < 64*len(c.words) && Get(c.words, to) {
			to++
		}
		dst = binary.LittleEndian.AppendUint16(dst, uint16(from))
		dst = binary.LittleEndian.AppendUint16(dst, uint16(to-from-1))
		from = Next(c.words, to)
	}
	return dst
}
