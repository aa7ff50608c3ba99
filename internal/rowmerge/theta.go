package rowmerge

import (
	"encoding/binary"
	"math"
	"slices"
)

// thetaNominal is how many hashes a union keeps at most.
const thetaNominal = 4096

// thetaOne is the theta that means 1.0.
const thetaOne = math.MaxInt64

// theta is a theta sketch: the hashes below theta of what has been seen.
type theta struct {
	empty  bool
	theta  uint64
	hashes []uint64
}

// newThetaSketch makes theta_sketch: the union of theta sketches.
func newThetaSketch(c column, o *functionOptions) (*Function, *Error) {
	return newBytesFunction("theta sketch", c, func(acc, in []byte) ([]byte, *Error) {
		a, err := readTheta(acc)
		if err != nil {
			return nil, err
		}
		b, err := readTheta(in)
		if err != nil {
			return nil, err
		}
		return unionTheta(a, b).write(), nil
	})
}

// unionTheta keeps the smallest hashes of both.
func unionTheta(a, b theta) theta {
	u := theta{empty: a.empty && b.empty, theta: min(a.theta, b.theta)}
	for _, h := range slices.Concat(a.hashes, b.hashes) {
		if h > 0 && h < u.theta {
			u.hashes = append(u.hashes, h)
		}
	}
	slices.Sort(u.hashes)
	u.hashes = slices.Compact(u.hashes)
	if len(u.hashes) > thetaNominal {
		u.theta = u.hashes[thetaNominal]
		u.hashes = u.hashes[:thetaNominal]
	}
	return u
}

// The flags of a theta sketch.
const (
	thetaBigEndian = 1
	thetaReadOnly  = 2
	thetaEmpty     = 4
	thetaCompact   = 8
	thetaOrdered   = 16
	thetaSingle    = 32
)

// readTheta reads the compact and the hash-table form. Fewer than 16 bytes are an empty sketch.
func readTheta(data []byte) (theta, *Error) {
	if len(data) < 16 {
		return theta{empty: true, theta: thetaOne}, nil
	}
	preamble, version, family, flags := data[0]&0x3f, data[1], data[2], data[5]
	switch {
	case version != 3:
		return theta{}, corruptf("theta sketch of serial version %d", version)
	case flags&thetaBigEndian != 0:
		return theta{}, corruptf("theta sketch in big-endian order")
	case flags&thetaEmpty != 0:
		return theta{empty: true, theta: thetaOne}, nil
	case family == 3 && preamble == 1:
		return theta{theta: thetaOne, hashes: readHashes(data[8:16])}, nil
	}
	if hash := binary.LittleEndian.Uint16(data[6:]); hash != thetaSeedHash() {
		return theta{}, corruptf("theta sketch of seed hash %04x", hash)
	}
	switch {
	case family == 3 && (preamble == 2 || preamble == 3):
		return readCompactTheta(data, int(preamble))
	case (family == 1 || family == 2) && preamble == 3:
		return readTableTheta(data)
	}
	return theta{}, corruptf("theta sketch of family %d with a preamble of %d", family, preamble)
}

// readCompactTheta reads count hashes after a preamble of two or three words; with three, the last is theta.
func readCompactTheta(data []byte, preamble int) (theta, *Error) {
	t := theta{theta: thetaOne}
	if len(data) < 8*preamble {
		return t, corruptf("theta sketch of %d bytes", len(data))
	}
	if preamble == 3 {
		t.theta = binary.LittleEndian.Uint64(data[16:])
	}
	count := int(int32(binary.LittleEndian.Uint32(data[8:])))
	hashes := data[8*preamble:]
	if t.theta == 0 || t.theta > thetaOne || count < 0 || count > len(hashes)/8 {
		return t, corruptf("theta sketch of %d hashes in %d bytes", count, len(data))
	}
	t.hashes = readHashes(hashes[:8*count])
	return t, nil
}

// readTableTheta reads a table of hashes with empty slots, which are zero.
func readTableTheta(data []byte) (theta, *Error) {
	lgSlots := data[4]
	if len(data) < 24 || lgSlots > 26 || len(data) < 24+(8<<lgSlots) {
		return theta{}, corruptf("theta sketch with a table of 2^%d in %d bytes", lgSlots, len(data))
	}
	t := theta{theta: binary.LittleEndian.Uint64(data[16:])}
	if t.theta == 0 || t.theta > thetaOne {
		return t, corruptf("theta sketch of theta %d", t.theta)
	}
	t.hashes = readHashes(data[24 : 24+(8<<lgSlots)])
	return t, nil
}

func readHashes(data []byte) []uint64 {
	var hashes []uint64
	for ; len(data) >= 8; data = data[8:] {
		hashes = append(hashes, binary.LittleEndian.Uint64(data))
	}
	return hashes
}

// write gives the compact, ordered form.
func (t theta) write() []byte {
	head := func(preamble, flags byte, seedHash uint16) []byte {
		return binary.LittleEndian.AppendUint16([]byte{preamble, 3, 3, 0, 0, flags}, seedHash)
	}
	const flags = thetaReadOnly | thetaCompact | thetaOrdered
	var out []byte
	switch {
	case t.theta == thetaOne && len(t.hashes) == 0:
		return head(1, flags|thetaEmpty, 0)
	case t.theta == thetaOne && len(t.hashes) == 1:
		out = head(1, flags|thetaSingle, thetaSeedHash())
	default:
		preamble := byte(2)
		if t.theta < thetaOne {
			preamble = 3
		}
		out = head(preamble, flags, thetaSeedHash())
		out = binary.LittleEndian.AppendUint32(out, uint32(len(t.hashes)))
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(1))
		if preamble == 3 {
			out = binary.LittleEndian.AppendUint64(out, t.theta)
		}
	}
	for _, h := range t.hashes {
		out = binary.LittleEndian.AppendUint64(out, h)
	}
	return out
}

// thetaSeedHash stands for the seed in a sketch.
func thetaSeedHash() uint16 {
	h, _ := murmur(binary.LittleEndian.AppendUint64(nil, sketchSeed), 0)
	return uint16(h)
}
