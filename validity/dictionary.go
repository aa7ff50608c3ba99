package validity

import "hash/maphash"

// dictionary has a number for each of some distinct byte strings. Its zero value is empty.
type dictionary struct {
	seed  maphash.Seed
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
		d.seed, d.slots = maphash.MakeSeed(), make([]slot, firstSlots)
	}
	hash = uint32(maphash.Bytes(d.seed, b))
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
