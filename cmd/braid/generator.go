package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/kernel"
)

// generator makes sorted runs of made-up rows. It goes once through the keys in order and gives every version of a key to
// a run, so that it needs memory for a batch of every run only. Every choice comes from a hash of the seed and of what is
// chosen.
type generator struct {
	rows                       int64
	runs                       int
	seed                       uint64
	duplicates, deletes, nulls float64
	system                     bool

	schema *arrow.Schema
	keys   []func(array.Builder, place)
	values []func(array.Builder, uint64)
}

// place says which key out of how many.
type place struct{ key, of int64 }

// setColumns chooses the columns.
func (g *generator) setColumns(key string, columns []string) error {
	var fields []arrow.Field
	switch key {
	case "int":
		g.keys = []func(array.Builder, place){appendNumber}
		fields = append(fields, arrow.Field{Name: "id", Type: arrow.PrimitiveTypes.Int64})
	case "string":
		g.keys = []func(array.Builder, place){appendName}
		fields = append(fields, arrow.Field{Name: "id", Type: arrow.BinaryTypes.String})
	case "composite":
		g.keys = []func(array.Builder, place){appendRegion, appendNumber}
		fields = append(fields,
			arrow.Field{Name: "region", Type: arrow.BinaryTypes.String},
			arrow.Field{Name: "id", Type: arrow.PrimitiveTypes.Int64})
	}
	for _, column := range columns {
		name, typeName, _ := strings.Cut(column, ":")
		made, ok := madeUp[typeName]
		if name == "" || !ok {
			return usagef("--columns %q is not of the form name:type with a type that gen knows", column)
		}
		for _, field := range fields {
			if field.Name == name || isSystem(name) {
				return usagef("--columns %q: the name is taken", column)
			}
		}
		g.values = append(g.values, made.value)
		fields = append(fields, arrow.Field{Name: name, Type: made.dt, Nullable: true})
	}
	if g.system {
		fields = append([]arrow.Field{
			{Name: kernel.SequenceColumn, Type: arrow.PrimitiveTypes.Int64},
			{Name: kernel.KindColumn, Type: arrow.PrimitiveTypes.Int8},
		}, fields...)
	}
	g.schema = arrow.NewSchema(fields, nil)
	return nil
}

// generated is a run that is being made.
type generated struct {
	writing *behind
	builder *array.RecordBuilder
	pending int   // rows in the builder
	rows    int64 // rows in all
}

// flush hands the rows in the builder over to be written, and says whether the writing goes on.
func (r *generated) flush() bool {
	record := r.builder.NewRecord()
	defer record.Release()
	r.pending = 0
	return r.writing.add(record)
}

// end writes what is left in the builder and waits until all is written.
func (r *generated) end() error {
	r.flush()
	r.builder.Release()
	return r.writing.wait()
}

// write writes all rows, a run to an output, and says at times how many are done.
func (g *generator) write(ctx context.Context, outs []*output, at func(rows int64)) error {
	runs := make([]*generated, len(outs))
	for i, out := range outs {
		runs[i] = &generated{writing: writeBehind(out.write), builder: array.NewRecordBuilder(memory.DefaultAllocator, g.schema)}
	}
	err := g.fill(ctx, runs, at)
	for _, r := range runs {
		err = errors.Join(err, r.end())
	}
	return err
}

// fill goes through the keys. It ends early, without an error, when one of the runs can no longer be written.
func (g *generator) fill(ctx context.Context, runs []*generated, at func(rows int64)) error {
	order := make([]int, len(runs))
	for i := range order {
		order[i] = i
	}
	batch := max(1024, min(65536, 4<<20/len(runs)))
	extra := int64(float64(g.rows)*g.duplicates + 0.5)
	keys := g.rows - extra
	done := int64(0)
	for key := range keys {
		// The further versions are spread evenly over the keys.
		versions := 1 + part(extra, key+1, keys) - part(extra, key, keys)
		g.deal(order, int(versions), uint64(key))
		for _, run := range order[:versions] {
			r := runs[run]
			g.append(r, run, place{key, keys})
			if r.pending < batch {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			done += int64(r.pending)
			if !r.flush() {
				return nil
			}
			at(done)
		}
	}
	return nil
}

// part is how much of total the first n of all get.
func part(total, n, all int64) int64 {
	return int64(float64(total) * (float64(n) / float64(all)))
}

// deal brings n different runs, chosen by the key, to the front of order.
func (g *generator) deal(order []int, n int, key uint64) {
	h := g.hash(key, 1<<32)
	for i := range n {
		j := i + int(h%uint64(len(order)-i))
		order[i], order[j] = order[j], order[i]
		h = mix(h)
	}
}

// append adds a version of a key to a run.
func (g *generator) append(r *generated, run int, p place) {
	column := 0
	version := g.hash(uint64(p.key), uint64(run))
	if g.system {
		kind := int8(0)
		if run > 0 && chance(mix(version), g.deletes*float64(g.runs)/float64(g.runs-1)) {
			kind = 3
		}
		r.builder.Field(0).(*array.Int64Builder).Append(int64(run)*p.of + r.rows)
		r.builder.Field(1).(*array.Int8Builder).Append(kind)
		column = 2
	}
	for _, key := range g.keys {
		key(r.builder.Field(column), p)
		column++
	}
	for _, value := range g.values {
		h := mix(version + uint64(column))
		if chance(h, g.nulls) {
			r.builder.Field(column).AppendNull()
		} else {
			value(r.builder.Field(column), mix(h))
		}
		column++
	}
	r.pending++
	r.rows++
}

// hash is a random number for a key and something chosen for it.
func (g *generator) hash(key, choice uint64) uint64 { return mix(mix(mix(g.seed)+key) + choice) }

// mix is a step of the generator SplitMix64: every number has a random-looking one of its own.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// chance is true for this fraction of all hashes.
func chance(h uint64, fraction float64) bool { return float64(h>>11)/(1<<53) < fraction }

// regions are the first column of a composite key, in order.
var regions = []string{"africa-south", "asia-east", "asia-south", "europe-north", "europe-west", "us-central", "us-east", "us-west"}

func appendRegion(b array.Builder, p place) {
	b.(*array.StringBuilder).Append(regions[int(float64(p.key)/float64(p.of)*float64(len(regions)))])
}

func appendNumber(b array.Builder, p place) {
	b.(*array.Int64Builder).Append(p.key*10 + int64(mix(uint64(p.key))%10))
}

func appendName(b array.Builder, p place) {
	b.(*array.StringBuilder).Append(fmt.Sprintf("customer-%012d", p.key*10+int64(mix(uint64(p.key))%10)))
}
