package columnar_test

import (
	"testing"

	"github.com/braidmerge/braid/internal/cputier"
)

// everyTier runs a test under every tier of this build on this processor.
func everyTier(t *testing.T, test func(t *testing.T)) {
	for _, tier := range cputier.All() {
		t.Run(tier.String(), func(t *testing.T) {
			restore, err := cputier.Set(tier)
			if err != nil {
				t.Fatal(err)
			}
			defer restore()
			test(t)
		})
	}
}
