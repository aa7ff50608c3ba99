package simd

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	"github.com/braidmerge/braid/internal/invariants"
)

// Packer moves the bits of a mask to the low end of a word, in their order. A bit moves by the number of zeros of the mask
// below it, in steps of one, two, four, eight, sixteen and 32 places:
//
//	mask       00001111 00001111 00000111
//	moves by   the highest nibble 9, the next 5, the lowest 0
type Packer struct {
	mask  uint64
	count uint      // bits in mask
	steps [6]uint64 // the bits that move by 1 << i places in step i
	fine  bool      // some move by one or two places
}

// NewPacker prepares for a mask.
func NewPacker(mask uint64) Packer {
	p := Packer{mask: mask, count: uint(bits.OnesCount64(mask))}
	below := ^mask << 1 // bits with a zero right below
	for i := range p.steps {
		odd := below // bits with an odd number of zeros below, of those not counted yet
		for s := 1; s < 64; s *= 2 {
			odd ^= odd << s
		}
		move := odd & mask
		mask = mask ^ move | move>>(1<<i)
		below &^= odd
		p.steps[i] = move
	}
	p.fine = p.steps[0]|p.steps[1] != 0
	return p
}

// Mask returns the mask.
func (p *Packer) Mask() uint64 { return p.mask }

// Pack returns the bits of x that are in the mask.
func (p *Packer) Pack(x uint64) uint64 {
	x &= p.mask
	if p.fine {
		x = p.pack1(x)
	}
	return p.pack16(p.pack4(x))
}

// Append shifts the bits of x that are in the mask into out.
func (p *Packer) Append(out, x uint64) uint64 { return out<<p.count | p.Pack(x) }

// Unpack puts the low bits of x where the mask has bits, in their order.
func (p *Packer) Unpack(x uint64) uint64 {
	x &= 1<<p.count - 1
	for i := len(p.steps) - 1; i >= 0; i-- {
		places := uint(1) << i
		move := x & (p.steps[i] >> places)
		x = x&^(p.steps[i]>>places) | move<<places
	}
	return x
}

// pack1 moves bits by one and by two places, pack4 by four and by eight, pack16 by sixteen and by 32. They are functions of
// their own so that they stand in the loops that call them.
func (p *Packer) pack1(x uint64) uint64  { return moved(moved(x, p.steps[0], 1), p.steps[1], 2) }
func (p *Packer) pack4(x uint64) uint64  { return moved(moved(x, p.steps[2], 4), p.steps[3], 8) }
func (p *Packer) pack16(x uint64) uint64 { return moved(moved(x, p.steps[4], 16), p.steps[5], 32) }

// moved moves the bits of a step.
func moved(x, step uint64, places uint) uint64 {
	move := x & step
	return x ^ move | move>>(places&63)
}

// PackTexts appends to every out[i] the bits of the mask in eight bytes of text i, the first in the highest byte: those from at
// on. Text i is data[from[i]:from[i+1]] and must have so many bytes. It returns the bits in which one of these words is not
// base.
func (p *Packer) PackTexts(out []uint64, data []byte, from []int32, at int, base uint64) (differ uint64) {
	if len(out) == 0 {
		return 0
	}
	checkTexts(data, from[:len(out)+1], at)
	if packTextsTier(p, out, data, from, at, base, &differ) {
		return differ
	}
	return p.packTextsPortable(out, data, from, at, base)
}

// PackPadded is PackTexts for texts of any length, with zeros for what lies behind their ends. Data must have eight bytes from
// at on at every text nonetheless.
func (p *Packer) PackPadded(out []uint64, data []byte, from []int32, at int, base uint64) (differ uint64) {
	if len(out) == 0 {
		return 0
	}
	checkTexts(data, from[:len(out)+1], at)
	if packPaddedTier(p, out, data, from, at, base, &differ) {
		return differ
	}
	return p.packPaddedPortable(out, data, from, at, base)
}

func checkTexts(data []byte, from []int32, at int) {
	if invariants.Enabled {
		for i, x := range from[:len(from)-1] {
			invariants.Check(x >= 0 && int(x)+at+8 <= len(data), "text %d at %d, its word at %d, of %d bytes", i, x, at, len(data))
		}
	}
}

func (p *Packer) packTextsPortable(out []uint64, data []byte, from []int32, at int, base uint64) (differ uint64) {
	d, q := unsafe.Pointer(unsafe.SliceData(data)), *p
	for i, start := range from[:len(out)] {
		x := textWord(d, int(start)+at)
		differ |= x ^ base
		if x &= q.mask; q.fine {
			x = q.pack1(x)
		}
		out[i] = out[i]<<q.count | q.pack16(q.pack4(x))
	}
	return differ
}

func (p *Packer) packPaddedPortable(out []uint64, data []byte, from []int32, at int, base uint64) (differ uint64) {
	d, q := unsafe.Pointer(unsafe.SliceData(data)), *p
	start := from[0]
	for i, end := range from[1 : len(out)+1] {
		x := textWord(d, int(start)+at) &^ padding(int(end-start)-at)
		differ |= x ^ base
		if x &= q.mask; q.fine {
			x = q.pack1(x)
		}
		out[i] = out[i]<<q.count | q.pack16(q.pack4(x))
		start = end
	}
	return differ
}

// textWord reads eight bytes at a place, the first in the highest byte.
func textWord(p unsafe.Pointer, at int) uint64 {
	return binary.BigEndian.Uint64((*[8]byte)(unsafe.Add(p, at))[:])
}

// padding has the bits of a word that lie behind the end of a text that ends so many bytes, below 0 too, after its beginning.
func padding(left int) uint64 { return ^uint64(0) >> uint(8*min(max(left, 0), 8)) }

// DifferTexts is PackTexts without bits: it returns those in which a word of a text is not base.
func DifferTexts(data []byte, from []int32, at int, base uint64) (differ uint64) {
	checkTexts(data, from, at)
	d := unsafe.Pointer(unsafe.SliceData(data))
	for _, start := range from[:len(from)-1] {
		differ |= textWord(d, int(start)+at) ^ base
	}
	return differ
}

// DifferTexts4 is DifferTexts for four words in a row, the first from at on.
func DifferTexts4(data []byte, from []int32, at int, base *[4]uint64) (differ [4]uint64) {
	checkTexts(data, from, at+24)
	if len(from) < 2 {
		return differ
	}
	var stored [4]uint64 // as they lie in the texts
	for i, x := range base {
		stored[i] = inMemory(x)
	}
	if !differ4Tier(data, from, at, &stored, &differ) {
		differ4Portable(data, from, at, &stored, &differ)
	}
	for i, x := range differ {
		differ[i] = inMemory(x)
	}
	return differ
}

// inMemory turns a word with its first byte in the highest into what eight bytes read at once are, and back.
func inMemory(x uint64) uint64 {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], x)
	return binary.NativeEndian.Uint64(b[:])
}

func differ4Portable(data []byte, from []int32, at int, base, differ *[4]uint64) {
	d := unsafe.Pointer(unsafe.SliceData(data))
	b0, b1, b2, b3 := base[0], base[1], base[2], base[3]
	var d0, d1, d2, d3 uint64
	for _, start := range from[:len(from)-1] {
		text := (*[4][8]byte)(unsafe.Add(d, int(start)+at))
		d0 |= binary.NativeEndian.Uint64(text[0][:]) ^ b0
		d1 |= binary.NativeEndian.Uint64(text[1][:]) ^ b1
		d2 |= binary.NativeEndian.Uint64(text[2][:]) ^ b2
		d3 |= binary.NativeEndian.Uint64(text[3][:]) ^ b3
	}
	*differ = [4]uint64{d0, d1, d2, d3}
}

// DifferPadded is PackPadded without bits.
func DifferPadded(data []byte, from []int32, at int, base uint64) (differ uint64) {
	checkTexts(data, from, at)
	d, start := unsafe.Pointer(unsafe.SliceData(data)), from[0]
	for _, end := range from[1:] {
		differ |= textWord(d, int(start)+at)&^padding(int(end-start)-at) ^ base
		start = end
	}
	return differ
}
