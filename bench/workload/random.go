package workload

import "math"

// mix gives every number a random-looking one of its own (the output step of SplitMix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// unit is a number from 0 to less than 1.
func unit(h uint64) float64 { return float64(h>>11) / (1 << 53) }

// within is a number from 0 to less than n.
func within(h uint64, n int64) int64 { return int64(h % uint64(n)) }

// binomial is how often something of probability p happens in n tries, by inversion. It is for small n.
func binomial(h uint64, n int, p float64) int {
	if p >= 1 {
		return n
	}
	u := unit(h)
	at := math.Pow(1-p, float64(n))
	for count := 0; ; count++ {
		if u < at || count == n {
			return count
		}
		u -= at
		at *= float64(n-count) / float64(count+1) * p / (1 - p)
	}
}

// solve finds the x between two bounds at which a rising function reaches the goal.
func solve(low, high, goal float64, f func(float64) float64) float64 {
	for range 100 {
		if x := (low + high) / 2; f(x) < goal {
			low = x
		} else {
			high = x
		}
	}
	return (low + high) / 2
}
