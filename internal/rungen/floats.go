package rungen

import (
	"math"

	"github.com/apache/arrow/go/v17/arrow"
)

// floatPool makes a pool of floats in their total order: -Inf, ..., -0.0, +0.0, ..., +Inf, then a NaN in several bit
// patterns, which are one key.
func floatPool(dt arrow.FixedWidthDataType, style Style, size int, src *source) *pool {
	bits := dt.BitWidth()
	p := &pool{dt: dt, width: bits / 8}
	for _, rank := range floatRanks(bits, style, size, src) {
		p.appendUint(floatOfRank(rank, bits))
	}
	p.keys = p.size
	if size < 2 || src.oneIn(2) {
		return p
	}
	for _, nan := range nanPatterns(bits) {
		p.appendUint(nan)
	}
	p.keys++
	return p
}

// floatRanks returns at most size ranks of floats that are no NaN, ascending.
func floatRanks(bits int, style Style, size int, src *source) []uint64 {
	var v []uint64
	switch style {
	case Spread:
		v = ranks(bits, Spread, size, src)
		for i, f := range []float64{math.Inf(-1), math.Copysign(0, -1), 0, math.Inf(1), -1.5, 1} {
			if i < len(v)/4 {
				v[src.intn(len(v))] = floatRank(f, bits)
			}
		}
	case Clusters:
		v = ranks(bits, Clusters, size, src)
	default:
		for i := range size {
			v = append(v, floatRank(float64(i-size/2)/4, bits))
		}
	}
	least, greatest := floatRank(math.Inf(-1), bits), floatRank(math.Inf(1), bits)
	for i, rank := range v {
		v[i] = min(max(rank, least), greatest)
	}
	return sortedDistinct(v)
}

// floatRank is the place of f in the total order of the floats of the given width: the bits of a positive one behind all
// negative ones, whose bits are turned round.
func floatRank(f float64, bits int) uint64 {
	v := math.Float64bits(f)
	if bits == 32 {
		v = uint64(math.Float32bits(float32(f)))
	}
	sign := uint64(1) << (bits - 1)
	if v&sign != 0 {
		return ^v & (sign<<1 - 1)
	}
	return v | sign
}

// floatOfRank returns the bits of the float with that rank.
func floatOfRank(rank uint64, bits int) uint64 {
	sign := uint64(1) << (bits - 1)
	if rank&sign != 0 {
		return rank ^ sign
	}
	return ^rank & (sign<<1 - 1)
}

// nanPatterns returns bit patterns that are all NaN: both signs, quiet and signalling, different payloads.
func nanPatterns(bits int) []uint64 {
	if bits == 32 {
		return []uint64{0x7fc00000, 0xffc00000, 0x7f800001, 0x7fffffff}
	}
	return []uint64{0x7ff8000000000000, 0xfff8000000000000, 0x7ff0000000000001, 0x7fffffffffffffff}
}
