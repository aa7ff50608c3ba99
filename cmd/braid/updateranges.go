package main

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/arrow18"
	"github.com/braidmerge/braid/kernel"
)

// rowRanges gives every file that has rows its row ids, and what is known of its columns.
func rowRanges(files *inputRuns) ([]kernel.RowRange, error) {
	var ranges []kernel.RowRange
	next := int64(0)
	for _, in := range files.inputs() {
		if in.rows == 0 {
			continue
		}
		r := kernel.RowRange{Name: in.name, FirstRowID: next, Rows: in.rows}
		r.Files = []kernel.ColumnFile{{Open: func(ctx context.Context) (array.RecordReader, error) { return in.open(ctx, nil) }}}
		if in.format == parquetFormat {
			info, err := arrow18.ReadParquetInfo(in.name)
			if err != nil {
				return nil, named(in.name, err)
			}
			r.Stats = parquetStats(info)
		}
		ranges = append(ranges, r)
		next += in.rows
	}
	return ranges, nil
}

// reading limits what is read of a range of one file to some columns.
func reading(files *inputRuns, r kernel.RowRange, columns []string) kernel.RowRange {
	for _, in := range files.inputs() {
		if in.name == r.Name {
			r.Files = []kernel.ColumnFile{{Columns: columns, Open: func(ctx context.Context) (array.RecordReader, error) { return in.open(ctx, columns) }}}
		}
	}
	return r
}

// parquetStats is what the footer of a file says of its columns of integers and days. Other columns have bounds that may be cut
// off, or that do not count NaN.
func parquetStats(info *arrow18.ParquetInfo) kernel.FileStats {
	stats := kernel.FileStats{Columns: map[string]kernel.ColumnStats{}}
	for _, f := range info.Schema.Fields() {
		if strings.Contains(f.Name, ".") {
			continue // its path is not told from that of a nested column
		}
		if known, ok := columnStats(info, f); ok {
			stats.Columns[f.Name] = known
		}
	}
	return stats
}

// columnStats puts together what row groups say of a column; ok is false where one of them says nothing.
func columnStats(info *arrow18.ParquetInfo, f arrow.Field) (known kernel.ColumnStats, ok bool) {
	var least, most int64
	bounded := false
	known.NoNulls, known.AllNulls = true, true
	for _, group := range info.RowGroups {
		for _, c := range group.Columns {
			if c.Path != f.Name {
				continue
			}
			if c.Nulls < 0 {
				return known, false
			}
			known.NoNulls = known.NoNulls && c.Nulls == 0
			known.AllNulls = known.AllNulls && c.Nulls == c.Values
			if c.Nulls == c.Values {
				continue
			}
			from, ok1 := bound(f.Type, c.Min)
			to, ok2 := bound(f.Type, c.Max)
			if !c.Bounded || !ok1 || !ok2 {
				return known, false
			}
			if !bounded {
				least, most, bounded = from, to, true
			}
			least, most = min(least, from), max(most, to)
		}
	}
	if bounded {
		known.Min, known.Max = oneOf(f.Type, least), oneOf(f.Type, most)
	}
	return known, true
}

// bound reads a bound of a column of integers or days.
func bound(t arrow.DataType, text string) (int64, bool) {
	switch t.ID() {
	case arrow.INT8, arrow.INT16, arrow.INT32, arrow.INT64:
		n, err := strconv.ParseInt(text, 10, 64)
		return n, err == nil
	case arrow.DATE32:
		day, err := time.Parse(time.DateOnly, text)
		return int64(day.Sub(time.Unix(0, 0)) / (24 * time.Hour)), err == nil
	}
	return 0, false
}

// oneOf makes an array of one value.
func oneOf(t arrow.DataType, value int64) arrow.Array {
	b := array.NewBuilder(memory.DefaultAllocator, t)
	defer b.Release()
	switch b := b.(type) {
	case *array.Int8Builder:
		b.Append(int8(value))
	case *array.Int16Builder:
		b.Append(int16(value))
	case *array.Int32Builder:
		b.Append(int32(value))
	case *array.Int64Builder:
		b.Append(value)
	case *array.Date32Builder:
		b.Append(arrow.Date32(value))
	}
	return b.NewArray()
}
