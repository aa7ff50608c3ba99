package validity

import (
	"encoding/binary"
	"math/bits"

	"github.com/braidmerge/braid/simd"
)

// compressWords is how many words of a mask are compressed at a time.
const compressWords = 64

// Compress writes the bits of src at the rows of mask one after another as an Arrow bitmap, and returns how many are set.
// dst has the bytes for as many bits as mask has.
func Compress(dst []byte, src, mask []uint64) (ones int) {
	var packed [compressWords]uint64
	at, held, waiting := 0, uint(0), uint64(0) // held bits of waiting are still to be written
	for first := 0; first < len(mask); first += compressWords {
		part := mask[first:min(first+compressWords, len(mask))]
		simd.ExtractBits(packed[:len(part)], src[first:], part)
		for w, m := range part {
			x, n := packed[w], uint(bits.OnesCount64(m))
			ones += bits.OnesCount64(x)
			waiting |= x << held
			if held+n >= 64 {
				binary.LittleEndian.PutUint64(dst[at:], waiting)
				at += 8
				waiting = x >> (64 - held) // 0 when held is 0
				held -= 64
			}
			held += n
		}
	}
	for i := uint(0); i < held; i += 8 {
		dst[at] = byte(waiting >> i)
		at++
	}
	return ones
}
