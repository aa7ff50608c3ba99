package validity_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/braidmerge/braid/internal/testscale"
	"github.com/braidmerge/braid/validity"
)

// TestEncoder writes random masks and compares with the library's bytes, row by row.
func TestEncoder(t *testing.T) {
	for seed := range testscale.Seeds(t, 400) {
		rng := rand.New(rand.NewPCG(seed, 31))
		columns := 1 + rng.IntN([]int{6, 20, 200}[rng.IntN(3)])
		e := validity.NewEncoder(columns)
		for range 3 {
			e.Begin()
			masks, rows := randomMasks(rng, columns)
			numbers := make([]uint32, rows)
			e.Number(numbers, masks)
			offsets := make([]int64, rows+1)
			size, err := validity.Place(e, offsets, numbers)
			if err != nil {
				t.Fatal(err)
			}
			if offsets[rows] != size {
				t.Fatalf("seed %d: %d bytes of %d", seed, offsets[rows], size)
			}
			data := make([]byte, size)
			e.Put(data, numbers)
			for i := range rows {
				m := roaring.New()
				for c, mask := range masks {
					if mask != nil && validity.Get(mask, i) {
						m.Add(uint32(c))
					}
				}
				if got, want := data[offsets[i]:offsets[i+1]], roaringBytes(t, m); !bytes.Equal(got, want) {
					t.Fatalf("seed %d, row %d: %x, want %x", seed, i, got, want)
				}
			}
		}
	}
}

// randomMasks draws masks of columns over some rows, in which some columns come in blocks.
func randomMasks(rng *rand.Rand, columns int) (masks [][]uint64, rows int) {
	rows = 1 + rng.IntN(400)
	masks = make([][]uint64, columns)
	density, stays := rng.Float64(), rng.Float64()
	for c := range masks {
		if rng.IntN(8) == 0 {
			continue
		}
		masks[c] = make([]uint64, validity.Words(rows))
		on := rng.Float64() < density
		for i := range rows {
			if rng.Float64() > stays {
				on = rng.Float64() < density
			}
			if on {
				validity.Set(masks[c], i)
			}
		}
	}
	return masks, rows
}

// TestEncoderWide writes rows whose positions fill arrays, runs and bitmaps of several containers.
func TestEncoderWide(t *testing.T) {
	for seed := range testscale.Seeds(t, 60) {
		rng := rand.New(rand.NewPCG(seed, 32))
		m := randomBitmap(rng)
		var positions []int
		for _, p := range m.ToArray() {
			positions = append(positions, int(p))
		}
		if got, want := encoded(8<<16, positions), roaringBytes(t, m); !bytes.Equal(got, want) {
			t.Fatalf("seed %d: %d bytes, want %d", seed, len(got), len(want))
		}
	}
}

// TestEncoderForgets writes more patterns than an encoder remembers.
func TestEncoderForgets(t *testing.T) {
	const rows, columns = 20000, 70
	rng := rand.New(rand.NewPCG(4, 33))
	e, d := validity.NewEncoder(columns), validity.NewDecoder(columns)
	var most int64
	for range 4 {
		e.Begin()
		d.Begin()
		masks := make([][]uint64, columns)
		for c := range masks {
			masks[c] = make([]uint64, validity.Words(rows))
			for w := range masks[c] {
				masks[c][w] = rng.Uint64()
			}
			masks[c][len(masks[c])-1] &= 1<<(rows&63) - 1
		}
		numbers, offsets := make([]uint32, rows), make([]int32, rows+1)
		e.Number(numbers, masks)
		size, err := validity.Place(e, offsets, numbers)
		if err != nil {
			t.Fatal(err)
		}
		data := make([]byte, size)
		e.Put(data, numbers)
		if _, err := validity.Read(d.Source(identity(columns)), numbers, validity.Column[int32]{Offsets: offsets, Data: data}); err != nil {
			t.Fatal(err)
		}
		back := make([]uint64, validity.Words(rows))
		for c, mask := range masks {
			d.Mask(back, numbers, c)
			check(t, 4, "mask", back, mask)
		}
		if most == 0 {
			most = 2 * e.Bytes()
		}
		if e.Bytes() > most {
			t.Fatalf("%d bytes", e.Bytes())
		}
	}
}
