//go:build ignore

// Command make writes the Parquet files of the demo out of a file of flights:
//
//	go run ./cmd/braid/demo/make.go -flights flights-3m.parquet -out cmd/braid/demo/data
//
// base.parquet has the first flights of the file, each numbered by its line. update-1.parquet to update-3.parquet are made up:
// each corrects the delays of some flights and deletes a few, and leaves every other column NULL. Which flights, and by how
// much, comes from a hash of the line number, so that the files come out the same whenever they are made.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/arrow18"
	"github.com/braidmerge/braid/kernel"
)

// update is how many of a thousand flights an update corrects and deletes.
type update struct{ corrected, deleted uint64 }

var updates = []update{{40, 2}, {30, 3}, {20, 1}}

// columns of the flights file, in the order they have in the base.
var columns = []string{"date", "delay", "distance", "origin", "destination"}

const delayColumn = 1

func main() {
	flights := flag.String("flights", "", "the file of flights")
	out := flag.String("out", "", "directory of the files")
	rows := flag.Int64("rows", 120_000, "flights in the base")
	flag.Parse()
	base, err := readBase(*flights, *rows)
	if err != nil {
		log.Fatal(err)
	}
	if err := write(filepath.Join(*out, "base.parquet"), base); err != nil {
		log.Fatal(err)
	}
	gone := make([]bool, base.NumRows())
	for i, u := range updates {
		path := filepath.Join(*out, fmt.Sprintf("update-%d.parquet", i+1))
		if err := write(path, u.rows(base, uint64(i), gone)); err != nil {
			log.Fatal(err)
		}
	}
}

// readBase reads the first rows and numbers them by line, from 1.
func readBase(path string, rows int64) (arrow.Record, error) {
	r, err := arrow18.OpenParquet(context.Background(), path, arrow18.ReadOptions{Columns: columns, RowGroups: []int{0}, BatchRows: int(rows)})
	if err != nil {
		return nil, err
	}
	defer r.Release()
	if !r.Next() || r.Record().NumRows() < rows {
		return nil, fmt.Errorf("%s: fewer than %d rows: %v", path, rows, r.Err())
	}
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema())
	record := r.Record()
	for row := range int(rows) {
		b.Field(0).(*array.Int64Builder).Append(int64(row) + 1)
		b.Field(1).(*array.TimestampBuilder).Append(record.Column(0).(*array.Timestamp).Value(row))
		b.Field(2).(*array.Int64Builder).Append(record.Column(1).(*array.Int64).Value(row))
		b.Field(3).(*array.Int64Builder).Append(record.Column(2).(*array.Int64).Value(row))
		b.Field(4).(*array.StringBuilder).Append(record.Column(3).ValueStr(row))
		b.Field(5).(*array.StringBuilder).Append(record.Column(4).ValueStr(row))
	}
	return b.NewRecord(), nil
}

func schema() *arrow.Schema {
	return arrow.NewSchema([]arrow.Field{
		{Name: "flight", Type: arrow.PrimitiveTypes.Int64},
		{Name: "date", Type: &arrow.TimestampType{Unit: arrow.Microsecond}, Nullable: true},
		{Name: "delay", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		{Name: "distance", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		{Name: "origin", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "destination", Type: arrow.BinaryTypes.String, Nullable: true},
	}, nil)
}

// rows makes the rows of update number i. Flights that are gone are left alone; those it deletes are gone.
func (u update) rows(base arrow.Record, i uint64, gone []bool) arrow.Record {
	fields := append([]arrow.Field{{Name: kernel.KindColumn, Type: arrow.PrimitiveTypes.Int8}}, schema().Fields()...)
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema(fields, nil))
	flights, delays := base.Column(0).(*array.Int64), base.Column(1+delayColumn).(*array.Int64)
	for row := range int(base.NumRows()) {
		h := mix(mix(uint64(row)) + i)
		kind := int8(0)
		switch {
		case gone[row]:
			continue
		case h%1000 < u.deleted:
			kind, gone[row] = 3, true
		case h%1000 >= u.deleted+u.corrected:
			continue
		}
		b.Field(0).(*array.Int8Builder).Append(kind)
		b.Field(1).(*array.Int64Builder).Append(flights.Value(row))
		for column := range columns {
			if column == delayColumn && kind == 0 {
				b.Field(2 + column).(*array.Int64Builder).Append(delays.Value(row) + int64(mix(h)%81) - 20)
				continue
			}
			b.Field(2 + column).AppendNull()
		}
	}
	return b.NewRecord()
}

// mix makes a random-looking number of each number.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func write(path string, record arrow.Record) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	w, err := arrow18.NewParquetWriter(file, record.Schema(), arrow18.WriteOptions{Compression: "zstd", Level: 19})
	if err != nil {
		return err
	}
	if err := w.Write(record); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return file.Close()
}
