package simd_test

import (
	"bytes"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/braidmerge/braid/simd"
)

// randomPart is a part of keys somewhere among their bits, of at most so many bits.
func randomPart(rng *rand.Rand, most int) simd.KeyPart {
	width := rng.IntN(most + 1)
	return simd.KeyPart{Shift: rng.IntN(64 - width), Mask: 1<<width - 1, Unit: rng.Uint64() >> rng.IntN(64), Base: rng.Uint64()}
}

func randomKeys(rng *rand.Rand, n int) []uint64 {
	keys := make([]uint64, n)
	for i := range keys {
		keys[i] = rng.Uint64()
	}
	return keys
}

// number is what a part has of a key.
func number(key uint64, p simd.KeyPart) uint64 { return (key >> p.Shift) & p.Mask }

func testPutNumbers[T uint8 | uint16 | uint32 | uint64](t *testing.T) {
	everyTier(t, func(t *testing.T) {
		ins, outs := newFence(t, 1<<20), newFence(t, 1<<20)
		for _, n := range lengths() {
			rng := rand.New(rand.NewPCG(uint64(n), 14))
			p, ranks := randomPart(rng, 63), randomPart(rng, 8)
			keys := fencedCopy(ins, randomKeys(rng, n))
			dst := fenced[T](outs, n)
			simd.PutNumbers(dst, keys, p)
			for i, key := range keys {
				if want := T(number(key, p)*p.Unit + p.Base); dst[i] != want {
					t.Fatalf("%d keys: number %d is %d, want %d", n, i, dst[i], want)
				}
			}
			if !outs.intact() {
				t.Fatalf("%d keys: written before the slice", n)
			}
			var values [simd.MaxRanked]T
			for i := range values {
				values[i] = T(rng.Uint64())
			}
			simd.PutRanked(dst, keys, ranks, &values)
			for i, key := range keys {
				if want := values[number(key, ranks)]; dst[i] != want {
					t.Fatalf("%d keys: ranked value %d is %d, want %d", n, i, dst[i], want)
				}
			}
		}
	})
}

func TestPutNumbers(t *testing.T) {
	t.Run("8", testPutNumbers[uint8])
	t.Run("16", testPutNumbers[uint16])
	t.Run("32", testPutNumbers[uint32])
	t.Run("64", testPutNumbers[uint64])
}

func TestPutRankedTexts(t *testing.T) {
	outs := newFence(t, 1<<16)
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 15))
		var ranked simd.RankedTexts
		texts, longest := make([][]byte, simd.MaxRanked), []int{8, simd.MaxRankedText}[rng.IntN(2)]
		for i := range texts {
			texts[i] = make([]byte, rng.IntN(longest+1))
			for j := range texts[i] {
				texts[i][j] = byte(rng.Uint32())
			}
			ranked.Set(i, texts[i])
		}
		keys, p := randomKeys(rng, rng.IntN(300)), randomPart(rng, 8)
		want, offsets := []byte{}, []int32{0}
		for _, key := range keys {
			want = append(want, texts[number(key, p)]...)
			offsets = append(offsets, int32(len(want)))
		}
		got := make([]int32, len(keys)+1)
		if size := simd.RankedOffsets(got, keys, p, &ranked); size != len(want) || !slices.Equal(got, offsets) {
			t.Fatalf("seed %d: offsets up to %d, want %d", seed, size, len(want))
		}
		dst := fenced[byte](outs, len(want)+simd.Slack)
		simd.PutRankedTexts(dst, keys, p, &ranked)
		if !bytes.Equal(dst[:len(want)], want) || !outs.intact() {
			t.Fatalf("seed %d: byte %d of %d differs", seed, firstDifference(dst[:len(want)], want), len(want))
		}
	}
}

func TestPattern(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		outs, list := newFence(t, 1<<16), masks(rand.New(rand.NewPCG(3, 3)))
		for seed := range uint64(400) {
			rng := rand.New(rand.NewPCG(seed, 16))
			size, count := rng.IntN(simd.MaxPattern+1), 0
			var pattern simd.Pattern
			pattern.Clear(size)
			var bases, varying []uint64
			for at := 0; at < size; at += 8 {
				base, mask := rng.Uint64(), uint64(0)
				for rng.IntN(3) > 0 && mask == 0 && count < 50 {
					mask = list[rng.IntN(len(list))]
				}
				if left := size - at; left < 8 {
					behind := ^uint64(0) >> (8 * left)
					base, mask = base&^behind, mask&^behind
				}
				packer := simd.NewPacker(mask)
				if count += bits.OnesCount64(mask); count > 64 {
					count -= bits.OnesCount64(mask)
					mask, packer = 0, simd.NewPacker(0)
				}
				pattern.Add(at, base, &packer)
				bases, varying = append(bases, base), append(varying, mask)
			}
			shift := rng.IntN(65 - max(count, 1))
			keys := randomKeys(rng, rng.IntN(100))
			dst := fenced[byte](outs, len(keys)*size+simd.MaxPattern)
			pattern.Put(dst, keys, shift)
			for i, key := range keys {
				got, integer := dst[i*size:(i+1)*size], uint64(0)
				for w := range bases {
					x := paddedWord(got, 8*w)
					if integer = packed(integer, x, varying[w]); x&^varying[w] != bases[w]&^varying[w] {
						t.Fatalf("seed %d: word %d of text %d is %x, want %x outside of %x", seed, w, i, x, bases[w], varying[w])
					}
				}
				if want := key >> shift & (1<<count - 1); integer != want {
					t.Fatalf("seed %d: text %d is %x, which has the bits %x, want %x", seed, i, got, integer, want)
				}
				if text := pattern.Text(key >> shift); !bytes.Equal(text[:size], got) || !bytes.Equal(text[size:], make([]byte, simd.MaxPattern-size)) {
					t.Fatalf("seed %d: alone text %d is %x, among others %x", seed, i, text, got)
				}
			}
			if !outs.intact() {
				t.Fatalf("seed %d: written before the slice", seed)
			}
		}
	})
}
