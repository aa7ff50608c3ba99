package arrow18

import (
	v18arrow "github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/metadata"
)

// openGroup begins the first of the row groups still to read. The decoder opens nested columns on goroutines of its own,
// where nobody could catch its panics: their pages are checked before, and it reads none of them yet.
func (r *ParquetReader) openGroup() error {
	g := r.groups[0]
	rows := r.in.footer.RowGroups[g].NumRows
	if rows == 0 {
		r.groups = r.groups[1:]
		return nil
	}
	group := r.in.footer.RowGroup(g)
	width := int64(0) // bytes a row
	for i := range r.columns {
		c := &r.columns[i]
		err := r.in.guard(place{g + 1, c.name}, func() error {
			n, coded, err := r.checkColumn(c, group)
			if err != nil {
				return err
			}
			width += n/rows + c.wide
			return c.open(r.decoder, g, coded)
		})
		if err != nil {
			return err
		}
	}
	r.left, r.batch = rows, r.batchRows(width)
	return nil
}

// decodedTogether is how many values the decoder makes room for however short a record is.
const decodedTogether = 1024

// checkColumn checks the pages of a column's chunks. It gives their bytes uncompressed, as the footer says, and whether to
// read the column's dictionary and indices.
func (r *ParquetReader) checkColumn(c *column, group *metadata.RowGroupMetaData) (bytes int64, coded bool, err error) {
	const most = 1 << 40 // keeps sums of what footers claim from overflowing
	if limit := r.options.maxBytes(); c.wide > limit/decodedTogether {
		return 0, false, tooLarge(c.wide*decodedTogether, limit)
	}
	for leaf := range c.leaves {
		meta, err := group.ColumnChunk(leaf)
		if err != nil {
			return 0, false, err
		}
		of := chunk{
			column: r.in.footer.Schema.Column(leaf),
			meta:   meta,
			start:  chunkStart(meta),
			end:    chunkStart(meta) + meta.TotalCompressedSize(),
			limit:  r.options.maxBytes(),
		}
		dictionary, err := r.pages.check(of)
		if err == nil && c.strings() {
			coded, err = r.coded(c, of, dictionary)
		}
		if err != nil {
			return 0, false, err
		}
		bytes += min(meta.TotalUncompressedSize(), most)
	}
	return bytes, coded, nil
}

// coded decides whether the decoder reads the dictionary and the indices of a chunk of strings, or their values. Indices are
// read faster where values are few. The decoder takes a dictionary that has a value twice for a shorter one.
func (r *ParquetReader) coded(c *column, of chunk, d dictionaryPage) (bool, error) {
	const few = 4 // rows a value
	if of.column.PhysicalType() != parquet.Types.ByteArray || d.at == 0 || !d.holdsAll {
		return false, nil
	}
	if c.plain.ID() != v18arrow.DICTIONARY && d.header.values > of.meta.NumValues()/few {
		return false, nil
	}
	return r.pages.distinct(of, d)
}

// batchRows chooses the rows of a record whose rows have width bytes.
func (r *ParquetReader) batchRows(width int64) int64 {
	batch := int64(r.options.BatchRows)
	if batch <= 0 {
		batch = defaultBatchRows
	}
	if width > recordBytes/batch {
		batch = max(1, recordBytes/width)
	}
	return batch
}

// endGroup closes the row group that was read to its end.
func (r *ParquetReader) endGroup() error {
	for i := range r.columns {
		c := &r.columns[i]
		if err := r.in.guard(place{r.groups[0] + 1, c.name}, c.end); err != nil {
			return err
		}
	}
	r.closeGroup()
	r.groups = r.groups[1:]
	return nil
}

// closeGroup gives back what the decoder holds of a row group, whatever state it is in.
func (r *ParquetReader) closeGroup() {
	for i := range r.columns {
		c := &r.columns[i]
		// A decoder that has failed may fail again; the ledger takes back what it still holds.
		_ = r.in.guard(place{}, func() error {
			c.close()
			return nil
		})
		c.reader = nil
	}
	r.ledger.sweep()
}
