//go:build amd64 && !purego

package simd

import "github.com/braidmerge/braid/internal/cputier"

// addToStep is how many rows the machine code of addToTier takes at a step.
const addToStep = 8

// addToTier adds the first values where the tier in use has machine code. It returns how many rows are done, and whether a sum did not
// fit, which ends it.
func addToTier(out, in []int64, of []uint32) (done int, over bool) {
	steps := len(in) / addToStep
	if steps == 0 || !cputier.HasAVX2() {
		return 0, false
	}
	return addToStep * steps, addToFlags(&out[0], &in[0], &of[0], steps)
}

// addToFlags is addToPortable for addToStep * steps rows, steps > 0, that stops at the first sum that does not fit.
//
//go:noescape
func addToFlags(out, in *int64, of *uint32, steps int) (over bool)
