package columnar

import (
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// runEnds is the codec of a run-end encoded type, staged as the values of its rows.
//
//	run ends 2 5 6, values a b c, rows [1, 6)     staged a b b b c
type runEnds struct {
	t      *arrow.RunEndEncodedType
	values *level
	mem    memory.Allocator
}

func (c *compiler) runEnds(t *arrow.RunEndEncodedType) (*level, error) {
	if !t.ValidRunEndsType(t.RunEnds()) {
		return nil, fmt.Errorf("%w: type %s cannot be merged", ErrSchema, t)
	}
	values, err := c.level(t.Encoded())
	if err != nil {
		return nil, fmt.Errorf("in run_end_encoded: %w", err)
	}
	out := arrow.RunEndEncodedOf(t.RunEnds(), values.out)
	out.ValueNullable = t.ValueNullable
	l, err := c.converted(t, values.staged, out, &runEnds{out, values, c.mem})
	if err != nil {
		return nil, err
	}
	l.maxRows = min(values.maxRows, mostRows(t))
	return l, nil
}

// mostRows returns how many rows the run ends of a type can count.
func mostRows(t *arrow.RunEndEncodedType) int {
	if t.RunEnds().ID() == arrow.INT16 {
		return math.MaxInt16
	}
	return math.MaxInt32
}

func (r *runEnds) load(d arrow.ArrayData) (arrow.ArrayData, error) {
	f, err := frameOf(d)
	if err != nil {
		return nil, err
	}
	if f.valid != nil {
		return nil, fmt.Errorf("%w: a validity bitmap beside run ends", ErrCorrupt)
	}
	if err := checkLoaded(int64(f.rows)*rowWeight, r.t); err != nil {
		return nil, err
	}
	children, err := childrenOf(d, 2)
	if err != nil {
		return nil, err
	}
	if id := children[0].DataType().ID(); id != r.t.RunEnds().ID() {
		return nil, fmt.Errorf("%w: run ends of type %s", ErrCorrupt, children[0].DataType())
	}
	ends, err := NewView(children[0])
	if err != nil {
		return nil, fmt.Errorf("run ends: %w", err)
	}
	if ends.Nulls > 0 || children[1].Len() < ends.Rows {
		return nil, fmt.Errorf("%w: %d run ends, %d of them NULL, for %d values", ErrCorrupt, ends.Rows, ends.Nulls, children[1].Len())
	}
	switch ends.Layout.Width {
	case 2:
		return loadRuns(r, &f, Fixed[int16](&ends), children[1])
	case 4:
		return loadRuns(r, &f, Fixed[int32](&ends), children[1])
	default:
		return loadRuns(r, &f, Fixed[int64](&ends), children[1])
	}
}

func loadRuns[T int16 | int32 | int64](r *runEnds, f *frame, ends []T, all arrow.ArrayData) (arrow.ArrayData, error) {
	g := gatherers.Get().(*gatherer)
	defer g.free()
	first, err := runAt(ends, f.at)
	if err != nil {
		return nil, err
	}
	g.sel = grow(g.sel, f.rows)[:f.rows]
	last, err := spread(g.sel, ends, first, f.at)
	if err != nil {
		return nil, err
	}
	used := rowsOf(all, first, last)
	defer used.Release()
	loaded, err := r.values.load(used)
	if err != nil {
		return nil, fmt.Errorf("values: %w", err)
	}
	defer loaded.Release()
	v, err := NewView(loaded)
	if err != nil {
		return nil, fmt.Errorf("values: %w", err)
	}
	if err := checkLoaded(spreadBytes(&v, ends[first:last], f), r.t); err != nil {
		return nil, err
	}
	g.add(&v)
	if err := g.stage(r.t, r.values.layout); err != nil {
		return nil, err
	}
	return g.take(r.values.staged, r.mem)
}

// runAt returns the run of a row. It looks at the run ends before too, lest they fall.
func runAt[T int16 | int32 | int64](ends []T, row int) (run int, err error) {
	before := T(0)
	for run, end := range ends {
		if end <= before {
			return 0, fmt.Errorf("%w: run end %d is %d, not above %d", ErrCorrupt, run, end, before)
		}
		if int(end) > row {
			return run, nil
		}
		before = end
	}
	return len(ends), nil
}

// spread writes, for every row from at on, its run, the first one as 0, and returns the run after the last.
func spread[T int16 | int32 | int64](sel []uint32, ends []T, first, at int) (last int, err error) {
	run := first
	for row := 0; row < len(sel); run++ {
		if run == len(ends) {
			return 0, fmt.Errorf("%w: run ends up to %d of %d rows", ErrCorrupt, at+row, at+len(sel))
		}
		if int(ends[run]) <= at+row {
			return 0, fmt.Errorf("%w: run end %d is %d, not above %d", ErrCorrupt, run, ends[run], at+row)
		}
		for end := min(int(ends[run])-at, len(sel)); row < end; row++ {
			sel[row] = uint32(run - first)
		}
	}
	return run, nil
}

// spreadBytes returns how many bytes the rows of the runs have, or something above maxLoaded.
func spreadBytes[T int16 | int32 | int64](v *View, ends []T, f *frame) int64 {
	bytes, row := int64(0), 0
	for run := range ends {
		end := min(int(ends[run])-f.at, f.rows)
		each := weight(v, run, run+1)
		if int64(end-row) > maxLoaded/each {
			return maxLoaded + 1
		}
		if bytes += each * int64(end-row); bytes > maxLoaded {
			return bytes
		}
		row = end
	}
	return bytes
}

func (r *runEnds) finish(d arrow.ArrayData) (arrow.ArrayData, error) {
	v, err := NewView(d)
	if err != nil {
		return nil, err
	}
	if most := mostRows(r.t); v.Rows > most {
		return nil, fmt.Errorf("%w: %d rows in an array of type %s, whose run ends count %d", ErrTooLarge, v.Rows, r.t, most)
	}
	g := gatherers.Get().(*gatherer)
	defer g.free()
	g.sel = runStarts(g.sel[:0], &v)
	ends := r.ends(g.sel, v.Rows)
	g.add(&v)
	if err := g.stage(r.t, v.Layout); err != nil {
		ends.Release()
		return nil, err
	}
	taken, err := g.take(r.values.staged, r.mem)
	if err != nil {
		ends.Release()
		return nil, err
	}
	defer taken.Release()
	values, err := r.values.finish(taken)
	if err != nil {
		ends.Release()
		return nil, fmt.Errorf("values: %w", err)
	}
	return newData(r.t, v.Rows, Validity{}, []arrow.ArrayData{ends, values}), nil
}

// ends returns the run ends of runs that begin at starts.
func (r *runEnds) ends(starts []uint32, rows int) arrow.ArrayData {
	width := r.t.RunEnds().(arrow.FixedWidthDataType).BitWidth() / 8
	buf := NewBuffer(r.mem, width*len(starts))
	switch width {
	case 2:
		endRuns(castSlice[int16](buf.Bytes()), starts, rows)
	case 4:
		endRuns(castSlice[int32](buf.Bytes()), starts, rows)
	default:
		endRuns(castSlice[int64](buf.Bytes()), starts, rows)
	}
	return newData(r.t.RunEnds(), len(starts), Validity{}, nil, buf)
}

func endRuns[T int16 | int32 | int64](out []T, starts []uint32, rows int) {
	for i := range out {
		out[i] = T(rows)
		if i+1 < len(starts) {
			out[i] = T(starts[i+1])
		}
	}
}
