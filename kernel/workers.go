package kernel

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
)

// workers merges the windows of a feed and gives their results in order. One merger works in the goroutine of the reader; several
// have a goroutine each, which cut their windows one after another and merge them at the same time.
//
//	worker a   cut 0, merge 0 -------, cut 2, merge 2 ...
//	worker b          cut 1, merge 1 --------, cut 3, merge 3 ...
//	reader                            0      1 ...
type workers struct {
	ctx  context.Context
	stop context.CancelFunc // ends ctx
	feed *feed

	cut  uint64 // windows so far; guarded by feed.mu
	over bool   // no window will come any more; guarded by feed.mu

	group sync.WaitGroup
	quit  chan struct{}   // closed when nobody waits for results any more; nil before the workers have started
	room  chan struct{}   // one token for every result that may still be begun
	done  []chan finished // window i comes out of channel i modulo their number
	taken uint64          // results handed out
}

// finished is what a worker has made of its turn.
type finished struct {
	result
	more     bool // there was a window
	err      error
	panicked *WorkerPanic
}

// WorkerPanic is what Next panics with when something of the caller's, as an input or a function, has panicked in a goroutine of
// the merge: only WithParallelism makes such.
type WorkerPanic struct {
	Value any    // what it panicked with
	Stack []byte // of the goroutine
}

func (p *WorkerPanic) Error() string {
	return fmt.Sprintf("%v\n\nin a goroutine of the merge:\n%s", p.Value, p.Stack)
}

// Unwrap returns the value if it is an error, as those of the runtime are.
func (p *WorkerPanic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// caught makes a WorkerPanic of what recover returns.
func caught(recovered any) *WorkerPanic {
	switch p := recovered.(type) {
	case nil:
		return nil
	case *WorkerPanic:
		return p
	}
	return &WorkerPanic{Value: recovered, Stack: debug.Stack()}
}

// newWorkers opens the runs. It takes the feed over.
func newWorkers(ctx context.Context, f *feed) (*workers, error) {
	ws := &workers{feed: f}
	ws.ctx, ws.stop = context.WithCancel(ctx)
	if err := f.open(ws.ctx); err != nil {
		ws.close()
		return nil, err
	}
	return ws, nil
}

// next returns the next result, which may be without a record. more is false behind the last.
func (ws *workers) next() (r result, more bool, err error) {
	if len(ws.feed.mergers) == 1 {
		return ws.alone(ws.feed.mergers[0])
	}
	if ws.quit == nil {
		ws.start()
	}
	f := <-ws.done[ws.taken%uint64(len(ws.done))]
	ws.taken++
	ws.room <- struct{}{}
	if f.panicked != nil {
		panic(f.panicked)
	}
	return f.result, f.more, f.err
}

// alone is next for the only merger.
func (ws *workers) alone(m *merger) (r result, more bool, err error) {
	r, more, err = ws.feed.next(ws.ctx, m)
	if m.turn == nil {
		return r, more, err
	}
	r, err = m.finish()
	ws.feed.done(m)
	return r, true, err
}

// start has all mergers work. So many results may be begun and not yet taken as there are channels for them, so that no worker
// ever waits to give one away.
func (ws *workers) start() {
	n := len(ws.feed.mergers) + 1
	ws.quit, ws.room = make(chan struct{}), make(chan struct{}, n)
	for range n {
		ws.room <- struct{}{}
		ws.done = append(ws.done, make(chan finished, 1))
	}
	faults := panicsOnFault()
	for _, m := range ws.feed.mergers {
		ws.group.Add(1)
		go ws.run(m, faults)
	}
}

// panicsOnFault says whether this goroutine panics when memory cannot be read, as that of a mapped file that has become shorter.
// Goroutines that read what the caller gave do the same.
func panicsOnFault() bool {
	on := debug.SetPanicOnFault(true)
	debug.SetPanicOnFault(on)
	return on
}

// run has a merger work until there is nothing left to do. The reader goes first when there is a result for it: what it releases
// is in the caches still when the next record is made of it.
func (ws *workers) run(m *merger, faults bool) {
	defer ws.group.Done()
	debug.SetPanicOnFault(faults)
	for {
		select {
		case <-ws.quit:
			return
		case <-ws.room:
		}
		at, f, ok := ws.begin(m)
		if !ok {
			return
		}
		if m.turn != nil && f.panicked == nil {
			f = ws.merge(m)
		}
		ws.done[at%uint64(len(ws.done))] <- f
		runtime.Gosched()
	}
}

// begin has a merger cut the next window. ok is false when there is none and that has been said before.
func (ws *workers) begin(m *merger) (at uint64, f finished, ok bool) {
	ws.feed.mu.Lock()
	defer ws.feed.mu.Unlock()
	if ws.over {
		return 0, f, false
	}
	at, ok = ws.cut, true
	ws.cut++
	defer func() {
		f.panicked = caught(recover())
		ws.over = ws.over || f.last()
	}()
	f.result, f.more, f.err = ws.feed.next(ws.ctx, m)
	return at, f, ok
}

// merge has a merger finish its window.
func (ws *workers) merge(m *merger) (f finished) {
	defer func() {
		f.panicked = caught(recover())
		ws.feed.mu.Lock()
		ws.feed.done(m)
		ws.over = ws.over || f.last()
		ws.feed.mu.Unlock()
	}()
	f.more = true
	f.result, f.err = m.finish()
	return f
}

// last says whether nothing comes behind it.
func (f *finished) last() bool { return f.panicked != nil || f.err != nil || !f.more }

// close ends all work and releases everything.
func (ws *workers) close() {
	ws.stop()
	if ws.quit != nil {
		ws.feed.mu.Lock()
		ws.over = true
		ws.feed.mu.Unlock()
		close(ws.quit)
		ws.group.Wait()
		for _, done := range ws.done {
			select {
			case f := <-done:
				f.release()
			default:
			}
		}
	}
	ws.feed.close()
}
