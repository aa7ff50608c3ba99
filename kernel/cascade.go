package kernel

import "github.com/braidmerge/braid/simd"

// cascadeRuns is up to how many runs the cascade is as fast as the radix sort or faster.
const cascadeRuns = 16

// cascade merges the words of all runs, two runs at a time, depth first so that small merges stay in the nearest cache. Run i
// has words [starts[i], starts[i+1]). The result is in dst; scratch is as long.
func cascade(words []uint64, starts []int32, dst, scratch []uint64) {
	runs := len(starts) - 1
	switch runs {
	case 1:
		copy(dst, words[starts[0]:starts[1]])
	case 2:
		simd.MergeWords(dst, words[starts[0]:starts[1]], words[starts[1]:starts[2]])
	default:
		half := runs / 2
		n := starts[half] - starts[0]
		cascade(words, starts[:half+1], scratch[:n], dst[:n])
		cascade(words, starts[half:], scratch[n:], dst[n:])
		simd.MergeWords(dst, scratch[:n], scratch[n:])
	}
}
