package simd_test

import (
	"math/rand/v2"
	"testing"

	"github.com/braidmerge/braid/simd"
)

// packed appends the bits of x that are in mask to y, one by one.
func packed(y, x, mask uint64) uint64 {
	for bit := 63; bit >= 0; bit-- {
		if mask>>bit&1 != 0 {
			y = y<<1 | x>>bit&1
		}
	}
	return y
}

// masks are masks like those of digits, letters and whole bytes, none, all, and random ones.
func masks(rng *rand.Rand) []uint64 {
	list := []uint64{0, 1, 1 << 63, ^uint64(0), ^uint64(0) >> 1, 0x0f0f0f0f0f0f0f0f, 0x1f1f1f1f00001f1f, 0x5f5f5f005f5f5f5f, 0xff00ff0000ff00ff, 0x7fffff}
	for range 50 {
		list = append(list, rng.Uint64(), rng.Uint64()&rng.Uint64()&rng.Uint64(), rng.Uint64()|rng.Uint64())
	}
	return list
}

func TestPack(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, mask := range masks(rng) {
		p := simd.NewPacker(mask)
		if p.Mask() != mask {
			t.Fatalf("the mask of a packer for %x is %x", mask, p.Mask())
		}
		for range 100 {
			x, y := rng.Uint64(), rng.Uint64()
			if got, want := p.Pack(x), packed(0, x, mask); got != want {
				t.Fatalf("mask %x: %x is packed to %x, want %x", mask, x, got, want)
			}
			if got, want := p.Append(y, x), packed(y, x, mask); got != want {
				t.Fatalf("mask %x: %x is appended to %x as %x, want %x", mask, x, y, got, want)
			}
		}
	}
}

// paddedWord returns eight bytes of a text, with zeros behind its end.
func paddedWord(text []byte, at int) (x uint64) {
	for i := range 8 {
		x <<= 8
		if at+i < len(text) {
			x |= uint64(text[at+i])
		}
	}
	return x
}

func TestPackTexts(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		f := newFence(t, 1<<21)
		rng := rand.New(rand.NewPCG(2, 2))
		list := masks(rng)
		for _, n := range lengths() {
			if n > 5000 {
				continue
			}
			mask := list[rng.IntN(len(list))]
			p := simd.NewPacker(mask)
			at, padded := rng.IntN(20), rng.IntN(2) == 0
			from := []int32{rng.Int32N(10)}
			for i := range n {
				length := at + 8 + rng.IntN(5)
				if padded {
					length = rng.IntN(at + 12)
				}
				from = append(from, from[i]+int32(length))
			}
			size := int(from[n])
			if n > 0 {
				size = max(size, int(from[n-1])+at+8)
			}
			data := fenced[byte](f, size)
			for i := range data {
				data[i] = byte(rng.Uint32())
			}
			out, want := make([]uint64, n), make([]uint64, n)
			base, differ := rng.Uint64(), uint64(0)
			for i := range out {
				out[i] = rng.Uint64()
				x := paddedWord(data[from[i]:from[i+1]], at)
				want[i] = packed(out[i], x, mask)
				differ |= x ^ base
			}
			pack, look := p.PackTexts, simd.DifferTexts
			if padded {
				pack, look = p.PackPadded, simd.DifferPadded
			}
			if got := look(data, from, at, base); got != differ {
				t.Fatalf("%d texts from %d on, padded %v: differ in %x, want %x", n, at, padded, got, differ)
			}
			if got := pack(out, data, from, at, base); got != differ {
				t.Fatalf("%d texts from %d on, padded %v: packed ones differ in %x, want %x", n, at, padded, got, differ)
			}
			for i := range out {
				if out[i] != want[i] {
					t.Fatalf("text %d of %d from %d on, padded %v, mask %x: %x, want %x", i, n, at, padded, mask, out[i], want[i])
				}
			}
		}
	})
}

func BenchmarkPackTexts(b *testing.B) {
	const n = 256
	data, from := make([]byte, 36*n), make([]int32, n+1)
	for i := range from {
		from[i] = 36 * int32(i)
	}
	out := make([]uint64, n)
	for name, mask := range map[string]uint64{"digits": 0x0f0f0f0f0f0f0f0f, "hexadecimal": 0x5f5f5f5f5f5f5f5f} {
		p := simd.NewPacker(mask)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				p.PackTexts(out, data, from, 8, 0)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/row")
		})
		b.Run(name+"/padded", func(b *testing.B) {
			for b.Loop() {
				p.PackPadded(out, data, from, 8, 0)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/row")
		})
	}
}

func TestDifferTexts4(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		f := newFence(t, 1<<21)
		rng := rand.New(rand.NewPCG(3, 3))
		for _, n := range lengths() {
			if n > 5000 {
				continue
			}
			at := rng.IntN(20)
			from := []int32{rng.Int32N(10)}
			for i := range n {
				from = append(from, from[i]+rng.Int32N(50))
			}
			data := fenced[byte](f, int(from[max(n-1, 0)])+at+32)
			for i := range data {
				data[i] = byte(rng.Uint32()) & 0x0f
			}
			base := [4]uint64{rng.Uint64(), rng.Uint64(), rng.Uint64(), rng.Uint64()}
			var want [4]uint64
			for _, start := range from[:n] {
				for j := range want {
					want[j] |= paddedWord(data, int(start)+at+8*j) ^ base[j]
				}
			}
			if got := simd.DifferTexts4(data, from, at, &base); got != want {
				t.Fatalf("%d texts from %d on differ in %x, want %x", n, at, got, want)
			}
		}
	})
}
