package aggfuncs

import "bytes"

// part is what is between two delimiters of an accumulated text. Bytes of its own may have room before and behind them.
type part struct {
	buf        []byte // the text from from on
	from       int
	own        bool // else the bytes of a row, or of the delimiter
	blank      bool
	dropped    bool // the next late row leaves it out
	hash       uint64
	prev, next int32
}

func (p *part) text() []byte { return p.buf[p.from:] }

// partSet is a hash table of parts, of which no two are equal. Parts leave it before they change.
type partSet struct {
	rolling
	parts []part
	slots []int32 // 1 + the part, or 0
	spare []int32 // memory for more slots
	held  int
}

// empty takes all parts out and forgets them.
func (s *partSet) empty() {
	if s.slots == nil {
		s.slots = make([]int32, fewSlots)
	}
	s.slots = s.slots[:fewSlots]
	clear(s.slots)
	clear(s.parts) // they are the window's bytes
	s.parts, s.held = s.parts[:0], 0
}

// slot gives the slot of a part, or the empty one where a text belongs.
func (s *partSet) slot(text []byte, hash uint64) int {
	mask := len(s.slots) - 1
	at := int(mix(0, hash)) & mask
	for ; s.slots[at] != 0; at = (at + 1) & mask {
		if p := &s.parts[s.slots[at]-1]; p.hash == hash && bytes.Equal(p.text(), text) {
			break
		}
	}
	return at
}

// find gives the part that is a text, or none.
func (s *partSet) find(text []byte, hash uint64) int32 { return s.slots[s.slot(text, hash)] - 1 }

// put puts a part in the place of an equal one, or into a slot of its own.
func (s *partSet) put(n int32) {
	at := s.slot(s.parts[n].text(), s.parts[n].hash)
	if s.slots[at] == 0 {
		s.held++
	}
	s.slots[at] = n + 1
	if 2*s.held > len(s.slots) {
		s.enlarge()
	}
}

func (s *partSet) enlarge() {
	old := s.slots
	s.slots, s.spare = grown(s.spare, 2*len(old)), old
	clear(s.slots)
	mask := len(s.slots) - 1
	for _, n := range old {
		if n == 0 {
			continue
		}
		at := int(mix(0, s.parts[n-1].hash)) & mask
		for s.slots[at] != 0 {
			at = (at + 1) & mask
		}
		s.slots[at] = n
	}
}

// remove takes a part out, and closes the gap: what follows moves up unless that is before where it is looked for.
func (s *partSet) remove(n int32) {
	mask := len(s.slots) - 1
	gap := int(mix(0, s.parts[n].hash)) & mask
	for s.slots[gap] != n+1 {
		gap = (gap + 1) & mask
	}
	for at := (gap + 1) & mask; s.slots[at] != 0; at = (at + 1) & mask {
		home := int(mix(0, s.parts[s.slots[at]-1].hash)) & mask
		if (at-home)&mask >= (at-gap)&mask {
			s.slots[gap] = s.slots[at]
			gap = at
		}
	}
	s.slots[gap] = 0
	s.held--
}
