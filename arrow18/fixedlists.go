package arrow18

import (
	"errors"
	"fmt"

	v18arrow "github.com/apache/arrow-go/v18/arrow"
	v18array "github.com/apache/arrow-go/v18/arrow/array"
	v18memory "github.com/apache/arrow-go/v18/arrow/memory"
)

// restore gives d, as the decoder read it, the type dt: where dt has lists of fixed size, d has lists in the first form, and
// where it has timestamps, d may have INT96. Elsewhere the types are the same. The caller owns the result.
func (l lists) restore(d v18arrow.ArrayData, dt v18arrow.DataType) (v18arrow.ArrayData, error) {
	if dt.ID() == v18arrow.TIMESTAMP && d.DataType().ID() == v18arrow.INT32 {
		return l.timestamps(d, dt)
	}
	nested, ok := dt.(v18arrow.NestedType)
	if !ok {
		d.Retain()
		return d, nil
	}
	fields := nested.Fields()
	if len(fields) != len(d.Children()) {
		return nil, fmt.Errorf("%d child arrays, type %s has %d", len(d.Children()), dt, len(fields))
	}
	children := make([]v18arrow.ArrayData, 0, len(fields))
	defer func() { releaseAll(children) }()
	for i, c := range d.Children() {
		child, err := l.restore(c, fields[i].Type)
		if err != nil {
			return nil, err
		}
		children = append(children, child)
	}
	if size, ok := dt.(*v18arrow.FixedSizeListType); ok {
		return l.spread(d, size, children[0])
	}
	return v18array.NewData(dt, d.Len(), d.Buffers(), children, d.NullN(), d.Offset()), nil
}

// spread makes a list of fixed size of a list d whose values are in values.
func (l lists) spread(d v18arrow.ArrayData, dt *v18arrow.FixedSizeListType, values v18arrow.ArrayData) (v18arrow.ArrayData, error) {
	present, from, size := validity(d), listOffsets(d), int64(dt.Len())
	var pieces []v18arrow.Array
	defer func() { releaseAll(pieces) }()
	for i := 0; i < d.Len(); {
		valid, end := present.valid(i), i
		for ; end < d.Len() && present.valid(end) == valid; end++ {
			if n := from[end+1] - from[end]; valid && n != size || !valid && n != 0 {
				return nil, fmt.Errorf("row %d is a list of %d, of fixed size %d", end, n, size)
			}
		}
		if !valid {
			pieces = append(pieces, v18array.MakeArrayOfNull(l.mem, values.DataType(), (end-i)*int(size)))
		} else {
			if from[end] > int64(values.Len()) {
				return nil, errors.New("lists reach beyond their values")
			}
			piece := v18array.NewSliceData(values, from[i], from[end])
			pieces = append(pieces, v18array.MakeFromData(piece))
			piece.Release()
		}
		i = end
	}
	own := l.ownValidity(d)
	if own != nil {
		defer own.Release()
	}
	child := values
	if len(pieces) == 1 {
		child = pieces[0].Data()
	} else if len(pieces) > 1 {
		all, err := v18array.Concatenate(pieces, l.mem)
		if err != nil {
			return nil, err
		}
		defer all.Release()
		child = all.Data()
	}
	return v18array.NewData(dt, d.Len(), []*v18memory.Buffer{own}, []v18arrow.ArrayData{child}, d.NullN(), 0), nil
}
