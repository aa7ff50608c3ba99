package workload

import (
	"context"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/bench/rowhash"
)

// batchRows is how many rows the batches of a run have at most.
const batchRows = 1 << 17

// Limits of what can be asked for.
const (
	MinRows = 100
	MaxRows = 1 << 32
)

// Sink takes the records of a run in order. It keeps what it retains.
type Sink func(run int, rec arrow.Record) error

// Generate makes about so many rows of a workload, hands them to the sink, and returns what it made with the answer of each of
// its jobs. The same arguments make the same rows. A context that is done ends it with the context's error.
func Generate(ctx context.Context, n Name, rows int64, seed uint64, sink Sink) (*Manifest, error) {
	if rows < MinRows || rows > MaxRows {
		return nil, fmt.Errorf("%w: %d rows are not between %d and %d", ErrName, rows, MinRows, int64(MaxRows))
	}
	n.Job = ""
	if err := n.check(); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrName, n.Data(), err)
	}
	g := newGenerator(n, rows, seed)
	defer g.release()
	if err := g.run(ctx, sink); err != nil {
		return nil, err
	}
	return g.manifest()
}

// generator makes a workload.
type generator struct {
	name   Name
	seed   uint64
	set    *columnSet
	key    *keyKind
	deal   dealer
	keys   int64
	schema *arrow.Schema // of the files

	runs   []generated
	places []int // of the value columns in the schema
	keysAt []int // of the key columns
	layout []layout
	keyOf  []layout

	keyCells []value
	versions []version
	hashes   []uint64 // of the value cells of a result
	cells    []uint64 // of a result, in the order of the table's columns
	jobs     []string
	sums     []*rowhash.Table
	rows     int64
}

// generated is a run that is being made.
type generated struct {
	builder *array.RecordBuilder
	pending int   // rows in the builder
	rows    int64 // rows in all
}

func newGenerator(n Name, rows int64, seed uint64) *generator {
	g := &generator{name: n, seed: mix(seed), set: columnSets[n.Columns], key: keyKinds[n.Key]}
	var versions float64
	g.deal, versions = layouts[n.Layout](n.Runs, float64(n.Share)/100)
	g.keys = max(1, int64(float64(rows)/versions+0.5))
	if g.key.most > 0 {
		g.keys = min(g.keys, g.key.most)
	}
	table := g.set.schema(g.key)
	g.schema = table
	if g.set.kind != nil {
		g.schema = arrow.NewSchema(append([]arrow.Field{kindField}, table.Fields()...), nil)
	}
	for _, c := range g.set.columns {
		g.places = append(g.places, table.FieldIndices(c.name)[0])
		g.layout = append(g.layout, layoutOf(c.typ))
	}
	for _, f := range g.key.fields {
		g.keysAt = append(g.keysAt, table.FieldIndices(f.Name)[0])
		g.keyOf = append(g.keyOf, layoutOf(f.Type))
	}
	g.runs = make([]generated, n.Runs)
	for i := range g.runs {
		g.runs[i].builder = array.NewRecordBuilder(memory.DefaultAllocator, g.schema)
	}
	g.keyCells = make([]value, len(g.key.fields))
	g.versions = make([]version, n.Runs)
	for i := range g.versions {
		g.versions[i].cells = make([]value, len(g.set.columns))
	}
	g.hashes = make([]uint64, len(g.set.columns))
	g.cells = make([]uint64, table.NumFields())
	for _, job := range g.set.jobs {
		sum, err := rowhash.NewTable(namesOf(table), namesOf(arrow.NewSchema(g.key.fields, nil)))
		if err != nil {
			panic(err) // the key's columns are columns
		}
		g.jobs, g.sums = append(g.jobs, job), append(g.sums, sum)
	}
	return g
}

func (g *generator) release() {
	for _, r := range g.runs {
		r.builder.Release()
	}
}

func namesOf(s *arrow.Schema) []string {
	var names []string
	for _, f := range s.Fields() {
		names = append(names, f.Name)
	}
	return names
}

func (g *generator) run(ctx context.Context, sink Sink) error {
	var runs []int
	for key := range g.keys {
		h := mix(g.seed + uint64(key)*0x9e3779b97f4a7c15)
		p := place{key, g.keys}
		runs = g.deal(runs[:0], h, p)
		g.key.fill(g.keyCells, p)
		before := uint64(0)
		for i, run := range runs {
			r := row{place: p, run: run, version: i, number: g.runs[run].rows, hash: mix(h + uint64(run+1)*0xd1342543de82ef95), before: before}
			before = r.hash
			g.fill(&g.versions[i], &r)
			if err := g.append(&g.versions[i], run, sink); err != nil {
				return err
			}
		}
		g.rows += int64(len(runs))
		g.count(g.versions[:len(runs)])
		if key&0xffff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	for run := range g.runs {
		if err := g.flush(run, sink); err != nil {
			return err
		}
	}
	return nil
}

// fill makes a version.
func (g *generator) fill(v *version, r *row) {
	for i := range g.set.columns {
		c, cell := &g.set.columns[i], &v.cells[i]
		h := mix(r.hash + uint64(i+1)*0x2545f4914f6cdd1d)
		cell.null = c.supplied != nil && !c.supplied(r) || c.nulls > 0 && unit(h) < c.nulls
		if !cell.null {
			c.fill(cell, r, mix(h))
		}
	}
	v.kind = insert
	if g.set.kind != nil {
		v.kind = g.set.kind(r)
	}
}

// append adds a version to its run.
func (g *generator) append(v *version, run int, sink Sink) error {
	r := &g.runs[run]
	first := 0
	if g.set.kind != nil {
		r.builder.Field(0).(*array.Int8Builder).Append(v.kind)
		first = 1
	}
	for i, at := range g.keysAt {
		g.keyOf[i].append(r.builder.Field(first+at), &g.keyCells[i])
	}
	for i, at := range g.places {
		if cell := &v.cells[i]; cell.null {
			r.builder.Field(first + at).AppendNull()
		} else {
			g.layout[i].append(r.builder.Field(first+at), cell)
		}
	}
	r.rows++
	r.pending++
	if r.pending == batchRows {
		return g.flush(run, sink)
	}
	return nil
}

// flush hands over what is in a run's builder.
func (g *generator) flush(run int, sink Sink) error {
	r := &g.runs[run]
	if r.pending == 0 {
		return nil
	}
	r.pending = 0
	rec := r.builder.NewRecord()
	defer rec.Release()
	return sink(run, rec)
}

// count adds the results of a key to the answers.
func (g *generator) count(versions []version) {
	for i, at := range g.keysAt {
		g.cells[at] = g.keyOf[i].hash(&g.keyCells[i])
	}
	for i, job := range g.jobs {
		if !answers[job](g.set, versions, g.hashes) {
			continue
		}
		for c, at := range g.places {
			g.cells[at] = g.hashes[c]
		}
		g.sums[i].AddRow(g.cells)
	}
}
