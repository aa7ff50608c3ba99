package columnar

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/simd"
)

// KeyPart is how the values of a key column come out of the key bits of words: as unsigned integers of the same order, those of
// StageNormals or StageText.
type KeyPart struct {
	simd.KeyPart            // of the integers, or of their ranks
	Ranked       []uint64   // the integers by rank, where the part is a rank
	Order        Order      // of the column
	Text         *TextShape // of texts
}

// KeyPutter makes key columns out of key bits, without a look at the rows that the keys are from. It holds scratch for that.
type KeyPutter struct {
	pattern simd.Pattern
	texts   simd.RankedTexts
}

// Put makes an array of type t, which has the layout, of the values that keys have. It returns nil where they do not come out of key
// bits, or not any faster than out of the rows. Text of more than 2 GiB for 32-bit offsets is ErrTooLarge. The caller releases the result.
func (p *KeyPutter) Put(t arrow.DataType, layout Layout, part *KeyPart, keys []uint64, mem memory.Allocator) (arrow.ArrayData, error) {
	if part.Order == OrderText {
		return p.putTexts(t, layout, part, keys, mem)
	}
	sign, ok := Sign(part.Order)
	if !ok {
		return nil, nil
	}
	values := NewBuffer(mem, len(keys)*layout.Width)
	switch layout.Width {
	case 1:
		putNumbers[uint8](values.Bytes(), keys, part, sign)
	case 2:
		putNumbers[uint16](values.Bytes(), keys, part, sign)
	case 4:
		putNumbers[uint32](values.Bytes(), keys, part, sign)
	default:
		putNumbers[uint64](values.Bytes(), keys, part, sign)
	}
	data := array.NewData(t, len(keys), []*memory.Buffer{nil, values}, nil, 0, 0)
	values.Release()
	return data, nil
}

// Sign returns what StageNormals adds to numbers of an order. ok is false where it does something else.
func Sign(o Order) (sign uint64, ok bool) {
	switch o {
	case OrderInt8:
		return 1 << 7, true
	case OrderInt16:
		return 1 << 15, true
	case OrderInt32:
		return 1 << 31, true
	case OrderInt64:
		return signBit, true
	case OrderUint8, OrderUint16, OrderUint32, OrderUint64:
		return 0, true
	}
	return 0, false
}

func putNumbers[T uint8 | uint16 | uint32 | uint64](dst []byte, keys []uint64, part *KeyPart, sign uint64) {
	if part.Ranked == nil {
		number := part.KeyPart
		number.Base -= sign
		simd.PutNumbers(castSlice[T](dst), keys, number)
		return
	}
	var values [simd.MaxRanked]T
	for rank, x := range part.Ranked {
		values[rank] = T(x - sign)
	}
	simd.PutRanked(castSlice[T](dst), keys, part.KeyPart, &values)
}

// putTexts is Put for texts.
func (p *KeyPutter) putTexts(t arrow.DataType, layout Layout, part *KeyPart, keys []uint64, mem memory.Allocator) (arrow.ArrayData, error) {
	if !p.read(part) {
		return nil, nil
	}
	size := len(keys) * part.Text.Max
	var offsets *memory.Buffer
	switch layout.Form {
	case FormText32:
		offsets = NewBuffer(mem, (len(keys)+1)*4)
		if size = putOffsets(castSlice[int32](offsets.Bytes()), keys, part, &p.texts); size > maxOffset32 {
			offsets.Release()
			return nil, fmt.Errorf("%w: %d bytes of text in one output batch of type %s", ErrTooLarge, size, t)
		}
	case FormText64:
		offsets = NewBuffer(mem, (len(keys)+1)*8)
		size = putOffsets(castSlice[int64](offsets.Bytes()), keys, part, &p.texts)
	}
	text := NewBuffer(mem, size)
	if part.Ranked != nil {
		simd.PutRankedTexts(text.Buf(), keys, part.KeyPart, &p.texts)
	} else {
		p.pattern.Put(text.Buf(), keys, part.Shift)
	}
	if offsets == nil {
		return newData(t, len(keys), Validity{}, nil, text), nil
	}
	return newData(t, len(keys), Validity{}, nil, offsets, text), nil
}

// read prepares for texts: of one length, or of few values. It returns false for others.
func (p *KeyPutter) read(part *KeyPart) (ok bool) {
	s := part.Text
	if part.Ranked == nil {
		return s.Min == s.Max && s.pattern(&p.pattern)
	}
	if s.Max > simd.MaxRankedText || !s.pattern(&p.pattern) {
		return false
	}
	p.texts.Clear()
	for rank, bits := range part.Ranked {
		text := p.pattern.Text(bits)
		p.texts.Set(rank, text[:s.length(text[:])])
	}
	return true
}

// putOffsets writes the offsets of texts and returns how many bytes the texts have.
func putOffsets[O simd.Offset](offsets []O, keys []uint64, part *KeyPart, texts *simd.RankedTexts) (size int) {
	if part.Ranked != nil {
		return simd.RankedOffsets(offsets, keys, part.KeyPart, texts)
	}
	return putLengths(offsets, part.Text.Max)
}
