package simd

import (
	"math/bits"

	"github.com/braidmerge/braid/internal/invariants"
)

// Ties are words that have the key bits of the word before them: the rows of both may have equal keys. Tie i is the word at At[i].
type Ties struct {
	Words   []uint64
	IdxMask uint64 // the bits of a word that are its staged row; those above are its key bits
	At      []uint32
}

// Rows returns the staged rows of a tie: that of the word before, and that of the word itself.
func (t *Ties) Rows(i int) (a, b uint32) {
	pair := (*[2]uint64)(t.Words[t.At[i]-1:])
	return uint32(pair[0] & t.IdxMask), uint32(pair[1] & t.IdxMask)
}

// check holds that the rows of all ties are below a number of rows.
func (t *Ties) check(rows int) {
	if invariants.Enabled {
		for i := range t.At {
			a, b := t.Rows(i)
			invariants.Check(int(max(a, b)) < rows, "ties of rows %d and %d of %d", a, b, rows)
		}
	}
}

// FindTies lists the ties among words in order, and returns how many there are. The list needs room for as many as there are words.
func FindTies(list []uint32, words []uint64, idxMask uint64) int {
	if len(words) == 0 {
		return 0
	}
	_ = list[len(words)-1]
	done, n := findTiesTier(list, words, idxMask)
	return n + findTiesPortable(list[n:], words[done:], idxMask, uint32(done))
}

// findTiesPortable lists the ties among words that are those from `at` on, but not the first of them.
func findTiesPortable(list []uint32, words []uint64, idxMask uint64, at uint32) (n int) {
	before := words[0]
	for _, word := range words[1:] {
		at++
		list[n] = at
		_, more := bits.Sub64(before|idxMask, word, 0)
		n += 1 - int(more)
		before = word
	}
	return n
}
