package simd

import (
	"encoding/binary"
	"sort"

	"github.com/braidmerge/braid/internal/invariants"
)

// TextView is an Arrow view of a text, in 16 bytes: its length, and either all its bytes or where the rest of them is.
//
//	bytes   0       4       8       12
//	        length  text, up to 12 bytes, zeros behind
//	        length  begin   block   offset         of texts of more than InlineText bytes
type TextView [2]uint64

// InlineText is how many bytes a view has room for in itself.
const InlineText = 12

// Views writes the views of the texts that lie in data between offsets, one more than there are views, which must ascend and end
// within data and 2 GiB. It returns the length of the longest.
func Views(dst []TextView, off []uint32, data []byte, block uint32) (longest uint32) {
	if len(dst) == 0 {
		return 0
	}
	off = off[:len(dst)+1]
	if invariants.Enabled {
		for i, o := range off[1:] {
			invariants.Check(off[i] <= o && int(o) <= len(data), "text %d lies at [%d, %d) of %d bytes", i, off[i], o, len(data))
		}
	}
	// Of texts that begin at least 4 bytes behind the beginning and 12 before the end, 16 bytes around can be read.
	from := sort.Search(len(dst), func(i int) bool { return off[i] >= 4 })
	to := max(from, sort.Search(len(dst), func(i int) bool { return int(off[i])+InlineText > len(data) }))
	longest = viewsPortable(dst[:from], off, data, block)
	most, done := viewsTier(dst[from:to], off[from:], data, block)
	from += done
	return max(longest, most, viewsPortable(dst[from:], off[from:], data, block))
}

func viewsPortable(dst []TextView, off []uint32, data []byte, block uint32) (longest uint32) {
	for i := range dst {
		dst[i] = View(data, off[i], off[i+1], block)
		longest = max(longest, off[i+1]-off[i])
	}
	return longest
}

// View returns the view of the text data[from:to].
func View(data []byte, from, to, block uint32) TextView {
	size := to - from
	mask := &viewMasks[min(size, InlineText+1)]
	begin := begin12(data[from:])
	view := TextView{uint64(size) | begin[0]&mask[0], begin[1] & mask[1]}
	if size > InlineText {
		view[1] = uint64(block) | uint64(from)<<32
	}
	return view
}

// begin12 reads twelve bytes, or what there is of them, as bytes 4 to 15 of sixteen.
func begin12(b []byte) [2]uint64 {
	if len(b) < InlineText {
		var padded [InlineText]byte
		copy(padded[:], b)
		b = padded[:]
	}
	return [2]uint64{uint64(binary.LittleEndian.Uint32(b)) << 32, binary.LittleEndian.Uint64(b[4:])}
}

// viewMasks are the bytes of a view that are bytes of a text of so many, the last for any that is longer.
var viewMasks = func() (masks [InlineText + 2]TextView) {
	for size := range uint64(InlineText + 1) {
		masks[size] = TextView{(1<<(8*min(size, 4)) - 1) << 32, 1<<(8*max(size, 4)-32) - 1}
	}
	masks[InlineText+1] = TextView{masks[InlineText][0], 0}
	return masks
}()
