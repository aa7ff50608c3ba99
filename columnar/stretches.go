package columnar

import "github.com/braidmerge/braid/simd"

// copyFixed is takeFixed for the selection that s.stretches are.
func (s *Staged) copyFixed(dst []byte) {
	staged, width := bytesIn(s.fixed), s.layout.Width
	for _, t := range s.stretches {
		dst = dst[copy(dst, staged[int(t.Row)*width:int(t.Row+t.Rows)*width]):]
	}
}

// copyOffsets is takeOffsets for the selection that s.stretches are.
func copyOffsets[O simd.Offset](out []O, s *Staged) int {
	at, next, total := O(0), 0, 0
	for _, t := range s.stretches {
		off := s.off[t.Row : t.Row+t.Rows+1]
		add := at - O(off[0])
		for i, o := range off[:t.Rows] {
			out[next+i] = O(o) + add
		}
		at, next = O(off[t.Rows])+add, next+int(t.Rows)
		total += int(off[t.Rows] - off[0])
	}
	out[next] = at
	return total
}

// copyStretchTexts is copyTexts for the selection that s.stretches are.
func (s *Staged) copyStretchTexts(dst []byte) {
	for _, t := range s.stretches {
		dst = dst[copy(dst, s.data[s.off[t.Row]:s.off[t.Row+t.Rows]]):]
	}
}
