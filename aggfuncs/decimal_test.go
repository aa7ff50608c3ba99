package aggfuncs

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/braidmerge/braid/internal/testscale"
)

func (m uint128) big() *big.Int { return m.wide().big() }

func (n uint256) big() *big.Int {
	x := new(big.Int)
	for i := 3; i >= 0; i-- {
		x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(n[i]))
	}
	return x
}

// randomPart draws a number of 64 bits, often one from the ends of its range.
func randomPart(rng *rand.Rand) uint64 {
	switch rng.IntN(6) {
	case 0:
		return 0
	case 1:
		return ^uint64(0) - rng.Uint64N(3)
	case 2:
		return 1<<63 + rng.Uint64N(3) - 1
	case 3:
		return rng.Uint64N(20)
	}
	return rng.Uint64() >> rng.UintN(64)
}

// TestWideDivision compares products and quotients of 128 and 256 bits with math/big.
func TestWideDivision(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 31))
	for range testscale.Seeds(t, 300_000) {
		a, b := uint128{randomPart(rng), randomPart(rng)}, uint128{randomPart(rng), randomPart(rng)}
		if got, want := a.times(b).big(), new(big.Int).Mul(a.big(), b.big()); got.Cmp(want) != 0 {
			t.Fatalf("%v times %v is %v, want %v", a.big(), b.big(), got, want)
		}
		n := uint256{randomPart(rng), randomPart(rng), randomPart(rng), randomPart(rng)}
		if b.isZero() {
			continue
		}
		q, rest := n.divide(b)
		wantQ, wantRest := new(big.Int).QuoRem(n.big(), b.big(), new(big.Int))
		if q.big().Cmp(wantQ) != 0 || rest.big().Cmp(wantRest) != 0 {
			t.Fatalf("%v / %v is %v rest %v, want %v rest %v", n.big(), b.big(), q.big(), rest.big(), wantQ, wantRest)
		}
	}
}

func TestPowers(t *testing.T) {
	for p, power := range powers {
		if want := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(p)), nil); power.big().Cmp(want) != 0 {
			t.Errorf("10^%d is %v", p, power.big())
		}
	}
}
