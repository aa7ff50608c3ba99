package fuzz_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/kernel"
)

// answer is what a merge has given.
type answer struct {
	rows      []rowmerge.Row
	err       error
	brokenOff bool   // released early, cancelled, or out of memory: rows may be missing at the end
	broken    string // what is wrong with the records as such, whatever their rows
}

// kept is a record that is held while the merge goes on, and what it looked like.
type kept struct {
	record arrow.Record
	print  uint64
}

// collect merges the problem and reads the answer to its end, or as far as the way says.
func (p posed) collect(merge merger) answer {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if p.Cancel < 0 {
		cancel()
	}
	reader, err := merge(ctx, p)
	if err != nil {
		return answer{err: err, brokenOff: p.breaksOff(err)}
	}
	got, held := p.read(reader, cancel)
	got.err = reader.Err()
	got.brokenOff = got.brokenOff || p.breaksOff(got.err)
	if got.broken == "" && got.err == nil && !got.brokenOff {
		got.broken = p.checkStats(reader, got)
	}
	reader.Release()
	for _, k := range held {
		if got.broken == "" && fingerprint(k.record) != k.print {
			got.broken = "a record has changed while it was retained"
		}
		k.record.Release()
	}
	return got
}

// read takes records from the reader and retains them all.
func (p posed) read(reader array.RecordReader, cancel func()) (got answer, held []kept) {
	got.broken = p.checkSchema(reader.Schema())
	var inputs []span
	if p.Copy {
		inputs = p.inputMemory()
	}
	for n := 1; got.broken == ""; n++ {
		if n == p.Cancel {
			cancel()
		}
		if !reader.Next() {
			break
		}
		rec := reader.Record()
		got.broken = cmp.Or(checkRecord(rec, reader.Schema(), p.BatchRows), sharedWith(inputs, rec))
		if got.broken != "" {
			break
		}
		rec.Retain()
		held = append(held, kept{rec, fingerprint(rec)})
		rows, err := rowmerge.RowsOf(rec, p.columns(), p.trimmedKey())
		if err != nil {
			got.broken = err.Error()
		}
		got.rows = append(got.rows, rows...)
		if n == p.Release {
			got.brokenOff = true
			break
		}
	}
	return got, held
}

// breaksOff says whether err is one that the way asks for.
func (p posed) breaksOff(err error) bool {
	return p.Cancel != 0 && errors.Is(err, context.Canceled) || p.Limit > 0 && errors.Is(err, kernel.ErrMemoryLimit)
}

// limitSlack is what a merge may hold beyond its memory limit, which it keeps by estimates.
func limitSlack(limit int64) int64 { return 16<<10 + limit/8 }

// checkStats compares the rows that a complete merge says it has read and given with what it was given and gave.
func (p posed) checkStats(reader array.RecordReader, got answer) string {
	counted, ok := reader.(interface{ Stats() kernel.Stats })
	if !ok {
		return ""
	}
	stats := counted.Stats()
	if stats.RowsOut != int64(len(got.rows)) || stats.RowsIn != p.problem.Rows() {
		return fmt.Sprintf("the merge counts %d rows in and %d rows out; there were %d and %d",
			stats.RowsIn, stats.RowsOut, p.problem.Rows(), len(got.rows))
	}
	if p.Limit > 0 && stats.MemoryHigh > p.Limit+limitSlack(p.Limit) {
		return fmt.Sprintf("the merge has held %d bytes, %d were allowed", stats.MemoryHigh, p.Limit)
	}
	return ""
}
