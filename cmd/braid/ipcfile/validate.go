package ipcfile

import (
	"encoding/binary"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/bitutil"
)

// validate checks that one array, and what hangs from it, is laid out as Arrow demands, so that no reader of it can step
// outside a buffer. Values are not judged: text need not be UTF-8. The type is given apart from the data because an
// extension array has the layout of its storage type.
func validate(dt arrow.DataType, data arrow.ArrayData) error {
	if err := validateNulls(dt, data); err != nil {
		return err
	}
	rows := data.Offset() + data.Len()
	switch dt := dt.(type) {
	case *arrow.NullType:
		return nil
	case arrow.ExtensionType:
		return validate(dt.StorageType(), data)
	case *arrow.BooleanType:
		return hasBytes(data, 1, (rows+7)/8)
	case *arrow.DictionaryType:
		return validateDictionary(dt, data)
	case *arrow.StructType:
		return validateStruct(dt, data)
	case *arrow.FixedSizeListType:
		return validateChild(dt.Elem(), data, 0, rows*int(dt.Len()))
	case arrow.BinaryViewDataType:
		return validateViews(data)
	case arrow.BinaryDataType, *arrow.ListType, *arrow.LargeListType, *arrow.MapType:
		return validateVariable(dt, data)
	case *arrow.ListViewType, *arrow.LargeListViewType:
		return validateListView(dt, data)
	case *arrow.RunEndEncodedType:
		return validateRunEnds(dt, data)
	case arrow.UnionType:
		return validateUnion(dt, data)
	case arrow.FixedWidthDataType:
		return hasBytes(data, 1, rows*dt.Bytes())
	}
	return corrupt("arrays of type %s are not read", dt)
}

// validateNulls checks the validity bitmap and that the null count is that of the bitmap.
func validateNulls(dt arrow.DataType, data arrow.ArrayData) error {
	if dt.ID() == arrow.NULL {
		return nil
	}
	nulls := 0
	if buffers := data.Buffers(); len(buffers) > 0 && buffers[0] != nil {
		if err := hasBytes(data, 0, (data.Offset()+data.Len()+7)/8); err != nil {
			return err
		}
		nulls = data.Len() - bitutil.CountSetBits(buffers[0].Bytes(), data.Offset(), data.Len())
	}
	if data.NullN() != nulls {
		return corrupt("null count is %d, but %d values are NULL", data.NullN(), nulls)
	}
	return nil
}

// hasBytes checks that a buffer of the array has at least n bytes.
func hasBytes(data arrow.ArrayData, buffer, n int) error {
	if got := len(bufferBytes(data, buffer)); got < n {
		return corrupt("buffer %d of %d values has %d bytes of %d", buffer, data.Len(), got, n)
	}
	return nil
}

// bufferBytes returns the bytes of a buffer, none if the array has no such buffer.
func bufferBytes(data arrow.ArrayData, buffer int) []byte {
	if buffer >= len(data.Buffers()) || data.Buffers()[buffer] == nil {
		return nil
	}
	return data.Buffers()[buffer].Bytes()
}

// isValid returns a function that says whether a row of the array is not NULL.
func isValid(data arrow.ArrayData) func(row int) bool {
	bits := bufferBytes(data, 0)
	if data.NullN() == 0 || bits == nil {
		return func(int) bool { return true }
	}
	return func(row int) bool { return bitutil.BitIsSet(bits, data.Offset()+row) }
}

// validateChild checks that child number i is there, is sound and has at least n values.
func validateChild(dt arrow.DataType, data arrow.ArrayData, i, n int) error {
	if i >= len(data.Children()) {
		return corrupt("child %d is missing", i)
	}
	child := data.Children()[i]
	if child.Len() < n {
		return corrupt("child %d has %d values of %d", i, child.Len(), n)
	}
	return validate(dt, child)
}

func validateStruct(dt *arrow.StructType, data arrow.ArrayData) error {
	for i, field := range dt.Fields() {
		if err := validateChild(field.Type, data, i, data.Offset()+data.Len()); err != nil {
			return fmt.Errorf("field %q: %w", field.Name, err)
		}
	}
	return nil
}

// validateVariable checks an array with offsets: strings, binaries, lists, maps.
func validateVariable(dt arrow.DataType, data arrow.ArrayData) error {
	end, err := lastOffset(dt, data)
	if err != nil {
		return err
	}
	if elem, ok := elementType(dt); ok {
		return validateChild(elem, data, 0, end)
	}
	return hasBytes(data, 2, end)
}

// elementType returns the type of the child of a list or map.
func elementType(dt arrow.DataType) (arrow.DataType, bool) {
	list, ok := dt.(arrow.ListLikeType)
	if !ok {
		return nil, false
	}
	return list.Elem(), true
}

// lastOffset checks that the offsets of an array start at 0 or later and never fall, and returns the last one.
func lastOffset(dt arrow.DataType, data arrow.ArrayData) (int, error) {
	width := dt.Layout().Buffers[1].ByteWidth
	if data.Len() == 0 && len(bufferBytes(data, 1)) == 0 {
		return 0, nil
	}
	count := data.Offset() + data.Len() + 1
	if err := hasBytes(data, 1, count*width); err != nil {
		return 0, err
	}
	if width == 4 {
		return climb(arrow.Int32Traits.CastFromBytes(bufferBytes(data, 1))[data.Offset():count])
	}
	return climb(arrow.Int64Traits.CastFromBytes(bufferBytes(data, 1))[data.Offset():count])
}

// climb checks that the offsets never fall and returns the last one.
func climb[T int32 | int64](offsets []T) (int, error) {
	last := T(0)
	for i, offset := range offsets {
		if offset < last {
			return 0, corrupt("offset %d is %d, after %d", i, offset, last)
		}
		last = offset
	}
	return int(last), nil
}

// validateListView checks the offset and the size of every list that is not NULL.
func validateListView(dt arrow.DataType, data arrow.ArrayData) error {
	elem, _ := elementType(dt)
	if err := validateChild(elem, data, 0, 0); err != nil {
		return err
	}
	width := dt.Layout().Buffers[1].ByteWidth
	rows := data.Offset() + data.Len()
	for buffer := 1; buffer <= 2; buffer++ {
		if err := hasBytes(data, buffer, rows*width); err != nil {
			return err
		}
	}
	offsets, sizes := bufferBytes(data, 1)[data.Offset()*width:], bufferBytes(data, 2)[data.Offset()*width:]
	valid, limit := isValid(data), int64(data.Children()[0].Len())
	for row := range data.Len() {
		offset, size := signed(offsets, row, width), signed(sizes, row, width)
		if valid(row) && (offset < 0 || size < 0 || size > limit || offset > limit-size) {
			return corrupt("list %d (%d values at %d) lies outside a child of %d", row, size, offset, limit)
		}
	}
	return nil
}

// validateViews checks that every long value that is not NULL lies inside its data buffer.
func validateViews(data arrow.ArrayData) error {
	const inline = 12 // bytes of a value that are held in the view itself
	if err := hasBytes(data, 1, (data.Offset()+data.Len())*16); err != nil {
		return err
	}
	views := bufferBytes(data, 1)[data.Offset()*16:]
	valid := isValid(data)
	for row := range data.Len() {
		view := views[row*16:]
		length := int32(binary.LittleEndian.Uint32(view))
		if !valid(row) || (length >= 0 && length <= inline) {
			continue
		}
		buffer, offset := int32(binary.LittleEndian.Uint32(view[8:])), int32(binary.LittleEndian.Uint32(view[12:]))
		size := 0
		if buffer >= 0 {
			size = len(bufferBytes(data, 2+int(buffer)))
		}
		if length < 0 || buffer < 0 || offset < 0 || int(offset)+int(length) > size {
			return corrupt("view %d (%d bytes at %d of buffer %d) lies outside a buffer of %d bytes", row, length, offset, buffer, size)
		}
	}
	return nil
}

// validateDictionary checks that every index that is not NULL is in the dictionary, which was validated when it was read.
func validateDictionary(dt *arrow.DictionaryType, data arrow.ArrayData) error {
	width := dt.IndexType.(arrow.FixedWidthDataType).Bytes()
	if err := hasBytes(data, 1, (data.Offset()+data.Len())*width); err != nil {
		return err
	}
	indices := bufferBytes(data, 1)[data.Offset()*width:]
	valid, limit := isValid(data), int64(data.Dictionary().Len())
	for row := range data.Len() {
		// An unsigned index of 64 bits that does not fit reads as negative, which is outside as well.
		index := signed(indices, row, width)
		if width < 8 && arrow.IsUnsignedInteger(dt.IndexType.ID()) {
			index &= 1<<(8*width) - 1
		}
		if valid(row) && (index < 0 || index >= limit) {
			return corrupt("index %d of row %d lies outside a dictionary of %d", index, row, limit)
		}
	}
	return nil
}

// signed reads number i of an array of signed integers of width bytes.
func signed(bytes []byte, i, width int) int64 {
	switch width {
	case 1:
		return int64(int8(bytes[i]))
	case 2:
		return int64(int16(binary.LittleEndian.Uint16(bytes[2*i:])))
	case 4:
		return int64(int32(binary.LittleEndian.Uint32(bytes[4*i:])))
	}
	return int64(binary.LittleEndian.Uint64(bytes[8*i:]))
}

// validateRunEnds checks that the run ends rise and reach the length of the array, with a value for each.
func validateRunEnds(dt *arrow.RunEndEncodedType, data arrow.ArrayData) error {
	if err := validateChild(dt.RunEnds(), data, 0, 0); err != nil {
		return err
	}
	ends := data.Children()[0]
	if err := validateChild(dt.Encoded(), data, 1, ends.Len()); err != nil {
		return err
	}
	if ends.NullN() != 0 {
		return corrupt("a run end is NULL")
	}
	width := dt.RunEnds().(arrow.FixedWidthDataType).Bytes()
	bytes := bufferBytes(ends, 1)[ends.Offset()*width:]
	last := int64(0)
	for i := range ends.Len() {
		end := signed(bytes, i, width)
		if end <= last {
			return corrupt("run end %d is %d, after %d", i, end, last)
		}
		last = end
	}
	if last < int64(data.Offset()+data.Len()) {
		return corrupt("runs end at %d of %d", last, data.Offset()+data.Len())
	}
	return nil
}

// validateUnion checks the type codes and, in a dense union, the offsets.
func validateUnion(dt arrow.UnionType, data arrow.ArrayData) error {
	rows := data.Offset() + data.Len()
	if err := hasBytes(data, 1, rows); err != nil {
		return err
	}
	dense := dt.Mode() == arrow.DenseMode
	need := rows
	if dense {
		need = 0
		if err := hasBytes(data, 2, 4*rows); err != nil {
			return err
		}
	}
	for i, field := range dt.Fields() {
		if err := validateChild(field.Type, data, i, need); err != nil {
			return fmt.Errorf("field %q: %w", field.Name, err)
		}
	}
	codes := bufferBytes(data, 1)
	for row := data.Offset(); row < rows; row++ {
		child := -1
		if code := int8(codes[row]); code >= 0 {
			child = dt.ChildIDs()[code]
		}
		if child < 0 || child >= len(data.Children()) {
			return corrupt("type code %d of row %d is none of the union's", int8(codes[row]), row)
		}
		if !dense {
			continue
		}
		if offset := signed(bufferBytes(data, 2), row, 4); offset < 0 || offset >= int64(data.Children()[child].Len()) {
			return corrupt("offset %d of row %d lies outside a child of %d", offset, row, data.Children()[child].Len())
		}
	}
	return nil
}
