package aggfuncs_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/aggfuncs"
	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/internal/rowmerge"
)

// TestErrors has one error of every kind: its row is the third, its text names the operands.
func TestErrors(t *testing.T) {
	decimals := &arrow.Decimal128Type{Precision: 10, Scale: 2}
	num := func(n int64) any { return decimal128.FromI64(n) }
	for _, c := range []struct {
		function string
		t        arrow.DataType
		values   []any // the last is taken back if back is set
		back     bool
		want     error
		text     string
	}{
		{"sum", arrow.PrimitiveTypes.Int8, []any{int8(1), int8(100), int8(27)}, false, aggfuncs.ErrOverflow, "101 + 27"},
		{"sum", arrow.PrimitiveTypes.Uint16, []any{uint16(1), uint16(1), uint16(3)}, true, aggfuncs.ErrOverflow, "2 - 3"},
		{"sum", arrow.PrimitiveTypes.Int64, []any{nil, nil, int64(-1 << 63)}, true, aggfuncs.ErrOverflow, "0 - -9223372036854775808"},
		{"product", arrow.PrimitiveTypes.Int32, []any{int32(1), int32(1 << 20), int32(1 << 20)}, false, aggfuncs.ErrOverflow, "1048576 * 1048576"},
		{"product", arrow.PrimitiveTypes.Int8, []any{int8(1), int8(-128), int8(-1)}, true, aggfuncs.ErrOverflow, "-128 / -1"},
		{"product", arrow.PrimitiveTypes.Int8, []any{int8(3), int8(4), int8(0)}, true, aggfuncs.ErrDivideByZero, "12 / 0"},
		{"product", decimals, []any{num(100), num(200), num(0)}, true, aggfuncs.ErrDivideByZero, "2.00 / 0"},
		{"product", decimals, []any{num(100), num(200), num(300)}, true, aggfuncs.ErrInexact, "2.00 / 3.00"},
		{"max", arrow.PrimitiveTypes.Int8, []any{int8(1), int8(2), int8(2)}, true, aggfuncs.ErrRetract, "ignore-retract"},
		{"rbm32", arrow.BinaryTypes.Binary, []any{nil, rowmerge.BuildRbm32([]int64{1}), []byte{1, 2}}, false, aggfuncs.ErrCorrupt, "2 bytes"},
	} {
		mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
		in := newArray(mem, c.t, nil, c.values)
		view, err := columnar.NewView(in.Data())
		if err != nil {
			t.Fatal(err)
		}
		factory, _ := aggfuncs.ByName(c.function)
		rule, err := factory(column(c.t, ""), aggfuncs.Options{})
		if err != nil {
			t.Fatal(err)
		}
		g := &aggfuncs.Groups{Rows: 3, Count: 1, Ends: []uint64{0b100}}
		if c.back {
			g.Retract = []uint64{0b100}
		}
		_, err = rule.Function.Fold(g, &view, mem)
		var fault *aggfuncs.Fault
		if !errors.As(err, &fault) || fault.Row != 2 || !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s of %v: error %v, want %v in row 2 with %q", c.function, c.values, err, c.want, c.text)
		}
		in.Release()
		mem.AssertSize(t, 0)
	}
}
