package ipcfile

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"
)

// maxDepth is how deep fields may be nested.
const maxDepth = 64

// column is a field of the schema, or a field nested in one, with what a loader must know to find its values.
type column struct {
	dt       arrow.DataType
	children []*column
	// Of a dictionary-encoded column: the number of its dictionary and what the dictionary holds.
	dictionary int64
	values     *column
}

// storage is the type that says how the values of dt are laid out: dt itself unless it is an extension type.
func storage(dt arrow.DataType) arrow.DataType {
	for {
		extension, ok := dt.(arrow.ExtensionType)
		if !ok {
			return dt
		}
		dt = extension.StorageType()
	}
}

// parseSchema reads a schema message. Its fields are counted first, as the decoder of schemas allocates what it is told.
func parseSchema(metadata []byte) (*arrow.Schema, []*column, error) {
	f := &flat{bytes: metadata}
	table := f.table(f.follow(0), 2)
	if err := countFields(f, table); err != nil {
		return nil, nil, err
	}
	schema, err := decodeSchema(metadata)
	if err != nil {
		return nil, nil, err
	}
	columns, err := makeColumns(f, table, 1, schema.Fields())
	return schema, columns, err
}

// countFields checks that the fields of the schema at table are no more than its bytes can say, and not nested too deep.
func countFields(f *flat, table int) error {
	if table == 0 {
		return corrupt("schema without data")
	}
	f.vector(table, 2, 4)
	// A field has a table of its own, of more than 8 bytes; a damaged one may be pointed at many times.
	budget := len(f.bytes) / 8
	err := countChildren(f, table, 1, maxDepth, &budget)
	if err == nil && f.bad {
		err = corrupt("schema points outside itself")
	}
	return err
}

func countChildren(f *flat, table, number, depth int, budget *int) error {
	first, n := f.vector(table, number, 4)
	if n > 0 && depth == 0 {
		return corrupt("fields are nested more than %d deep", maxDepth)
	}
	for i := range n {
		*budget--
		if *budget < 0 {
			return corrupt("schema has more fields than its bytes can say")
		}
		field := f.follow(first + 4*i)
		f.vector(field, 6, 4)
		if err := countChildren(f, field, 5, depth-1, budget); err != nil {
			return err
		}
	}
	return nil
}

// decodeSchema has the Arrow module read the schema out of a stream of just this message.
func decodeSchema(metadata []byte) (*arrow.Schema, error) {
	var stream bytes.Buffer
	prefix := binary.LittleEndian.AppendUint32(nil, continuation)
	stream.Write(binary.LittleEndian.AppendUint32(prefix, uint32(len(metadata))))
	stream.Write(metadata)
	var schema *arrow.Schema
	err := protect(func() error {
		r, err := ipc.NewReader(&stream, ipc.WithEnsureNativeEndian(false))
		if err != nil {
			return corrupt("%v", err)
		}
		defer r.Release()
		schema = r.Schema()
		return checkTypes(schema)
	})
	if err == nil && !schema.IsNativeEndian() {
		err = fmt.Errorf("schema: it was written on a machine of other byte order")
	}
	return schema, err
}

// makeColumns makes the columns of the fields in the vector number of table.
func makeColumns(f *flat, table, number int, fields []arrow.Field) ([]*column, error) {
	first, n := f.vector(table, number, 4)
	if n != len(fields) {
		return nil, corrupt("%d fields where there should be %d", n, len(fields))
	}
	columns := make([]*column, n)
	for i := range columns {
		var err error
		if columns[i], err = makeColumn(f, f.follow(first+4*i), fields[i].Type); err != nil {
			return nil, fmt.Errorf("column %q: %w", fields[i].Name, err)
		}
	}
	return columns, nil
}

// makeColumn makes the column of the field at table. The field of a dictionary-encoded column has the children of the
// dictionary's values.
func makeColumn(f *flat, table int, dt arrow.DataType) (*column, error) {
	c := &column{dt: dt}
	var err error
	switch dt := storage(dt).(type) {
	case *arrow.DictionaryType:
		encoding := f.table(table, 4)
		if encoding == 0 {
			return nil, corrupt("dictionary without a number")
		}
		c.dictionary = f.long(encoding, 0)
		c.values = &column{dt: dt.ValueType}
		if nested, ok := storage(dt.ValueType).(arrow.NestedType); ok {
			c.values.children, err = makeColumns(f, table, 5, nested.Fields())
		}
	case arrow.NestedType:
		c.children, err = makeColumns(f, table, 5, dt.Fields())
	}
	return c, err
}
