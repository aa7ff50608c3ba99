package validity

import (
	"encoding/binary"
	"math/rand/v2"
)

// dictionary has a number for each of some distinct byte strings. Its zero value is empty.
type dictionary struct {
	seed, factor uint64 // of hashes

	slots []slot // a power of two of them, at most half taken
	used  int
	data  []byte // the strings one after another
}

// slot is a string of a dictionary; size is one more than its length, 0 in a free slot.
type slot struct {
	hash     uint32
	at, size uint32
	number   uint32
}

// Bounds of a dictionary. What does not fit is not remembered.
const (
	firstSlots = 256
	mostSlots  = 1 << 13
	mostData   = 1 << 18
)

// find returns the number of a string. Where there is none it returns the string's hash, for put.
func (d *dictionary) find(b []byte) (number, hash uint32, found bool) {
	if d.slots == nil {
		d.seed, d.factor, d.slots = rand.Uint64(), rand.Uint64()|1, make([]slot, firstSlots)
	}
	hash = d.hash(b)
	for i := hash; ; i++ {
		s := &d.slots[int(i)&(len(d.slots)-1)]
		if s.size == 0 {
			return 0, hash, false
		}
		if s.hash == hash && string(d.data[s.at:s.at+s.size-1]) == string(b) {
			return s.number, hash, true
		}
	}
}

// hash mixes the bytes of a string, eight at a time.
func (d *dictionary) hash(b []byte) uint32 {
	h := d.seed ^ uint64(len(b))
	mix := func(x uint64) {
		h = (h ^ x) * d.factor
		h ^= h >> 32
	}
	if len(b) < 8 {
		var last [8]byte
		copy(last[:], b)
		mix(binary.LittleEndian.Uint64(last[:]))
		return uint32(h)
	}
	for at := 0; at < len(b)-8; at += 8 {
		mix(binary.LittleEndian.Uint64(b[at:]))
	}
	mix(binary.LittleEndian.Uint64(b[len(b)-8:]))
	return uint32(h)
}

// put gives a string a number, unless the dictionary is full. hash is that of find, which has not found the string.
func (d *dictionary) put(b []byte, hash, number uint32) bool {
	if 2*d.used == len(d.slots) && !d.grow() || len(d.data)+len(b) > mostData {
		return false
	}
	d.place(slot{hash: hash, at: uint32(len(d.data)), size: uint32(len(b)) + 1, number: number})
	d.data = append(d.data, b...)
	d.used++
	return true
}

func (d *dictionary) place(s slot) {
	i := s.hash
	for d.slots[int(i)&(len(d.slots)-1)].size != 0 {
		i++
	}
	d.slots[int(i)&(len(d.slots)-1)] = s
}

func (d *dictionary) grow() bool {
	old := d.slots
	if len(old) == mostSlots {
		return false
	}
	d.slots = make([]slot, 2*len(old))
	for _, s := range old {
		if s.size != 0 {
			d.place(s)
		}
	}
	return true
}

// forget empties the dictionary and keeps its memory.
func (d *dictionary) forget() {
	clear(d.slots)
	d.used, d.data = 0, d.data[:0]
}

func (d *dictionary) bytes() int64 { return 16*int64(len(d.slots)) + int64(cap(d.data)) }
