package validity

import (
	"encoding/binary"
	"math/bits"
)

// appendRoaring appends the bitmap of the set bits of words, bit 0 of the first being number 0, in the portable format:
// every container in the form that takes the fewest bytes, runs only where they take less than the others.
func appendRoaring(dst []byte, words []uint64) []byte {
	var few [4]container // of tables with no more than a quarter of a million columns
	list := few[:0]
	withRuns := false
	for at := 0; at < len(words); at += keySize / 64 {
		if c := newContainer(words, at); c.count > 0 {
			list = append(list, c)
			withRuns = withRuns || c.hasRuns()
		}
	}
	dst = appendHeader(dst, list, withRuns)
	for i := range list {
		dst = list[i].append(dst)
	}
	return dst
}

// appendHeader appends everything before the containers.
func appendHeader(dst []byte, list []container, withRuns bool) []byte {
	first, n := len(dst), len(list)
	if withRuns {
		dst = binary.LittleEndian.AppendUint32(dst, cookieRuns|uint32(n-1)<<16)
		flags := len(dst)
		dst = append(dst, make([]byte, (n+7)/8)...)
		for i := range list {
			if list[i].hasRuns() {
				dst[flags+i>>3] |= 1 << (i & 7)
			}
		}
	} else {
		dst = binary.LittleEndian.AppendUint32(dst, cookiePlain)
		dst = binary.LittleEndian.AppendUint32(dst, uint32(n))
	}
	for i := range list {
		dst = binary.LittleEndian.AppendUint16(dst, uint16(list[i].key))
		dst = binary.LittleEndian.AppendUint16(dst, uint16(list[i].count-1))
	}
	if withRuns && n < placesFrom {
		return dst
	}
	place := len(dst) - first + 4*n
	for i := range list {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(place))
		place += list[i].bytes()
	}
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

func (c *container) runBytes() int { return 2 + 4*c.runs }

func (c *container) hasRuns() bool { return c.runBytes() < min(2*c.count, bitmapBytes) }

func (c *container) bytes() int {
	if c.hasRuns() {
		return c.runBytes()
	}
	return min(2*c.count, bitmapBytes)
}

func (c *container) append(dst []byte) []byte {
	switch {
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

// appendRuns appends runs: in every word, a run begins at a bit after a bit that is not set, and ends before such a one.
func (c *container) appendRuns(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint16(dst, uint16(c.runs))
	from, before := 0, uint64(0)
	for i, w := range c.words {
		edges := w ^ (w<<1 | before) // where a run begins, or has ended
		before = w >> 63
		for ; edges != 0; edges &= edges - 1 {
			at := i<<6 + bits.TrailingZeros64(edges)
			if w>>(at&63)&1 != 0 {
				from = at
			} else {
				dst = appendRun(dst, from, at)
			}
		}
	}
	if before != 0 {
		dst = appendRun(dst, from, 64*len(c.words))
	}
	return dst
}

func appendRun(dst []byte, from, to int) []byte {
	return binary.LittleEndian.AppendUint32(dst, uint32(from)|uint32(to-from-1)<<16)
}
