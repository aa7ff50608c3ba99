package simd

// Where many words in a row come from one input, a step of a chain copies eight of that and counts how many come before the next word of the
// other input. What was copied beyond these is written over by the steps that follow:
//
//	many   10 11 12 15 16 17 18 19      few  14
//	out    10 11 12 14 16 17 18 19      three, and the next of the few behind them
//	                   15 16 17 ...     the next step goes on here

// fewStride is that of mergeFewTier: a is few and b many words.
var fewStride = stride{a: 1, b: 8, out: 9}

// stretchStride is that of mergeStretchesTier.
var stretchStride = stride{a: 8, b: 8, out: 8}

// fewShare is how many times more words b has than a where they are few and many.
const fewShare = 3

// mergeFew merges few words a into many words b, but for what it leaves to finish. It returns false where nothing has been done.
func (c *chains) mergeFew(out, a, b []uint64) (done bool) {
	for n := c.steps(a, b, fewStride); n > 0; n = c.steps(a, b, fewStride) {
		if !mergeFewTier(out, a, b, c, n) {
			return false
		}
	}
	return true
}

// mergeStretches merges a and b, which have long stretches, but for what it leaves to finish. It returns false where nothing has been done.
func (c *chains) mergeStretches(out, a, b []uint64) (done bool) {
	a1, b1 := a[:len(a)-1], b[:len(b)-1] // one word is left of each
	for n := c.steps(a1, b1, stretchStride); n > 1; n = c.steps(a1, b1, stretchStride) {
		if !mergeStretchesTier(out, a, b, c, n) {
			return false
		}
	}
	return true
}

// stretchWords is for how many words it is worth while to look for stretches.
const stretchWords = 2048

// hasStretches says whether a and b, of which b is not shorter, have long stretches: whether where two of the three inner chains begin, the words that
// follow are all of one input, and so many as hardly ever follow each other by chance.
func (c *chains) hasStretches(a, b []uint64) bool {
	if len(a)+len(b) < stretchWords || len(a) == 0 {
		return false
	}
	const least = 8
	leastB, found := least*(len(b)/len(a)), 0
	for i := range 3 {
		i, j := int(c.a[i+1]), int(c.b[i+1])
		if i+least <= len(a) && (j == len(b) || a[i+least-1] < b[j]) || j+leastB <= len(b) && (i == len(a) || b[j+leastB-1] < a[i]) {
			found++
		}
	}
	return found >= 2
}
