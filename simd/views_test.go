package simd_test

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/braidmerge/braid/simd"
)

func TestViews(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		views, offs, texts := newFence(t, 1<<21), newFence(t, 1<<20), newFence(t, 1<<22)
		for _, n := range lengths() {
			for try := range uint64(4) {
				rng := rand.New(rand.NewPCG(uint64(n), try))
				most := []int{1, 13, 14, 40}[rng.IntN(4)] // bytes of a text, beyond which there are none
				off := []uint32{uint32(rng.IntN(6))}
				for i := range n {
					off = append(off, off[i]+uint32(rng.IntN(most)))
				}
				data := make([]byte, int(off[n])+rng.IntN(2)*rng.IntN(20))
				for i := range data {
					data[i] = byte(1 + rng.IntN(255))
				}
				block := rng.Uint32()
				got := fenced[simd.TextView](views, n)
				longest := simd.Views(got, fencedCopy(offs, off), fencedCopy(texts, data), block)
				want := uint32(0)
				for i, v := range got {
					want = max(want, off[i+1]-off[i])
					if wrong := viewOf(data, off[i], off[i+1], block); *(*[16]byte)(unsafe.Pointer(&v)) != wrong {
						t.Fatalf("seed %d, %d: view %d of %d is %x, want %x", n, try, i, n, v, wrong)
					}
				}
				if longest != want || !views.intact() {
					t.Fatalf("seed %d, %d: the longest of %d has %d bytes, want %d", n, try, n, longest, want)
				}
			}
		}
	})
}

// viewOf returns the view of the text data[from:to].
func viewOf(data []byte, from, to, block uint32) (view [16]byte) {
	b := binary.LittleEndian.AppendUint32(nil, to-from)
	if text := data[from:to]; len(text) <= simd.InlineText {
		b = append(b, text...)
	} else {
		b = append(b, text[:4]...)
		b = binary.LittleEndian.AppendUint32(b, block)
		b = binary.LittleEndian.AppendUint32(b, from)
	}
	copy(view[:], b)
	return view
}
