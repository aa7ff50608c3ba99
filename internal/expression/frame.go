package expression

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// Frame is the rows that expressions are evaluated over, as columns. Dictionaries, run ends and views are written out when
// a column is set: the staged type of a column is what it has then.
type Frame struct {
	rows    int
	columns []frameColumn
}

type frameColumn struct {
	typ      Type
	encoding *columnar.Encoding
	data     arrow.ArrayData // of the staged type; nil while the column is not set
	view     columnar.View
	vector   vector
	loaded   bool // vector is that of data
	valid    []uint64
	bits     []uint64
	ints     []int64
	floats   []float64
	decimals []decimal128.Num
}

// NewFrame makes a frame of columns of the types, with memory from mem for what must be written out. The caller releases it.
func NewFrame(types []arrow.DataType, mem memory.Allocator) (*Frame, error) {
	f := &Frame{columns: make([]frameColumn, len(types))}
	for i, t := range types {
		c := &f.columns[i]
		c.typ = typeOf(t)
		var err error
		if c.encoding, err = columnar.NewEncoding(t, true, mem); err != nil {
			f.Release()
			return nil, err
		}
	}
	return f, nil
}

// Release gives back what the frame holds.
func (f *Frame) Release() {
	f.Reset(0)
	for i := range f.columns {
		if e := f.columns[i].encoding; e != nil {
			e.Release()
			f.columns[i].encoding = nil
		}
	}
}

// Reset makes the frame one of so many rows, whose columns are to be set.
func (f *Frame) Reset(rows int) {
	f.rows = rows
	for i := range f.columns {
		c := &f.columns[i]
		if c.data != nil {
			c.data.Release()
		}
		c.data, c.loaded = nil, false
	}
}

// Rows returns how many rows the frame has.
func (f *Frame) Rows() int { return f.rows }

// Set gives a column its rows, of the type of the column. The frame keeps a reference. Buffers that do not hold what they
// promise are ErrCorrupt.
func (f *Frame) Set(i int, d arrow.ArrayData) error {
	c := &f.columns[i]
	if c.encoding.Identity() {
		d.Retain()
	} else {
		var err error
		if d, err = c.encoding.Load(d); err != nil {
			return err
		}
	}
	return f.own(i, d)
}

// SetStaged is Set for rows that are of the staged type already.
func (f *Frame) SetStaged(i int, d arrow.ArrayData) error {
	d.Retain()
	return f.own(i, d)
}

// own takes over a reference to rows of the staged type.
func (f *Frame) own(i int, d arrow.ArrayData) error {
	c := &f.columns[i]
	if c.data != nil {
		c.data.Release()
	}
	c.data, c.loaded = d, false
	if d.Len() != f.rows {
		return fmt.Errorf("%w: %d rows in a batch of %d", ErrCorrupt, d.Len(), f.rows)
	}
	var err error
	c.view, err = columnar.NewView(d)
	return err
}

// Data returns a column as it was set, in its staged type. The frame's reference stays its own.
func (f *Frame) Data(i int) arrow.ArrayData { return f.columns[i].data }

// View returns the view of a column, which is good until the next Reset.
func (f *Frame) View(i int) *columnar.View { return &f.columns[i].view }

// Encoding returns how the column is staged.
func (f *Frame) Encoding(i int) *columnar.Encoding { return f.columns[i].encoding }

// vector returns a column's values, as they are computed with.
func (f *Frame) vector(i int) *vector {
	c := &f.columns[i]
	if !c.loaded {
		c.load(f.rows)
		c.loaded = true
	}
	return &c.vector
}

// load makes the vector of the data.
func (c *frameColumn) load(rows int) {
	c.vector = vector{rows: rows}
	v := &c.vector
	if c.view.Nulls > 0 {
		c.valid = masked(c.valid, rows)
		c.view.ValidMask(c.valid)
		v.valid = c.valid
	}
	if rows == 0 {
		return
	}
	switch c.typ.Kind {
	case KindBool:
		c.bits = masked(c.bits, rows)
		c.view.BoolMask(c.bits)
		keep(c.bits, v.valid)
		v.bits = c.bits
	case KindInt, KindTime:
		v.ints = c.integers()
	case KindFloat:
		v.floats = c.reals()
	case KindDecimal:
		v.decimals = c.scaled()
	case KindText:
		v.texts.view = &c.view
	}
}

func (c *frameColumn) integers() []int64 {
	switch c.view.Order {
	case columnar.OrderInt64:
		return columnar.Fixed[int64](&c.view)
	case columnar.OrderInt8:
		c.ints = widened[int8](c.ints, &c.view)
	case columnar.OrderInt16:
		c.ints = widened[int16](c.ints, &c.view)
	case columnar.OrderInt32:
		c.ints = widened[int32](c.ints, &c.view)
	case columnar.OrderUint8:
		c.ints = widened[uint8](c.ints, &c.view)
	case columnar.OrderUint16:
		c.ints = widened[uint16](c.ints, &c.view)
	default:
		c.ints = widened[uint32](c.ints, &c.view)
	}
	return c.ints
}

func widened[T int8 | int16 | int32 | uint8 | uint16 | uint32](own []int64, v *columnar.View) []int64 {
	from := columnar.Fixed[T](v)
	own = grown(own, len(from))
	for i, x := range from {
		own[i] = int64(x)
	}
	return own
}

func (c *frameColumn) reals() []float64 {
	if c.view.Order == columnar.OrderFloat64 {
		return columnar.Fixed[float64](&c.view)
	}
	from := columnar.Fixed[float32](&c.view)
	c.floats = grown(c.floats, len(from))
	for i, x := range from {
		c.floats[i] = float64(x)
	}
	return c.floats
}

func (c *frameColumn) scaled() []decimal128.Num {
	if c.view.Order == columnar.OrderDecimal128 {
		return columnar.Fixed[decimal128.Num](&c.view)
	}
	from := columnar.Fixed[uint64](&c.view)
	c.decimals = grown(c.decimals, len(from))
	for i, x := range from {
		c.decimals[i] = decimal128.FromU64(x)
	}
	return c.decimals
}
