package simd

import (
	"encoding/binary"
	"unsafe"
)

// Pattern is what texts of one length have in common, and where in them the bits of an integer go: the bits of Words, those of the
// last word lowest. At most MaxPattern bytes are one text.
//
//	text     shop-000/item
//	words    bits of bytes 5 to 7
//	integer  0x017             shop-017/item
type Pattern struct {
	Size  int // bytes of a text
	text  [MaxPattern]byte
	words [MaxPattern / 8]patternWord
	used  int

	packers [MaxPattern / 8]Packer // of the words
}

// MaxPattern is how long the texts of a pattern can be, and how many bytes behind the last one are written.
const MaxPattern = 64

// patternWord is eight bytes of texts, from at on: the first is the highest.
type patternWord struct {
	base, mask uint64 // the bits that are the same, and where those that vary go
	shift      uint64 // how many bits of the integer belong to later words
	at         uint64
}

// Clear makes it the pattern of texts of so many bytes, all zero.
func (p *Pattern) Clear(size int) { p.Size, p.used, p.text = size, 0, [MaxPattern]byte{} }

// Add gives the pattern the bits of a packer in eight bytes of the texts, from at on, the first of which is the highest of base. Words
// come in the order of the texts.
func (p *Pattern) Add(at int, base uint64, q *Packer) {
	base &^= q.mask
	var bytes [8]byte
	binary.BigEndian.PutUint64(bytes[:], base)
	copy(p.text[at:], bytes[:])
	if q.mask == 0 {
		return
	}
	for i := range p.words[:p.used] {
		p.words[i].shift += uint64(q.count())
	}
	p.packers[p.used] = *q
	p.words[p.used] = patternWord{base: base, mask: q.mask, at: uint64(at)}
	p.used++
}

// Text returns the text of an integer, and zeros behind it.
func (p *Pattern) Text(bits uint64) (text [MaxPattern]byte) {
	text = p.text
	for i, w := range p.words[:p.used] {
		binary.BigEndian.PutUint64(text[w.at:], w.base|p.packers[i].Unpack(bits>>(w.shift&63)))
	}
	return text
}

// Put writes the texts of the integers that keys have from bit shift on, one after another. dst needs MaxPattern bytes behind them.
func (p *Pattern) Put(dst []byte, keys []uint64, shift int) {
	if len(keys) == 0 {
		return
	}
	_ = dst[len(keys)*p.Size+MaxPattern-1]
	if putPatternTier(p, dst, keys, shift) {
		return
	}
	p.putPortable(dst, keys, shift)
}

func (p *Pattern) putPortable(dst []byte, keys []uint64, shift int) {
	words, text := p.words[:p.used], unsafe.Pointer(unsafe.SliceData(dst))
	for _, key := range keys {
		key >>= uint(shift & 63)
		*(*[MaxPattern / 2]byte)(text) = [MaxPattern / 2]byte(p.text[:])
		if p.Size > MaxPattern/2 {
			*(*[MaxPattern / 2]byte)(unsafe.Add(text, MaxPattern/2)) = [MaxPattern / 2]byte(p.text[MaxPattern/2:])
		}
		for j := range words {
			w, q := &words[j], &p.packers[j&(len(p.packers)-1)]
			x := key >> (w.shift & 63) & (q.scale - 1)
			if q.coarse {
				x = q.apart16(x)
			}
			if q.middle {
				x = q.apart4(x)
			}
			if q.fine {
				x = q.apart1(x)
			}
			binary.BigEndian.PutUint64((*[8]byte)(unsafe.Add(text, w.at))[:], w.base|x<<(q.low&63))
		}
		text = unsafe.Add(text, p.Size)
	}
}
