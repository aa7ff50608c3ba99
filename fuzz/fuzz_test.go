package fuzz_test

import (
	"encoding/binary"
	"testing"

	"github.com/braidmerge/braid/internal/rungen"
	"github.com/braidmerge/braid/internal/testscale"
)

// fuzzRows bounds the problems that FuzzMerge makes.
const fuzzRows = 300

// unitedRows bounds the rows of those problems that have the reference unite bitmaps or sketches, which takes it long: a fuzzer
// takes ten seconds for a deadlock.
const unitedRows = 8

// unites reports whether a problem has a function of bitmaps or sketches.
func unites(s rungen.Spec) bool {
	for _, value := range s.Options {
		switch value {
		case "rbm32", "rbm64", "theta_sketch", "hll_sketch":
			return true
		}
	}
	return false
}

// FuzzMerge reads a problem off bytes and compares the kernel with the reference, in two ways of putting it.
func FuzzMerge(f *testing.F) {
	for seed := range testscale.Seeds(f, 64) {
		f.Add(binary.LittleEndian.AppendUint64([]byte{byte(37 * seed), byte(seed >> 2), byte(11 * seed)}, seed*0x9e3779b97f4a7c15))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		spec := rungen.FromBytes(data, fuzzRows)
		if unites(spec) {
			spec.Rows = min(spec.Rows, unitedRows)
		}
		for _, w := range waysOf(spec, 2) {
			ask(t, question{spec, w})
		}
	})
}
