package aggfuncs

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestPartSet puts texts into a set and takes them out again, beside a map.
func TestPartSet(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	s := partSet{rolling: newRolling()}
	for range 20 {
		s.empty()
		in := map[string]int32{}
		for range 5000 {
			text := fmt.Sprint(rng.IntN(400))
			n, hash := int32(len(s.parts)), s.of([]byte(text))
			held, ok := in[text]
			if got := s.find([]byte(text), hash); ok && got != held || !ok && got != none {
				t.Fatalf("%q is part %d, want %d, %v", text, got, held, ok)
			}
			if ok && rng.IntN(4) > 0 {
				s.remove(held)
				delete(in, text)
				continue
			}
			s.parts = append(s.parts, part{buf: []byte(text), hash: hash})
			s.put(n)
			in[text] = n
		}
		if s.held != len(in) {
			t.Fatalf("%d held, want %d", s.held, len(in))
		}
	}
}

// TestRolling compares the hash of a text that has been put together, or shortened, with that of the text itself.
func TestRolling(t *testing.T) {
	r := newRolling()
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		text := make([]byte, rng.IntN(100))
		for i := range text {
			text[i] = byte(rng.Uint32())
		}
		at := rng.IntN(len(text) + 1)
		x, y := r.of(text[:at]), r.of(text[at:])
		if got, want := r.join(x, y, len(text)-at), r.of(text); got != want {
			t.Fatalf("%x with %x: hash %#x, want %#x", text[:at], text[at:], got, want)
		}
		if got := r.behind(r.of(text), x, len(text)-at); got != y {
			t.Fatalf("%x behind %x: hash %#x, want %#x", text[at:], text[:at], got, y)
		}
	}
	if a, b := r.of([]byte{0}), r.of([]byte{0, 0}); a == b || r.of(nil) == a || newRolling().of([]byte("ab")) == r.of([]byte("ab")) {
		t.Errorf("hashes %#x and %#x of different lengths, and other bases, do not differ", a, b)
	}
}
