package columnar_test

import (
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/simd"
)

// checkPut puts the values of the pieces down, which are of one type and have integers, as they are and by their ranks. It says whether
// that can be done in both ways.
func (l *pieceList) checkPut(t *testing.T, seed uint64, part columnar.KeyPart, integers []uint64) (plain, ranked bool) {
	t.Helper()
	var rows []int
	var keys, distinct, ranks []uint64
	for row := range l.values {
		rows = append(rows, row)
		keys = append(keys, integers[row])
		distinct = append(distinct, integers[row])
	}
	slices.Sort(distinct)
	distinct = slices.Compact(distinct)
	for _, key := range keys {
		rank, _ := slices.BinarySearch(distinct, key)
		ranks = append(ranks, uint64(rank)<<5|7)
	}
	part.KeyPart = simd.KeyPart{Mask: ^uint64(0), Unit: 1}
	plain = l.checkPutKeys(t, seed, &part, rows, keys)
	part.KeyPart, part.Ranked = simd.KeyPart{Shift: 5, Mask: 255}, distinct
	return plain, l.checkPutKeys(t, seed, &part, rows, ranks)
}

func (l *pieceList) checkPutKeys(t *testing.T, seed uint64, part *columnar.KeyPart, rows []int, keys []uint64) (done bool) {
	t.Helper()
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	v := l.pieces[0].View
	dt := l.arrays[0].DataType()
	var putter columnar.KeyPutter
	data, err := putter.Put(dt, v.Layout, part, keys, mem)
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	if data == nil {
		return false
	}
	defer data.Release()
	got := array.MakeFromData(data)
	defer got.Release()
	if got.Len() != len(keys) || got.NullN() > 0 {
		t.Fatalf("seed %d: %d values and %d NULLs of %d keys", seed, got.Len(), got.NullN(), len(keys))
	}
	for i, row := range rows {
		if value := valueOf(got, i); value != l.values[row] {
			t.Fatalf("seed %d: key %x becomes %v, want %v", seed, keys[i], value, l.values[row])
		}
	}
	return true
}

// anyNull says whether a value is NULL, or there are none.
func (l *pieceList) anyNull() bool {
	for _, value := range l.values {
		if value == nil {
			return true
		}
	}
	return len(l.values) == 0
}

func TestPutNumbers(t *testing.T) {
	forEachPieceList(t, numberTypes, func(t *testing.T, seed uint64, l *pieceList) {
		if l.anyNull() {
			return
		}
		normals := l.newRoom()
		if span := columnar.StageNormals(normals, l.pieces); span != columnar.Measure(normals, l.pieces) {
			t.Fatalf("seed %d: the span is %+v, measured %+v", seed, span, columnar.Measure(normals, l.pieces))
		}
		order := l.pieces[0].View.Order
		plain, ranked := l.checkPut(t, seed, columnar.KeyPart{Order: order}, normals)
		if _, ok := columnar.Sign(order); plain != ok || ranked != ok {
			t.Fatalf("seed %d: put down: %v and, by ranks, %v", seed, plain, ranked)
		}
	})
}

func TestPutTexts(t *testing.T) {
	plains, rankeds := 0, 0
	check := func(t *testing.T, seed uint64, l *pieceList) {
		var shape columnar.TextShape
		normals := l.newRoom()
		columnar.StageText(normals, l.pieces, 64, &shape)
		if l.anyNull() {
			return
		}
		alike := shape.Min == shape.Max && shape.Max < simd.MaxPattern
		plain, ranked := l.checkPut(t, seed, columnar.KeyPart{Order: columnar.OrderText, Text: &shape}, normals)
		if shape.Exact && alike && !plain || shape.Exact && shape.Max <= simd.MaxRankedText && !ranked || !shape.Exact && (plain || ranked) {
			t.Fatalf("seed %d: texts of %d to %d bytes, exact: %v, put down: %v and, by ranks, %v", seed, shape.Min, shape.Max, shape.Exact, plain, ranked)
		}
		if plain {
			plains++
		}
		if ranked {
			rankeds++
		}
	}
	forEachPieceList(t, textTypes, check)
	for _, dt := range []arrow.DataType{arrow.BinaryTypes.String, arrow.BinaryTypes.LargeString} {
		for _, texts := range [][]string{
			{"shop-017/item/000431", "shop-018/item/000431", "shop-018/item/099431"}, {"MUC", "TXL", "JFK"}, {"de", "fr", "brazil", ""},
			{"one text that is longer than thirty-two bytes 1", "one text that is longer than thirty-two bytes 2"},
		} {
			l := textList(t, dt, texts, texts[1:])
			check(t, 0, l)
			l.release()
		}
	}
	if plains < 10 || rankeds < 20 {
		t.Errorf("%d lists of texts were put down, %d by their ranks", plains, rankeds)
	}
}
