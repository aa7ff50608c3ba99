package simd_test

import (
	"testing"

	"github.com/braidmerge/braid/internal/cputier"
)

// everyTier runs a test under every tier of this build on this processor, and where a tier has features once more without
// them.
func everyTier(t *testing.T, test func(t *testing.T)) {
	const features = cputier.FastPDEP | cputier.VBMI2 | cputier.VPOPCNTDQ
	for _, tier := range cputier.All() {
		for _, without := range []cputier.Feature{0, features} {
			name := tier.String()
			switch {
			case without == 0:
			case tier == cputier.AVX2 || tier == cputier.AVX512:
				name += " without features"
			default:
				continue
			}
			t.Run(name, func(t *testing.T) {
				restore, err := cputier.Set(tier)
				if err != nil {
					t.Fatal(err)
				}
				defer restore()
				defer cputier.Without(without)()
				test(t)
			})
		}
	}
}

// lengths are the numbers of rows that tests try: all up to 200, and some around the sizes loops are unrolled by.
func lengths() []int {
	var n []int
	for i := range 201 {
		n = append(n, i)
	}
	return append(n, 255, 256, 257, 511, 1000, 1024, 4095, 4097, 65_536, 70_001)
}
