//go:build amd64 && !purego

package simd

import "github.com/braidmerge/braid/internal/cputier"

// sumGroupsTier adds the first values, 64 at a time, where the tier in use has machine code. It returns what the group at hand has so
// far, how many rows are done, how many groups have ended, and whether a sum did not fit, which ends it.
func sumGroupsTier(out, in []int64, ends []uint64) (acc int64, done, groups int, over bool) {
	steps := len(in) / 64
	if steps == 0 || !cputier.HasAVX2() {
		return 0, 0, 0, false
	}
	acc, groups, over = sumGroupsBMI(&out[0], &in[0], &ends[0], steps)
	return acc, 64 * steps, groups, over
}

// minGroupsTier is sumGroupsTier for the least values.
func minGroupsTier(out, in []int64, ends []uint64, most int64) (acc int64, done, groups int) {
	steps := len(in) / 64
	if steps == 0 || !cputier.HasAVX2() {
		return most, 0, 0
	}
	acc, groups = minGroupsCMOV(&out[0], &in[0], &ends[0], steps, most)
	return acc, 64 * steps, groups
}

// maxGroupsTier is sumGroupsTier for the greatest values.
func maxGroupsTier(out, in []int64, ends []uint64, least int64) (acc int64, done, groups int) {
	steps := len(in) / 64
	if steps == 0 || !cputier.HasAVX2() {
		return least, 0, 0
	}
	acc, groups = maxGroupsCMOV(&out[0], &in[0], &ends[0], steps, least)
	return acc, 64 * steps, groups
}

// sumGroupsBMI is sumGroupsPortable for 64 * steps rows, steps > 0, that stops at the first sum that does not fit.
//
//go:noescape
func sumGroupsBMI(out, in *int64, ends *uint64, steps int) (acc int64, groups int, over bool)

// minGroupsCMOV is minGroupsPortable for 64 * steps rows, steps > 0.
//
//go:noescape
func minGroupsCMOV(out, in *int64, ends *uint64, steps int, start int64) (acc int64, groups int)

// maxGroupsCMOV is maxGroupsPortable for 64 * steps rows, steps > 0.
//
//go:noescape
func maxGroupsCMOV(out, in *int64, ends *uint64, steps int, start int64) (acc int64, groups int)
