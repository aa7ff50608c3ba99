package columnar_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// nestedTypes are nested types of every kind, twice and deeper.
var nestedTypes = func() []arrow.DataType {
	ints, texts := arrow.PrimitiveTypes.Int32, arrow.BinaryTypes.String
	row := arrow.StructOf(arrow.Field{Name: "a", Type: ints, Nullable: true}, arrow.Field{Name: "b", Type: texts, Nullable: true},
		arrow.Field{Name: "c", Type: arrow.FixedWidthTypes.Boolean, Nullable: true})
	flat := []arrow.DataType{
		arrow.ListOf(ints), arrow.LargeListOf(texts), arrow.FixedSizeListOf(3, ints), row, arrow.MapOf(texts, ints), arrow.StructOf(),
	}
	all := append([]arrow.DataType{}, flat...)
	for _, t := range flat {
		all = append(all, arrow.ListOf(t), arrow.LargeListOf(t), arrow.FixedSizeListOf(2, t), arrow.StructOf(arrow.Field{Name: "x", Type: t, Nullable: true}))
	}
	return append(all, arrow.ListOf(arrow.ListOf(arrow.StructOf(arrow.Field{Name: "deep", Type: arrow.ListOf(row), Nullable: true}))))
}()

// appendRandom appends a random value of a builder's type, NULL now and then.
func appendRandom(b array.Builder, rng *rand.Rand) {
	if _, fixed := b.(*array.FixedSizeListBuilder); rng.IntN(4) == 0 && !fixed {
		b.AppendNull()
		return
	}
	items := func(list array.Builder, n int) {
		for range n {
			appendRandom(list, rng)
		}
	}
	switch b := b.(type) {
	case *array.Int32Builder:
		b.Append(rng.Int32())
	case *array.StringBuilder:
		b.Append(strings.Repeat("x", rng.IntN(40)))
	case *array.BooleanBuilder:
		b.Append(rng.IntN(2) == 0)
	case *array.ListBuilder:
		b.Append(true)
		items(b.ValueBuilder(), rng.IntN(5))
	case *array.LargeListBuilder:
		b.Append(true)
		items(b.ValueBuilder(), rng.IntN(5))
	case *array.FixedSizeListBuilder:
		b.Append(rng.IntN(4) > 0)
		items(b.ValueBuilder(), int(b.Type().(*arrow.FixedSizeListType).Len()))
	case *array.MapBuilder:
		b.Append(true)
		for i := range rng.IntN(4) {
			b.KeyBuilder().(*array.StringBuilder).Append(fmt.Sprint(i))
			appendRandom(b.ItemBuilder(), rng)
		}
	case *array.StructBuilder:
		b.Append(true)
		for i := range b.NumField() {
			appendRandom(b.FieldBuilder(i), rng)
		}
	default:
		panic(b.Type().String())
	}
}

// stagedRow is a staged row and how Arrow prints its value.
type stagedRow struct {
	row  uint32
	text string
}

// TestNestedTake stages and takes nested columns and compares every row as Arrow prints it.
func TestNestedTake(t *testing.T) {
	for _, dt := range nestedTypes {
		for seed := range uint64(20) {
			rng := rand.New(rand.NewPCG(seed, 7))
			mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
			checkNested(t, mem, dt, rng)
			mem.AssertSize(t, 0)
			if t.Failed() {
				t.Fatalf("type %s, seed %d", dt, seed)
			}
		}
	}
}

func checkNested(t *testing.T, mem memory.Allocator, dt arrow.DataType, rng *rand.Rand) {
	var rows, singles []stagedRow
	var shape columnar.Shape
	for range 1 + rng.IntN(4) {
		part := randomPart(mem, dt, rng)
		defer part.Release()
		v, err := columnar.NewView(part.Data())
		if err != nil {
			t.Fatal(err)
		}
		p := columnar.Piece{View: &v, From: rng.IntN(5), To: 5 + rng.IntN(6), Start: shape.Room, Skip: rng.IntN(4) == 0}
		for row := p.From; row < p.To; row++ {
			switch {
			case !p.Skip:
				rows = append(rows, stagedRow{uint32(shape.Room + row - p.From), part.ValueStr(row)})
			case rng.IntN(2) == 0:
				singles = append(singles, stagedRow{text: part.ValueStr(row)})
				shape.Singles = append(shape.Singles, columnar.Single{Piece: uint32(len(shape.Pieces)), Row: uint32(row)})
			}
		}
		shape.Pieces = append(shape.Pieces, p)
		shape.Room += p.Rows()
	}
	for i, s := range singles {
		rows = append(rows, stagedRow{uint32(columnar.SinglesAt(shape.Room) + i), s.text})
	}
	var sel []uint32
	var want []string
	for range rng.IntN(40) {
		if len(rows) > 0 {
			r := rows[rng.IntN(len(rows))]
			sel, want = append(sel, r.row), append(want, r.text)
		}
	}
	layout, err := columnar.LayoutOf(dt)
	if err != nil {
		t.Fatal(err)
	}
	var staged columnar.Staged
	valid := columnar.TakeValid(staged.StageValid(&shape), sel, mem)
	defer valid.Release()
	if err := staged.Stage(layout, &shape); err != nil {
		t.Fatal(err)
	}
	data, err := staged.Take(dt, sel, valid, mem)
	if err != nil {
		t.Fatal(err)
	}
	defer data.Release()
	got := array.MakeFromData(data)
	defer got.Release()
	for i, text := range want {
		if got.ValueStr(i) != text {
			t.Errorf("row %d is %s, want %s", i, got.ValueStr(i), text)
		}
	}
}

// randomPart is a slice of ten rows of a random array.
func randomPart(mem memory.Allocator, dt arrow.DataType, rng *rand.Rand) arrow.Array {
	b := array.NewBuilder(mem, dt)
	defer b.Release()
	for range 20 {
		appendRandom(b, rng)
	}
	whole := b.NewArray()
	defer whole.Release()
	from := int64(rng.IntN(10))
	return array.NewSlice(whole, from, from+10)
}
