package kernel

import (
	"context"
	"iter"
	"sync/atomic"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// Reader is the result of a merge, an array.RecordReader of records in key order. A record is valid until the next call of
// Next unless it is retained. A Reader serves one goroutine at a time, but for Stats.
type Reader struct {
	schema  *arrow.Schema
	cfg     config
	workers *workers
	stats   stats
	refs    atomic.Int64

	pending arrow.Record // what the last window gave, handed out in parts
	handed  int64        // rows of pending that have been handed out
	step    int64        // rows of pending to hand out at a time
	record  arrow.Record // what Record returns
	changes arrow.Record // what Changelog returns
	err     error
	done    bool
}

var _ array.RecordReader = (*Reader)(nil)

func newReader(ctx context.Context, p *Plan, runs []Run, output []int, c config) (*Reader, error) {
	r := &Reader{cfg: c}
	r.refs.Store(1)
	r.stats.now.Runs = len(runs)
	f, err := newFeed(p, runs, output, &r.cfg, &r.stats)
	if err != nil {
		return nil, err
	}
	r.schema = f.mergers[0].schema
	if r.workers, err = newWorkers(ctx, f); err != nil {
		return nil, err
	}
	return r, nil
}

// Schema returns the schema of the records.
func (r *Reader) Schema() *arrow.Schema { return r.schema }

// Next makes the next record and says whether there is one. After the last, or an error, there is none.
func (r *Reader) Next() bool {
	r.drop()
	if r.done {
		return false
	}
	for r.pending == nil {
		res, more, err := r.workers.next()
		if err != nil || !more {
			res.release()
			r.finish(err)
			return false
		}
		if res.record != nil {
			r.pending, r.handed, r.step = res.record, 0, r.stepOf(res)
			r.changes = res.changes
		}
	}
	to := min(r.handed+r.step, r.pending.NumRows())
	if r.handed == 0 && to == r.pending.NumRows() {
		r.record, r.pending = r.pending, nil
	} else {
		r.record = r.pending.NewSlice(r.handed, to)
		r.handed = to
		if to == r.pending.NumRows() {
			r.pending.Release()
			r.pending = nil
		}
	}
	r.stats.update(func(n *Stats) { n.RowsOut += r.record.NumRows() })
	return true
}

// stepOf returns how many rows of the record of a result to hand out at a time.
func (r *Reader) stepOf(res result) int64 {
	rows, bytes := res.record.NumRows(), res.bytes
	r.stats.update(func(n *Stats) { n.BytesOut += bytes })
	step := min(int64(r.cfg.batchRows), rows)
	if bytes > r.cfg.batchBytes {
		step = min(step, max(1, rows*r.cfg.batchBytes/bytes))
	}
	return step
}

// Record returns the record of the last Next, nil if there is none.
func (r *Reader) Record() arrow.Record { return r.record }

// Err returns what ended the merge early, nil if nothing has.
func (r *Reader) Err() error { return r.err }

// Stats returns the counts so far. It may be called at any time, also while another goroutine merges.
func (r *Reader) Stats() Stats { return r.stats.snapshot() }

// All ranges over the records that are left. A record is valid during its turn of the loop. An error comes last, with a nil
// record.
func (r *Reader) All() iter.Seq2[arrow.Record, error] {
	return func(yield func(arrow.Record, error) bool) {
		for r.Next() {
			if !yield(r.Record(), nil) {
				return
			}
		}
		if err := r.Err(); err != nil {
			yield(nil, err)
		}
	}
}

// Retain adds a reference.
func (r *Reader) Retain() { r.refs.Add(1) }

// Release gives a reference back. With the last one the merge ends and everything it holds is released.
func (r *Reader) Release() {
	if r.refs.Add(-1) == 0 {
		r.drop()
		r.finish(nil)
	}
}

// drop releases the record handed out last.
func (r *Reader) drop() {
	if r.record != nil {
		r.record.Release()
		r.record = nil
	}
	if r.changes != nil {
		r.changes.Release()
		r.changes = nil
	}
}

// finish ends the merge.
func (r *Reader) finish(err error) {
	if r.done {
		return
	}
	r.done, r.err = true, err
	if r.pending != nil {
		r.pending.Release()
		r.pending = nil
	}
	r.workers.close()
}
