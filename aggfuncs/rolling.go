package aggfuncs

import (
	"math/bits"
	"math/rand/v2"
)

// rolling hashes texts so that the hash of a text which gets longer or shorter follows from what comes or goes: a text is the
// digits of a number in a secret base, modulo a prime. Other texts of the same hash cannot be found without the base.
//
//	hash(ab)   (a+1)·base + (b+1)
//	hash(xab)  hash(x)·base² + hash(ab)
type rolling struct{ base uint64 }

// rollingPrime is a prime by which a product of two numbers below it is divided with shifts.
const rollingPrime = 1<<61 - 1

func newRolling() rolling { return rolling{base: 1<<32 + rand.Uint64N(rollingPrime-1<<32)} }

// of is the hash of a text.
func (r rolling) of(text []byte) uint64 {
	h := uint64(0)
	for _, b := range text {
		h = addMod(mulMod(h, r.base), uint64(b)+1)
	}
	return h
}

// join is the hash of a text of hash x with one of hash y and n bytes behind it.
func (r rolling) join(x, y uint64, n int) uint64 { return addMod(mulMod(x, r.power(n)), y) }

// behind is the hash of the last n bytes of a text of hash h, of whose other bytes x is the hash.
func (r rolling) behind(h, x uint64, n int) uint64 {
	return addMod(h, rollingPrime-mulMod(x, r.power(n)))
}

func (r rolling) power(n int) uint64 {
	p, square := uint64(1), r.base
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			p = mulMod(p, square)
		}
		square = mulMod(square, square)
	}
	return p
}

// addMod adds two numbers of which one may be the prime itself.
func addMod(a, b uint64) uint64 { return reduce(a + b) }

func mulMod(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return reduce(lo&rollingPrime + (hi<<3 | lo>>61))
}

// reduce brings a number of up to twice the prime below it.
func reduce(x uint64) uint64 {
	if x >= rollingPrime {
		x -= rollingPrime
	}
	return x
}
