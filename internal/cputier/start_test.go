package cputier

import (
	"strings"
	"testing"
)

func TestKnownOr(t *testing.T) {
	for _, c := range []struct{ size, want int }{{-1, 7}, {0, 7}, {1, 1}, {1 << 20, 1 << 20}} {
		if got := knownOr(c.size, 7); got != c.want {
			t.Errorf("knownOr(%d, 7) = %d, want %d", c.size, got, c.want)
		}
	}
}

func TestStartTierFromValue(t *testing.T) {
	for _, tier := range All() {
		if got, err := startTier(tier.String()); err != nil || got != tier {
			t.Errorf("startTier(%q) = %v, %v", tier.String(), got, err)
		}
	}
	if got, err := startTier(""); err != nil || got != Detected() {
		t.Errorf("startTier of an empty value = %v, %v, want %v", got, err, Detected())
	}
	missing := NEON // where NEON is the detected tier, AVX2 is missing
	if detected.tier == NEON {
		missing = AVX2
	}
	for _, value := range []string{"fastest", missing.String()} {
		got, err := startTier(value)
		if err == nil || got != Detected() {
			t.Errorf("startTier(%q) = %v, %v, want %v and an error", value, got, err, Detected())
			continue
		}
		if !strings.Contains(err.Error(), Env) || !strings.Contains(err.Error(), value) {
			t.Errorf("startTier(%q): the error names neither variable nor value: %v", value, err)
		}
	}
}
