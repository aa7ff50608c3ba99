package rowmerge

import (
	"bytes"

	"github.com/RoaringBitmap/roaring/v2"
)

// newRbm32 makes rbm32: the union of 32-bit roaring bitmaps in the portable format.
func newRbm32(c column, o *functionOptions) (*Function, *Error) {
	return newBytesFunction("roaring bitmap", c, func(acc, in []byte) ([]byte, *Error) {
		a, err := readBitmap(acc)
		if err != nil {
			return nil, err
		}
		b, err := readBitmap(in)
		if err != nil {
			return nil, err
		}
		a.Or(b)
		return writeBitmap(a), nil
	})
}

// readBitmap reads bytes that are one valid bitmap and nothing else.
func readBitmap(data []byte) (b *roaring.Bitmap, err *Error) {
	defer func() {
		if r := recover(); r != nil {
			b, err = nil, corruptf("not a roaring bitmap: %v", r)
		}
	}()
	b = roaring.New()
	n, fault := b.ReadFrom(bytes.NewReader(data))
	if fault == nil {
		fault = b.Validate()
	}
	switch {
	case fault != nil:
		return nil, corruptf("not a roaring bitmap: %v", fault)
	case n != int64(len(data)):
		return nil, corruptf("a roaring bitmap of %d bytes in %d bytes", n, len(data))
	}
	return b, nil
}

// writeBitmap writes a bitmap, its runs as runs where that is shorter.
func writeBitmap(b *roaring.Bitmap) []byte {
	b.RunOptimize()
	data, err := b.ToBytes()
	if err != nil {
		panic("rowmerge: a bitmap cannot be written: " + err.Error())
	}
	return data
}

// BuildRbm32 gives the bytes of a bitmap of integers, which are taken as unsigned.
func BuildRbm32(ints []int64) []byte {
	b := roaring.New()
	for _, n := range ints {
		b.Add(uint32(n))
	}
	return writeBitmap(b)
}
