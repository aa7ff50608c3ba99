package expression

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/validity"
)

// Evaluator evaluates one expression over one frame after another. It has the memory for that and serves one goroutine.
type Evaluator struct {
	e    *Expression
	root *step
	made writer
}

// NewEvaluator makes an evaluator; place gives the column of the frames that a column of the expression is.
func (e *Expression) NewEvaluator(place func(Ref) int) *Evaluator {
	return &Evaluator{e: e, root: newStep(e.root, place)}
}

// True returns the mask of the rows for which a condition is true, which is good until the next call; rows that are not active,
// if active is not nil, are not among them and cannot fail. A row that fails is a *Fault.
func (v *Evaluator) True(f *Frame, active []uint64) ([]uint64, error) {
	if err := v.root.eval(f, active); err != nil {
		return nil, err
	}
	bits := v.root.out.bits
	if v.root.typ.Kind == KindNull {
		v.root.out.bits = masked(bits, f.rows)
		clear(v.root.out.bits)
		return v.root.out.bits, nil
	}
	if active == nil {
		return bits, nil
	}
	v.root.active = masked(v.root.active, f.rows)
	copy(v.root.active, bits)
	keep(v.root.active, active)
	return v.root.active, nil
}

// Known returns the mask of the rows for which the expression last evaluated is not NULL, nil for all.
func (v *Evaluator) Known() []uint64 { return v.root.out.valid }

// Values returns the values of an expression that As has made, in the staged type of its column; what they are in rows that are
// not active means nothing. They are good until the next call, whether or not they are retained. Where they are computed as they
// are stored they are written to place, if it is not nil and has room for those of all rows. The caller releases them. A value
// that does not fit the column's type is ErrOverflow, as a *Fault.
func (v *Evaluator) Values(f *Frame, active []uint64, place []byte) (arrow.ArrayData, error) {
	switch root := v.e.root; {
	case root.op == opConstant && root.value.isNull():
		nulls := array.MakeArrayOfNull(memory.DefaultAllocator, v.e.staged, f.rows)
		return nulls.Data(), nil
	case root.op == opColumn && arrow.TypeEqual(f.Data(v.root.place).DataType(), v.e.staged):
		d := f.Data(v.root.place)
		d.Retain()
		return d, nil
	}
	if own := &v.root.out; place != nil && v.root.arithmetic() {
		ints, floats := own.ints, own.floats
		defer func() { own.ints, own.floats = ints, floats }()
		switch v.e.staged.ID() {
		case arrow.INT64:
			own.ints = arrow.Int64Traits.CastFromBytes(place)[:f.rows:f.rows]
		case arrow.FLOAT64:
			own.floats = arrow.Float64Traits.CastFromBytes(place)[:f.rows:f.rows]
		}
	}
	if err := v.root.eval(f, active); err != nil {
		return nil, err
	}
	return v.made.write(v.e.staged, &v.root.out, active)
}

// arithmetic says whether a term computes numbers of 64 bits in memory of its own.
func (t *term) arithmetic() bool {
	return opNegate <= t.op && t.op <= opDivide && (t.typ.Kind == KindInt || t.typ.Kind == KindFloat)
}

// bitmapOf returns a mask as an Arrow bitmap, and how many of the rows are 0.
func bitmapOf(mask []uint64, rows int) (bitmap *memory.Buffer, zeros int) {
	if mask == nil {
		return nil, 0
	}
	return memory.NewBufferBytes(arrow.Uint64Traits.CastToBytes(mask)), rows - validity.Count(mask)
}

// Booleans returns what a condition is in the rows of a frame, as an array of its own.
func (e *Expression) Booleans(f *Frame, place func(Ref) int) (arrow.ArrayData, error) {
	v := e.NewEvaluator(place)
	bits, err := v.True(f, nil)
	if err != nil {
		return nil, err
	}
	return v.made.write(arrow.FixedWidthTypes.Boolean, &vector{rows: f.rows, bits: bits, valid: v.Known()}, nil)
}
