package kernel

import (
	"runtime/debug"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// ahead is a reader of a file that reads the next record, and no more, while rows of the one before are merged: in a goroutine of
// its own, unless too many are at work or records are small. Its own methods are called by one goroutine at a time.
type ahead struct {
	array.RecordReader               // of the file
	turns              chan struct{} // one for every reader that may be at work at the same time, shared by all files of a merge
	schema             *arrow.Schema
	faults             bool

	record arrow.Record // what Record returns; retained
	coming chan fetched
	busy   bool // coming will bring one
}

// fetched is what a call of Next has given.
type fetched struct {
	record   arrow.Record // retained
	more     bool
	panicked *WorkerPanic
}

// aheadRows is how many rows a record has at least for the next one to be worth a goroutine.
const aheadRows = 1024

func newAhead(r array.RecordReader, turns chan struct{}) *ahead {
	return &ahead{RecordReader: r, turns: turns, schema: r.Schema(), faults: panicsOnFault(), coming: make(chan fetched, 1)}
}

// Schema returns the schema of the file.
func (a *ahead) Schema() *arrow.Schema { return a.schema }

// Next returns whether there is one more record.
func (a *ahead) Next() bool {
	a.drop()
	f := a.fetched()
	if f.panicked != nil {
		panic(f.panicked)
	}
	a.record = f.record
	if a.record != nil && a.record.NumRows() >= aheadRows {
		a.begin()
	}
	return f.more
}

// Record returns the record of the last Next.
func (a *ahead) Record() arrow.Record { return a.record }

// Release waits for the record that is being read.
func (a *ahead) Release() {
	a.drop()
	if a.busy {
		releaseRecord(a.fetched().record)
	}
	a.RecordReader.Release()
}

func (a *ahead) drop() {
	releaseRecord(a.record)
	a.record = nil
}

// begin starts reading the next record if there is a turn for that.
func (a *ahead) begin() {
	select {
	case a.turns <- struct{}{}:
		a.busy = true
		go func() {
			debug.SetPanicOnFault(a.faults)
			f := a.fetch()
			<-a.turns
			a.coming <- f
		}()
	default:
	}
}

// fetched returns what has been read ahead, or reads.
func (a *ahead) fetched() fetched {
	if !a.busy {
		return a.fetch()
	}
	a.busy = false
	return <-a.coming
}

func (a *ahead) fetch() (f fetched) {
	defer func() { f.panicked = caught(recover()) }()
	if f.more = a.RecordReader.Next(); f.more {
		if f.record = a.RecordReader.Record(); f.record != nil {
			f.record.Retain()
		}
	}
	return f
}
