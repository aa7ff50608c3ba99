package columnar

import "encoding/binary"

// appendValue writes a value down so that two of one layout are written alike only when they are the same: a byte for NULL or
// not, then its bytes, the number of its bytes or items first where that varies.
func appendValue(dst []byte, v *View, row int) []byte {
	if v.IsNull(row) {
		return append(dst, 0)
	}
	dst = append(dst, 1)
	switch v.Layout.Form {
	case FormBits:
		if v.Bool(row) {
			return append(dst, 1)
		}
		return append(dst, 0)
	case FormFixed:
		return append(dst, v.Text(row)...)
	case FormText32, FormText64:
		text := v.Text(row)
		return append(binary.LittleEndian.AppendUint64(dst, uint64(len(text))), text...)
	case FormStruct:
		for i := range v.children {
			dst = appendValue(dst, &v.children[i], row)
		}
		return dst
	}
	first, last := v.items(row, row+1)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(last-first))
	for item := first; item < last; item++ {
		dst = appendValue(dst, &v.children[0], item)
	}
	return dst
}
