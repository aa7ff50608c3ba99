package columnar_test

import (
	"errors"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// TestOffsetsRunOut takes more text and more items than offsets can count: an error, never offsets that wrap.
func TestOffsetsRunOut(t *testing.T) {
	defer columnar.SetMaxOffset(16)()
	for _, c := range []struct {
		t     arrow.DataType
		value string // of eight bytes or items
		large bool
	}{
		{arrow.BinaryTypes.String, "12345678", false},
		{arrow.BinaryTypes.LargeString, "12345678", true},
		{arrow.ListOf(arrow.PrimitiveTypes.Int8), "[1,2,3,4,5,6,7,8]", false},
		{arrow.LargeListOf(arrow.PrimitiveTypes.Int8), "[1,2,3,4,5,6,7,8]", true},
		{arrow.MapOf(arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Int8), `[{"key":1,"value":1},{"key":2,"value":1},{"key":3,"value":1},{"key":4,"value":1},` +
			`{"key":5,"value":1},{"key":6,"value":1},{"key":7,"value":1},{"key":8,"value":1}]`, false},
	} {
		mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
		b := array.NewBuilder(mem, c.t)
		for range 3 {
			if err := b.AppendValueFromString(c.value); err != nil {
				t.Fatal(err)
			}
		}
		a := b.NewArray()
		b.Release()
		v := viewOf(t, a)
		shape := columnar.Shape{Pieces: []columnar.Piece{{View: &v, To: 3}}, Room: 3}
		var staged columnar.Staged
		if err := staged.Stage(v.Layout, &shape); err != nil {
			t.Fatal(err)
		}
		for rows := 1; rows <= 3; rows++ {
			data, err := staged.Take(c.t, []uint32{0, 1, 2}[:rows], columnar.Validity{}, mem)
			if fits := rows <= 2 || c.large; fits != (err == nil) || err != nil && !errors.Is(err, columnar.ErrTooLarge) {
				t.Errorf("%d values of %s: %v", rows, c.t, err)
			}
			if err == nil {
				data.Release()
			}
		}
		a.Release()
		mem.AssertSize(t, 0)
	}
}
