// Package cputier says which machine code a build may run on this processor,
// and lets tests choose less of it.
//
// A tier is a set of instructions that code may count on:
//
//	portable   nothing beyond plain Go
//	neon       arm64's 128-bit vectors
//	avx2       AVX2, BMI1, BMI2, LZCNT, POPCNT
//	avx512     avx2 and AVX-512 F, BW, DQ, VL
//
// A feature is something that processors of one tier have or lack:
//
//	FastPDEP    from avx2     PDEP and PEXT are single instructions, not microcode
//	VBMI2       from avx512   VPCOMPRESS and VPEXPAND of bytes and 16-bit words
//	VPOPCNTDQ   from avx512   VPOPCNT of 32-bit and 64-bit lanes
//
// The level in use is one tier with its features. It is chosen when the
// program starts: the best one detected, or the lower tier that the
// environment variable BRAID_TIER names. A function with several versions asks
// for the best first and falls through to portable Go:
//
//	func And(dst, a, b []uint64) {
//		if cputier.HasAVX2() {
//			andAVX2(dst, a, b)
//			return
//		}
//		andPortable(dst, a, b)
//	}
//
// Each Has function is one load of a package variable, or the constant false
// where the build cannot have the tier, so that the branch disappears. With
// the build tag purego every one of them is the constant false and Portable is
// the only tier.
//
// Set and Without change the level for everyone. They are for a test, or for a
// command before its work begins: no goroutine may run code that dispatches
// while they are called. A test that runs under every tier looks like this:
//
//	for _, tier := range cputier.All() {
//		t.Run(tier.String(), func(t *testing.T) {
//			restore, err := cputier.Set(tier)
//			if err != nil {
//				t.Fatal(err)
//			}
//			defer restore()
//			...
//		})
//	}
package cputier
