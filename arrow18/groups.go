package arrow18

import (
	"errors"
	"fmt"
	"slices"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// checkGroups checks what the footer says of row groups and column chunks: against the schema, against each other and
// against the file. It also takes out of the footer where the page index is, so that the decoder does not read it.
func (s *source) checkGroups() error {
	rows := int64(0)
	for g, group := range s.footer.RowGroups {
		if group.NumRows < 0 {
			return s.wrap(place{group: g + 1}, fmt.Errorf("%d rows", group.NumRows))
		}
		rows += group.NumRows
		if len(group.Columns) != s.footer.Schema.NumColumns() {
			err := fmt.Errorf("%d column chunks, the schema has %d columns", len(group.Columns), s.footer.Schema.NumColumns())
			return s.wrap(place{group: g + 1}, err)
		}
		for i, c := range group.Columns {
			c.ColumnIndexOffset, c.ColumnIndexLength, c.OffsetIndexOffset, c.OffsetIndexLength = nil, nil, nil, nil
			column := s.footer.Schema.Column(i)
			err := s.guard(place{group: g + 1, column: column.Path()}, func() error {
				meta, err := s.footer.RowGroup(g).ColumnChunk(i)
				if err != nil {
					return err
				}
				return s.checkChunk(meta, column, group.NumRows)
			})
			if err != nil {
				return err
			}
		}
	}
	if rows != s.footer.NumRows {
		return s.wrap(place{}, fmt.Errorf("row groups have %d rows, the footer says %d", rows, s.footer.NumRows))
	}
	return nil
}

func (s *source) checkChunk(meta *metadata.ColumnChunkMetaData, column *schema.Column, rows int64) error {
	switch {
	case meta.FilePath() != "":
		return fmt.Errorf("column chunk in another file, %q: %w", meta.FilePath(), errors.ErrUnsupported)
	case meta.CryptoMetadata() != nil:
		return fmt.Errorf("encrypted column: %w", errors.ErrUnsupported)
	case meta.Type() != column.PhysicalType():
		return fmt.Errorf("column chunk of type %s, the schema says %s", meta.Type(), column.PhysicalType())
	case !slices.Equal(meta.PathInSchema(), column.ColumnPath()):
		return fmt.Errorf("column chunk of column %q", meta.PathInSchema())
	case column.PhysicalType() == parquet.Types.FixedLenByteArray && column.TypeLength() <= 0:
		return fmt.Errorf("values of %d bytes", column.TypeLength())
	case column.MaxRepetitionLevel() == 0 && meta.NumValues() != rows, meta.NumValues() < rows:
		return fmt.Errorf("%d values in %d rows", meta.NumValues(), rows)
	case meta.TotalUncompressedSize() < 0:
		return fmt.Errorf("%d bytes uncompressed", meta.TotalUncompressedSize())
	}
	if meta.NumValues() == 0 {
		return nil // there may be no pages, and no place for them
	}
	start, length := chunkStart(meta), meta.TotalCompressedSize()
	if start < int64(len(parquetMagic)) || length < 0 || start > s.end || length > s.end-start {
		return fmt.Errorf("%d bytes at %d in a file of %d", length, start, s.size)
	}
	return nil
}

// chunkStart is where the first page of a column chunk begins. Some writers set a dictionary offset without a dictionary.
func chunkStart(meta *metadata.ColumnChunkMetaData) int64 {
	data, dictionary := meta.DataPageOffset(), meta.DictionaryPageOffset()
	if meta.HasDictionaryPage() && dictionary > 0 && dictionary < data {
		return dictionary
	}
	return data
}
