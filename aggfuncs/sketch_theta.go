package aggfuncs

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
)

// newThetaSketch makes theta_sketch: the union of theta sketches.
func newThetaSketch(f arrow.Field, o Options) (Rule, error) { return newUnion(f, o, &thetaCodec{}) }

// theta is a theta sketch: those hashes of what has been seen that are below theta, in order. theta is a number of 63 bits,
// of which the largest stands for 1.
//
// The bytes of a sketch, numbers in little-endian order:
//
//	0  words of the preamble    3  4, lg of the slots of a table    8   count int32, or the only hash
//	1  version, 3               5  flags                            16  theta int64
//	2  family                   6  hash of the seed
//
// after which come the hashes, in order or not, or the slots of a table, where 0 is no hash.
type theta struct {
	empty  bool
	theta  uint64
	hashes []uint64
}

const (
	thetaOne      = math.MaxInt64
	thetaNominal  = 4096   // hashes that a union keeps at most
	thetaSeedHash = 0x93cc // of the seed 9001

	familyAlpha       = 1 // a table
	familyQuickSelect = 2 // a table
	familyCompact     = 3

	thetaBigEndian = 1
	thetaReadOnly  = 2
	thetaEmpty     = 4
	thetaCompact   = 8
	thetaOrdered   = 16
	thetaSingle    = 32
)

// thetaCodec is the codec of theta_sketch.
type thetaCodec struct{ acc, in, next theta }

func (c *thetaCodec) begin(value []byte) error { return c.acc.read(value) }

func (c *thetaCodec) unite(value []byte, _ bool) error {
	if err := c.in.read(value); err != nil {
		return err
	}
	c.next.unite(&c.acc, &c.in)
	c.acc, c.next = c.next, c.acc
	return nil
}

func (c *thetaCodec) appendTo(dst []byte) []byte { return c.acc.appendTo(dst) }

// unite makes t the union of two sketches: of all hashes below both thetas the smallest, with the next one as theta where
// there are too many.
func (t *theta) unite(a, b *theta) {
	*t = theta{empty: a.empty && b.empty, theta: min(a.theta, b.theta), hashes: t.hashes[:0]}
	x, y := a.hashes, b.hashes
	for len(x) > 0 || len(y) > 0 {
		var h uint64
		switch {
		case len(y) == 0 || len(x) > 0 && x[0] < y[0]:
			h, x = x[0], x[1:]
		case len(x) == 0 || y[0] < x[0]:
			h, y = y[0], y[1:]
		default:
			h, x, y = x[0], x[1:], y[1:]
		}
		if h >= t.theta {
			return
		}
		if len(t.hashes) == thetaNominal {
			t.theta = h
			return
		}
		t.hashes = append(t.hashes, h)
	}
}

// read reads a sketch. Fewer than 16 bytes are an empty one.
func (t *theta) read(b []byte) error {
	*t = theta{theta: thetaOne, hashes: t.hashes[:0]}
	if len(b) < 16 {
		t.empty = true
		return nil
	}
	preamble, version, family, flags := b[0]&0x3f, b[1], b[2], b[5]
	switch {
	case version != 3:
		return corruptTheta("version %d", version)
	case flags&thetaBigEndian != 0:
		return corruptTheta("big-endian order")
	case flags&thetaEmpty != 0:
		t.empty = true
		return nil
	case family == familyCompact && preamble == 1:
		t.keep(b[8:16])
		return nil
	}
	if hash := binary.LittleEndian.Uint16(b[6:]); hash != thetaSeedHash {
		return corruptTheta("the seed hash %04x", hash)
	}
	switch {
	case family == familyCompact && (preamble == 2 || preamble == 3):
		return t.readCompact(b, 8*int(preamble))
	case (family == familyAlpha || family == familyQuickSelect) && preamble == 3:
		return t.readTable(b)
	}
	return corruptTheta("family %d and a preamble of %d", family, preamble)
}

func corruptTheta(format string, args ...any) error {
	return fmt.Errorf("%w: theta sketch with %s", ErrCorrupt, fmt.Sprintf(format, args...))
}

// readCompact reads count hashes behind the preamble, whose third word is theta if it is there.
func (t *theta) readCompact(b []byte, preamble int) error {
	if len(b) < preamble {
		return corruptTheta("%d bytes", len(b))
	}
	if preamble == 24 {
		if err := t.readTheta(b); err != nil {
			return err
		}
	}
	count := int(int32(binary.LittleEndian.Uint32(b[8:])))
	if count < 0 || count > (len(b)-preamble)/8 {
		return corruptTheta("%d hashes in %d bytes", count, len(b))
	}
	t.keep(b[preamble : preamble+8*count])
	return nil
}

// readTable reads the slots of a table.
func (t *theta) readTable(b []byte) error {
	lg := b[4]
	if len(b) < 24 || lg > 26 || len(b) < 24+(8<<lg) {
		return corruptTheta("a table of 2^%d in %d bytes", lg, len(b))
	}
	if err := t.readTheta(b); err != nil {
		return err
	}
	t.keep(b[24 : 24+(8<<lg)])
	return nil
}

func (t *theta) readTheta(b []byte) error {
	t.theta = binary.LittleEndian.Uint64(b[16:])
	if t.theta == 0 || t.theta > thetaOne {
		return corruptTheta("a theta of %#x", t.theta)
	}
	return nil
}

// keep reads hashes: those that are none or not below theta are left out, and they come in order, each once.
func (t *theta) keep(b []byte) {
	sorted := true
	for ; len(b) > 0; b = b[8:] {
		h := binary.LittleEndian.Uint64(b)
		if h == 0 || h >= t.theta {
			continue
		}
		if n := len(t.hashes); n > 0 && h <= t.hashes[n-1] {
			sorted = false
		}
		t.hashes = append(t.hashes, h)
	}
	if !sorted {
		slices.Sort(t.hashes)
		t.hashes = slices.Compact(t.hashes)
	}
}

// appendTo writes the compact form in order.
func (t *theta) appendTo(dst []byte) []byte {
	const flags = thetaReadOnly | thetaCompact | thetaOrdered
	switch {
	case t.theta == thetaOne && len(t.hashes) == 0:
		return append(dst, 1, 3, familyCompact, 0, 0, flags|thetaEmpty, 0, 0)
	case t.theta == thetaOne && len(t.hashes) == 1:
		dst = append(dst, 1, 3, familyCompact, 0, 0, flags|thetaSingle)
		dst = binary.LittleEndian.AppendUint16(dst, thetaSeedHash)
		return binary.LittleEndian.AppendUint64(dst, t.hashes[0])
	}
	preamble := byte(2)
	if t.theta < thetaOne {
		preamble = 3
	}
	dst = append(dst, preamble, 3, familyCompact, 0, 0, flags)
	dst = binary.LittleEndian.AppendUint16(dst, thetaSeedHash)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(t.hashes)))
	dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(1))
	if preamble == 3 {
		dst = binary.LittleEndian.AppendUint64(dst, t.theta)
	}
	for _, h := range t.hashes {
		dst = binary.LittleEndian.AppendUint64(dst, h)
	}
	return dst
}
