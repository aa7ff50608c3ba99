package fuzz_test

import (
	"context"
	"errors"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/braidmerge/braid/fuzz"
	"github.com/braidmerge/braid/internal/rowmerge"
)

// mergeByReference answers as the kernel should, slowly: with the rows of the reference. Tests of the comparison start
// from its answers.
func mergeByReference(_ context.Context, p posed) (array.RecordReader, error) {
	rows, err := p.reference().Merge()
	var fault *rowmerge.Error
	if errors.As(err, &fault) {
		return nil, errorKinds[fault.Kind][0]
	}
	schema := p.answerSchema()
	system := fuzz.RunSchema(p.problem.Schema, p.trimmedKey())
	fields := append(slices.Clone(system.Fields()[:len(p.trimmedKey())+2]), schema.Fields()...)
	size := 100
	if p.BatchRows > 0 {
		size = p.BatchRows
	}
	var records []arrow.Record
	for part := range slices.Chunk(rows, size) {
		rec, err := fuzz.BuildRecord(p.mem, arrow.NewSchema(fields, nil), part)
		if err != nil {
			return nil, err
		}
		if !p.System {
			all := rec
			rec = array.NewRecord(schema, all.Columns()[len(fields)-schema.NumFields():], all.NumRows())
			all.Release()
		}
		records = append(records, rec)
	}
	if p.System {
		schema = arrow.NewSchema(fields, nil)
	}
	defer releaseAll(records)
	return array.NewRecordReader(schema, records)
}

func releaseAll(records []arrow.Record) {
	for _, rec := range records {
		rec.Release()
	}
}

// answerSchema has the value columns of the answer.
func (p posed) answerSchema() *arrow.Schema {
	var fields []arrow.Field
	for _, name := range p.columns() {
		of, _ := p.problem.Schema.FieldsByName(name)
		fields = append(fields, of[0])
	}
	return arrow.NewSchema(fields, nil)
}
