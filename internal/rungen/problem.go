package rungen

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// Problem is a merge problem: a table, and runs of it, oldest first. Release gives its records back.
type Problem struct {
	// Description is the text of the spec, which Parse reads: it makes the same problem again.
	Description string
	// Schema has the columns of the table, without system columns.
	Schema        *arrow.Schema
	PrimaryKey    []string
	PartitionKeys []string
	Options       map[string]string
	Runs          []Run
}

// Run is a sorted run. Its records have the system columns the spec asks for, then the columns of the table.
type Run struct {
	// Schema is that of the records, of which there may be none.
	Schema  *arrow.Schema
	Records []arrow.Record
	// Sequence, if not nil, replaces the sequence number of every row.
	Sequence *int64
	// Unique says that no key comes twice in the run.
	Unique bool
}

// Generate makes the problem of the spec, with buffers from mem. It fails only where the spec asks for what there is not.
func Generate(mem memory.Allocator, s Spec) (*Problem, error) {
	if err := s.validate(); err != nil {
		return nil, err
	}
	m := newMaker(s)
	p := &Problem{Description: s.String(), Schema: tableSchema(m.columns), Options: s.tableOptions(m.columns)}
	p.PrimaryKey, p.PartitionKeys = primaryKey(m.columns)
	before := 0
	runs := make([]run, len(m.ids))
	for r, ids := range m.ids {
		runs[r] = m.run(r, before)
		before += len(ids)
	}
	m.spoil(runs)
	for r := range runs {
		if s.Keep != nil {
			if r >= len(s.Keep) || s.Keep[r] == nil {
				continue
			}
			runs[r] = runs[r].keep(s.Keep[r])
		}
		cut := cutter{Layout: s.Layout, run: runs[r], mem: mem, src: stream(s.Seed, "layout", r)}
		made := Run{Schema: runs[r].schema, Records: cut.records(), Unique: unique(m.ids[r])}
		if s.Snapshots {
			number := snapshotNumber(s.Numbers, r, len(runs), m.numbers)
			made.Sequence = &number
		}
		p.Runs = append(p.Runs, made)
		runs[r] = run{} // a run is as large as its records: no need to hold both for all
	}
	return p, nil
}

// unique says whether ids, which are sorted, has no repeats.
func unique(ids []int64) bool {
	for i := 1; i < len(ids); i++ {
		if ids[i-1] == ids[i] {
			return false
		}
	}
	return true
}

// snapshotNumber draws the number that replaces those of run r of runs.
func snapshotNumber(word Numbers, r, runs int, src *source) int64 {
	switch word {
	case Falling:
		return int64(runs - r)
	case Overlap, Few, Extreme:
		return int64(src.intn(3))
	case Equal, Unknown:
		return 5
	default:
		return int64(r + 1)
	}
}

// Rows counts the rows of all runs.
func (p *Problem) Rows() int64 {
	var rows int64
	for _, r := range p.Runs {
		for _, rec := range r.Records {
			rows += rec.NumRows()
		}
	}
	return rows
}

// Release gives the records of all runs back. The problem cannot be used afterwards.
func (p *Problem) Release() {
	for _, r := range p.Runs {
		for _, rec := range r.Records {
			rec.Release()
		}
	}
	p.Runs = nil
}

// cutter cuts a run into record batches.
type cutter struct {
	Layout
	run run
	mem memory.Allocator
	src *source
}

// records returns the batches of the run.
func (c *cutter) records() []arrow.Record {
	whole := c.whole()
	if whole != nil {
		defer whole.Release()
	}
	var records []arrow.Record
	for from := 0; from < c.run.rows; {
		if c.EmptyBatches && c.src.oneIn(3) {
			records = append(records, c.record(whole, from, from))
		}
		to := min(from+c.size(), c.run.rows)
		records = append(records, c.record(whole, from, to))
		from = to
	}
	if c.EmptyBatches {
		records = append(records, c.record(whole, c.run.rows, c.run.rows))
	}
	return records
}

// whole returns one record of all rows for the batches to be slices of, or nil if each has its own buffers.
func (c *cutter) whole() arrow.Record {
	if c.Arrays != Shared {
		return nil
	}
	return c.run.record(c.mem, 0, c.run.rows)
}

// size draws the rows of a batch.
func (c *cutter) size() int {
	n, _ := c.batchRows()
	switch {
	case n > 0:
		return n
	case c.Batch == BatchTiny:
		return c.src.between(1, 9)
	case c.Batch == BatchMixed:
		return c.src.between(1, pick(c.src, 3, 60, 500, 4000))
	default:
		return max(c.run.rows, 1)
	}
}

// record returns the batch of rows [from, to).
func (c *cutter) record(whole arrow.Record, from, to int) arrow.Record {
	switch c.Arrays {
	case Shared:
		return whole.NewSlice(int64(from), int64(to))
	case Padded:
		if c.run.rows == 0 {
			return c.run.record(c.mem, 0, 0)
		}
		before, behind := c.src.between(0, 70), c.src.between(0, 20)
		padded := c.run.around(from-before, to+behind).record(c.mem, 0, before+to-from+behind)
		defer padded.Release()
		return padded.NewSlice(int64(before), int64(before+to-from))
	default:
		return c.run.record(c.mem, from, to)
	}
}
