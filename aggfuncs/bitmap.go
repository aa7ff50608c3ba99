package aggfuncs

import (
	"bytes"
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/validity"
)

// newRbm32 makes rbm32: the union of 32-bit roaring bitmaps in the portable format.
func newRbm32(f arrow.Field, o Options) (Rule, error) { return newUnion(f, o, &bitmap32{}) }

// bitmap32 is the codec of rbm32.
type bitmap32 struct {
	acc, in *roaring.Bitmap
	out     bytes.Buffer
}

func (b *bitmap32) begin(value []byte) error {
	if b.acc == nil {
		b.acc, b.in = roaring.New(), roaring.New()
	}
	b.acc.Clear()
	return readBitmap(b.acc, value)
}

func (b *bitmap32) unite(value []byte, _ bool) error {
	b.in.Clear()
	if err := readBitmap(b.in, value); err != nil {
		return err
	}
	b.acc.Or(b.in)
	return nil
}

// readBitmap reads bytes that have been found to be exactly one bitmap.
func readBitmap(into *roaring.Bitmap, value []byte) error {
	if err := validity.CheckRoaring(value); err != nil {
		return err
	}
	if _, err := into.ReadFrom(bytes.NewReader(value)); err != nil {
		return fmt.Errorf("%w: not a roaring bitmap: %w", ErrCorrupt, err)
	}
	return nil
}

// appendTo writes runs where that is shorter.
func (b *bitmap32) appendTo(dst []byte) []byte {
	b.acc.RunOptimize()
	b.out.Reset()
	b.acc.WriteTo(&b.out) // a bytes.Buffer takes everything
	return append(dst, b.out.Bytes()...)
}
