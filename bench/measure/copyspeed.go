package measure

// copyBytes is how much is copied to measure: more than caches hold.
const copyBytes = 256 << 20

// CopySpeed returns how many bytes a second this process copies from memory to memory, in processor time: the best of some rounds.
func CopySpeed() float64 {
	from, to := make([]byte, copyBytes), make([]byte, copyBytes)
	for i := 0; i < copyBytes; i += 4096 {
		from[i], to[i] = 1, 1 // pages are there before the clock runs
	}
	best := 0.0
	for range 5 {
		before := CPU()
		for at := 0; at < copyBytes; at += 1 << 20 {
			copy(to[at:at+1<<20], from[at:at+1<<20])
		}
		if took := CPU() - before; took > 0 {
			best = max(best, copyBytes/took.Seconds())
		}
	}
	return best
}
