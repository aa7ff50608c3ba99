package simd

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	"github.com/braidmerge/braid/internal/invariants"
)

// Packer moves the bits of a mask to the low end of a word, in their order, and back. To pack, they first move up to the highest of them:
// a bit by the number of zeros of the mask above it and below the highest bit, in steps of one, two, four, eight, sixteen and 32 places:
//
//	mask       00001111 00001111 00000111
//	moves by   the highest nibble 0, the next 4, the lowest 9
//
// A step up is a product, which for few places is one or two additions: bits b at move places higher are b * (1<<move - 1) more.
type Packer struct {
	mask  uint64
	scale uint64 // 1 << the number of bits, 0 for 64

	together [6]uint64 // the bits that move up by 1 << i places in step i of packing
	down     uint      // places down to the low end, when all have

	apart [6]uint64 // the bits that move up by 1 << i places in unpacking, which takes the last step first
	low   uint      // zeros below all bits

	fine, middle, coarse bool // some move by one or two, by four or eight, by sixteen or 32 places
}

// NewPacker prepares for a mask.
func NewPacker(mask uint64) Packer {
	high, low := uint(bits.LeadingZeros64(mask)), uint(bits.TrailingZeros64(mask))
	count := uint(bits.OnesCount64(mask))
	p := Packer{mask: mask, scale: 1 << count, down: (64 - high - count) & 63, low: low & 63}
	up, down := packSteps(bits.Reverse64(mask<<high)), packSteps(mask>>low)
	for i := range 6 {
		p.together[i] = bits.Reverse64(up[i]) >> high
		p.apart[i] = down[i] >> (1 << i)
	}
	some := func(step int) bool { return p.together[step]|p.together[step+1]|p.apart[step]|p.apart[step+1] != 0 }
	p.fine, p.middle, p.coarse = some(0), some(2), some(4)
	return p
}

// packSteps returns the bits of a mask that move down by 1 << i places in step i for all to come to the low end.
func packSteps(mask uint64) (steps [6]uint64) {
	below := ^mask << 1 // bits with a zero right below
	for i := range steps {
		odd := below // bits with an odd number of zeros below, of those not counted yet
		for s := 1; s < 64; s *= 2 {
			odd ^= odd << s
		}
		move := odd & mask
		mask = mask ^ move | move>>(1<<i)
		below &^= odd
		steps[i] = move
	}
	return steps
}

// Mask returns the mask.
func (p *Packer) Mask() uint64 { return p.mask }

// count is the number of bits in the mask.
func (p *Packer) count() int { return bits.OnesCount64(p.mask) }

// Pack returns the bits of x that are in the mask.
func (p *Packer) Pack(x uint64) uint64 { return p.Append(0, x) }

// Append shifts the bits of x that are in the mask into out.
func (p *Packer) Append(out, x uint64) uint64 {
	if x &= p.mask; p.fine {
		x = p.together1(x)
	}
	if p.middle {
		x = p.together4(x)
	}
	if p.coarse {
		x = p.together16(x)
	}
	return out*p.scale | x>>(p.down&63)
}

// together1 moves bits by one and by two places, together4 by four and by eight, together16 by sixteen and by 32. They are functions of
// their own so that they stand in the loops that call them.
func (p *Packer) together1(x uint64) uint64 {
	x += x & p.together[0]
	return x + 3*(x&p.together[1])
}

func (p *Packer) together4(x uint64) uint64 {
	x += 15 * (x & p.together[2])
	return x + 255*(x&p.together[3])
}

func (p *Packer) together16(x uint64) uint64 {
	x = movedUp(x, p.together[4], 16)
	if p.together[5] == 0 {
		return x
	}
	return movedUp(x, p.together[5], 32)
}

// movedUp moves the bits of a step.
func movedUp(x, step uint64, places uint) uint64 {
	move := x & step
	return x ^ move | move<<(places&63)
}

// Unpack puts the low bits of x where the mask has bits, in their order.
func (p *Packer) Unpack(x uint64) uint64 {
	if x &= p.scale - 1; p.coarse {
		x = p.apart16(x)
	}
	if p.middle {
		x = p.apart4(x)
	}
	if p.fine {
		x = p.apart1(x)
	}
	return x << (p.low & 63)
}

// apart16, apart4 and apart1 are as together16, together4 and together1, the other way round.
func (p *Packer) apart16(x uint64) uint64 {
	return movedUp(movedUp(x, p.apart[5], 32), p.apart[4], 16)
}

func (p *Packer) apart4(x uint64) uint64 {
	x += 255 * (x & p.apart[3])
	return x + 15*(x&p.apart[2])
}

func (p *Packer) apart1(x uint64) uint64 {
	x += 3 * (x & p.apart[1])
	return x + x&p.apart[0]
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
	d, q := unsafe.Add(unsafe.Pointer(unsafe.SliceData(data)), at), *p
	from = from[:len(out)]
	for i, start := range from {
		x := textWord(d, int(start))
		differ |= x ^ base
		if x &= q.mask; q.fine {
			x = q.together1(x)
		}
		if q.middle {
			x = q.together4(x)
		}
		if q.coarse {
			x = q.together16(x)
		}
		out[i] = out[i]*q.scale | x>>(q.down&63)
	}
	return differ
}

func (p *Packer) packPaddedPortable(out []uint64, data []byte, from []int32, at int, base uint64) (differ uint64) {
	d, q := unsafe.Add(unsafe.Pointer(unsafe.SliceData(data)), at), *p
	start, ends := from[0], from[1:len(out)+1]
	for i, end := range ends {
		x := textWord(d, int(start)) & keptBytes(int(end-start)-at)
		differ |= x ^ base
		if x &= q.mask; q.fine {
			x = q.together1(x)
		}
		if q.middle {
			x = q.together4(x)
		}
		if q.coarse {
			x = q.together16(x)
		}
		out[i] = out[i]*q.scale | x>>(q.down&63)
		start = end
	}
	return differ
}

// textWord reads eight bytes at a place, the first in the highest byte.
func textWord(p unsafe.Pointer, at int) uint64 {
	return binary.BigEndian.Uint64((*[8]byte)(unsafe.Add(p, at))[:])
}

// keptBytes has the bits of a word that do not lie behind the end of a text that ends so many bytes, below 0 too, after its beginning.
func keptBytes(left int) uint64 { return firstBytes[min(max(left, 0), 8)] }

// firstBytes are the bits of so many first bytes of a word.
var firstBytes = [9]uint64{0, 0xff << 56, 0xffff << 48, 0xffffff << 40, 0xffffffff << 32, 0xffffffffff << 24, 0xffffffffffff << 16, 0xffffffffffffff << 8, 1<<64 - 1}

// DifferTexts is PackTexts without bits: it returns those in which a word of a text is not base.
func DifferTexts(data []byte, from []int32, at int, base uint64) (differ uint64) {
	checkTexts(data, from, at)
	d := unsafe.Add(unsafe.Pointer(unsafe.SliceData(data)), at)
	for _, start := range from[:len(from)-1] {
		differ |= textWord(d, int(start)) ^ base
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
	d := unsafe.Add(unsafe.Pointer(unsafe.SliceData(data)), at)
	b0, b1, b2, b3 := base[0], base[1], base[2], base[3]
	var d0, d1, d2, d3 uint64
	for _, start := range from[:len(from)-1] {
		text := (*[4][8]byte)(unsafe.Add(d, int(start)))
		d0 |= binary.NativeEndian.Uint64(text[0][:]) ^ b0
		d1 |= binary.NativeEndian.Uint64(text[1][:]) ^ b1
		d2 |= binary.NativeEndian.Uint64(text[2][:]) ^ b2
		d3 |= binary.NativeEndian.Uint64(text[3][:]) ^ b3
	}
	differ[0], differ[1], differ[2], differ[3] = d0, d1, d2, d3
}

// DifferPadded is PackPadded without bits.
func DifferPadded(data []byte, from []int32, at int, base uint64) (differ uint64) {
	checkTexts(data, from, at)
	d, start := unsafe.Add(unsafe.Pointer(unsafe.SliceData(data)), at), from[0]
	for _, end := range from[1:] {
		differ |= textWord(d, int(start))&keptBytes(int(end-start)-at) ^ base
		start = end
	}
	return differ
}
