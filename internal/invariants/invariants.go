// Package invariants holds the checks of a checked build, one made with the
// build tag invariants. Every other build contains none of them.
//
// There are three kinds:
//
//   - Check states what must hold. A false one is a mistake of braid's own and
//     panics; a mistake in data or arguments is an error, in every build.
//   - Sometimes takes a rare path at random, so that tests walk it often. Both
//     ways must give the same result.
//   - Mangle overwrites scratch memory that has been given back, so that a
//     reader who kept it sees nonsense at once.
//
// Enabled is a constant, so a block under it costs nothing when it is false.
// The arguments of a call outside such a block are evaluated in every build:
// a check that computes anything goes inside.
//
//	invariants.Check(from <= to, "window: span [%d, %d)", from, to)
//
//	if invariants.Enabled {
//		invariants.Check(slices.IsSorted(words), "order: words not sorted: %x", words)
//	}
package invariants

import (
	"fmt"
	"math/rand/v2"
)

// Check panics with the formatted message when cond is false, in a checked
// build; the message says which package found what. Otherwise it does nothing.
func Check(cond bool, format string, args ...any) {
	if Enabled && !cond {
		panic("invariant violated: " + fmt.Sprintf(format, args...))
	}
}

// Sometimes returns true in about percent of 100 calls, in a checked build;
// never for 0 or less and always for 100 or more. Otherwise it returns false.
// It may be called from several goroutines at once.
func Sometimes(percent int) bool {
	return Enabled && rand.IntN(100) < percent
}
