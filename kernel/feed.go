package kernel

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/braidmerge/braid/internal/cputier"
	"github.com/braidmerge/braid/internal/invariants"
	"github.com/braidmerge/braid/simd"
)

// feed reads the runs of a merge and cuts windows out of them, one after another, for one or several mergers that work on them
// at the same time. Whoever calls a method holds mu, but for close, which comes when all mergers have ended.
//
//	runs --> feed --> window 0 --> merger a --> record 0
//	             `--> window 1 --> merger b --> record 1 ...
type feed struct {
	mu      sync.Mutex
	in      *inputs
	cfg     *config
	stats   *stats
	cutter  cutter
	maxRows int  // that a record may have
	slices  bool // rows without a rival may be passed on as they are
	shrunk  int  // how often windows have been made smaller for want of memory
	mergers []*merger

	turns []*turn // windows that have been cut and are not finished, nor are all before them, in their order
	spare []*turn
}

// turn is a window that has been cut out of the runs.
type turn struct {
	used     []usedBatch // batches the runs have no more rows of, which this and earlier windows may still read
	finished bool
}

// newFeed makes the feed of a merge and its mergers.
func newFeed(p *Plan, runs []Run, output []int, c *config, s *stats) (*feed, error) {
	f := &feed{in: p.inputs(output), cfg: c, stats: s, maxRows: math.MaxInt}
	if err := f.addMergers(p, output); err != nil {
		f.in.release()
		return nil, err
	}
	f.slices = !c.copied && (p.lone || !p.merges) && c.changelog == nil
	if p.supplied >= 0 {
		f.slices = f.slices && f.mergers[0].supplied.ordered
	}
	for _, out := range f.mergers[0].output {
		encoding := f.in.at(out.place).encoding
		f.slices = f.slices && encoding.Identity()
		f.maxRows = min(f.maxRows, encoding.MaxRows())
	}
	f.addRuns(runs)
	return f, nil
}

// addMergers makes a merger for every worker.
func (f *feed) addMergers(p *Plan, output []int) error {
	if err := f.in.prepare(f.cfg.plain, f.cfg.mem); err != nil {
		return err
	}
	if f.cfg.views {
		f.in.viewTexts()
	}
	for range f.cfg.workers {
		m, err := newMerger(p, f.in, output, f.cfg, f.stats)
		if err != nil {
			return err
		}
		f.mergers = append(f.mergers, m)
	}
	return nil
}

// addRuns gives the cutter a cursor for every run.
func (f *feed) addRuns(runs []Run) {
	var turns chan struct{}
	if n := len(f.mergers); n > 1 && f.cfg.memoryLimit == 0 {
		turns = make(chan struct{}, n)
	}
	promised := false
	add := func(run Run, number int) {
		promised = promised || run.UniqueKeys
		f.cutter.cursors = append(f.cutter.cursors, &cursor{run: run, number: number, in: f.in,
			source: source{files: run.Files, in: f.in, turns: turns}})
	}
	if log := f.cfg.changelog; log != nil {
		f.maxRows /= 3 // a window gives two changes a row, of which a third has been looked up
		if log.Higher != nil {
			higher := *log.Higher
			higher.Level = higherLevel
			add(higher, lookedUp)
		}
	}
	for i, run := range runs {
		add(run, i)
	}
	for _, m := range f.mergers {
		m.promised = promised
	}
	f.setTarget(f.windowRows())
	f.cutter.bytes = f.cfg.batchBytes
	if f.cfg.memoryLimit > 0 {
		f.cutter.bytes = min(f.cutter.bytes, f.cfg.memoryLimit/4)
	}
	f.cutter.bytes /= int64(max(1, len(f.cutter.cursors)))
}

// windowRows is how many rows a window has at best: its words and one staged column should fit the L2 cache. Where output memory is
// used again, half as many rows keep that in the caches, too; fresh memory is in none, and costs more by the buffer.
func (f *feed) windowRows() int {
	rows := 1 << 15
	l2 := cputier.L2Bytes()
	if (l2 >= 2<<20 || l2 >= 1<<20 && f.cfg.fresh()) && !f.broad() {
		rows = 1 << 16
	}
	if invariants.Sometimes(50) {
		rows = 64
	}
	return min(rows, f.maxRows)
}

// broadRow is how many bytes a row of the widest column has, of which twice as many rows are no gain: where values are taken where they lie, as
// of few runs, and where they are copied first.
const (
	broadRow       = 64
	broadCopiedRow = 32
)

// broad says whether the batches in hand have a column whose rows are wider than that.
func (f *feed) broad() bool {
	most := int64(broadRow)
	if len(f.cutter.live) > simd.BlockStreams() {
		most = broadCopiedRow
	}
	bytes, rows := int64(0), int64(0)
	for _, c := range f.cutter.live {
		if len(c.batches) > 0 {
			bytes += c.batches[0].widest
			rows += int64(c.batches[0].rows)
		}
	}
	return bytes > most*rows
}

func (f *feed) setTarget(rows int) {
	f.cutter.target = rows
	for _, c := range f.cutter.cursors {
		c.share = max(1, rows/len(f.cutter.cursors))
	}
}

// open looks at the key ranges of all files and opens the first of every run, unless it sleeps, so that what is wrong with
// them shows at once.
func (f *feed) open(ctx context.Context) error {
	for _, c := range f.cutter.cursors {
		if err := c.open(ctx, f.stats); err != nil {
			return c.blame(err)
		}
	}
	return nil
}

// next cuts the next window for a merger, which is to finish it outside of mu and then to call done, or passes the next rows on
// as they are: then the record of r is set and there is no window. more is false at the end.
func (f *feed) next(ctx context.Context, m *merger) (r result, more bool, err error) {
	m.clock.lap()
	more, err = f.cutter.start(ctx, f.stats)
	if err != nil || !more {
		return result{}, false, err
	}
	if f.slices && !invariants.Sometimes(20) {
		r, err := f.slice(ctx, m)
		if r.record != nil || err != nil {
			return r, true, err
		}
	}
	if err := f.cut(ctx, m); err != nil {
		return result{}, false, err
	}
	if m.changes != nil {
		if err := m.changes.lookUp(ctx, m); err != nil {
			return result{}, false, err
		}
	}
	f.begin(m)
	m.countCut()
	return result{}, true, nil
}

// cut fills the window of a merger.
func (f *feed) cut(ctx context.Context, m *merger) error {
	if err := f.fit(ctx, m); err != nil {
		return err
	}
	w := &m.window
	w.reset()
	for _, c := range f.cutter.live {
		if c.count > 0 {
			if err := c.continues(); err != nil {
				return err
			}
			c.pieces(w)
		}
	}
	w.seal()
	for _, c := range f.cutter.live {
		c.take(c.count, w)
	}
	return nil
}

// begin notes that a merger has a window.
func (f *feed) begin(m *merger) {
	t := &turn{}
	if n := len(f.spare); n > 0 {
		t, f.spare = f.spare[n-1], f.spare[:n-1]
	}
	t.used, m.window.used = m.window.used, t.used[:0]
	t.finished, m.turn = false, t
	f.turns = append(f.turns, t)
}

// done gives back the batches that neither a run nor a window has rows of any more, now that a merger has finished its window.
func (f *feed) done(m *merger) {
	if m.turn == nil {
		return
	}
	m.turn.finished, m.turn = true, nil
	ended := 0
	for ended < len(f.turns) && f.turns[ended].finished {
		t := f.turns[ended]
		f.recycle(t.used)
		t.used = t.used[:0]
		f.spare = append(f.spare, t)
		ended++
	}
	f.turns = slices.Delete(f.turns, 0, ended)
}

func (f *feed) recycle(used []usedBatch) {
	for _, u := range used {
		f.stats.held.Add(-u.batch.bytes)
		u.cursor.recycle(u.batch)
	}
}

// close releases everything. It may be called again.
func (f *feed) close() {
	for _, t := range f.turns {
		f.recycle(t.used)
	}
	f.turns = nil
	for _, m := range f.mergers {
		f.recycle(m.window.used) // of a window that was not cut to its end
		m.window.used = nil
		if m.changes != nil {
			m.changes.close()
		}
	}
	for _, c := range f.cutter.cursors {
		c.close()
	}
	f.in.release()
}
