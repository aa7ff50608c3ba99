package rowmerge

import (
	"encoding/binary"
	"math/bits"
)

// sketchSeed is the seed of the hash that sketches use.
const sketchSeed = 9001

// murmur is MurmurHash3 x64 128 of data.
func murmur(data []byte, seed uint64) (h1, h2 uint64) {
	const c1, c2 = 0x87c37b91114253d5, 0x4cf5ad432745937f
	mix1 := func(k uint64) uint64 { return bits.RotateLeft64(k*c1, 31) * c2 }
	mix2 := func(k uint64) uint64 { return bits.RotateLeft64(k*c2, 33) * c1 }
	h1, h2 = seed, seed
	rest := data
	for ; len(rest) >= 16; rest = rest[16:] {
		h1 ^= mix1(binary.LittleEndian.Uint64(rest))
		h1 = (bits.RotateLeft64(h1, 27)+h2)*5 + 0x52dce729
		h2 ^= mix2(binary.LittleEndian.Uint64(rest[8:]))
		h2 = (bits.RotateLeft64(h2, 31)+h1)*5 + 0x38495ab5
	}
	var tail [16]byte
	copy(tail[:], rest)
	h1 ^= mix1(binary.LittleEndian.Uint64(tail[:]))
	h2 ^= mix2(binary.LittleEndian.Uint64(tail[8:]))
	h1 ^= uint64(len(data))
	h2 ^= uint64(len(data))
	h1 += h2
	h2 += h1
	h1, h2 = finish(h1), finish(h2)
	h1 += h2
	h2 += h1
	return h1, h2
}

func finish(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// hashInt hashes an integer as sketches do.
func hashInt(n int64) (h1, h2 uint64) {
	return murmur(binary.LittleEndian.AppendUint64(nil, uint64(n)), sketchSeed)
}
