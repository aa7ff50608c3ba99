package kernel

import "math/bits"

// pair is a word of two words, for keys whose first bits do not tell them apart: hi decides before lo.
type pair struct{ hi, lo uint64 }

// shift makes room for n more bits, at most 64.
func (p *pair) shift(n int) {
	if n == 64 {
		p.hi, p.lo = p.lo, 0
		return
	}
	p.hi = p.hi<<uint(n&63) | p.lo>>1>>(63-uint(n&63))
	p.lo <<= uint(n & 63)
}

// encodePairs makes the words of all rows and looks for one whose key is below the one before it in its run.
func (o *orderer) encodePairs(w *window) (unsorted int) {
	o.paired, w.form.parts = true, nil
	if len(o.pairs) < 3*w.rows {
		o.pairs = make([]pair, 3*w.rows+w.rows/4)
	}
	pairs := o.pairs[:w.rows]
	o.fields.combinePairs(w, pairs)
	idxBits, idxMask := w.form.idxBits, w.form.idxMask()
	for r := range w.runs() {
		run := pairs[w.starts[r]:w.starts[r+1]]
		for i := 1; i < len(run); i++ {
			a, b := run[i-1], run[i]
			if a.below(b) && (w.form.exact || !a.sameKey(b, idxBits)) {
				continue
			}
			if !a.below(b) || w.compareRows(int(a.lo&idxMask), int(b.lo&idxMask)) > 0 {
				return int(b.lo & idxMask)
			}
		}
	}
	return -1
}

func (p pair) below(q pair) bool { return p.hi < q.hi || p.hi == q.hi && p.lo < q.lo }

func (p pair) sameKey(q pair, idxBits int) bool {
	return p.hi == q.hi && p.lo>>idxBits == q.lo>>idxBits
}

// mergePairs merges the pairs of all runs and writes, for each, the number of its key bits in the window and its staged row.
func (o *orderer) mergePairs(w *window, out []uint64) {
	n := w.rows
	merged := o.pairs[2*n : 3*n]
	o.cascade.plan(w.starts)
	o.cascade.pairs(o.pairs[:n], w.starts, merged, o.pairs[n:2*n])
	idxBits, idxMask := w.form.idxBits, w.form.idxMask()
	number := uint64(0)
	for i, p := range merged {
		if i > 0 && !p.sameKey(merged[i-1], idxBits) {
			number++
		}
		out[i] = number<<idxBits | p.lo&idxMask
	}
}

// mergeTwo merges a and b from both ends at once, in two chains without a branch on their values.
func mergeTwo(out, a, b []pair) {
	i, j, x, y := 0, 0, len(a)-1, len(b)-1
	lo, hi := 0, len(out)-1
	// As long as either side has rows enough for both chains, neither can run out.
	for safe := min(len(a), len(b)) / 2; safe > 0; safe = min(x-i+1, y-j+1) / 2 {
		for range safe {
			p, q := a[i], b[j]
			fromB := lessBit(q, p)
			out[lo] = choose(p, q, fromB)
			j += int(fromB)
			i += int(1 - fromB)
			lo++

			p, q = a[x], b[y]
			fromA := lessBit(q, p)
			out[hi] = choose(q, p, fromA)
			x -= int(fromA)
			y -= int(1 - fromA)
			hi--
		}
	}
	for ; i <= x && j <= y; lo++ {
		if b[j].below(a[i]) {
			out[lo] = b[j]
			j++
		} else {
			out[lo] = a[i]
			i++
		}
	}
	lo += copy(out[lo:], a[i:x+1])
	copy(out[lo:], b[j:y+1])
}

// lessBit is 1 if p is below q, else 0.
func lessBit(p, q pair) uint64 {
	_, borrow := bits.Sub64(p.lo, q.lo, 0)
	_, borrow = bits.Sub64(p.hi, q.hi, borrow)
	return borrow
}

// choose returns p for 0 and q for 1.
func choose(p, q pair, bit uint64) pair {
	m := -bit
	return pair{p.hi ^ (p.hi^q.hi)&m, p.lo ^ (p.lo^q.lo)&m}
}
