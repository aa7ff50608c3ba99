package simd_test

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/braidmerge/braid/simd"
)

// spread lays staged texts out at several places, in no order, with the bytes that a loop may read behind each at the end of the
// memory, and returns what each row is.
func spread(rng *rand.Rand, f *fence, groups int) (t simd.Texts, rows [][]byte) {
	longest := []int{0, 1, 7, 8, 9, 31, 32, 33, 70, 200}[rng.IntN(10)]
	letters := 1 + rng.IntN(2)
	t = simd.Texts{Off: []uint32{uint32(rng.IntN(100))}, Places: &[simd.MaxPlaces]simd.Place{}}
	for range 8 * groups {
		text := make([]byte, rng.IntN(longest+1))
		if rng.IntN(3) > 0 {
			text = text[:len(text)/4*4]
		}
		for i := range text {
			text[i] = 'a' + byte(rng.IntN(letters)*rng.IntN(2)*rng.IntN(2)*rng.IntN(2))
		}
		rows = append(rows, text)
		t.Off = append(t.Off, t.Off[len(t.Off)-1]+uint32(len(text)))
	}
	mem := fenced[byte](f, 2*int(t.Off[len(t.Off)-1])+100*groups+simd.Slack)
	end := len(mem) - simd.Slack
	place := 0
	for group := 0; group < groups; place++ {
		n := 1 + rng.IntN(1+groups/4)
		if place == simd.MaxPlaces-1 {
			n = groups
		}
		n = min(n, groups-group)
		text := bytes.Join(rows[8*group:8*(group+n)], nil)
		end -= len(text)
		copy(mem[end:], text)
		t.Places[place] = simd.Place{Text: unsafe.Pointer(&mem[end]), At: t.Off[8*group]}
		for range n {
			t.Owners = append(t.Owners, uint8(place))
		}
		end -= rng.IntN(min(100, end+1))
		group += n
	}
	return t, rows
}

func TestPlaces(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		f, dsts, marks := newFence(t, 1<<22), newFence(t, 1<<22), newFence(t, 1<<12)
		alike := 0
		for seed := range uint64(300) {
			rng := rand.New(rand.NewPCG(seed, 5))
			texts, rows := spread(rng, f, 1+rng.IntN(300))
			sel := selection(rng, rng.IntN(500), len(rows))
			want := []byte{}
			for _, row := range sel {
				want = append(want, rows[row]...)
			}
			dst := fenced[byte](dsts, len(want)+simd.Slack)
			texts.Take(dst, sel)
			if !bytes.Equal(dst[:len(want)], want) || !dsts.intact() {
				t.Fatalf("seed %d: Take of %d: byte %d of %d differs", seed, len(sel), firstDifference(dst[:len(want)], want), len(want))
			}
			ties, pairs := randomTies(rng, len(rows))
			count := 0
			for _, x := range pairs {
				if !bytes.Equal(rows[x[0]], rows[x[1]]) {
					count++
				} else if len(rows[x[0]]) > 0 {
					alike++
				}
			}
			unequal := fenced[uint8](marks, len(pairs))
			if got := texts.Unequal(unequal, ties); got != count || !marks.intact() {
				t.Fatalf("seed %d: %d of %d ties unequal, want %d", seed, got, len(pairs), count)
			}
			for i, x := range pairs {
				if equal := bytes.Equal(rows[x[0]], rows[x[1]]); equal != (unequal[i] == 0) {
					t.Fatalf("seed %d: %q and %q: unequal is %d", seed, rows[x[0]], rows[x[1]], unequal[i])
				}
			}
		}
		if alike < 1000 {
			t.Errorf("only %d ties of equal texts", alike)
		}
	})
}
