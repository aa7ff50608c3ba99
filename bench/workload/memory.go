package workload

import (
	"context"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/kernel"
)

// Memory is a workload held in memory.
type Memory struct {
	*Manifest
	records [][]arrow.Record
	mapping mapping
}

// Load makes a workload in memory. If it is mapped, its memory is none of the garbage collector's, which otherwise lets as much garbage
// gather as there is input. The caller releases it, when no record of a merge is left that may be a slice of its records.
func Load(ctx context.Context, n Name, rows int64, seed uint64, mapped bool) (*Memory, error) {
	w := &Memory{records: make([][]arrow.Record, n.Runs)}
	var err error
	w.Manifest, err = Generate(ctx, n, rows, seed, func(run int, rec arrow.Record) error {
		if !mapped {
			rec.Retain()
			w.records[run] = append(w.records[run], rec)
			return nil
		}
		held, err := w.mapping.record(rec)
		if err != nil {
			return err
		}
		w.records[run] = append(w.records[run], held)
		return nil
	})
	if err != nil {
		w.Release()
		return nil, err
	}
	return w, nil
}

// KernelRuns returns the runs for a merge, which may be merged again and again.
func (w *Memory) KernelRuns() []kernel.Run {
	runs := make([]kernel.Run, len(w.records))
	for i, records := range w.records {
		runs[i] = kernel.FromRecords(records...)
	}
	return runs
}

// Release gives up the records and their memory.
func (w *Memory) Release() {
	for _, records := range w.records {
		for _, rec := range records {
			rec.Release()
		}
	}
	w.records = nil
	w.mapping.release()
}
