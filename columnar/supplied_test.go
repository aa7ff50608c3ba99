package columnar_test

import (
	"errors"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/validity"
)

// TestReadSupplied reads parts of sliced columns of both widths of offsets.
func TestReadSupplied(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer mem.AssertSize(t, 0)
	one, other := []byte("\x3a\x30\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x10\x00\x00\x00\x01\x00"), []byte("\x3a\x30\x00\x00\x00\x00\x00\x00")
	for _, binary := range []arrow.BinaryDataType{arrow.BinaryTypes.Binary, arrow.BinaryTypes.LargeBinary} {
		b := array.NewBinaryBuilder(mem, binary)
		for row := range 200 {
			switch row % 5 {
			case 0, 1:
				b.Append(one)
			case 2:
				b.AppendNull()
			case 3:
				b.Append(other)
			default:
				b.Append([]byte("no bitmap"))
			}
		}
		whole := b.NewArray()
		b.Release()
		sliced := array.NewSlice(whole, 3, 200)
		view, err := columnar.NewStagedView(sliced.Data())
		if err != nil {
			t.Fatal(err)
		}
		d := validity.NewDecoder(3)
		s := d.Source([]int{-1, 1, 2})
		numbers := make([]uint32, 10)
		for from := 2; from < 197; from += 5 { // row 5 of the column and so on: one, one, NULL, other
			same, err := view.ReadSupplied(s, numbers, from, from+4)
			if err != nil || same || !d.Has(numbers[0], 1) || numbers[1] != numbers[0] || numbers[2] != 0 || d.Has(numbers[3], 1) {
				t.Fatalf("%s, row %d: %v, %v, %v", binary, from, numbers, same, err)
			}
			if same, err := view.ReadSupplied(s, numbers, from, from+2); !same || err != nil {
				t.Fatalf("%s, row %d: %v, %v", binary, from, same, err)
			}
			_, err = view.ReadSupplied(s, numbers, from, from+5)
			var fault *validity.Fault
			if !errors.As(err, &fault) || !errors.Is(err, columnar.ErrCorrupt) || fault.Row != 4 {
				t.Fatalf("%s, row %d: %v", binary, from, err)
			}
		}
		if same, err := view.ReadSupplied(s, nil, 7, 7); !same || err != nil {
			t.Error(same, err)
		}
		sliced.Release()
		whole.Release()
	}
	b := array.NewInt32Builder(mem)
	b.Append(1)
	ints := b.NewArray()
	b.Release()
	defer ints.Release()
	view, err := columnar.NewView(ints.Data())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := view.ReadSupplied(validity.NewDecoder(1).Source([]int{0}), make([]uint32, 1), 0, 1); !errors.Is(err, columnar.ErrSchema) {
		t.Error(err)
	}
}
