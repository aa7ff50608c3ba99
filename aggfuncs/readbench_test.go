package aggfuncs

import (
	"fmt"
	"testing"

	"github.com/braidmerge/braid/internal/rowmerge"
)

// BenchmarkRead reads values of each function of bytes.
func BenchmarkRead(b *testing.B) {
	for _, c := range []struct {
		function string
		shape    string
		value    []byte
	}{
		{"rbm64", "containers of 1", sparse64(20_000, 1)},
		{"rbm64", "containers of 100", sparse64(2_000, 100)},
		{"rbm64", "containers of 30000", sparse64(20, 30_000)},
		{"rbm32", "containers of 100", rowmerge.BuildRbm32(spaced(200_000, 655))},
		{"theta_sketch", "4096 hashes", rowmerge.BuildTheta(spaced(100_000, 977), 4096)},
		{"hll_sketch", "lgK 12", hllOf(b, 100_000, 12, "HLL_4")},
		{"hll_sketch", "lgK 21", hllOf(b, 100_000, 21, "HLL_4")},
		{"hll_sketch", "set of 1000", hllOf(b, 1000, 14, "HLL_4")},
	} {
		b.Run(fmt.Sprintf("%s/%s", c.function, c.shape), func(b *testing.B) {
			codec := codecs[c.function]()
			b.SetBytes(int64(len(c.value)))
			for b.Loop() {
				if err := codec.begin(c.value); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// spaced makes n numbers a step apart.
func spaced(n int, step int64) []int64 {
	list := make([]int64, n)
	for i := range list {
		list[i] = int64(i) * step
	}
	return list
}

// sparse64 makes a bitmap of so many containers, each of so many numbers two apart.
func sparse64(containers, numbers int) []byte {
	c := codec64{}
	for i := range containers {
		for j := range numbers {
			c.acc.runs = append(c.acc.runs, run{uint16(2 * j), uint16(2 * j)})
		}
		c.acc.close(uint64(i) * 0x10d)
	}
	return c.appendTo(nil)
}

func hllOf(tb testing.TB, n, lgK int, form string) []byte {
	tb.Helper()
	value, err := rowmerge.BuildHll(spaced(n, 977), lgK, form)
	if err != nil {
		tb.Fatal(err)
	}
	return value
}
