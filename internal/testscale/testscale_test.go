package testscale_test

import (
	"runtime"
	"slices"
	"testing"

	"github.com/braidmerge/braid/internal/testscale"
)

func TestSample(t *testing.T) {
	for _, c := range []struct {
		sample string
		seeds  []uint64 // of 7 problems
		few    []int    // of 100, 10 and 3, at least 5
	}{
		{"", []uint64{0, 1, 2, 3, 4, 5, 6}, []int{100, 10, 3}},
		{"3", []uint64{0, 3, 6}, []int{33, 5, 3}},
		{"50", []uint64{0}, []int{5, 5, 3}},
	} {
		t.Setenv("BRAID_SAMPLE", c.sample)
		if got := slices.Collect(testscale.Seeds(t, 7)); !slices.Equal(got, c.seeds) {
			t.Errorf("sample %q: seeds %v, want %v", c.sample, got, c.seeds)
		}
		few := []int{testscale.Few(t, 100, 5), testscale.Few(t, 10, 5), testscale.Few(t, 3, 5)}
		if !slices.Equal(few, c.few) {
			t.Errorf("sample %q: few are %v, want %v", c.sample, few, c.few)
		}
	}
}

// failing notes whether a test has been ended.
type failing struct {
	testing.TB
	failed bool
}

func (f *failing) Helper() {}

func (f *failing) Fatalf(string, ...any) {
	f.failed = true
	runtime.Goexit()
}

func TestNumber(t *testing.T) {
	for text, ok := range map[string]bool{"1": true, "16": true, "": true, "0": false, "-3": false, "many": false, "1.5": false} {
		t.Setenv("BRAID_SAMPLE", text)
		f := &failing{TB: t}
		done := make(chan struct{})
		go func() {
			defer close(done)
			testscale.Sample(f)
		}()
		<-done
		if f.failed == ok {
			t.Errorf("%q: failed is %v", text, f.failed)
		}
	}
}
