package simd

import (
	"unsafe"

	"github.com/braidmerge/braid/internal/cputier"
)

// FastLoop is a verb that some tiers have a faster loop for.
type FastLoop struct {
	Tier string      // the function that chooses the loop
	Has  func() bool // whether the level in use is to have a faster one
	Ran  func() bool // whether it does rows that are enough for it
}

// FastLoops are all of them. It says once more what the functions that choose decide, so that none stops choosing unseen.
var FastLoops = func() []FastLoop {
	ints, ones, words := make([]int64, 64), make([]int64, 64), make([]uint64, 64)
	numbers, offsets, selection := make([]uint32, 64), make([]int32, 65), make([]uint32, 64)
	text, views := make([]byte, 256), make([]TextView, 4)
	texts := Texts{Off: make([]uint32, 65), Places: new([MaxPlaces]Place), Owners: make([]uint8, 8)}
	texts.Places[0].Text = unsafe.Pointer(&text[0])
	digits := NewPacker(0x0f0f0f0f0f0f0f0f)
	four := NewFour(0, 4)
	four.Add(0, &digits)
	pattern := Pattern{}
	pattern.Clear(8)
	pattern.Add(0, 0, &digits)
	starts := []uint32{4, 4, 4, 4, 4}

	blocks, tie := []unsafe.Pointer{unsafe.Pointer(&words[0])}, Ties{Words: words, At: []uint32{1}}

	vectors := func() bool { return cputier.HasAVX2() || cputier.HasNEON() }
	return []FastLoop{
		{"lessTier", vectors, func() bool { return lessTier(words, ints, ones) == 1 }},
		{"lessThanTier", vectors, func() bool { return lessThanTier(words, ints, 1) == 1 }},
		{"greaterThanTier", vectors, func() bool { return greaterThanTier(words, ints, 1) == 1 }},
		{"equalTier", vectors, func() bool { return equalTier(words, ints, ones) == 1 }},
		{"equalToTier", vectors, func() bool { return equalToTier(words, ints, 1) == 1 }},
		{"addTier", vectors, func() bool { n, _ := addTier(ints, ints, ones); return n == 64 }},
		{"addConstantTier", vectors, func() bool { n, _ := addConstantTier(ints, ints, 0); return n == 64 }},
		{"subtractTier", vectors, func() bool { n, _ := subtractTier(ints, ints, ones); return n == 64 }},
		{"blend32Tier", vectors, func() bool { return blend32Tier(numbers, numbers, numbers, words[:1]) == 1 }},
		{"blend64Tier", vectors, func() bool { return blend64Tier(words, words, words, words[:1]) == 1 }},
		{"turnTier", vectors, func() bool { return turnTier(new([8]uint64), (*[64]byte)(text)) }},
		{"rebaseTier", vectors, func() bool { _, n := rebaseTier(make([]uint32, 65), offsets, 0); return n == 65 }},
		{"lengthsTier", vectors, func() bool { _, _, _, n := lengthsTier(offsets); return n == 65 }},
		{"viewsTier", vectors, func() bool { _, n := viewsTier(views, starts, text, 0); return n == 4 }},
		{"differ4Tier", vectors, func() bool { return differ4Tier(text, offsets, 0, new([4]uint64), new([4]uint64)) }},
		{"mergeFoursTier", cputier.HasAVX2, func() bool {
			return mergeFoursTier(words, words, words, &fours{chains: chains{a: [4]uintptr{4, 4, 4, 4}}}, 1)
		}},
		{"mergeFewTier", cputier.HasAVX2, func() bool { return mergeFewTier(words, words, words, &chains{}, 1) }},
		{"mergeStretchesTier", cputier.HasAVX2, func() bool { return mergeStretchesTier(words, words, words, &chains{}, 1) }},
		{"selectEndsTier", cputier.HasAVX2, func() bool { n, _ := selectEndsTier(numbers, make([]uint64, 128), 64, 10); return n == 64 }},
		{"selectEndsKeysTier", cputier.HasAVX2, func() bool {
			n, _ := selectEndsKeysTier(numbers, words, make([]uint64, 128), 64, 10)
			return n == 64
		}},
		{"selectBitsTier", cputier.HasAVX2, func() bool {
			n, _ := selectBitsTier(selection, words[:1], make([]uint64, 64), 10)
			return n == 1
		}},
		{"sumGroupsTier", cputier.HasAVX2, func() bool { _, n, _, _ := sumGroupsTier(ints, ones, words); return n == 64 }},
		{"minGroupsTier", cputier.HasAVX2, func() bool { _, n, _ := minGroupsTier(ints, ones, words, 0); return n == 64 }},
		{"maxGroupsTier", cputier.HasAVX2, func() bool { _, n, _ := maxGroupsTier(ints, ones, words, 0); return n == 64 }},
		{"addToTier", cputier.HasAVX2, func() bool { n, _ := addToTier(ints, blocks, selection, selection); return n == 64 }},
		{"minToTier", cputier.HasAVX2, func() bool { return minToTier(ints, blocks, selection, selection) == 64 }},
		{"maxToTier", cputier.HasAVX2, func() bool { return maxToTier(ints, blocks, selection, selection) == 64 }},
		{"groupsOfTier", cputier.HasAVX2, func() bool { n, _, _ := groupsOfTier(selection, words[:1], words[:1]); return n == 1 }},
		{"groupEndsTier", vectors, func() bool { _, n := groupEndsTier(words, make([]uint64, 128), 64, 10); return n == 64 }},
		{"unpackTier", vectors, func() bool { return unpackTier(text, text, 3, 130) == 128 }},
		{"orBitsTier", vectors, func() bool { return orBitsTier(text, text, 3, 130, 5) == 128 }},
		{"takePlacesTier", cputier.HasAVX2, func() bool { return takePlacesTier(&texts, text, selection) }},
		{"unequalTier", cputier.HasAVX2, func() bool { _, done := unequalTier(&texts, make([]uint8, 1), &tie); return done }},
		{"takeWideTier", cputier.HasAVX2, func() bool { return takeWideTier(&Blocks{blocks, 4}, text, selection) }},
		{"unequalWideTier", cputier.HasAVX2, func() bool {
			_, done := unequalWideTier(&Blocks{blocks, 4}, make([]uint8, 1), &tie, 0)
			return done
		}},
		{"findTiesTier", cputier.HasAVX2, func() bool { n, _ := findTiesTier(numbers, words, 0); return n == 60 }},
		{"takeBlocksTier", cputier.HasAVX2, func() bool { return takeBlocksTier(unsafe.Pointer(&words[0]), blocks, selection, 8, ShareMost) == 64 }},
		{"warmTier", cputier.HasAVX2, func() bool { return warmTier(text) }},
		{"packTextsTier", cputier.HasFastPDEP, func() bool { return packTextsTier(&digits, words, text, offsets, 0, 0, new(uint64)) }},
		{"packPaddedTier", cputier.HasFastPDEP, func() bool { return packPaddedTier(&digits, words, text, offsets, 0, 0, new(uint64)) }},
		{"packFourTier", cputier.HasFastPDEP, func() bool { return packFourTier(&four, words, text, offsets, false) }},
		{"putNumbersTier", cputier.HasAVX2, func() bool { return putNumbersTier(words, words, &KeyPart{}) == 64 }},
		{"combineTier", cputier.HasAVX2, func() bool { return combineTier(words, []KeyBits{{Integers: words}}, 0, 0) == 64 }},
		{"ascendTier", cputier.HasAVX2, func() bool { return ascendTier([]uint64{1, 2, 3, 4, 5, 6, 7, 8, 9}, 0) == 8 }},
		{"putWordsTier", cputier.HasAVX2, func() bool {
			n, _ := putWordsTier(words, unsafe.Pointer(&ints[0]), 8, true, KeyWords{}, 0)
			return n == 61
		}},
		{"normals64Tier", cputier.HasAVX2, func() bool { return normals64Tier(words, ints, 0, new(Span)) == 64 }},
		{"normals32Tier", cputier.HasAVX2, func() bool { return normals32Tier(words, offsets[:64], 0, new(Span)) == 64 }},
		{"putPatternTier", cputier.HasFastPDEP, func() bool { return putPatternTier(&pattern, text, words[:4], 0) }},
		{"extractTier", cputier.HasFastPDEP, func() bool { return extractTier(words, words, words) }},
	}
}()

// HasStretches says whether a merge of a and b, of which b is not shorter, copies stretches.
func HasStretches(a, b []uint64) bool {
	c := newChains(a, b)
	return c.hasStretches(a, b)
}
