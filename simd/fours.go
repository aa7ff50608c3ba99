package simd

// Four words at a step: a chain holds the four greatest words of those it has read. It reads four more of the input whose next word is the
// lesser one, writes the four least of the eight and holds the others:
//
//	a  1 4 6 9 | 20 21 ..      held   1  4  6  9      next words 20 and 2: four of b
//	b  2 3 7 8 | 11 14 ..      write  1  2  3  4
//	                           held   6  7  8  9      next words 20 and 11: four of b
//
// No word that is yet to be read is less than one that is written: where the next word of a is the lesser one, words of b above it can only
// be among the last four that were read of b, which were read when their first was less than the next of a, or to begin with. mergeSteps says
// what comes out.

// MergesFours says whether MergeWords merges four words at a step, which takes three fifths to three quarters of the time of one at a step.
func MergesFours() bool { return mergesFours() }

// fours are four chains, and what they hold. The words held have been read and are not written yet.
type fours struct {
	chains
	held [4][4]uint64 // each in the order 2 3 0 1
}

// fourStride is how many words a step of four words reads at most of an input, and how many it writes.
var fourStride = stride{a: 4, b: 4, out: 4}

// fewestSteps is how many steps of four words have to be ahead for them to be worth their beginning.
const fewestSteps = 4

// mergeFours merges four words at a step, but for what it leaves to be merged.
func (c *chains) mergeFours(out, a, b []uint64) {
	if c.steps(a, b, fourStride) <= fewestSteps || !MergesFours() {
		return
	}
	f := fours{chains: *c}
	for i := range f.held {
		from := f.a[i]
		f.held[i] = [4]uint64{a[from+2], a[from+3], a[from], a[from+1]}
		f.a[i] += 4
	}
	for n := f.steps(a, b, fourStride); n >= fewestSteps && mergeFoursTier(out, a, b, &f, n); {
		n = f.steps(a, b, fourStride)
	}
	*c = f.giveBack(a, b)
}

// giveBack returns where the chains are without the words they hold, which are the last of what has been read.
func (f *fours) giveBack(a, b []uint64) chains {
	c := f.chains
	for i := range c.a {
		for range f.held[i] {
			if c.b[i] == 0 || c.a[i] > 0 && a[c.a[i]-1] > b[c.b[i]-1] {
				c.a[i]--
			} else {
				c.b[i]--
			}
		}
	}
	return c
}
