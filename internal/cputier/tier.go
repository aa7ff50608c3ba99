package cputier

import (
	"fmt"
	"strings"
)

// Tier is a set of instructions that code may count on. A larger value is not
// always a superset: NEON and AVX2 belong to different processors.
type Tier uint8

// The tiers; the package comment lists what each one holds.
const (
	Portable Tier = iota
	NEON
	AVX2
	AVX512

	tierCount = iota
)

var tierNames = [tierCount]string{"portable", "neon", "avx2", "avx512"}

// String returns the tier's name as Parse reads it.
func (t Tier) String() string {
	if int(t) < len(tierNames) {
		return tierNames[t]
	}
	return fmt.Sprintf("tier(%d)", uint8(t))
}

// Parse returns the tier of that name, in lower case as String writes it.
func Parse(name string) (Tier, error) {
	for i, known := range tierNames {
		if name == known {
			return Tier(i), nil
		}
	}
	return Portable, fmt.Errorf("unknown CPU tier %q: want one of %s", name, strings.Join(tierNames[:], ", "))
}

// has reports whether a processor at tier t can run code of tier want.
func (t Tier) has(want Tier) bool {
	return want == Portable || want == t || (want == AVX2 && t == AVX512)
}

// features returns every feature that a processor at tier t might have.
func (t Tier) features() Feature {
	switch t {
	case AVX2:
		return FastPDEP
	case AVX512:
		return FastPDEP | VBMI2 | VPOPCNTDQ
	}
	return 0
}

// Feature is a set of features, one bit each.
type Feature uint8

// The features; the package comment says what each one is.
const (
	FastPDEP Feature = 1 << iota
	VBMI2
	VPOPCNTDQ
)

// level is a tier and the features in use with it.
type level struct {
	tier     Tier
	features Feature
}

// at returns l held to tier t, which l's tier must have.
func (l level) at(t Tier) level {
	return level{tier: t, features: l.features & t.features()}
}
