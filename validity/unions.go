package validity

import (
	"slices"

	"github.com/braidmerge/braid/internal/invariants"
)

// Groups are rows in merged order, in groups that follow one another.
type Groups struct {
	Numbers []uint32 // of the rows' patterns, as a Decoder gives them
	Ends    []uint64 // mask of the last rows of the groups
	Single  []uint64 // mask of the ends of lone groups, which have one row; nil for none
}

// unions is the scratch memory of Unite.
type unions struct {
	patterns []uint64 // of the groups of a block, and what there is of the one that goes on
	lone     []uint32 // by group: one more than the number of the row of a lone one, 0 for others
	owned    []uint32 // by these: one more than the number of the bytes, 0 while there are none
	recent   [1 << recentBits]recent
}

// recent is a pattern of one word that was met lately, of lone rows of a number or, with 0, of others; plus is one more than the
// number of its bytes, 0 for none.
type recent struct {
	pattern uint64
	lone    uint32
	plus    uint32
}

// recentBits is how many are remembered, as a power of two.
const recentBits = 8

// uniteRows is how many rows are united at a time: their patterns should not leave the first cache.
const uniteRows = 2048

func (u *unions) bytes() int64 { return 8*int64(cap(u.patterns)) + 4*int64(cap(u.lone)+cap(u.owned)) }

// Unite gives every group of rows the number of its value, which has the columns that any of its rows supplied. Lone groups have
// instead the bytes that own returns for one with a row of that number; if it returns nil they have theirs like others. The
// decoder's columns must be those of the encoder in their places.
//
//	numbers   {1}  {2} {1}  {1}        values   own(0)  {1, 2}  own(0)
//	ends       1    0   1    1
//	single     1    0   0    1
func (e *Encoder) Unite(d *Decoder, values []uint32, g Groups, own func(group int) []byte) {
	invariants.Check(d.columns == e.columns, "validity: unions of %d columns for %d", d.columns, e.columns)
	u, stride := &e.unions, e.stride
	room := min(uniteRows, len(g.Numbers)) + 1
	u.patterns, u.lone = grown(u.patterns, room*stride), grown(u.lone, room)
	clear(u.patterns[:stride])
	clear(u.owned)
	clear(u.recent[:])
	first := 0
	for at := 0; at < len(g.Numbers); at += uniteRows {
		n := d.unite(u, g.block(at, min(at+uniteRows, len(g.Numbers))))
		if stride == 1 {
			e.numberWords(values[first:first+n], first, own)
		} else {
			e.numberPatterns(values[first:first+n], first, own)
		}
		copy(u.patterns[:stride], u.patterns[n*stride:(n+1)*stride])
		first += n
	}
}

// grown makes a slice n long, without keeping what it held.
func grown[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }

// block returns rows [from, to), with from at a word.
func (g Groups) block(from, to int) Groups {
	b := Groups{Numbers: g.Numbers[from:to], Ends: g.Ends[from>>6 : Words(to)]}
	if g.Single != nil {
		b.Single = g.Single[from>>6 : Words(to)]
	}
	return b
}

// unite makes the patterns of the groups of a block and returns how many end in it. The first pattern holds what there is of the
// first group from the block before, and that behind the groups what there is of the one that goes on.
func (d *Decoder) unite(u *unions, g Groups) (groups int) {
	if d.stride == 1 {
		return uniteWords(u.patterns, u.lone, d.words, g)
	}
	alone := uint64(0)
	for q, e := range g.Ends {
		if g.Single != nil {
			alone = g.Single[q]
		}
		for _, n := range g.Numbers[q<<6 : min(q<<6+64, len(g.Numbers))] {
			for i, w := range d.words[int(n)*d.stride:][:d.stride] {
				u.patterns[groups*d.stride+i] |= w
			}
			u.lone[groups] = (n + 1) & -uint32(alone&1)
			if e&1 != 0 {
				groups++
				clear(u.patterns[groups*d.stride:][:d.stride])
			}
			e >>= 1
			alone >>= 1
		}
	}
	return groups
}

// uniteWords is unite for patterns of one word, without a branch that depends on where groups end.
func uniteWords(patterns []uint64, lone []uint32, words []uint64, g Groups) (groups int) {
	lone = lone[:len(patterns)]
	acc, alone := patterns[0], uint64(0)
	for q, e := range g.Ends {
		if g.Single != nil {
			alone = g.Single[q]
		}
		for _, n := range g.Numbers[q<<6 : min(q<<6+64, len(g.Numbers))] {
			acc |= words[n]
			patterns[groups] = acc
			lone[groups] = (n + 1) & -uint32(alone&1)
			end := e & 1
			e >>= 1
			alone >>= 1
			groups += int(end)
			acc &= end - 1
		}
	}
	patterns[groups] = acc
	return groups
}

// numberPatterns numbers the groups of a block, of which first is the number of the first.
func (e *Encoder) numberPatterns(numbers []uint32, first int, own func(group int) []byte) {
	u := &e.unions
	last, known := uint32(0), false // of the group before that is not lone
	for i := range numbers {
		pattern := u.patterns[i*e.stride : (i+1)*e.stride]
		if lone := u.lone[i]; lone != 0 {
			numbers[i] = e.numberLone(lone, first+i, pattern, own)
			continue
		}
		if !known || !e.has(last, pattern) {
			last, known = e.number(pattern), true
		}
		numbers[i] = last
	}
}

// numberWords is numberPatterns for patterns of one word.
func (e *Encoder) numberWords(numbers []uint32, first int, own func(group int) []byte) {
	u := &e.unions
	patterns, alone := u.patterns[:len(numbers)], u.lone[:len(numbers)]
	for i := range numbers {
		p, lone := patterns[i], alone[i]
		r := &u.recent[((p^uint64(lone)<<32)*e.factor)>>(64-recentBits)]
		if r.pattern != p || r.lone != lone || r.plus == 0 {
			n := uint32(0)
			if lone != 0 {
				n = e.numberLone(lone, first+i, patterns[i:i+1], own)
			} else {
				n = e.number(patterns[i : i+1])
			}
			*r = recent{p, lone, n + 1}
		}
		numbers[i] = r.plus - 1
	}
}

// numberLone returns the number of the bytes of a lone group.
func (e *Encoder) numberLone(lone uint32, group int, pattern []uint64, own func(group int) []byte) uint32 {
	u := &e.unions
	for int(lone) >= len(u.owned) {
		u.owned = append(u.owned, 0)
	}
	plus := &u.owned[lone]
	if *plus == 0 {
		if value := own(group); value != nil {
			*plus = e.Adopt(value) + 1
		} else {
			*plus = e.number(pattern) + 1
		}
	}
	return *plus - 1
}
