package main

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/kernel"
)

// changeColumns says which columns of changes are written: their kind, as a number or in words, and those of the table, and the other
// system columns where they are wanted.
type changeColumns struct {
	schema *arrow.Schema
	places []int
	kind   int  // among places
	words  bool // kinds are written in words
}

func newChangeColumns(changes *arrow.Schema, system, words bool) changeColumns {
	c := changeColumns{words: words}
	var fields []arrow.Field
	for i, f := range changes.Fields() {
		switch {
		case f.Name == kernel.KindColumn:
			if c.kind = len(fields); words {
				f.Type = arrow.BinaryTypes.String
			}
		case isSystem(f.Name) && !system:
			continue
		}
		fields, c.places = append(fields, f), append(c.places, i)
	}
	metadata := changes.Metadata()
	c.schema = arrow.NewSchema(fields, &metadata)
	return c
}

// of returns what is written of changes. The caller releases it.
func (c *changeColumns) of(changes arrow.Record) arrow.Record {
	columns := make([]arrow.Array, len(c.places))
	for i, place := range c.places {
		columns[i] = changes.Column(place)
	}
	if c.words {
		words := kindWords(columns[c.kind].(*array.Int8))
		defer words.Release()
		columns[c.kind] = words
	}
	return array.NewRecord(c.schema, columns, changes.NumRows())
}

// kindWords are row kinds as people write them.
func kindWords(kinds *array.Int8) arrow.Array {
	b := array.NewStringBuilder(memory.DefaultAllocator)
	defer b.Release()
	for _, kind := range kinds.Int8Values() {
		b.Append([]string{"+I", "-U", "+U", "-D"}[kind])
	}
	return b.NewArray()
}
