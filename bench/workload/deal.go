package workload

import (
	"math"
)

// dealer says which runs have a version of a key. It appends their numbers, rising and at least one, to runs.
type dealer func(runs []int, h uint64, p place) []int

// layouts are the ways to deal keys to runs. Each makes a dealer for a number of runs and a share, and says how many versions
// a key has on average.
var layouts = map[string]func(k int, share float64) (d dealer, versions float64){
	"uniform":   uniform,
	"stretches": stretches,
	"big":       big,
	"skewed":    skewed,
	"ordered":   ordered,
	"refresh":   refresh,
	"zipf":      zipf,
}

// versionsOf draws how many versions a key has, so that a part of all rows is superseded: each run has a key with the same
// probability, and keys that no run has do not count.
func versionsOf(k int, share float64) (draw func(h uint64) int, mean float64) {
	if share == 0 {
		return func(uint64) int { return 1 }, 1
	}
	mean = 1 / (1 - share)
	kept := func(p float64) float64 { return float64(k) * p / (1 - math.Pow(1-p, float64(k))) }
	p := solve(1e-9, 1, mean, kept)
	none := math.Pow(1-p, float64(k))
	return func(h uint64) int {
		u := none + unit(h)*(1-none) // a number of a distribution that cannot be 0
		at := none
		for count := 0; ; count++ {
			if u < at || count == k {
				return max(1, count)
			}
			u -= at
			at *= float64(k-count) / float64(count+1) * p / (1 - p)
		}
	}, mean
}

// choose appends n different numbers from first to below k, in order.
func choose(runs []int, n, first, k int, h uint64) []int {
	from := len(runs)
	for left := k - first; n > 0; left-- { // each number in turn is taken with the probability that is left for it
		h = mix(h)
		if h%uint64(left) < uint64(n) {
			runs = append(runs, k-left)
			n--
		}
	}
	return runs[:max(from, len(runs))]
}

// uniform deals every version to any run.
func uniform(k int, share float64) (dealer, float64) {
	draw, mean := versionsOf(k, share)
	return func(runs []int, h uint64, p place) []int { return choose(runs, draw(h), 0, k, mix(h)) }, mean
}

// stretches deals a hundred keys in a row to the same runs.
func stretches(k int, share float64) (dealer, float64) {
	draw, mean := versionsOf(k, share)
	return func(runs []int, _ uint64, p place) []int {
		h := mix(uint64(p.key/100) + 1<<50)
		return choose(runs, draw(h), 0, k, mix(h))
	}, mean
}

// big has every key in the first run, the other runs hold later versions. With nothing superseded the first run has nine rows
// in ten.
func big(k int, share float64) (dealer, float64) {
	if k == 1 {
		return uniform(k, share)
	}
	if share == 0 {
		return func(runs []int, h uint64, _ place) []int {
			if unit(h) < 0.9 {
				return append(runs, 0)
			}
			return append(runs, 1+int(within(mix(h), int64(k-1))))
		}, 1
	}
	mean := 1 / (1 - share)
	chance := (mean - 1) / float64(k-1)
	return func(runs []int, h uint64, _ place) []int {
		return choose(append(runs, 0), binomial(h, k-1, chance), 1, k, mix(h))
	}, mean
}

// skewed is big with runs behind the first that shrink: run i has a share of 1/i of their versions. With few of these, that is the table
// whose lower levels have been compacted: of four runs and a share of 0.1 they have 90, 5.5, 2.7 and 1.8 % of the rows.
func skewed(k int, share float64) (dealer, float64) {
	if k == 1 {
		return uniform(k, share)
	}
	chances := func(scale float64) (chances []float64, sum float64) {
		for i := range k - 1 {
			p := min(1, scale/float64(i+1))
			chances, sum = append(chances, p), sum+p
		}
		return chances, sum
	}
	if share == 0 {
		weights, all := chances(1)
		return func(runs []int, h uint64, _ place) []int {
			if unit(h) < 0.9 {
				return append(runs, 0)
			}
			run, u := 1, unit(mix(h))*all
			for ; run < k-1 && u >= weights[run-1]; run++ {
				u -= weights[run-1]
			}
			return append(runs, run)
		}, 1
	}
	mean := 1 / (1 - share)
	inRun, _ := chances(solve(0, float64(k), mean-1, func(scale float64) float64 { _, sum := chances(scale); return sum }))
	return func(runs []int, h uint64, _ place) []int {
		runs = append(runs, 0)
		for i, p := range inRun {
			if h = mix(h); unit(h) < p {
				runs = append(runs, i+1)
			}
		}
		return runs
	}, mean
}

// ordered deals keys to runs in their order, so that runs do not overlap. Further versions are in the runs before or behind.
func ordered(k int, share float64) (dealer, float64) {
	draw, mean := versionsOf(k, share)
	return func(runs []int, h uint64, p place) []int {
		n := draw(h)
		first := min(int(p.share(int64(k))), k-n)
		for i := range n {
			runs = append(runs, first+i)
		}
		return runs
	}, mean
}

// refresh has a base and later runs, each of which brings new keys and deletes as many old ones (column sets that have row kinds say
// so). Without a share there are new keys only.
func refresh(k int, share float64) (dealer, float64) {
	if k == 1 {
		return uniform(k, share)
	}
	deleted := share / (1 - share)
	return func(runs []int, h uint64, _ place) []int {
		later := 1 + int(within(mix(h), int64(k-1)))
		switch u := unit(h); {
		case u < deleted:
			return append(runs, 0, later)
		case u < min(2*deleted, 1) || share == 0 && u < 0.1:
			return append(runs, later)
		}
		return append(runs, 0)
	}, 1 + min(deleted, 1)
}

// zipfExponent is how skewed the keys of updates are.
const zipfExponent = 0.99

// zipf has every key in the first run. The others hold updates of keys that are drawn from a Zipf distribution, whose ranks are
// scattered over the keys.
func zipf(k int, share float64) (dealer, float64) {
	if k == 1 || share == 0 {
		return big(k, share)
	}
	mean := 1 / (1 - share)
	const ranks = 1 << 20
	chance := func(rank float64, weight float64) float64 { return 1 - math.Exp(-weight*math.Pow(rank, -zipfExponent)) }
	expected := func(weight float64) float64 {
		sum, width := 0.0, 0.0
		for rank := 1.0; rank < ranks; rank += width {
			width = max(1, math.Floor(rank/64))
			sum += width * chance(rank+width/2, weight)
		}
		return 1 + float64(k-1)*sum/ranks
	}
	weight := math.Exp(solve(-30, 30, mean, func(x float64) float64 { return expected(math.Exp(x)) }))
	return func(runs []int, h uint64, _ place) []int {
		rank := 1 + float64(within(mix(h), ranks))
		return choose(append(runs, 0), binomial(h, k-1, chance(rank, weight)), 1, k, mix(h^1))
	}, mean
}
