package measure_test

import (
	"testing"
	"time"

	"github.com/braidmerge/braid/bench/measure"
)

func TestCPUCountsWork(t *testing.T) {
	before := measure.CPU()
	for sum := 0; measure.CPU()-before < 20*time.Millisecond; sum++ {
	}
	slept := measure.CPU()
	time.Sleep(50 * time.Millisecond)
	if d := measure.CPU() - slept; d > 40*time.Millisecond {
		t.Errorf("sleeping took %v of processor time", d)
	}
}

func TestPeakSeesMemory(t *testing.T) {
	measure.ResetPeak()
	before := measure.Peak()
	block := make([]byte, 64<<20)
	for i := 0; i < len(block); i += 4096 {
		block[i] = 1
	}
	if grown := measure.Peak() - before; grown < 48<<20 {
		t.Errorf("64 MiB more show as %d bytes", grown)
	}
	if block[4096] != 1 {
		t.Error("the block is gone")
	}
}

func TestSpread(t *testing.T) {
	figures := []float64{5, 1, 4, 2}
	if got, want := measure.SpreadOf(figures), (measure.Spread{Min: 1, Median: 2, Max: 5}); got != want {
		t.Errorf("spread %v, want %v", got, want)
	}
	if got := measure.MedianRound(figures); got != 3 {
		t.Errorf("the median is round %d, want 3", got)
	}
}

func TestCopySpeedIsPossible(t *testing.T) {
	if speed := measure.CopySpeed(); speed < 1e8 || speed > 1e12 {
		t.Errorf("%.3g bytes a second", speed)
	}
}
