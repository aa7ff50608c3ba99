package arrow18

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
)

// The delta encodings carry counts of their own, for which the decoder reserves memory:
//
//	delta       = block size, miniblocks a block, values, first value, block*
//	block       = smallest delta, a bit width a miniblock, miniblock*
//	deltaLength = delta(lengths), bytes
//	deltaBytes  = delta(lengths of shared prefixes), deltaLength(suffixes)
//
// checkDelta follows them to the end of their counts. For deltaBytes it adds up what the values unpack to: a value may
// repeat the whole of the one before it at the cost of a byte.

// deltaBlockMax is the largest block that is read, in values. Writers use 128 to 1024.
const deltaBlockMax = 1 << 16

// checkDelta checks the values of a page in a delta encoding against the number of values of the page. The decoder keeps
// two lengths of 4 bytes for each.
func checkDelta(encoding int64, b []byte, values, limit int64) error {
	if encoding != encodingDelta && values > limit/8 {
		return tooLarge(8*values, limit)
	}
	s := deltaStream{b: b, values: values, keep: encoding == encodingDeltaBytes}
	if err := s.read(); err != nil || encoding != encodingDeltaBytes {
		return err
	}
	prefixes := s.lengths
	if err := s.read(); err != nil {
		return err
	}
	return checkPrefixes(prefixes, s.lengths, limit)
}

// checkPrefixes adds up the values that prefixes and suffixes of the given lengths make.
func checkPrefixes(prefixes, suffixes []int32, limit int64) error {
	if len(prefixes) != len(suffixes) {
		return fmt.Errorf("%d shared prefixes, %d suffixes", len(prefixes), len(suffixes))
	}
	last, total := int64(0), int64(0)
	for i, p := range prefixes {
		if p < 0 || int64(p) > last || suffixes[i] < 0 {
			return fmt.Errorf("value %d shares %d bytes of %d before it", i, p, last)
		}
		last = int64(p) + int64(suffixes[i])
		if total += last; total > limit {
			return tooLarge(total, limit)
		}
	}
	return nil
}

// deltaStream reads delta streams, one after another.
type deltaStream struct {
	b       []byte // what is left
	values  int64  // most values a stream may have
	keep    bool   // keep the values of the last stream read, in lengths
	lengths []int32
}

// read reads one stream.
func (s *deltaStream) read() error {
	s.lengths = nil
	var head [3]uint64
	for i := range head {
		n, err := s.varint()
		if err != nil {
			return err
		}
		head[i] = n
	}
	first, err := s.zigzag()
	if err != nil {
		return err
	}
	block, miniblocks, values := head[0], head[1], head[2]
	switch {
	case block == 0 || block > deltaBlockMax || block%128 != 0:
		return fmt.Errorf("delta block of %d values", block)
	case miniblocks == 0 || block%miniblocks != 0 || block/miniblocks%32 != 0:
		return fmt.Errorf("delta block of %d values in %d miniblocks", block, miniblocks)
	case values > uint64(s.values):
		return fmt.Errorf("%d delta values, the page has %d", values, s.values)
	}
	if values == 0 {
		return nil
	}
	d := deltas{size: int(block / miniblocks), widths: make([]byte, miniblocks), last: first, left: values - 1}
	if s.keep {
		s.lengths = append(s.lengths, int32(first))
	}
	for d.left > 0 {
		if err := s.block(&d); err != nil {
			return err
		}
	}
	return nil
}

// deltas is where the reading of a stream stands.
type deltas struct {
	size   int    // values a miniblock
	widths []byte // bits of a value, by miniblock
	last   int64
	left   uint64 // values still to come
}

func (s *deltaStream) block(d *deltas) error {
	smallest, err := s.zigzag()
	if err != nil {
		return err
	}
	if len(s.b) < len(d.widths) {
		return io.ErrUnexpectedEOF
	}
	copy(d.widths, s.b)
	s.b = s.b[len(d.widths):]
	for _, width := range d.widths {
		if d.left == 0 {
			break
		}
		if width > 64 {
			return fmt.Errorf("delta of %d bits", width)
		}
		packed := int(width) * d.size / 8
		if packed > len(s.b) {
			return io.ErrUnexpectedEOF
		}
		n := int(min(d.left, uint64(d.size)))
		if s.keep {
			s.unpack(d, smallest, width, n)
		}
		s.b = s.b[packed:]
		d.left -= uint64(n)
	}
	return nil
}

// unpack keeps the n values of a miniblock. The lengths they stand for are of 32 bits, and sums wrap as in the decoder.
func (s *deltaStream) unpack(d *deltas, smallest int64, width byte, n int) {
	for i := range n {
		d.last += smallest + int64(bitsAt(s.b, i*int(width), uint(width)))
		s.lengths = append(s.lengths, int32(d.last))
	}
}

// bitsAt gives the width bits of b from bit at on, lowest first.
func bitsAt(b []byte, at int, width uint) uint64 {
	var v uint64
	for got := uint(0); got < width; {
		from := uint(at) & 7
		take := min(8-from, width-got)
		v |= uint64(b[at>>3]>>from&(1<<take-1)) << got
		got += take
		at += int(take)
	}
	return v
}

func (s *deltaStream) varint() (uint64, error) {
	v, n := binary.Uvarint(s.b)
	if n <= 0 {
		return 0, io.ErrUnexpectedEOF
	}
	s.b = s.b[n:]
	return v, nil
}

func (s *deltaStream) zigzag() (int64, error) {
	u, err := s.varint()
	return int64(u>>1) ^ -int64(u&1), err
}

// afterLevels gives what follows the levels of a page of the first version.
//
//	run lengths: length in 4 bytes, that many bytes      bit packed: a level after another, in as few bits as the largest takes
func afterLevels(b []byte, encoding int64, largest int16, values int64) ([]byte, error) {
	length := int64(0)
	if encoding == encodingBitPacked {
		length = (values*int64(bits.Len16(uint16(largest))) + 7) / 8
	} else {
		if len(b) < 4 {
			return nil, errors.New("page ends in its levels")
		}
		length = 4 + int64(binary.LittleEndian.Uint32(b))
	}
	if length > int64(len(b)) || length > math.MaxInt32 {
		return nil, errors.New("page ends in its levels")
	}
	return b[length:], nil
}
