package invariants_test

import (
	"math"
	"strings"
	"testing"

	"github.com/braidmerge/braid/internal/invariants"
)

// panicOf returns what f panics with, or nil.
func panicOf(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}

func TestCheckPanicsOnlyWhenEnabled(t *testing.T) {
	if got := panicOf(func() { invariants.Check(true, "never") }); got != nil {
		t.Errorf("a true check panicked: %v", got)
	}
	got := panicOf(func() { invariants.Check(false, "window: span [%d, %d)", 5, 3) })
	if (got != nil) != invariants.Enabled {
		t.Fatalf("a false check with Enabled = %v: panic %v", invariants.Enabled, got)
	}
	if message, _ := got.(string); invariants.Enabled && !strings.Contains(message, "window: span [5, 3)") {
		t.Errorf("the panic does not carry the message: %v", got)
	}
}

func TestSometimes(t *testing.T) {
	const calls = 10_000
	for _, c := range []struct{ percent, least, most int }{
		{-5, 0, 0},
		{0, 0, 0},
		{30, calls / 5, calls * 2 / 5},
		{100, calls, calls},
		{200, calls, calls},
	} {
		if !invariants.Enabled {
			c.least, c.most = 0, 0
		}
		hits := 0
		for range calls {
			if invariants.Sometimes(c.percent) {
				hits++
			}
		}
		if hits < c.least || hits > c.most {
			t.Errorf("Sometimes(%d): %d of %d, want %d to %d", c.percent, hits, calls, c.least, c.most)
		}
	}
}

func TestMangleOverwritesTheLengthOnly(t *testing.T) {
	words := []int64{1, 2, 3, 4}
	invariants.Mangle(words[1:3])
	if words[0] != 1 || words[3] != 4 {
		t.Errorf("memory outside the slice changed: %v", words)
	}
	for _, w := range words[1:3] {
		if mangled := w < 0; mangled != invariants.Enabled {
			t.Errorf("with Enabled = %v: %v", invariants.Enabled, words)
		}
	}
	invariants.Mangle(words[:0])
	invariants.Mangle[int64](nil)
}

func TestMangleFillsEveryWidth(t *testing.T) {
	wides := [][32]byte{{}, {}}
	floats := []float64{0, 0}
	bytes := []uint8{0, 0, 0}
	invariants.Mangle(wides)
	invariants.Mangle(floats)
	invariants.Mangle(bytes)
	changed := wides[1][31] != 0 && wides[0][0] != 0 && math.Float64bits(floats[1]) != 0 && bytes[2] != 0
	if changed != invariants.Enabled {
		t.Errorf("with Enabled = %v: %v %v %v", invariants.Enabled, wides, floats, bytes)
	}
}
