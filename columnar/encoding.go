package columnar

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// Encoding turns the arrays of one column, during one merge, into a type that has a layout and back. Dictionaries, runs and
// views are ways to write rows down that no layout knows: a batch is loaded into the staged type, its rows are moved there,
// and what is made of them is finished. It works at any depth of nested types.
//
//	type of the column                staged type                                 output type
//	dictionary<int8, utf8>            int32: places in one dictionary per merge   the same, or utf8
//	run_end_encoded<int32, utf8>      utf8                                        the same
//	utf8_view, binary_view            large_utf8, large_binary                    the same
//	list_view<T>, large_list_view<T>  list<T'>, large_list<T'>                    the same of T''
//	list<T>, map, struct, ...         the same of T'                              the same of T''
//	anything else with a layout       the same                                    the same
//
// An Encoding may be used by several goroutines at once.
type Encoding struct {
	rows *level // of the column
	keys *level // of its values as keys: nothing in it is a dictionary
	held []*dictionary
}

// NewEncoding makes the encoding of a column of type t, of which mem is given all memory. With plainDictionaries the output
// has the values in place of dictionaries; an extension type keeps its storage as it is. A type that cannot be merged, such
// as a union, is ErrSchema. The caller releases the encoding.
func NewEncoding(t arrow.DataType, plainDictionaries bool, mem memory.Allocator) (*Encoding, error) {
	e := &Encoding{}
	var err error
	if e.rows, err = e.compile(t, &compiler{plain: plainDictionaries, mem: mem}); err == nil {
		e.keys, err = e.compile(t, &compiler{plain: true, keys: true, mem: mem})
	}
	if err != nil {
		e.Release()
		return nil, err
	}
	return e, nil
}

func (e *Encoding) compile(t arrow.DataType, c *compiler) (*level, error) {
	l, err := c.level(t)
	e.held = append(e.held, c.dictionaries...)
	return l, err
}

// PlainType returns the type of a column's values written out in full, which is the key type of its encoding.
func PlainType(t arrow.DataType) (arrow.DataType, error) {
	l, err := (&compiler{plain: true, keys: true, mem: memory.DefaultAllocator}).level(t)
	if err != nil {
		return nil, err
	}
	return l.staged, nil
}

// Mergeable returns nil when a column of type t can be merged, dictionaries kept or not, and else an ErrSchema.
func Mergeable(t arrow.DataType) error {
	e, err := NewEncoding(t, false, memory.DefaultAllocator)
	if err == nil {
		e.Release()
	}
	return err
}

// Identity says whether arrays of the column are staged and put out as they are.
func (e *Encoding) Identity() bool { return e.rows.codec == nil }

// Staged returns the type Load makes arrays of.
func (e *Encoding) Staged() arrow.DataType { return e.rows.staged }

// Output returns the type Finish makes arrays of.
func (e *Encoding) Output() arrow.DataType { return e.rows.out }

// KeyType returns the type LoadKey makes arrays of.
func (e *Encoding) KeyType() arrow.DataType { return e.keys.staged }

// MaxRows returns how many rows Finish can put into one array: 16-bit run ends count no further than 32767.
func (e *Encoding) MaxRows() int { return e.rows.maxRows }

// Load returns the rows of d, an array of the column, as an array of the staged type. Buffers that need no change are
// shared. What is wrong with the dictionaries, runs, views and offsets that Load follows is ErrCorrupt; what it shares it has
// not looked at, which NewView does. Rows that would take more than 4 GiB are ErrTooLarge. The caller releases the result.
func (e *Encoding) Load(d arrow.ArrayData) (arrow.ArrayData, error) { return e.rows.load(d) }

// LoadKey is Load for a key column, whose values are compared: it returns them in full, as an array of the key type.
func (e *Encoding) LoadKey(d arrow.ArrayData) (arrow.ArrayData, error) { return e.keys.load(d) }

// Finish returns the rows of d, an array of the staged type with rows that were loaded before, as an array of the output
// type. Dictionaries are those of all values loaded so far, shared between outputs as long as no value is added; equal
// neighbours, bit by bit, become one run, while a nested value is a run of its own. Values that the output type cannot
// represent are ErrTooLarge: more of them in a dictionary than its index can number, more rows than a run end can count.
// The caller releases the result.
func (e *Encoding) Finish(d arrow.ArrayData) (arrow.ArrayData, error) { return e.rows.finish(d) }

// Bytes returns how much memory is held from one batch to the next, input dictionaries included.
func (e *Encoding) Bytes() int64 {
	n := int64(0)
	for _, d := range e.held {
		n += d.size()
	}
	return n
}

// Release gives back what is held from one batch to the next. The arrays made before stay good.
func (e *Encoding) Release() {
	for _, d := range e.held {
		d.release()
	}
	e.held = nil
}

// maxLoaded bounds the bytes that one level of an array may take once it is written out in full: few bytes of runs, views or
// dictionary indices can stand for any number of rows.
const maxLoaded = 4 << 30

// checkLoaded is ErrTooLarge for more bytes than maxLoaded.
func checkLoaded(bytes int64, t arrow.DataType) error {
	if bytes > maxLoaded || bytes < 0 {
		return fmt.Errorf("%w: one array of type %s takes more than %d bytes when it is written out", ErrTooLarge, t, int64(maxLoaded))
	}
	return nil
}
