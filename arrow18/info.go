package arrow18

import (
	"context"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/apache/arrow-go/v18/parquet/metadata"
)

// ParquetInfo is what the footer of a Parquet file says.
type ParquetInfo struct {
	Bytes     int64         // size of the file
	Schema    *arrow.Schema // as ParquetReader gives it
	Rows      int64
	CreatedBy string         // the program that wrote the file
	Metadata  arrow.Metadata // keys and values of the file, a carried Arrow schema included
	RowGroups []RowGroupInfo
}

// RowGroupInfo is what the footer says of a row group.
type RowGroupInfo struct {
	Rows         int64
	Compressed   int64 // bytes in the file
	Uncompressed int64 // bytes
	Columns      []ColumnInfo
}

// ColumnInfo is what the footer says of a column chunk. A nested column has one for each of its leaves.
type ColumnInfo struct {
	Path         string // names from the top, joined by dots
	Type         string // physical type, and the logical type if there is one
	Compression  string
	Encodings    []string
	Values       int64 // NULLs included, and more than rows if the column is repeated
	Compressed   int64 // bytes in the file
	Uncompressed int64 // bytes
	Nulls        int64 // -1 if not known
	Min, Max     string
	Bounded      bool // Min and Max are known
}

// ReadParquetInfo reads the footer of a Parquet file, and no page of it. Its errors are those of OpenParquet.
func ReadParquetInfo(path string) (*ParquetInfo, error) {
	r, err := OpenParquet(context.Background(), path, ReadOptions{})
	if err != nil {
		return nil, err
	}
	defer r.Release()
	info := &ParquetInfo{Bytes: r.in.size, Schema: r.schema, Rows: r.rows, CreatedBy: r.in.footer.GetCreatedBy()}
	pairs := r.in.footer.KeyValueMetadata()
	info.Metadata = arrow.NewMetadata(pairs.Keys(), pairs.Values())
	for g := range r.in.footer.RowGroups {
		group := r.in.footer.RowGroup(g)
		of := RowGroupInfo{Rows: group.NumRows()}
		for i := range group.NumColumns() {
			c, err := r.columnInfo(group, g, i)
			if err != nil {
				return nil, err
			}
			of.Columns = append(of.Columns, c)
			of.Compressed += c.Compressed
			of.Uncompressed += c.Uncompressed
		}
		info.RowGroups = append(info.RowGroups, of)
	}
	return info, nil
}

func (r *ParquetReader) columnInfo(group *metadata.RowGroupMetaData, g, i int) (c ColumnInfo, err error) {
	column := r.in.footer.Schema.Column(i)
	err = r.in.guard(place{g + 1, column.Path()}, func() error {
		meta, err := group.ColumnChunk(i)
		if err != nil {
			return err
		}
		c = ColumnInfo{
			Path:         column.Path(),
			Type:         column.PhysicalType().String(),
			Compression:  meta.Compression().String(),
			Values:       meta.NumValues(),
			Compressed:   meta.TotalCompressedSize(),
			Uncompressed: meta.TotalUncompressedSize(),
			Nulls:        -1,
		}
		if logical := column.LogicalType(); logical != nil && !logical.IsNone() {
			c.Type += " " + logical.String()
		}
		for _, e := range meta.Encodings() {
			c.Encodings = append(c.Encodings, e.String())
		}
		return c.addStatistics(meta, r.decoder.Manifest.ColIndexToField[i].Field.Type)
	})
	return c, err
}
