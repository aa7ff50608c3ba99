package fuzz_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/internal/rungen"
)

func zeros(s *rungen.Spec) {
	s.Values[1] = rungen.Column{Name: "f", Type: "float64", Style: rungen.Dense, Distinct: 3}
}
func nans(s *rungen.Spec) {
	s.Values[1] = rungen.Column{Name: "f", Type: "float64", Distinct: 2}
	s.Seed = nanSeed
}

// nanSeed is a seed with which a pool of two floats holds NaNs.
const nanSeed = 3

func numbered(s *rungen.Spec) { s.Numbers = rungen.Overlap }
func deletes(s *rungen.Spec)  { s.Kinds = rungen.Many }
func badKind(s *rungen.Spec)  { s.Fault = rungen.BadKind }

// listed lets change work on the list of records a merger gives.
func listed(change func([]arrow.Record) []arrow.Record) func(merger) merger {
	return func(merge merger) merger {
		return func(ctx context.Context, p posed) (array.RecordReader, error) {
			reader, err := merge(ctx, p)
			if err != nil {
				return nil, err
			}
			defer reader.Release()
			var records []arrow.Record
			for reader.Next() {
				reader.Record().Retain()
				records = append(records, reader.Record())
			}
			if reader.Err() != nil {
				return nil, reader.Err()
			}
			records = change(records)
			defer releaseAll(records)
			return array.NewRecordReader(reader.Schema(), records)
		}
	}
}

func dropLast(records []arrow.Record) []arrow.Record {
	last := records[len(records)-1]
	records[len(records)-1] = last.NewSlice(0, last.NumRows()-1)
	last.Release()
	return records
}

func doubleLast(records []arrow.Record) []arrow.Record {
	last := records[len(records)-1]
	last.Retain()
	return append(records, last)
}

func swapRows(records []arrow.Record) []arrow.Record {
	slices.Reverse(records)
	return records
}

// edited lets change work on a column of the first record, whose values, validity and offsets it may write to.
func edited(column string, change func(*editable)) func(merger) merger {
	return listed(func(records []arrow.Record) []arrow.Record {
		first := records[0]
		records[0] = edit(first, column, change)
		first.Release()
		return records
	})
}

// editable is a copy of a column: rows values from an array offset on.
type editable struct {
	offset, rows, nulls    int
	valid, values, content []byte
}

func edit(rec arrow.Record, column string, change func(*editable)) arrow.Record {
	i := rec.Schema().FieldIndices(column)[0]
	data := rec.Column(i).Data()
	e := editable{offset: data.Offset(), rows: data.Len(), nulls: rec.Column(i).NullN()}
	for j, buffer := range data.Buffers() {
		if buffer != nil {
			*[]*[]byte{&e.valid, &e.values, &e.content}[j] = slices.Clone(buffer.Bytes())
		}
	}
	change(&e)
	buffers := []*memory.Buffer{nil, memory.NewBufferBytes(e.values)}
	if e.valid != nil {
		buffers[0] = memory.NewBufferBytes(e.valid)
	}
	if len(data.Buffers()) == 3 {
		buffers = append(buffers, memory.NewBufferBytes(e.content))
	}
	changed := array.NewData(data.DataType(), data.Len(), buffers, nil, e.nulls, data.Offset())
	defer changed.Release()
	columns := slices.Clone(rec.Columns())
	columns[i] = array.MakeFromData(changed)
	defer columns[i].Release()
	return array.NewRecord(rec.Schema(), columns, rec.NumRows())
}

// flipByte changes the byte at a distance from the start of every value: all of them, as some may be NULL.
func flipByte(at int) func(*editable) {
	return func(e *editable) {
		for i := at; i < len(e.values); i += 8 {
			e.values[i] ^= 2
		}
	}
}

// flipText changes the first byte of the first text that has one.
func flipText(e *editable) { e.content[binary.LittleEndian.Uint32(e.values[4*e.offset:])] ^= 1 }

// eachFloat replaces the bits of every float.
func eachFloat(e *editable, f func(bits uint64) uint64) {
	for i := 0; i+8 <= len(e.values); i += 8 {
		binary.LittleEndian.PutUint64(e.values[i:], f(binary.LittleEndian.Uint64(e.values[i:])))
	}
}

func negateZero(e *editable) {
	eachFloat(e, func(bits uint64) uint64 {
		if bits<<1 == 0 {
			return bits ^ 1<<63
		}
		return bits
	})
}

func otherNaN(e *editable) {
	eachFloat(e, func(bits uint64) uint64 {
		if math.IsNaN(math.Float64frombits(bits)) {
			return bits ^ 2
		}
		return bits
	})
}

func withoutNulls(e *editable) { e.valid, e.nulls = nil, 0 }
func miscounted(e *editable)   { e.nulls++ }
func shortened(e *editable)    { e.values = e.values[:8*(e.offset+e.rows)-1] }
func backwards(e *editable)    { binary.LittleEndian.PutUint32(e.values[4*e.offset+4:], math.MaxInt32) }

// onProblem lets a merger answer another problem than the one it is given.
func onProblem(merge merger, change func(p *posed)) merger {
	return func(ctx context.Context, p posed) (array.RecordReader, error) {
		other := *p.problem
		p.problem = &other
		change(&p)
		return merge(ctx, p)
	}
}

func reversedRuns(merge merger) merger {
	return onProblem(merge, func(p *posed) {
		p.problem.Runs = slices.Clone(p.problem.Runs)
		slices.Reverse(p.problem.Runs)
	})
}

func largerBatches(merge merger) merger {
	return onProblem(merge, func(p *posed) { p.BatchRows = 1000 })
}

func keepsDeletes(merge merger) merger { return onProblem(merge, func(p *posed) { p.Deletes = true }) }
func noProjection(merge merger) merger {
	return onProblem(merge, func(p *posed) { p.Projection = nil })
}
func withSystem(merge merger) merger { return onProblem(merge, func(p *posed) { p.System = true }) }

// repaired merges the sound problem in place of the spoilt one.
func repaired(merge merger) merger {
	return func(ctx context.Context, p posed) (array.RecordReader, error) {
		spec, err := rungen.Parse(p.problem.Description)
		if err != nil {
			return nil, err
		}
		spec.Fault = rungen.NoFault
		sound, err := rungen.Generate(memory.NewGoAllocator(), spec)
		if err != nil {
			return nil, err
		}
		p.problem = sound
		return merge(ctx, p)
	}
}

func failing(err error) func(merger) merger {
	return func(merger) merger {
		return func(context.Context, posed) (array.RecordReader, error) { return nil, fmt.Errorf("merge: %w", err) }
	}
}

func panics(merger) merger {
	return func(context.Context, posed) (array.RecordReader, error) { panic("index out of range") }
}

func leaking(merge merger) merger {
	return func(ctx context.Context, p posed) (array.RecordReader, error) {
		p.mem.Allocate(8)
		return merge(ctx, p)
	}
}

func changesInputs(merge merger) merger {
	return func(ctx context.Context, p posed) (array.RecordReader, error) {
		reader, err := merge(ctx, p)
		column := p.problem.Runs[0].Records[0].Column(1).Data()
		column.Buffers()[1].Bytes()[8*column.Offset()] ^= 1
		return reader, err
	}
}

// reusing gives records whose buffers it writes to as soon as it is asked for the next one.
func reusing(merge merger) merger {
	return func(ctx context.Context, p posed) (array.RecordReader, error) {
		reader, err := edited("f", func(*editable) {})(merge)(ctx, p)
		return overwriting{reader}, err
	}
}

type overwriting struct{ array.RecordReader }

func (o overwriting) Next() bool {
	if rec := o.Record(); rec != nil {
		values := rec.Column(rec.Schema().FieldIndices("f")[0]).Data().Buffers()[1].Bytes()
		values[8*rec.Column(0).Data().Offset()] ^= 1
	}
	return o.RecordReader.Next()
}
