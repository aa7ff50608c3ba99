package arrow18

import (
	"context"
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"

	v18arrow "github.com/apache/arrow-go/v18/arrow"
	v18array "github.com/apache/arrow-go/v18/arrow/array"
	v18memory "github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

// column is a top-level column that is read.
type column struct {
	name   string
	field  arrow.Field
	index  int // among the top-level columns of the file
	plain  v18arrow.DataType
	leaves map[int]bool // its columns of the Parquet schema
	wide   int64        // bytes of a value, where a leaf has values of fixed length
	reader *pqarrow.ColumnReader
	coded  bool // the reader gives dictionary arrays

	restored bool // its decoded type is not its plain type
}

// open begins the reading of a row group. The decoder is told to read the column's dictionary and indices if coded says so,
// else its values.
func (c *column) open(decoder *pqarrow.FileReader, group int, coded bool) (err error) {
	c.coded = coded
	if of := &decoder.Manifest.Fields[c.index]; c.strings() {
		field := *of.Field
		field.Type = valueType(c.plain)
		if coded {
			field.Type = &v18arrow.DictionaryType{IndexType: v18arrow.PrimitiveTypes.Int32, ValueType: shortType(valueType(c.plain))}
		}
		of.Field = &field
	}
	c.reader, err = decoder.GetFieldReader(context.Background(), c.index, c.leaves, []int{group})
	if err == nil && c.reader == nil {
		err = errors.New("column has no values to read")
	}
	return err
}

// read reads the next n rows.
func (c *column) read(n int64, l *ledger) (arrow.Array, error) {
	chunks, err := c.reader.NextBatch(n)
	if err != nil {
		return nil, err
	}
	defer chunks.Release()
	if int64(chunks.Len()) != n {
		return nil, fmt.Errorf("%d rows where the footer says %d more", chunks.Len(), n)
	}
	a, err := oneArray(chunks, l)
	if err != nil {
		return nil, err
	}
	defer a.Release()
	if err := checkParts(a); err != nil {
		return nil, err
	}
	plain, err := c.toPlain(a, lists{l})
	if err != nil {
		return nil, err
	}
	defer plain.Release()
	out, err := arrayOf17(plain, c.field)
	if err == nil {
		l.handOut(plain)
	}
	return out, err
}

// toPlain gives a decoded array its plain type. The caller owns the result.
func (c *column) toPlain(a v18arrow.Array, l lists) (v18arrow.ArrayData, error) {
	dictionary := c.plain.ID() == v18arrow.DICTIONARY
	switch {
	case c.restored:
		return l.restore(a.Data(), c.plain)
	case c.coded && !dictionary:
		return l.dense(a.Data(), c.plain)
	case dictionary && !c.coded:
		return l.encode(a)
	}
	a.Data().Retain()
	return a.Data(), nil
}

// end checks that no rows are left.
func (c *column) end() error {
	chunks, err := c.reader.NextBatch(1)
	if err != nil {
		return err
	}
	defer chunks.Release()
	if chunks.Len() > 0 {
		return errors.New("more rows than the footer says")
	}
	return nil
}

// strings tells whether the column is one of strings or binary, or a dictionary of these, and not nested.
func (c *column) strings() bool {
	return v18arrow.IsBinaryLike(valueType(c.plain).ID()) || v18arrow.IsLargeBinaryLike(valueType(c.plain).ID())
}

// valueType is the type of a dictionary's values, or the type itself.
func valueType(dt v18arrow.DataType) v18arrow.DataType {
	if d, ok := dt.(*v18arrow.DictionaryType); ok {
		return d.ValueType
	}
	return dt
}

// shortType is a type of strings with 32-bit offsets.
func shortType(dt v18arrow.DataType) v18arrow.DataType {
	switch dt.ID() {
	case v18arrow.LARGE_STRING:
		return v18arrow.BinaryTypes.String
	case v18arrow.LARGE_BINARY:
		return v18arrow.BinaryTypes.Binary
	}
	return dt
}

func (c *column) close() {
	if c.reader != nil {
		c.reader.Release()
		c.reader = nil
	}
}

// oneArray makes one array of chunks that are not empty.
func oneArray(chunks *v18arrow.Chunked, mem v18memory.Allocator) (v18arrow.Array, error) {
	if all := chunks.Chunks(); len(all) != 1 {
		return v18array.Concatenate(all, mem)
	}
	a := chunks.Chunk(0)
	a.Retain()
	return a, nil
}
