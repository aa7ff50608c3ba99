package columnar

import "bytes"

// runStarts appends the rows of a view whose value is not that of the row before, bit by bit. The values of nested types are
// not compared.
func runStarts(starts []uint32, v *View) []uint32 {
	if v.Rows == 0 {
		return starts
	}
	starts = append(starts, 0)
	switch v.Layout.Form {
	case FormNull:
		return starts
	case FormBits:
		return bitStarts(starts, v)
	case FormText32, FormText64:
		return textStarts(starts, v)
	case FormFixed:
		switch v.Layout.Width {
		case 1:
			return fixedStarts[uint8](starts, v)
		case 2:
			return fixedStarts[uint16](starts, v)
		case 4:
			return fixedStarts[uint32](starts, v)
		case 8:
			return fixedStarts[uint64](starts, v)
		case 16:
			return fixedStarts[[16]byte](starts, v)
		}
		return textStarts(starts, v)
	}
	for row := 1; row < v.Rows; row++ {
		starts = append(starts, uint32(row))
	}
	return starts
}

func fixedStarts[T comparable](starts []uint32, v *View) []uint32 {
	values := Fixed[T](v)
	for row := 1; row < len(values); row++ {
		if differs, null := v.nullStep(row); differs || !null && values[row] != values[row-1] {
			starts = append(starts, uint32(row))
		}
	}
	return starts
}

func textStarts(starts []uint32, v *View) []uint32 {
	before := v.Text(0)
	for row := 1; row < v.Rows; row++ {
		text := v.Text(row)
		if differs, null := v.nullStep(row); differs || !null && !bytes.Equal(text, before) {
			starts = append(starts, uint32(row))
		}
		before = text
	}
	return starts
}

func bitStarts(starts []uint32, v *View) []uint32 {
	for row := 1; row < v.Rows; row++ {
		if differs, null := v.nullStep(row); differs || !null && v.Bool(row) != v.Bool(row-1) {
			starts = append(starts, uint32(row))
		}
	}
	return starts
}

// nullStep says whether one of a row and the row before is NULL and the other is not, and whether the row is.
func (v *View) nullStep(row int) (differs, null bool) {
	if v.Nulls == 0 {
		return false, false
	}
	null = v.IsNull(row)
	return null != v.IsNull(row-1), null
}
