package fuzz_test

import (
	"strings"
	"testing"

	"github.com/braidmerge/braid/internal/rungen"
)

// functionRows bounds the rows of one problem of TestFunctionSoak.
const functionRows = 60_000

// TestFunctionSoak merges BRAID_SOAK_ROWS rows by the engines that compute: functions, sequence groups and supplied columns, all
// answered by the reference.
func TestFunctionSoak(t *testing.T) {
	rows, seed := soakOf(t, 2_000_000)
	var s soak
	for told := int64(0); s.rows < rows && !t.Failed(); seed++ {
		spec := rungen.Random(seed, smallRows)
		if !computes(spec) {
			continue
		}
		spec.Rows = min(functionRows>>(seed%8), int(rows))
		if unites(spec) {
			spec.Rows >>= 6
		}
		for _, w := range waysOf(spec, 1) {
			s.put(t, question{spec, w}, question.ask)
		}
		if s.rows > told+rows/10 {
			told = s.rows
			t.Logf("%d rows merged", told)
		}
	}
	t.Logf("by the reference: %s\nnext seed: %d", &s, seed)
}

// computes reports whether a problem without a fault has an engine or option that makes values out of several rows.
func computes(s rungen.Spec) bool {
	if s.Fault != rungen.NoFault {
		return false
	}
	for key, value := range s.Options {
		if value == "aggregation" || value == "partial-update-validity" || strings.HasSuffix(key, ".sequence-group") {
			return true
		}
	}
	return false
}
