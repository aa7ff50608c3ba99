package measure

import "slices"

// Spread is what a figure was in several rounds.
type Spread struct {
	Min    float64 `json:"min"`
	Median float64 `json:"median"`
	Max    float64 `json:"max"`
}

// SpreadOf returns the spread of figures, of which there must be one at least. The median of an even number is the lower one of the middle
// two, so that it is a round that took place.
func SpreadOf(figures []float64) Spread {
	sorted := slices.Sorted(slices.Values(figures))
	return Spread{Min: sorted[0], Median: sorted[(len(sorted)-1)/2], Max: sorted[len(sorted)-1]}
}

// MedianRound returns which of the figures is the median.
func MedianRound(figures []float64) int { return slices.Index(figures, SpreadOf(figures).Median) }
