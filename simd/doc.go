// Package simd has the few straight loops of a merge that are worth machine code: moving rows, packing bits, finding the
// ends of key groups, merging words, comparing, adding and blending columns.
//
// # Terms
//
// A word is one uint64 a row of a window: (key << idxBits | staged row). Words are in merged order when they ascend. A
// staged row is the place of a row in the buffers of a window, and a selection is a list of staged rows:
//
//	staged values   a  b  c  d  e  f
//	staged row      0  1  2  3  4  5
//	selection       4  0  5
//	taken           e  a  f
//
// # Dispatch
//
// Every function checks its lengths and then calls its loop. The portable loop is the specification: where a tier of package
// internal/cputier has a faster one, the function tries the tiers in an if-chain, the portable loop last, and every tier gives
// the same bits. Callers never name a tier. Functions whose names end in Tier choose, and say how much is done: in files that end
// in _vector where AVX2 and NEON have a loop each, in _amd64 where only amd64 has one. The assembly for amd64 is written by the
// program in _asm, that for arm64 by hand.
//
// # Contract
//
// Functions take whole blocks, thousands of rows at a time. Selections must hold valid rows of what they select from: that
// is the caller's promise, which builds with the tag invariants check. Some loops read or write a little past the rows
// they are asked for; each says how much slack its slices must have.
package simd
