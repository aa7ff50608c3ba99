package kernel

import (
	"context"
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// Merge starts merging runs, given oldest first, into one stream of records in key order. The first file of every run is
// opened before Merge returns; what is opened is released when the reader ends, fails or is released. ctx cancels the merge
// between two calls of an input's Next. The caller releases the reader.
func (p *Plan) Merge(ctx context.Context, runs []Run, opts ...MergeOption) (*Reader, error) {
	c := config{mem: unzeroed{}, workers: 1, batchRows: defaultBatchRows, batchBytes: defaultBatchBytes}
	for _, opt := range opts {
		opt(&c)
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	for i, run := range runs {
		if err := p.checkRun(i, run); err != nil {
			return nil, err
		}
	}
	if c.byLevel && p.supplied >= 0 {
		return nil, fmt.Errorf("%w: ByLevel: tables of the engine %v do not look rows up", ErrOption, p.options.Engine)
	}
	if c.changelog != nil {
		if err := p.checkChangelog(&c, runs); err != nil {
			return nil, err
		}
		p = p.forChangelog()
	}
	output, err := p.project(c.projection)
	if err != nil {
		return nil, err
	}
	return newReader(ctx, p, runs, output, c)
}

// checkRun refuses files that cannot be read.
func (p *Plan) checkRun(number int, run Run) error {
	for j, file := range run.Files {
		if file.Open == nil {
			return fmt.Errorf("%w: file %d of run %d has no Open", ErrOption, j, number)
		}
		if file.Deleted != nil && p.supplied >= 0 {
			return fmt.Errorf("%w: file %d of run %d has a deletion vector, which the engine %v does not take", ErrOption, j, number, p.options.Engine)
		}
	}
	return nil
}

// MergeOption changes how one merge is carried out, never which rows it gives but for KeepDeletes, ByLevel and WithChangelog.
type MergeOption func(*config)

type config struct {
	mem         memory.Allocator
	batchRows   int
	batchBytes  int64
	memoryLimit int64
	workers     int
	projection  []string
	keepDeletes bool
	keepSystem  bool
	copied      bool
	plain       bool
	views       bool
	byLevel     bool
	changelog   *Changelog
}

// fresh says whether the memory of the output has not been used before.
func (c *config) fresh() bool { return c.mem == unzeroed{} }

const (
	defaultBatchRows  = 1 << 16
	defaultBatchBytes = 64 << 20
)

func (c *config) check() error {
	switch {
	case c.mem == nil:
		return fmt.Errorf("%w: WithAllocator needs an allocator", ErrOption)
	case c.batchRows < 1:
		return fmt.Errorf("%w: WithBatchRows needs at least 1 row, not %d", ErrOption, c.batchRows)
	case c.batchBytes < 1:
		return fmt.Errorf("%w: WithBatchBytes needs at least 1 byte, not %d", ErrOption, c.batchBytes)
	case c.workers < 1 || c.workers > maxWorkers:
		return fmt.Errorf("%w: WithParallelism needs 1 to %d workers, not %d", ErrOption, maxWorkers, c.workers)
	case c.views && c.copied:
		return fmt.Errorf("%w: WithStringViews takes no WithCopy: views point into the inputs", ErrOption)
	case c.memoryLimit < 0:
		return fmt.Errorf("%w: WithMemoryLimit needs a number of bytes or 0, not %d", ErrOption, c.memoryLimit)
	}
	return nil
}

// WithAllocator sets where the memory of output records comes from. Without it, it is garbage-collected memory that is not
// cleared first.
func WithAllocator(mem memory.Allocator) MergeOption { return func(c *config) { c.mem = mem } }

// WithBatchRows bounds the rows of an output record, 65,536 by default. Records may have fewer.
func WithBatchRows(rows int) MergeOption { return func(c *config) { c.batchRows = rows } }

// WithBatchBytes bounds, by the mean size of rows, the bytes of an output record and of the rows merged at a time, 64 MiB by
// default. The rows of one key are always merged together.
func WithBatchBytes(bytes int64) MergeOption { return func(c *config) { c.batchBytes = bytes } }

// WithMemoryLimit bounds the memory of a merge in bytes: the input records in hand, scratch and the record being made, but
// not records already handed over. A merge that comes near it works on fewer rows at a time; one that cannot go on is
// ErrMemoryLimit. 0, the default, is no limit.
func WithMemoryLimit(bytes int64) MergeOption { return func(c *config) { c.memoryLimit = bytes } }

// WithParallelism merges so many windows at the same time, each in a goroutine of its own, and reads as many inputs ahead, 1 by
// default: then everything happens in the goroutine that calls Next. Rows and their order do not depend on it; where records end
// may. With more than one, the allocator and the functions that make files open are called from several goroutines, a reader of a
// file from one at a time, and the factory of a function makes one for every worker. At most one record more than there are
// workers is made before it is asked for. A memory limit is shared by all workers, and keeps them from reading ahead.
func WithParallelism(workers int) MergeOption { return func(c *config) { c.workers = workers } }

// maxWorkers bounds the workers of a merge.
const maxWorkers = 1 << 10

// WithProjection makes the output these value columns, in this order. Plan.InputFields says what a merge must read for it.
func WithProjection(names ...string) MergeOption { return func(c *config) { c.projection = names } }

// KeepDeletes keeps results that are retracts, as a merge of only some of a table's runs must. Read their kinds with
// KeepSystemColumns.
func KeepDeletes() MergeOption { return func(c *config) { c.keepDeletes = true } }

// KeepSystemColumns puts the columns of a table's own files before the value columns: the key columns as `_KEY_` columns, then
// `_SEQUENCE_NUMBER` (-1 where the runs have no sequence numbers) and `_VALUE_KIND`.
func KeepSystemColumns() MergeOption { return func(c *config) { c.keepSystem = true } }

// WithCopy makes every output record have memory of its own. Otherwise a stretch of rows that only one run has is passed on
// as a slice of its input record, and keeps that alive as long as it lives.
func WithCopy() MergeOption { return func(c *config) { c.copied = true } }

// WithPlainDictionaries puts dictionary columns out as plain columns of their values. Otherwise a dictionary column keeps its
// type, and all records of a merge share one dictionary that grows.
func WithPlainDictionaries() MergeOption { return func(c *config) { c.plain = true } }

// outputSchema returns the schema of output records, with or without system columns.
func (m *merger) outputSchema(system bool) *arrow.Schema {
	var fields []arrow.Field
	if system {
		for _, key := range m.in.keys {
			f := m.plan.columns[key.col].field
			fields = append(fields, arrow.Field{Name: KeyPrefix + f.Name, Type: key.key(), Nullable: f.Nullable})
		}
		fields = append(fields,
			arrow.Field{Name: SequenceColumn, Type: arrow.PrimitiveTypes.Int64},
			arrow.Field{Name: KindColumn, Type: arrow.PrimitiveTypes.Int8})
	}
	for i := range m.output {
		f := m.output[i].field
		f.Type = m.in.at(m.output[i].place).output()
		fields = append(fields, f)
	}
	meta := m.plan.table.Schema.Metadata()
	return arrow.NewSchema(fields, &meta)
}

// inputs lists what a merge reads of every batch for an output.
func (p *Plan) inputs(output []int) *inputs {
	in := &inputs{kindCol: -1, nullKeys: p.options.NullableKeys}
	for _, i := range p.keys {
		in.keys = append(in.keys, p.input(i, true))
	}
	for _, i := range output {
		in.value(p, i, p.columns[i].plain())
	}
	for _, i := range p.order {
		in.value(p, i, true)
	}
	for _, i := range slices.Concat(output, p.order) {
		if g := p.columns[i].group; g >= 0 {
			for _, s := range p.groups[g].sequence {
				in.value(p, s, true)
			}
		}
	}
	if p.supplied >= 0 {
		in.value(p, p.supplied, false)
		in.supplies = len(p.columns)
		in.own = p.supplied
	}
	if p.kind >= 0 {
		read := len(in.values)
		in.kindCol = in.value(p, p.kind, true)
		in.values[in.kindCol].kindOnly = in.kindCol == read
	}
	return in
}

func (p *Plan) input(col int, compared bool) input {
	return input{name: p.columns[col].field.Name, typ: p.columns[col].field.Type, col: col, compared: compared}
}

// value adds a value column, once, and returns its place among the values. Compared values need a place of their own only
// where they are not written down as they are.
func (in *inputs) value(p *Plan, col int, compared bool) int {
	for i, v := range in.values {
		if v.col == col && (v.compared == compared || v.inFull()) {
			in.values[i].compared = v.compared || compared
			return i
		}
	}
	in.values = append(in.values, p.input(col, compared))
	return len(in.values) - 1
}
