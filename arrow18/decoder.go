package arrow18

import (
	"fmt"
	"math"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"

	v18memory "github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/braidmerge/braid/columnar"
)

// readBuffer is how much of a column chunk is read at a time, in bytes, beside whole pages.
const readBuffer = 64 << 10

// openDecoder makes the decoder and the schema, and chooses the columns.
func (r *ParquetReader) openDecoder() error {
	// Pages are scratch memory that the decoder gives back when the garbage collector says so; what becomes records comes from
	// the ledger.
	props := parquet.NewReaderProperties(v18memory.NewGoAllocator())
	props.BufferedStreamEnabled = true
	props.BufferSize = readBuffer
	props.MaxCompressedPageSize = min(r.options.maxBytes(), math.MaxInt32)
	props.MaxUncompressedPageSize = min(r.options.maxBytes(), math.MaxInt32)
	pages, err := file.NewParquetReader(r.in, file.WithReadProps(props), file.WithMetadata(r.in.footer))
	if err != nil {
		return err
	}
	r.decoder, err = pqarrow.NewFileReader(pages, pqarrow.ArrowReadProperties{PreAllocBinaryData: true}, r.ledger)
	if err != nil {
		return err
	}
	settleTypes(r.decoder.Manifest, r.in.footer.Schema)
	if err := r.chooseColumns(); err != nil {
		return err
	}
	r.schema = r.newSchema()
	for i := range r.columns {
		c := &r.columns[i]
		of := &r.decoder.Manifest.Fields[c.index]
		plainTypes(of)
		c.plain = of.Field.Type
		c.restored = decodedTypes(of, r.in.footer.Schema)
	}
	return nil
}

func (r *ParquetReader) newSchema() *arrow.Schema {
	fields := make([]arrow.Field, len(r.columns))
	for i, c := range r.columns {
		fields[i] = c.field
	}
	var meta arrow.Metadata
	if origin := r.decoder.Manifest.OriginSchema; origin != nil {
		meta = metadataTo17(origin.Metadata())
	}
	return arrow.NewSchema(fields, &meta)
}

// chooseColumns finds the columns asked for.
func (r *ParquetReader) chooseColumns() error {
	fields := r.decoder.Manifest.Fields
	if len(r.options.Columns) == 0 {
		for i := range fields {
			if err := r.addColumn(i); err != nil {
				return err
			}
		}
		return nil
	}
	byName := make(map[string][]int, len(fields))
	for i, f := range fields {
		byName[f.Field.Name] = append(byName[f.Field.Name], i)
	}
	for i, name := range r.options.Columns {
		at := byName[name]
		switch {
		case len(at) == 0:
			return fmt.Errorf("%w: no column %q in the file", columnar.ErrSchema, name)
		case len(at) > 1:
			return fmt.Errorf("%w: %d columns %q in the file", columnar.ErrSchema, len(at), name)
		case slices.Contains(r.options.Columns[:i], name):
			return fmt.Errorf("%w: column %q asked for twice", columnar.ErrSchema, name)
		}
		if err := r.addColumn(at[0]); err != nil {
			return err
		}
	}
	return nil
}

func (r *ParquetReader) addColumn(i int) error {
	of := &r.decoder.Manifest.Fields[i]
	field, err := FieldTo17(*of.Field)
	if err != nil {
		return err
	}
	c := column{name: field.Name, field: field, index: i, leaves: make(map[int]bool)}
	addLeaves(of, c.leaves)
	for leaf := range c.leaves {
		if column := r.in.footer.Schema.Column(leaf); column.PhysicalType() == parquet.Types.FixedLenByteArray {
			c.wide += int64(column.TypeLength())
		}
	}
	r.columns = append(r.columns, c)
	return nil
}

func addLeaves(f *pqarrow.SchemaField, leaves map[int]bool) {
	if f.ColIndex >= 0 {
		leaves[f.ColIndex] = true
	}
	for i := range f.Children {
		addLeaves(&f.Children[i], leaves)
	}
}
