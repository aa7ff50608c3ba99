package cells

import "slices"

// Tiers are the processor tiers, from the least.
var Tiers = []string{"portable", "neon", "avx2", "avx512"}

// BestTier returns the best tier that this library was measured with, nothing if it was not measured.
func BestTier(lines []Line) string {
	best := -1
	for _, l := range lines {
		if l.System == System {
			best = max(best, slices.Index(Tiers, l.Tier))
		}
	}
	if best < 0 {
		return ""
	}
	return Tiers[best]
}

// Plain returns the lines but for those of merges of this library with other output than that of all systems: views of text, or
// records in pooled memory.
func Plain(lines []Line) []Line {
	return slices.DeleteFunc(slices.Clone(lines), func(l Line) bool { return l.Pooled || l.Views })
}

// Latest returns the last line of every subject, of results in order and of those in none.
func Latest(lines []Line) []Line {
	type about struct {
		Subject
		ordered bool
	}
	last := map[about]int{}
	for i, l := range lines {
		last[about{l.Subject(), l.Ordered}] = i
	}
	var latest []Line
	for i, l := range lines {
		if last[about{l.Subject(), l.Ordered}] == i {
			latest = append(latest, l)
		}
	}
	return latest
}

// AtBest returns the lines of other systems, and those of this library at its best tier.
func AtBest(lines []Line) []Line {
	tier := BestTier(lines)
	return slices.DeleteFunc(slices.Clone(lines), func(l Line) bool { return l.System == System && l.Tier != tier && l.Timed() })
}
