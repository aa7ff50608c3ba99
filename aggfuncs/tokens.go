package aggfuncs

import (
	"bytes"
	"hash/maphash"
)

// tokens is a set of the parts of texts between delimiters.
type tokens struct {
	split  []byte // what texts are split at
	seed   maphash.Seed
	slots  []int32 // 1 + the token, or 0
	list   [][]byte
	hashes []uint64
}

func newTokens(split []byte) *tokens {
	return &tokens{split: split, seed: maphash.MakeSeed(), slots: make([]int32, fewSlots)}
}

// reset empties the set.
func (t *tokens) reset() {
	t.slots = t.slots[:fewSlots]
	clear(t.slots)
	clear(t.list)
	t.list, t.hashes = t.list[:0], t.hashes[:0]
}

// put adds a token and says whether it is new. The set keeps its bytes, not a copy.
func (t *tokens) put(token []byte) bool {
	h := maphash.Bytes(t.seed, token)
	mask := uint64(len(t.slots) - 1)
	at := h & mask
	for ; t.slots[at] != 0; at = (at + 1) & mask {
		i := t.slots[at] - 1
		if t.hashes[i] == h && bytes.Equal(t.list[i], token) {
			return false
		}
	}
	t.list, t.hashes = append(t.list, token), append(t.hashes, h)
	t.slots[at] = int32(len(t.list))
	if 2*len(t.list) > len(t.slots) {
		t.enlarge()
	}
	return true
}

func (t *tokens) enlarge() {
	n := 2 * len(t.slots)
	t.slots = grown(t.slots, n)
	clear(t.slots)
	mask := uint64(n - 1)
	for i, h := range t.hashes {
		at := h & mask
		for t.slots[at] != 0 {
			at = (at + 1) & mask
		}
		t.slots[at] = int32(i) + 1
	}
}

// next cuts the first token off a text. ok is false at the end.
func (t *tokens) next(text []byte) (token, rest []byte, ok bool) {
	if text == nil {
		return nil, nil, false
	}
	token, rest, found := bytes.Cut(text, t.split)
	if !found {
		rest = nil
	}
	return token, rest, true
}

// putAll adds the tokens of a text.
func (t *tokens) putAll(text []byte) {
	for token, rest, ok := t.next(text); ok; token, rest, ok = t.next(rest) {
		t.put(token)
	}
}
