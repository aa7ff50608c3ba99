package kernel

import (
	"slices"
	"unsafe"
)

// maxDigit is how many bits of the key one pass of the radix sort looks at, at most.
const maxDigit = 11

// radix orders the words of a window by two counting passes over the first bits of their keys: about the same cost for any
// number of runs. Words with more key bits than two digits come out nearly in order, and a last pass puts them right.
type radix struct {
	low, high [1 << maxDigit]uint32
}

// sort returns the words in merged order in dst. scratch and dst are as long as words.
func (r *radix) sort(words, scratch, dst []uint64, form wordForm) {
	used := min(form.keyBits, 2*maxDigit)
	lowBits := (used + 1) / 2
	shift := uint(form.idxBits + form.keyBits - used)
	shiftHigh := shift + uint(lowBits)
	clear(r.low[:])
	clear(r.high[:])
	mask := uint64(1)<<lowBits - 1
	r.count(words, shift, shiftHigh, mask)
	exclusiveSum(r.low[:])
	exclusiveSum(r.high[:])
	scatter(&r.low, words, scratch, shift, mask)
	scatter(&r.high, scratch, dst, shiftHigh, 1<<maxDigit-1)
	if used < form.keyBits {
		repairOrder(dst)
	}
}

// count counts the digits of all words. A sorted run repeats its high digit: four quarters are walked together, so as not to
// wait for the same counter again and again.
//
//go:noinline
func (r *radix) count(words []uint64, shift, shiftHigh uint, mask uint64) {
	const cut = 1<<maxDigit - 1
	shift, shiftHigh = shift&63, shiftHigh&63
	q := len(words) / 4
	w1, w2, w3 := words[q:2*q], words[2*q:3*q], words[3*q:4*q]
	for i, a := range words[:q] {
		b, c, d := w1[i], w2[i], w3[i]
		r.low[a>>shift&mask&cut]++
		r.low[b>>shift&mask&cut]++
		r.low[c>>shift&mask&cut]++
		r.low[d>>shift&mask&cut]++
		r.high[a>>shiftHigh&cut]++
		r.high[b>>shiftHigh&cut]++
		r.high[c>>shiftHigh&cut]++
		r.high[d>>shiftHigh&cut]++
	}
	for _, x := range words[4*q:] {
		r.low[x>>shift&mask&cut]++
		r.high[x>>shiftHigh&cut]++
	}
}

// scatter puts every word behind those of smaller digits. It is a function of its own because the loop needs every register.
//
//go:noinline
func scatter(next *[1 << maxDigit]uint32, words, out []uint64, shift uint, mask uint64) {
	p := unsafe.Pointer(unsafe.SliceData(out))
	for _, w := range words {
		d := w >> (shift & 63) & mask & (1<<maxDigit - 1)
		at := next[d]
		next[d] = at + 1
		*(*uint64)(unsafe.Add(p, uintptr(at)*8)) = w
	}
}

func exclusiveSum(c []uint32) {
	sum := uint32(0)
	for i, x := range c {
		c[i] = sum
		sum += x
	}
}

// repairOrder is insertion sort for nearly sorted words; words that are far from it exhaust its budget and are sorted.
func repairOrder(w []uint64) {
	budget := 2 * len(w)
	for i := 1; i < len(w); i++ {
		x := w[i]
		if w[i-1] <= x {
			continue
		}
		j := i
		for ; j > 0 && w[j-1] > x; j-- {
			w[j] = w[j-1]
		}
		w[j] = x
		if budget -= i - j; budget < 0 {
			slices.Sort(w)
			return
		}
	}
}
