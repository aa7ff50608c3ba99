package columnar_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// forgedData makes array data with children.
func forgedData(t arrow.DataType, length, offset int, children []arrow.ArrayData, buffers ...[]byte) arrow.ArrayData {
	list := make([]*memory.Buffer, len(buffers))
	for i, b := range buffers {
		if b != nil {
			list[i] = memory.NewBufferBytes(b)
		}
	}
	return array.NewData(t, length, list, children, array.UnknownNullCount, offset)
}

// TestNestedViewOfForgedData forges one level of nested data: NewView must refuse it.
func TestNestedViewOfForgedData(t *testing.T) {
	i32 := arrow.PrimitiveTypes.Int32
	row := arrow.StructOf(arrow.Field{Name: "a", Type: i32}, arrow.Field{Name: "b", Type: arrow.BinaryTypes.String})
	ints := func(n int) arrow.ArrayData { return forgedData(i32, n, 0, nil, nil, zeros(4*max(n, 0))) }
	texts := forgedData(arrow.BinaryTypes.String, 2, 0, nil, nil, zeros(12), nil)
	kids := func(d ...arrow.ArrayData) []arrow.ArrayData { return d }
	for name, d := range map[string]arrow.ArrayData{
		"list, no child":                          forgedData(arrow.ListOf(i32), 1, 0, nil, nil, offsets32(0, 1)),
		"list, two children":                      forgedData(arrow.ListOf(i32), 1, 0, kids(ints(1), ints(1)), nil, offsets32(0, 1)),
		"list, offsets past the items":            forgedData(arrow.ListOf(i32), 1, 0, kids(ints(1)), nil, offsets32(0, 2)),
		"list, falling offsets":                   forgedData(arrow.ListOf(i32), 2, 0, kids(ints(3)), nil, offsets32(0, 2, 1)),
		"list, offsets that wrap":                 forgedData(arrow.ListOf(i32), 3, 0, kids(ints(5)), nil, offsets32(0, math.MaxInt32, -2, 5)),
		"list, short offsets":                     forgedData(arrow.ListOf(i32), 2, 0, kids(ints(3)), nil, offsets32(0, 2)),
		"list, short items":                       forgedData(arrow.ListOf(i32), 1, 0, kids(forgedData(i32, 2, 0, nil, nil, zeros(7))), nil, offsets32(0, 2)),
		"list, items of another type":             forgedData(arrow.ListOf(i32), 1, 0, kids(forgedData(arrow.PrimitiveTypes.Int8, 2, 0, nil, nil, zeros(2))), nil, offsets32(0, 2)),
		"large list, falling offsets":             forgedData(arrow.LargeListOf(i32), 2, 0, kids(ints(3)), nil, offsets64(0, 2, 1)),
		"map, items of another type":              forgedData(arrow.MapOf(i32, i32), 1, 0, kids(ints(1)), nil, offsets32(0, 1)),
		"fixed list, few items":                   forgedData(arrow.FixedSizeListOf(3, i32), 2, 0, kids(ints(5)), nil),
		"fixed list, absurd length":               forgedData(arrow.FixedSizeListOf(1<<30, i32), math.MaxInt/2, 0, kids(ints(5)), nil),
		"fixed list, items of another type":       forgedData(arrow.FixedSizeListOf(2, i32), 1, 0, kids(forgedData(arrow.PrimitiveTypes.Int8, 2, 0, nil, nil, zeros(2))), nil),
		"struct, a field too few":                 forgedData(row, 2, 0, kids(ints(2)), nil),
		"struct, a field too many":                forgedData(row, 2, 0, kids(ints(2), texts, texts), nil),
		"struct, a short field":                   forgedData(row, 2, 0, kids(ints(1), texts), nil),
		"struct, a field short by the offset":     forgedData(row, 2, 1, kids(ints(2), texts), nil),
		"struct, fields changed round":            forgedData(row, 2, 0, kids(texts, ints(2)), nil),
		"struct, a field of a negative length":    forgedData(row, 2, 0, kids(ints(-1), texts), nil),
		"struct, a field of a negative offset":    forgedData(row, 1, 1, kids(forgedData(i32, 2, -1, nil, nil, zeros(8)), texts), nil),
		"struct, a field of an absurd offset":     forgedData(row, 1, 0, kids(forgedData(i32, 2, math.MaxInt, nil, nil, zeros(8)), texts), nil),
		"struct, a field with a short buffer":     forgedData(row, 2, 0, kids(forgedData(i32, 2, 0, nil, nil, zeros(7)), texts), nil),
		"extension of a struct, a short field":    forgedData(&money{arrow.ExtensionBase{Storage: row}}, 2, 0, kids(ints(1), texts), nil),
		"list, items with a short bitmap":         forgedData(arrow.ListOf(i32), 1, 0, kids(forgedData(i32, 9, 0, nil, zeros(1), zeros(36))), nil, offsets32(0, 2)),
		"struct, no validity for all of its rows": forgedData(row, 2, 7, kids(ints(9), forgedData(arrow.BinaryTypes.String, 9, 0, nil, nil, zeros(40), nil)), zeros(1)),
	} {
		t.Run(name, func(t *testing.T) {
			err := viewError(d)
			if !errors.Is(err, columnar.ErrCorrupt) {
				t.Errorf("error %v, want ErrCorrupt", err)
			}
		})
	}
}

// viewError is what NewView says; a panic is an error too.
func viewError(d arrow.ArrayData) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	_, err = columnar.NewView(d)
	return err
}

// TestNestedExtensions sees a struct in an extension type in an extension type.
func TestNestedExtensions(t *testing.T) {
	row := arrow.StructOf(arrow.Field{Name: "a", Type: arrow.PrimitiveTypes.Int8})
	dt := &money{arrow.ExtensionBase{Storage: &money{arrow.ExtensionBase{Storage: row}}}}
	field := forgedData(arrow.PrimitiveTypes.Int8, 1, 0, nil, nil, zeros(1))
	if err := viewError(forgedData(dt, 1, 0, []arrow.ArrayData{field}, nil)); err != nil {
		t.Error(err)
	}
}

// TestSmallForgedDataTakesLittleMemory has a list of two billion NULLs in a few bytes.
func TestSmallForgedDataTakesLittleMemory(t *testing.T) {
	for _, items := range []arrow.DataType{arrow.Null, arrow.StructOf()} {
		dt := arrow.ListOf(items)
		const n = 1 << 26 // 2^31-1 needs more memory than a test should
		v, err := columnar.NewView(forgedData(dt, 1, 0, []arrow.ArrayData{forgedData(items, n, 0, nil, nil)}, nil, offsets32(0, n)))
		if err != nil {
			continue
		}
		var scratch columnar.Staged
		if err := scratch.Stage(v.Layout, &columnar.Shape{Pieces: []columnar.Piece{{View: &v, To: 1}}, Room: 1}); err != nil {
			continue
		}
		data, err := scratch.Take(dt, []uint32{0}, columnar.Validity{}, memory.DefaultAllocator)
		if err != nil {
			continue
		}
		data.Release()
		if got := scratch.Bytes(); got > 1<<20 {
			t.Errorf("%s: 8 bytes of offsets for %d items take %d bytes of scratch memory", dt, n, got)
		}
	}
}
