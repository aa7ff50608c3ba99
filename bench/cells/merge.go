package cells

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/bench/measure"
	"github.com/braidmerge/braid/bench/rowhash"
	"github.com/braidmerge/braid/bench/workload"
	"github.com/braidmerge/braid/kernel"
)

// merging is a cell that is ready to be merged.
type merging struct {
	manifest *workload.Manifest
	job      string
	plan     *kernel.Plan
	runs     func() ([]kernel.Run, error) // for one merge
	options  []kernel.MergeOption
}

// merge begins a merge with the options that are timed.
func (m *merging) merge(ctx context.Context) (*kernel.Reader, error) {
	runs, err := m.runs()
	if err != nil {
		return nil, err
	}
	return m.plan.Merge(ctx, runs, m.options...)
}

// once merges all rows and drops them.
func (m *merging) once(ctx context.Context) (kernel.Stats, error) {
	reader, err := m.merge(ctx)
	if err != nil {
		return kernel.Stats{}, err
	}
	defer reader.Release()
	for reader.Next() {
	}
	return reader.Stats(), reader.Err()
}

// errAnswer means that a merge gave another result than its workload wants.
var errAnswer = errors.New(WrongAnswer)

// check merges once and holds the result against the answer, of which it returns the hash.
func (m *merging) check(ctx context.Context) (string, error) {
	reader, err := m.merge(ctx)
	if err != nil {
		return "", err
	}
	defer reader.Release()
	columns := m.manifest.ColumnNames()
	table, err := rowhash.NewTable(columns, m.manifest.Key)
	if err != nil {
		return "", err
	}
	for reader.Next() {
		if err := table.Add(reader.Record()); err != nil {
			return "", err
		}
	}
	if err := reader.Err(); err != nil {
		return "", err
	}
	answer := m.manifest.Jobs[m.job].Answer
	if d := answer.Differs(table.Sum(), columns); d != "" {
		return "", fmt.Errorf("%w: %s", errAnswer, d)
	}
	return answer.Whole(columns), nil
}

// warmUp gives back what making the input left behind and merges until the heap has been collected twice, so that it has its size and
// its pages.
func (m *merging) warmUp(ctx context.Context) error {
	const enough = 50
	debug.FreeOSMemory()
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	start := now.NumGC
	for range enough {
		if _, err := m.once(ctx); err != nil {
			return err
		}
		if runtime.ReadMemStats(&now); now.NumGC >= start+2 {
			break
		}
	}
	return nil
}

// round is what one round took.
type round struct {
	wall, cpu time.Duration
	stats     kernel.Stats
}

// round merges once.
func (m *merging) round(ctx context.Context) (round, error) {
	wall, cpu := time.Now(), measure.CPU()
	stats, err := m.once(ctx)
	return round{wall: time.Since(wall), cpu: measure.CPU() - cpu, stats: stats}, err
}

// allocations counts what a window allocates beyond what its record is made of, when the merge is warm: the median of windows, as the end
// of a batch may keep its last key. known is false for a merge of few windows.
func (m *merging) allocations(ctx context.Context) (each int64, known bool, err error) {
	const warm, least = 5, 4
	runs, err := m.runs()
	if err != nil {
		return 0, false, err
	}
	reader, err := m.plan.Merge(ctx, runs)
	if err != nil {
		return 0, false, err
	}
	defer reader.Release()
	var before, after runtime.MemStats
	windows := make([]float64, 0, 1<<16) // by window, which may come as several records
	last := int64(-1)
	runtime.ReadMemStats(&before)
	for reader.Next() {
		runtime.ReadMemStats(&after)
		if window := reader.Stats().Windows; window != last && len(windows) < cap(windows) {
			windows, last = append(windows, 0), window
		}
		windows[len(windows)-1] += float64(after.Mallocs-before.Mallocs) - float64(madeOf(reader.Record()))
		runtime.ReadMemStats(&before)
	}
	if reader.Err() != nil || len(windows) < warm+least {
		return 0, false, reader.Err()
	}
	return max(0, int64(measure.SpreadOf(windows[warm:]).Median)), true, nil
}

// madeOf is how many objects a record is made of at most: each buffer and its header, Arrow's objects for a column, those for the record.
func madeOf(rec arrow.Record) int64 {
	objects := int64(6)
	for _, c := range rec.Columns() {
		objects += dataOf(c.Data())
	}
	return objects
}

func dataOf(d arrow.ArrayData) int64 {
	objects := int64(6)
	for _, b := range d.Buffers() {
		if b != nil {
			objects += 2
		}
	}
	for _, child := range d.Children() {
		objects += dataOf(child)
	}
	return objects
}
