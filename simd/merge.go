package simd

import (
	"math/bits"
	"unsafe"
)

// MergeWords merges the ascending words a and b into out, which must be as long as both together. The three may be parts
// of one allocation, but out must not overlap the others. All words must be distinct and below 1<<63.
func MergeWords(out, a, b []uint64) {
	out = out[:len(a)+len(b)]
	if len(a) > len(b) {
		a, b = b, a
	}
	switch {
	case len(a) < len(b)/sparse:
		mergeSparse(out, a, b)
		return
	case len(out) < fewestWords:
		mergeTail(out, a, b)
		return
	}
	c := newChains(a, b)
	switch {
	case c.hasStretches(a, b) && c.mergeStretches(out, a, b):
	case len(a) <= len(b)/fewShare && c.mergeFew(out, a, b):
	default:
		c.merge(out, a, b)
	}
	c.finish(out, a, b)
}

// fewestWords is from how many words on four chains are faster than one.
const fewestWords = 64

// sparse is how many times more words one list has than the other where those of the other are looked up in it one by one.
const sparse = 256

// mergeSparse merges few words a into many words b. What lies between two of the few is copied.
func mergeSparse(o, a, b []uint64) {
	for _, x := range a {
		n := copy(o, b[:below(b, x)])
		o[n] = x
		o, b = o[n+1:], b[n:]
	}
	copy(o, b)
}

// below returns how many words are below x, looking further and further from the first on.
func below(words []uint64, x uint64) int {
	lo, step := 0, 1
	for lo+step <= len(words) && words[lo+step-1] < x {
		lo += step
		step *= 2
	}
	hi := min(lo+step-1, len(words))
	for lo < hi {
		if m := (lo + hi) >> 1; words[m] < x {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo
}

// coRank splits the first d words of the merge of a and b: how many come from each.
func coRank(a, b []uint64, d int) (int, int) {
	lo, hi := max(0, d-len(b)), min(d, len(a))
	for lo < hi {
		m := (lo + hi) >> 1
		if a[m] <= b[d-1-m] {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo, d - lo
}

// chains are four merges that go on side by side, one for each quarter of the output, so that no step has to wait for the one
// before it:
//
//	out  |  chain 0  |  chain 1  |  chain 2  |  chain 3  |
//	     0           q          2q          3q
//
// The next word of chain c goes to out[a[c]+b[c]] and is the lesser one of a[a[c]] and b[b[c]]. All chains have always taken as many steps.
type chains struct {
	a, b       [4]uintptr // the next words of the inputs
	endA, endB [4]uintptr // where they end
}

func newChains(a, b []uint64) (c chains) {
	n := len(a) + len(b)
	for i := range 3 {
		endA, endB := coRank(a, b, n/4*(i+1))
		c.endA[i], c.endB[i] = uintptr(endA), uintptr(endB)
		c.a[i+1], c.b[i+1] = uintptr(endA), uintptr(endB)
	}
	c.endA[3], c.endB[3] = uintptr(len(a)), uintptr(len(b))
	return c
}

// stride is how many words of a and b a step of a chain reads at most, and how many words of out it writes.
type stride struct{ a, b, out int }

// steps returns how many steps all chains have before one of them may be out of words of one input, or write where the next chain does.
func (c *chains) steps(a, b []uint64, s stride) int {
	leftA, leftB, room := len(a), len(b), len(a)+len(b)
	for i := range c.a {
		leftA, leftB = min(leftA, len(a)-int(c.a[i])), min(leftB, len(b)-int(c.b[i]))
		room = min(room, int(c.endA[i]+c.endB[i]-c.a[i]-c.b[i]))
	}
	return min(leftA/s.a, leftB/s.b, room/s.out)
}

// merge merges four words or one at a step, but for what it leaves to finish.
func (c *chains) merge(out, a, b []uint64) {
	c.mergeFours(out, a, b)
	one := stride{1, 1, 1}
	for n := c.steps(a, b, one); n > 0; n = c.steps(a, b, one) {
		mergeSteps(out, a, b, c, n)
	}
}

// mergeSteps takes n steps in every chain, two a turn, without a branch on a word: the index into b grows by the borrow of the
// comparison, that into a by what is left of the step.
func mergeSteps(out, a, b []uint64, c *chains, n int) {
	pa, pb, po := unsafe.Pointer(unsafe.SliceData(a)), unsafe.Pointer(unsafe.SliceData(b)), unsafe.Pointer(unsafe.SliceData(out))
	b0, b1, b2, b3 := c.b[0], c.b[1], c.b[2], c.b[3]
	k := c.a[0] + b0
	quarter := c.a[1] + b1 - k
	end := k + uintptr(n)
	if n&1 != 0 {
		b0 = mergeStep(pa, pb, po, k, b0)
		b1 = mergeStep(pa, pb, po, k+quarter, b1)
		b2 = mergeStep(pa, pb, po, k+2*quarter, b2)
		b3 = mergeStep(pa, pb, po, k+3*quarter, b3)
		k++
	}
	for k < end {
		b0 = mergeStep(pa, pb, po, k+1, mergeStep(pa, pb, po, k, b0))
		k += quarter
		b1 = mergeStep(pa, pb, po, k+1, mergeStep(pa, pb, po, k, b1))
		k += quarter
		b2 = mergeStep(pa, pb, po, k+1, mergeStep(pa, pb, po, k, b2))
		k += quarter
		b3 = mergeStep(pa, pb, po, k+1, mergeStep(pa, pb, po, k, b3))
		k += 2 - 3*quarter
	}
	c.a = [4]uintptr{k - b0, k + quarter - b1, k + 2*quarter - b2, k + 3*quarter - b3}
	c.b = [4]uintptr{b0, b1, b2, b3}
}

// mergeStep writes word k of the output and returns the next word of b.
func mergeStep(pa, pb, po unsafe.Pointer, k, j uintptr) uintptr {
	x, y := load[uint64](pa, k-j), load[uint64](pb, j)
	_, fromB := bits.Sub64(y, x, 0)
	store(po, k, min(x, y))
	next, _ := bits.Add64(uint64(j), 0, fromB) // the compiler keeps the borrow in the flag: CMP, ADC
	return uintptr(next)
}

// finish merges what is left of every chain.
func (c *chains) finish(out, a, b []uint64) {
	for i := range c.a {
		o, a, b := out[c.a[i]+c.b[i]:c.endA[i]+c.endB[i]], a[c.a[i]:c.endA[i]], b[c.b[i]:c.endB[i]]
		if len(o) < fewestWords {
			mergeTail(o, a, b)
		} else {
			MergeWords(o, a, b)
		}
	}
}

// mergeTail merges with one chain.
func mergeTail(o, a, b []uint64) {
	i, j, k := 0, 0, 0
	for i < len(a) && j < len(b) {
		x, y := a[i], b[j]
		_, fromB := bits.Sub64(y, x, 0)
		o[k] = min(x, y)
		k++
		j += int(fromB)
		i += int(1 - fromB)
	}
	k += copy(o[k:], a[i:])
	copy(o[k:], b[j:])
}
