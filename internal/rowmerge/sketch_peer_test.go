package rowmerge

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	peerhll "github.com/apache/datasketches-go/hll"
	peertheta "github.com/apache/datasketches-go/theta"
)

// upTo is n different integers from a range of its own.
func upTo(n int, from int64) []int64 {
	var ints []int64
	for i := range n {
		ints = append(ints, from+int64(i))
	}
	return ints
}

// unite is the union of two values under a function of binary columns.
func unite(t *testing.T, function string, acc, in []byte) []byte {
	t.Helper()
	f, err := NewFunction(function, arrow.Field{Name: "f", Type: arrow.BinaryTypes.Binary}, nil)
	if err != nil {
		t.Fatal(err)
	}
	out, wrong := f.Agg(acc, in)
	if wrong != nil {
		t.Fatal(wrong)
	}
	return out.([]byte)
}

// TestThetaAsPeer unites theta sketches of many sizes; another implementation must read the result as its own union. (It
// writes some of the preamble otherwise.)
func TestThetaAsPeer(t *testing.T) {
	for _, n := range []int{0, 1, 2, 100, 4096, 10000} {
		for _, m := range []int{0, 1, 50, 9000} {
			a, b := peerTheta(t, upTo(n, 0)), peerTheta(t, upTo(m, int64(n/2)))
			u, err := peertheta.NewUnion()
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range []*peertheta.CompactSketch{a, b} {
				if err := u.Update(s); err != nil {
					t.Fatal(err)
				}
			}
			want, err := u.OrderedResult()
			if err != nil {
				t.Fatal(err)
			}
			x, y := encodeTheta(t, a), encodeTheta(t, b)
			sameTheta(t, unite(t, "theta_sketch", x, y), want)
			sameTheta(t, unite(t, "theta_sketch", y, x), want)
			sameTheta(t, BuildTheta(upTo(n, 0), thetaNominal), a)
		}
	}
}

// sameTheta has the other implementation read bytes and compares them with its own sketch.
func sameTheta(t *testing.T, data []byte, want *peertheta.CompactSketch) {
	t.Helper()
	got, err := peertheta.Decode(data, sketchSeed)
	if err != nil {
		t.Fatal(err)
	}
	if got.IsEmpty() != want.IsEmpty() || got.Theta64() != want.Theta64() || got.IsOrdered() != want.IsOrdered() ||
		!slices.Equal(slices.Collect(got.All()), slices.Collect(want.All())) {
		t.Errorf("%d hashes below %x, want %d below %x", got.NumRetained(), got.Theta64(), want.NumRetained(), want.Theta64())
	}
}

func peerTheta(t *testing.T, ints []int64) *peertheta.CompactSketch {
	t.Helper()
	s, err := peertheta.NewQuickSelectUpdateSketch()
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range ints {
		_ = s.UpdateInt64(n) // tells whether the sketch has changed
	}
	return peertheta.NewCompactSketch(s, true)
}

func encodeTheta(t *testing.T, s *peertheta.CompactSketch) []byte {
	t.Helper()
	var out bytes.Buffer
	e := peertheta.NewEncoder(&out, false)
	if err := e.Encode(s); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestHllAsPeer unites HLL sketches of all modes and forms; another implementation must read the result and estimate as much
// as for its own union. Both sketches have one resolution: with two the peer loses registers.
func TestHllAsPeer(t *testing.T) {
	for _, lgK := range []int{4, 7, 8, 12} {
		for _, n := range []int{0, 3, 20, 3000} {
			for _, m := range []int{0, 5, 60, 20000} {
				acc := peerHll(t, lgK, peerForm(n), upTo(n, 0))
				in := peerHll(t, lgK, peerForm(m), upTo(m, int64(n/2)))
				want, got := peerEstimate(t, peerUnion(t, acc, in)), peerEstimate(t, unite(t, "hll_sketch", acc, in))
				if math.Abs(want-got) > 1e-9*want {
					t.Errorf("union of %d and %d, 2^%d: estimate %v, want %v", n, m, lgK, got, want)
				}
			}
		}
	}
}

func peerForm(n int) peerhll.TgtHllType { return peerhll.TgtHllType(n % 3) }

func peerHll(t *testing.T, lgK int, form peerhll.TgtHllType, ints []int64) []byte {
	t.Helper()
	s, err := peerhll.NewHllSketch(lgK, form)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range ints {
		if err := s.UpdateInt64(n); err != nil {
			t.Fatal(err)
		}
	}
	data, err := s.ToCompactSlice()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func readPeerHll(t *testing.T, data []byte) peerhll.HllSketch {
	t.Helper()
	s, err := peerhll.NewHllSketchFromSlice(data, true)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func peerUnion(t *testing.T, acc, in []byte) []byte {
	t.Helper()
	u, err := peerhll.NewUnion(int(in[3]))
	if err != nil {
		t.Fatal(err)
	}
	for _, data := range [][]byte{in, acc} {
		if err := u.UpdateSketch(readPeerHll(t, data)); err != nil {
			t.Fatal(err)
		}
	}
	s, err := u.GetResult(peerhll.TgtHllTypeHll4)
	if err != nil {
		t.Fatal(err)
	}
	data, err := s.ToCompactSlice()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func peerEstimate(t *testing.T, data []byte) float64 {
	t.Helper()
	estimate, err := readPeerHll(t, data).GetEstimate()
	if err != nil {
		t.Fatal(err)
	}
	return estimate
}

// TestForgedBytes feeds changed and cut bytes to every function of binary columns: an error or a value, never a panic.
func TestForgedBytes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	hll8, err := BuildHll(upTo(5000, 0), 8, "HLL_4")
	if err != nil {
		t.Fatal(err)
	}
	set, err := BuildHll(upTo(50, 0), 12, "HLL_8")
	if err != nil {
		t.Fatal(err)
	}
	wide := append(upTo(70000, 0), upTo(20, 1<<40)...)
	for _, c := range []struct {
		function string
		data     []byte
	}{
		{"theta_sketch", BuildTheta(upTo(20, 0), 16)},
		{"theta_sketch", BuildTheta(upTo(2, 0), 16)},
		{"hll_sketch", hll8},
		{"hll_sketch", set},
		{"rbm32", BuildRbm32(wide)},
		{"rbm64", BuildRbm64(wide)},
		{"rbm64", BuildRbm64([]int64{1, 1 << 20, 1 << 40, -1})},
	} {
		refused := 0
		for range 3000 {
			forged := forge(rng, c.data)
			f, err := NewFunction(c.function, arrow.Field{Name: "f", Type: arrow.BinaryTypes.Binary}, nil)
			if err != nil {
				t.Fatal(err)
			}
			out, wrong := f.Agg(forged, c.data)
			if wrong != nil {
				refused++
				continue
			}
			if again, wrong := f.Agg(out, out); wrong != nil {
				t.Errorf("%s: the union of %x cannot be read: %v %v", c.function, forged, again, wrong)
			}
		}
		if refused == 0 {
			t.Errorf("%s: no forged bytes are refused", c.function)
		}
	}
}

// forge changes some bytes, or cuts some off.
func forge(rng *rand.Rand, data []byte) []byte {
	out := bytes.Clone(data)
	if rng.IntN(4) == 0 {
		return out[:rng.IntN(len(out))]
	}
	for range 1 + rng.IntN(3) {
		at := rng.IntN(len(out))
		if rng.IntN(2) == 0 {
			at = rng.IntN(min(len(out), 48))
		}
		out[at] = byte(rng.IntN(256))
	}
	return out
}
