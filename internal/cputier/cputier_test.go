package cputier_test

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/braidmerge/braid/internal/cputier"
)

// expectEnv lists, separated by commas, the tiers that a machine was set up to
// have, so that a run meant to cover a tier cannot pass without it.
const expectEnv = "BRAID_EXPECT_TIERS"

func TestExpectedTiers(t *testing.T) {
	expected := os.Getenv(expectEnv)
	if expected == "" {
		expected = "portable"
	}
	for _, name := range strings.Split(expected, ",") {
		tier, err := cputier.Parse(name)
		if err != nil {
			t.Errorf("%s: %v", expectEnv, err)
			continue
		}
		if !slices.Contains(cputier.All(), tier) {
			t.Errorf("%s lists %s, this build on this processor has only %v", expectEnv, tier, cputier.All())
		}
	}
}

func TestAllRunsFromPortableToDetected(t *testing.T) {
	all := cputier.All()
	if all[0] != cputier.Portable || all[len(all)-1] != cputier.Detected() {
		t.Errorf("All() = %v, detected %v", all, cputier.Detected())
	}
	for _, tier := range all {
		x86 := tier == cputier.AVX2 || tier == cputier.AVX512
		if x86 && runtime.GOARCH != "amd64" || tier == cputier.NEON && runtime.GOARCH != "arm64" {
			t.Errorf("All() has %v on %s", tier, runtime.GOARCH)
		}
	}
}

// TestStartTier holds the level before any Set: the environment's tier where
// it is a valid one, else the detected tier.
func TestStartTier(t *testing.T) {
	want := cputier.Detected()
	if tier, err := cputier.Parse(os.Getenv(cputier.Env)); err == nil && slices.Contains(cputier.All(), tier) {
		want = tier
	}
	if got := cputier.Current(); got != want {
		t.Errorf("Current() = %v at start, want %v with %s=%q", got, want, cputier.Env, os.Getenv(cputier.Env))
	}
}

// dispatch is what the Has functions answer.
type dispatch struct{ neon, avx2, fastPDEP, avx512, vbmi2, vpopcntdq bool }

func dispatchNow() dispatch {
	return dispatch{
		neon: cputier.HasNEON(), avx2: cputier.HasAVX2(), fastPDEP: cputier.HasFastPDEP(),
		avx512: cputier.HasAVX512(), vbmi2: cputier.HasVBMI2(), vpopcntdq: cputier.HasVPOPCNTDQ(),
	}
}

func TestSetChangesDispatchAndRestores(t *testing.T) {
	before, tierBefore := dispatchNow(), cputier.Current()
	for _, tier := range cputier.All() {
		restore, err := cputier.Set(tier)
		if err != nil {
			t.Fatal(err)
		}
		got := dispatchNow()
		if cputier.Current() != tier {
			t.Errorf("Set(%v): Current() = %v", tier, cputier.Current())
		}
		if want := tier == cputier.NEON; got.neon != want {
			t.Errorf("Set(%v): HasNEON() = %v", tier, got.neon)
		}
		if want := tier == cputier.AVX2 || tier == cputier.AVX512; got.avx2 != want {
			t.Errorf("Set(%v): HasAVX2() = %v", tier, got.avx2)
		}
		if want := tier == cputier.AVX512; got.avx512 != want {
			t.Errorf("Set(%v): HasAVX512() = %v", tier, got.avx512)
		}
		if got.fastPDEP && !got.avx2 || (got.vbmi2 || got.vpopcntdq) && !got.avx512 {
			t.Errorf("Set(%v): a feature without its tier: %+v", tier, got)
		}
		restore()
		if dispatchNow() != before || cputier.Current() != tierBefore {
			t.Errorf("restore after Set(%v): %v %+v, want %v %+v", tier, cputier.Current(), dispatchNow(), tierBefore, before)
		}
	}
}

func TestSetNests(t *testing.T) {
	outer, err := cputier.Set(cputier.Detected())
	if err != nil {
		t.Fatal(err)
	}
	defer outer()
	inner, err := cputier.Set(cputier.Portable)
	if err != nil {
		t.Fatal(err)
	}
	if got := dispatchNow(); got != (dispatch{}) {
		t.Errorf("portable tier dispatches to %+v", got)
	}
	inner()
	if cputier.Current() != cputier.Detected() {
		t.Errorf("Current() = %v after the inner restore, want %v", cputier.Current(), cputier.Detected())
	}
}

func TestSetRefusesMissingTiers(t *testing.T) {
	before := dispatchNow()
	for _, tier := range []cputier.Tier{cputier.NEON, cputier.AVX2, cputier.AVX512, 99} {
		if slices.Contains(cputier.All(), tier) {
			continue
		}
		restore, err := cputier.Set(tier)
		if err == nil || restore != nil {
			t.Fatalf("Set(%v) was accepted, available are %v", tier, cputier.All())
		}
		if !strings.Contains(err.Error(), tier.String()) || !strings.Contains(err.Error(), "portable") {
			t.Errorf("Set(%v): the error names neither the tier nor those available: %v", tier, err)
		}
	}
	if dispatchNow() != before {
		t.Errorf("a refused Set changed the dispatch from %+v to %+v", before, dispatchNow())
	}
}

func TestWithoutTakesFeaturesAway(t *testing.T) {
	reset, err := cputier.Set(cputier.Detected())
	if err != nil {
		t.Fatal(err)
	}
	defer reset()
	full := dispatchNow()
	for _, c := range []struct {
		feature cputier.Feature
		clear   func(*dispatch)
	}{
		{cputier.FastPDEP, func(d *dispatch) { d.fastPDEP = false }},
		{cputier.VBMI2, func(d *dispatch) { d.vbmi2 = false }},
		{cputier.VPOPCNTDQ, func(d *dispatch) { d.vpopcntdq = false }},
		{cputier.FastPDEP | cputier.VBMI2, func(d *dispatch) { d.fastPDEP, d.vbmi2 = false, false }},
	} {
		want := full
		c.clear(&want)
		restore := cputier.Without(c.feature)
		if got := dispatchNow(); got != want {
			t.Errorf("Without(%b): %+v, want %+v", c.feature, got, want)
		}
		restore()
		if dispatchNow() != full {
			t.Errorf("restore after Without(%b): %+v, want %+v", c.feature, dispatchNow(), full)
		}
	}
}

func TestParseReadsWhatStringWrites(t *testing.T) {
	for _, tier := range []cputier.Tier{cputier.Portable, cputier.NEON, cputier.AVX2, cputier.AVX512} {
		if got, err := cputier.Parse(tier.String()); err != nil || got != tier {
			t.Errorf("Parse(%q) = %v, %v", tier.String(), got, err)
		}
	}
	for _, name := range []string{"", "AVX2", "sse2", "tier(99)", " portable"} {
		if got, err := cputier.Parse(name); err == nil {
			t.Errorf("Parse(%q) = %v, want an error", name, got)
		}
	}
}

func TestCacheSizesArePositive(t *testing.T) {
	if l2 := cputier.L2Bytes(); l2 < 64<<10 {
		t.Errorf("L2Bytes() = %d, want at least 64 KiB", l2)
	}
	if line := cputier.CacheLine(); line < 16 || line&(line-1) != 0 {
		t.Errorf("CacheLine() = %d, want a power of two from 16 up", line)
	}
}
