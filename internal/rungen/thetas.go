package rungen

import (
	"encoding/binary"
	"math"
	"slices"
)

// thetaOne is the theta of a sketch that has dropped no hash.
const thetaOne = math.MaxInt64

// The flags of a theta sketch.
const (
	thetaReadOnly = 2
	thetaEmpty    = 4
	thetaCompact  = 8
	thetaOrdered  = 16
	thetaSingle   = 32
)

// thetaSeedHash stands for the seed of the hashes.
const thetaSeedHash = 0x93cc

// thetaHead gives the first 8 bytes of a theta sketch: preamble in words, version 3, family, two sizes of a table, flags,
// hash of the seed.
func thetaHead(preamble, family, lgNominal, lgSlots, flags byte, seedHash uint16) []byte {
	return binary.LittleEndian.AppendUint16([]byte{preamble, 3, family, lgNominal, lgSlots, flags}, seedHash)
}

// compactTheta gives the compact bytes of a sketch of hashes, all below theta.
func compactTheta(hashes []uint64, theta uint64) []byte {
	flags := byte(thetaReadOnly | thetaCompact)
	if slices.IsSorted(hashes) {
		flags |= thetaOrdered
	}
	switch {
	case theta == thetaOne && len(hashes) == 0:
		return thetaHead(1, 3, 0, 0, flags|thetaEmpty, 0)
	case theta == thetaOne && len(hashes) == 1:
		return appendHashes(thetaHead(1, 3, 0, 0, flags|thetaSingle, thetaSeedHash), hashes)
	case theta == thetaOne:
		return appendHashes(appendCount(thetaHead(2, 3, 0, 0, flags, thetaSeedHash), len(hashes)), hashes)
	}
	out := appendCount(thetaHead(3, 3, 0, 0, flags, thetaSeedHash), len(hashes))
	return appendHashes(binary.LittleEndian.AppendUint64(out, theta), hashes)
}

// appendCount appends the number of hashes and a sampling probability of 1.
func appendCount(out []byte, n int) []byte {
	out = binary.LittleEndian.AppendUint32(out, uint32(n))
	return binary.LittleEndian.AppendUint32(out, math.Float32bits(1))
}

func appendHashes(out []byte, hashes []uint64) []byte {
	for _, h := range hashes {
		out = binary.LittleEndian.AppendUint64(out, h)
	}
	return out
}

// tableTheta gives the bytes of a sketch that is a hash table, of the given family. It may hold hashes that are not below
// theta, which do not count.
func tableTheta(hashes []uint64, theta uint64, family byte) []byte {
	lg := 5
	for 1<<lg < 2*len(hashes) {
		lg++
	}
	slots := make([]uint64, 1<<lg)
	for _, h := range hashes {
		at, step := int(h)&(len(slots)-1), 2*(int(h>>lg)&127)+1
		for slots[at] != 0 && slots[at] != h {
			at = (at + step) & (len(slots) - 1)
		}
		slots[at] = h
	}
	out := appendCount(thetaHead(3, family, 12, byte(lg), 0, thetaSeedHash), len(hashes))
	return appendHashes(binary.LittleEndian.AppendUint64(out, theta), slots)
}

// thetas returns a function that draws theta sketches: of shared hashes, up to more than a union keeps, in every form.
func thetas(room int, src *source) func() []byte {
	most := pick(src, 3, 20, 300, 6000)
	most = min(most, room/16)
	shared := make([]uint64, 0, most)
	for range most {
		shared = append(shared, 1+src.below(thetaOne-1))
	}
	shared = sortedDistinct(shared)
	return func() []byte {
		theta := uint64(thetaOne)
		if src.oneIn(3) {
			theta = pick(src, 1, thetaOne/2, 1+src.below(thetaOne-1))
		}
		var hashes []uint64
		for keep, i := pick(src, 1, 2, 10), 0; i < len(shared); i++ {
			if src.intn(keep) == 0 {
				hashes = append(hashes, shared[i])
			}
		}
		if src.oneIn(4) && len(hashes) > 0 {
			return tableTheta(hashes, theta, byte(src.between(1, 2)))
		}
		below, _ := slices.BinarySearch(hashes, theta)
		hashes = hashes[:below]
		switch {
		case src.oneIn(8):
			hashes = hashes[:min(1, len(hashes))]
		case src.oneIn(8):
			hashes = nil
		case src.oneIn(3):
			slices.Reverse(hashes)
		}
		return compactTheta(hashes, theta)
	}
}
