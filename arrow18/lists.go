package arrow18

import (
	v18arrow "github.com/apache/arrow-go/v18/arrow"
	v18array "github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/bitutil"
	v18memory "github.com/apache/arrow-go/v18/arrow/memory"
)

// Parquet has one kind of list, whose NULLs hold no values. Arrow has more:
//
//	rows          [1 2]   NULL   [3 4]
//	list          offsets 0 2 2 4     values 1 2 3 4
//	also a list   offsets 0 2 4 6     values 1 2 9 9 3 4      whatever the NULL spans
//	fixed size    no offsets          values 1 2 9 9 3 4      a NULL always spans the size
//
// lists turns the second and third form into the first for the encoder, which takes no other, and the first into the third
// for the reader. A list that is in the first form already, and whatever holds no list, is passed on as it is. For the
// encoder it also spells out dictionary arrays (dense.go) and stores decimals (decimals.go).
type lists struct {
	mem v18memory.Allocator
}

// mask is the validity of rows: bit offset+i for row i. Without bits every row is valid.
type mask struct {
	bits   []byte
	offset int
}

func (m mask) valid(i int) bool { return m.bits == nil || bitutil.BitIsSet(m.bits, m.offset+i) }

// validity is the mask of an array's own rows.
func validity(d v18arrow.ArrayData) mask {
	if b := d.Buffers(); len(b) > 0 && b[0] != nil && d.NullN() != 0 {
		return mask{b[0].Bytes(), d.Offset()}
	}
	return mask{}
}

// and gives the rows, of n, that are valid in both masks.
func (m mask) and(o mask, n int) mask {
	if m.bits == nil {
		return o
	}
	if o.bits == nil {
		return m
	}
	bits := make([]byte, bitutil.BytesForBits(int64(n)))
	bitutil.BitmapAnd(m.bits, o.bits, int64(m.offset), int64(o.offset), bits, 0, int64(n))
	return mask{bits, 0}
}

// reshaped tells whether a list, a dictionary or a decimal is somewhere in a type.
func reshaped(dt v18arrow.DataType) bool {
	switch dt := dt.(type) {
	case v18arrow.ListLikeType, *v18arrow.DictionaryType, v18arrow.DecimalType:
		return true
	case *v18arrow.StructType:
		for _, f := range dt.Fields() {
			if reshaped(f.Type) {
				return true
			}
		}
	}
	return false
}

// compact gives d for the encoder. above are the rows whose parents are valid. The caller owns the result; its type is
// compactType of d's.
func (l lists) compact(d v18arrow.ArrayData, above mask) (v18arrow.ArrayData, error) {
	switch dt := d.DataType().(type) {
	case v18arrow.ListLikeType:
		return l.compactList(d, dt, above)
	case *v18arrow.StructType:
		if reshaped(dt) {
			return l.compactStruct(d, above)
		}
	case *v18arrow.DictionaryType:
		return l.compactDictionary(d, dt)
	case v18arrow.DecimalType:
		return l.decimals(d, dt)
	}
	d.Retain()
	return d, nil
}

// compactType is the type that compact makes of a type.
func compactType(dt v18arrow.DataType) v18arrow.DataType {
	switch dt := dt.(type) {
	case *v18arrow.ListType:
		return v18arrow.ListOfField(compactField(dt.ElemField()))
	case *v18arrow.FixedSizeListType:
		return v18arrow.ListOfField(compactField(dt.ElemField()))
	case *v18arrow.LargeListType:
		return v18arrow.LargeListOfField(compactField(dt.ElemField()))
	case *v18arrow.MapType:
		out := v18arrow.MapOfFields(compactField(dt.KeyField()), compactField(dt.ItemField()))
		out.KeysSorted = dt.KeysSorted
		return out
	case *v18arrow.StructType:
		fields := dt.Fields()
		for i := range fields {
			fields[i] = compactField(fields[i])
		}
		return v18arrow.StructOf(fields...)
	case *v18arrow.DictionaryType:
		return compactType(denseType(dt.ValueType))
	case v18arrow.DecimalType:
		return decimalType(dt)
	}
	return dt
}

func compactField(f v18arrow.Field) v18arrow.Field {
	f.Type = compactType(f.Type)
	return f
}

func (l lists) compactDictionary(d v18arrow.ArrayData, dt *v18arrow.DictionaryType) (v18arrow.ArrayData, error) {
	values, err := l.dense(d, denseType(dt.ValueType))
	if err != nil {
		return nil, err
	}
	defer values.Release()
	return l.compact(values, mask{})
}

func (l lists) compactStruct(d v18arrow.ArrayData, above mask) (v18arrow.ArrayData, error) {
	present := validity(d).and(above, d.Len())
	children := make([]v18arrow.ArrayData, 0, len(d.Children()))
	defer func() { releaseAll(children) }()
	for _, c := range d.Children() {
		rows := v18array.NewSliceData(c, int64(d.Offset()), int64(d.Offset()+d.Len()))
		child, err := l.compact(rows, present)
		rows.Release()
		if err != nil {
			return nil, err
		}
		children = append(children, child)
	}
	own := l.ownValidity(d)
	if own != nil {
		defer own.Release()
	}
	return v18array.NewData(compactType(d.DataType()), d.Len(), []*v18memory.Buffer{own}, children, d.NullN(), 0), nil
}

func (l lists) compactList(d v18arrow.ArrayData, dt v18arrow.ListLikeType, above mask) (v18arrow.ArrayData, error) {
	present := validity(d).and(above, d.Len())
	from := listOffsets(d)
	if d.DataType().ID() != v18arrow.FIXED_SIZE_LIST && !reshaped(dt.Elem()) && packed(from, present) {
		d.Retain()
		return d, nil
	}
	offsets, values, err := l.pack(d.Children()[0], from, present)
	if err != nil {
		return nil, err
	}
	defer values.Release()
	child, err := l.compact(values, mask{})
	if err != nil {
		return nil, err
	}
	defer child.Release()
	own := l.ownValidity(d)
	if own != nil {
		defer own.Release()
	}
	start := l.offsets(offsets, dt.ID() == v18arrow.LARGE_LIST)
	defer start.Release()
	return v18array.NewData(compactType(dt), d.Len(), []*v18memory.Buffer{own, start}, []v18arrow.ArrayData{child}, d.NullN(), 0), nil
}

// packed tells whether only rows that are present span values.
func packed(from []int64, present mask) bool {
	if present.bits == nil {
		return true
	}
	for i := range len(from) - 1 {
		if from[i+1] != from[i] && !present.valid(i) {
			return false
		}
	}
	return true
}

// pack gives the values that present rows span, one after another, and where each row begins among them.
func (l lists) pack(values v18arrow.ArrayData, from []int64, present mask) (offsets []int64, out v18arrow.ArrayData, err error) {
	offsets = make([]int64, len(from))
	var pieces []v18arrow.Array
	defer func() { releaseAll(pieces) }()
	start := from[0] // of the piece that is growing
	cut := func(end int64) {
		if end > start {
			piece := v18array.NewSliceData(values, start, end)
			pieces = append(pieces, v18array.MakeFromData(piece))
			piece.Release()
		}
	}
	for i := range len(from) - 1 {
		offsets[i+1] = offsets[i]
		switch {
		case present.valid(i):
			offsets[i+1] += from[i+1] - from[i]
		case from[i+1] > from[i]:
			cut(from[i])
			start = from[i+1]
		}
	}
	cut(from[len(from)-1])
	switch len(pieces) {
	case 0:
		return offsets, v18array.NewSliceData(values, 0, 0), nil
	case 1:
		out = pieces[0].Data()
		out.Retain()
		return offsets, out, nil
	}
	all, err := v18array.Concatenate(pieces, l.mem)
	if err != nil {
		return nil, nil, err
	}
	defer all.Release()
	out = all.Data()
	out.Retain()
	return offsets, out, nil
}

// listOffsets gives where the rows of a list begin among its values, and where the last ends.
func listOffsets(d v18arrow.ArrayData) []int64 {
	out := make([]int64, d.Len()+1)
	if d.Len() == 0 {
		return out
	}
	switch dt := d.DataType().(type) {
	case *v18arrow.FixedSizeListType:
		for i := range out {
			out[i] = int64(d.Offset()+i) * int64(dt.Len())
		}
	case *v18arrow.LargeListType:
		copy(out, v18arrow.Int64Traits.CastFromBytes(d.Buffers()[1].Bytes())[d.Offset():])
	default:
		for i, o := range v18arrow.Int32Traits.CastFromBytes(d.Buffers()[1].Bytes())[d.Offset():][:len(out)] {
			out[i] = int64(o)
		}
	}
	return out
}

// offsets makes a buffer of offsets, of 64 bits or 32.
func (l lists) offsets(from []int64, large bool) *v18memory.Buffer {
	if large {
		b := l.buffer(v18arrow.Int64Traits.BytesRequired(len(from)))
		copy(v18arrow.Int64Traits.CastFromBytes(b.Bytes()), from)
		return b
	}
	b := l.buffer(v18arrow.Int32Traits.BytesRequired(len(from)))
	out := v18arrow.Int32Traits.CastFromBytes(b.Bytes())
	for i, o := range from {
		out[i] = int32(o)
	}
	return b
}

// ownValidity gives the validity buffer of d from bit 0 on, nil if d has no NULL. The caller owns it.
func (l lists) ownValidity(d v18arrow.ArrayData) *v18memory.Buffer {
	m := validity(d)
	if m.bits == nil {
		return nil
	}
	if m.offset == 0 {
		d.Buffers()[0].Retain()
		return d.Buffers()[0]
	}
	b := l.buffer(int(bitutil.BytesForBits(int64(d.Len()))))
	bitutil.CopyBitmap(m.bits, m.offset, d.Len(), b.Bytes(), 0)
	return b
}

// buffer makes a buffer of n bytes.
func (l lists) buffer(n int) *v18memory.Buffer {
	b := v18memory.NewResizableBuffer(l.mem)
	b.Resize(n)
	return b
}

func releaseAll[T interface{ Release() }](all []T) {
	for _, a := range all {
		a.Release()
	}
}
