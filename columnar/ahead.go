package columnar

import "github.com/braidmerge/braid/simd"

// ahead is the memory that the next column will be staged from. It is asked for part by part while the values of the column at hand
// are taken, so that it is near when they are done.
type ahead struct {
	slices [][]byte
	next   int // slices before it have been asked for
	bytes  int // in all slices
	part   int // bytes asked for at a time
}

const (
	aheadRows  = 256     // taken for every part
	aheadSlice = 1 << 10 // rows that slices have at most, on average: the processor goes ahead in longer ones by itself
)

// Expect says which column will be staged next; nil is none.
func (s *Staged) Expect(w *Shape) {
	a := &s.ahead
	clear(a.slices)
	a.slices, a.next, a.bytes = a.slices[:0], 0, 0
	if w == nil || w.Room > len(w.Pieces)*aheadSlice {
		return
	}
	for i := range w.Pieces {
		if p := &w.Pieces[i]; !p.Skip && p.Rows() > 0 {
			a.add(p)
		}
	}
}

// add adds what staging a piece reads, but for its validity, which is little.
func (a *ahead) add(p *Piece) {
	switch v := p.View; v.Layout.Form {
	case FormFixed:
		a.addSlice(v.fixed[p.From*v.Layout.Width : p.To*v.Layout.Width])
	case FormText32:
		a.addSlice(bytesIn(v.off32[p.From : p.To+1]))
		if from, to := v.ends(p.From, p.To); p.checkEnds(p.From, p.To) == nil {
			a.addSlice(v.data[from:to])
		}
	}
}

func (a *ahead) addSlice(b []byte) {
	a.slices = append(a.slices, b)
	a.bytes += len(b)
}

// divide returns how many of n rows are taken at a time: all, if nothing is expected.
func (a *ahead) divide(n int) (rows int) {
	if a.next == len(a.slices) {
		return n
	}
	a.part = a.bytes/(n/aheadRows+1) + 64
	return aheadRows
}

// warm asks for the next part.
func (a *ahead) warm() {
	for left := a.part; left > 0 && a.next < len(a.slices); {
		b := a.slices[a.next]
		if len(b) > left {
			simd.Warm(b[:left])
			a.slices[a.next] = b[left:]
			return
		}
		simd.Warm(b)
		left -= len(b)
		a.next++
	}
}
