package columnar

import (
	"fmt"
	"sync"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// dictionary is the codec of a dictionary type. With a table of values its rows are staged as numbers in that one table,
// which takes in every dictionary that comes; without, as the values themselves.
//
//	batch A   dictionary x y z   indices 0 2 1        table x y z     staged 0 2 1
//	batch B   dictionary z w     indices 0 1 1              x y z w          2 3 3
type dictionary struct {
	t      *arrow.DictionaryType
	values *level
	mem    memory.Allocator

	mu      sync.Mutex
	table   *distinct       // nil for plain values
	numbers memo[numbering] // of the dictionaries that came last
	plain   memo[*plainValues]
	sel     []uint32        // scratch, for plain values
	built   arrow.ArrayData // the table as an array of the values' output type; nil before one is needed
	counted int             // values of the table when it was built
}

// numbering is what the values of one dictionary are in the table.
type numbering struct {
	to    []int32 // -1 for NULL
	nulls bool
}

func (c *compiler) dictionary(t *arrow.DictionaryType) (*level, error) {
	if !arrow.IsInteger(t.IndexType.ID()) {
		return nil, fmt.Errorf("%w: type %s cannot be merged", ErrSchema, t)
	}
	values, err := c.level(t.ValueType)
	if err != nil {
		return nil, fmt.Errorf("in dictionary: %w", err)
	}
	d := &dictionary{t: t, values: values, mem: c.mem}
	c.dictionaries = append(c.dictionaries, d)
	if c.plain {
		l, err := c.converted(t, values.staged, values.out, d)
		if err == nil {
			l.maxRows = values.maxRows
		}
		return l, err
	}
	d.table = newDistinct(values.staged, values.layout, c.mem)
	return c.converted(t, arrow.PrimitiveTypes.Int32, t, d)
}

func (c *dictionary) load(d arrow.ArrayData) (arrow.ArrayData, error) {
	f, err := frameOf(d)
	if err != nil {
		return nil, err
	}
	if err := enough("indices", bytesOf(d.Buffers(), 1), (f.at+f.rows)*indexBytes(c.t.IndexType)); err != nil {
		return nil, err // before memory is asked for
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	dict, _ := d.Dictionary().(*array.Data)
	if c.table == nil {
		return c.loadPlain(d, f, dict)
	}
	n, err := c.number(dict)
	if err != nil {
		return nil, err
	}
	out := NewBuffer(c.mem, 4*f.rows)
	rows := castSlice[int32](out.Bytes())
	if err := lookUpAny(c.t.IndexType, rows, bytesOf(d.Buffers(), 1), &f, n.to); err != nil {
		out.Release()
		return nil, err
	}
	valid := f.validity(c.mem)
	if n.nulls {
		valid = nullsToo(valid, rows, c.mem)
	}
	defer valid.Release()
	return newData(arrow.PrimitiveTypes.Int32, f.rows, valid, nil, out), nil
}

// number returns what the values of a dictionary are in the table.
func (c *dictionary) number(dict *array.Data) (numbering, error) {
	if n, ok := c.numbers.find(dict); ok {
		return n, nil
	}
	n := numbering{}
	if dict != nil {
		v, loaded, err := c.view(dict)
		if err != nil {
			return n, err
		}
		defer loaded.Release()
		if n.to, err = c.table.numbers(&v); err != nil {
			return n, err
		}
		if n.nulls = v.Nulls > 0; c.t.Ordered && !inOrder(n.to) {
			return n, fmt.Errorf("%w: type %s says that its values are in order, and two dictionaries differ in their first values", ErrSchema, c.t)
		}
	}
	c.numbers.add(dict, n, int64(4*len(n.to)))
	return n, nil
}

// inOrder says whether the values of a dictionary are the first ones of the table, NULL aside.
func inOrder(numbers []int32) bool {
	next := int32(0)
	for _, n := range numbers {
		if n >= 0 && n != next {
			return false
		}
		next = max(next, n+1)
	}
	return true
}

// view loads the values of a dictionary and looks at them. The caller releases what was loaded.
func (c *dictionary) view(dict *array.Data) (View, arrow.ArrayData, error) {
	loaded, err := c.values.load(dict)
	if err != nil {
		return View{}, nil, fmt.Errorf("dictionary: %w", err)
	}
	v, err := NewView(loaded)
	if err == nil {
		err = checkLoaded(weight(&v, 0, v.Rows), c.t)
	}
	if err != nil {
		loaded.Release()
		return View{}, nil, fmt.Errorf("dictionary: %w", err)
	}
	return v, loaded, nil
}

// nullsToo returns the validity of rows where also the negative ones are NULL, which it makes 0. It takes valid over.
func nullsToo(valid Validity, rows []int32, mem memory.Allocator) Validity {
	bitmap := NewBuffer(mem, (len(rows)+7)/8)
	bits := bitmap.Bytes()
	if valid.Bitmap == nil {
		for i := range bits {
			bits[i] = 0xff
		}
	} else {
		copy(bits, valid.Bitmap.Bytes())
	}
	valid.Release()
	nulls := valid.Nulls
	for i, x := range rows {
		if x >= 0 {
			continue
		}
		nulls += int(bits[i>>3] >> (i & 7) & 1)
		bits[i>>3] &^= 1 << (i & 7)
		rows[i] = 0
	}
	if nulls == 0 {
		bitmap.Release()
		return Validity{}
	}
	return Validity{Bitmap: bitmap, Nulls: nulls}
}

func (c *dictionary) finish(d arrow.ArrayData) (arrow.ArrayData, error) {
	if c.table == nil {
		return c.values.finish(d)
	}
	f, err := frameOf(d)
	if err != nil {
		return nil, err
	}
	rows, err := valuesIn[int32](&f, "numbers", bytesOf(d.Buffers(), 1))
	if err != nil {
		return nil, err
	}
	dict, err := c.build()
	if err != nil {
		return nil, err
	}
	defer dict.Release()
	if room := indexRoom(c.t.IndexType); uint64(dict.Len()) > room {
		return nil, fmt.Errorf("%w: %d distinct values in a column of type %s, whose index numbers %d", ErrTooLarge, dict.Len(), c.t, room)
	}
	indices := c.indices(d, &f, rows)
	defer indices.Release()
	valid := f.validity(c.mem)
	defer valid.Release()
	return array.NewDataWithDictionary(c.t, f.rows, []*memory.Buffer{valid.Bitmap, indices}, valid.Nulls, 0, dict.(*array.Data)), nil
}

// indices returns rows, which are those of f in staged array data, as indices of the dictionary's type. The caller releases
// them.
func (c *dictionary) indices(d arrow.ArrayData, f *frame, rows []int32) *memory.Buffer {
	if f.rows > 0 && indexBytes(c.t.IndexType) == 4 {
		return memory.SliceBuffer(d.Buffers()[1], 4*f.at, 4*f.rows)
	}
	return narrowed(c.t.IndexType, rows, c.mem)
}

// build returns the table as an array of the values' output type, the one before when no value has come. The caller releases
// it.
func (c *dictionary) build() (arrow.ArrayData, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.built == nil || c.counted < c.table.count {
		if err := c.rebuild(); err != nil {
			return nil, fmt.Errorf("dictionary: %w", err)
		}
	}
	c.built.Retain()
	return c.built, nil
}

func (c *dictionary) rebuild() error {
	all, err := c.table.values()
	if err != nil {
		return err
	}
	defer all.Release()
	built, err := c.values.finish(all)
	if err != nil {
		return err
	}
	if c.built != nil {
		c.built.Release()
	}
	c.built, c.counted = built, c.table.count
	return nil
}

// size returns how much memory is held for the next batches.
func (c *dictionary) size() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.numbers.bytes + c.plain.bytes + 4*int64(cap(c.sel))
	if c.table != nil {
		n += c.table.size()
	}
	return n
}

func (c *dictionary) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.numbers.release()
	c.plain.release()
	if c.table != nil {
		c.table.release()
		c.table = nil
	}
	if c.built != nil {
		c.built.Release()
		c.built = nil
	}
}
