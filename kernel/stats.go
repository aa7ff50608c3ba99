package kernel

import (
	"sync"
	"sync/atomic"
	"time"
)

// Stats counts what a merge has done so far.
type Stats struct {
	Runs       int        // runs given
	RowsIn     int64      // rows read
	RowsOut    int64      // rows handed out
	BytesIn    int64      // bytes of values, offsets and validity read, of the columns the merge needs
	BytesOut   int64      // the same of the rows handed out, of text in views only the views
	Windows    int64      // windows merged
	Slices     int64      // stretches passed on as slices of their input
	SlicedRows int64      // rows in them
	Groups     int64      // keys in the windows merged
	Cascaded   int64      // windows whose words were merged, two runs at a time
	Sorted     int64      // windows whose words a radix sort put in order
	Counted    int64      // windows whose words got their places by counting the rows of every key
	Paired     int64      // cascaded windows whose keys wanted two words a row
	Tied       int64      // rows whose order the words did not settle, so that whole keys were compared
	MemoryHigh int64      // most bytes held at once: inputs in hand, scratch, the record being made
	Times      StageTimes // time spent, by stage
}

// countWay counts a window by how its words were put in order.
func (s *Stats) countWay(w way) {
	switch w {
	case cascaded:
		s.Cascaded++
	case sorted:
		s.Sorted++
	case counted:
		s.Counted++
	}
}

// StageTimes is wall time by stage, of all workers together: Read waits for the inputs, Cut ends windows, Order puts their rows in merged order, Groups
// finds the keys and the order of versions, Masks applies row kinds, Columns takes values, Assemble makes records.
type StageTimes struct {
	Read, Cut, Order, Groups, Masks, Columns, Assemble time.Duration
}

// stats is Stats while they are being counted. Anyone may take a snapshot.
type stats struct {
	mu  sync.Mutex
	now Stats // guarded by mu

	held    atomic.Int64  // bytes of the batches in hand
	working atomic.Int64  // bytes of the mergers: scratch, and the records they are making
	read    time.Duration // spent waiting for inputs since it was last counted; guarded by the feed's mu
}

func (s *stats) snapshot() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// update changes the counts.
func (s *stats) update(f func(*Stats)) {
	s.mu.Lock()
	f(&s.now)
	s.mu.Unlock()
}

// input counts a batch that has been read.
func (s *stats) input(b *batch) {
	s.held.Add(b.bytes)
	s.update(func(n *Stats) {
		n.RowsIn += int64(b.rows)
		n.BytesIn += b.bytes
	})
}

// reading counts the time since begin as spent waiting for inputs.
func (s *stats) reading(begin time.Time) { s.read += time.Since(begin) }

// countCut counts the time of the cut at hand, without what it has waited for inputs on the way.
func (m *merger) countCut() {
	s := m.stats
	read := s.read
	s.read = 0
	cut := max(0, m.clock.lap()-read)
	s.update(func(n *Stats) {
		n.Times.Cut += cut
		n.Times.Read += read
	})
}

// weigh looks how much memory the merger holds, with the record just made, and returns that of the whole merge.
func (m *merger) weigh() (all int64) {
	before := m.held
	m.held = m.memory()
	return m.stats.working.Add(m.held-before) + m.stats.held.Load()
}

// count counts the memory of the whole merge.
func (m *merger) count() {
	all := m.weigh()
	m.stats.update(func(n *Stats) { n.MemoryHigh = max(n.MemoryHigh, all) })
}

// clock measures the stages of a merger, one after another.
type clock struct{ last time.Time }

// lap returns the time since the last lap.
func (c *clock) lap() time.Duration {
	now := time.Now()
	d := now.Sub(c.last)
	c.last = now
	return d
}
