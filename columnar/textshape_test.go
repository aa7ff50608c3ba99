package columnar_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// varyingBits counts the bits that are not the same in all texts, padded with zeros, looking at them one by one, and says
// whether a text is another one with zeros behind it.
func varyingBits(texts []string) (varying int, padded bool) {
	longest := 0
	seen := map[string]string{}
	for _, text := range texts {
		longest = max(longest, len(text))
		short := strings.TrimRight(text, "\x00")
		other, again := seen[short]
		padded = padded || again && other != text
		seen[short] = text
	}
	for at := range longest {
		ones, zeros := byte(0), byte(0)
		for _, text := range texts {
			x := (text + strings.Repeat("\x00", longest))[at]
			ones, zeros = ones|x, zeros|^x
		}
		varying += bits.OnesCount8(ones & zeros)
	}
	return varying, padded
}

// checkTexts wants integers of the order of the texts as far as they go. They must be exact where 64 bits are enough, but for
// texts that are others with zeros behind them.
func (l *pieceList) checkTexts(t *testing.T, seed uint64) (exact bool) {
	t.Helper()
	var shape columnar.TextShape
	normals := l.newRoom()
	columnar.StageText(normals, l.pieces, 64, &shape)
	var texts []string
	zeros := false
	for _, value := range l.values {
		if text, ok := value.(string); ok {
			texts = append(texts, text)
			zeros = zeros || strings.HasSuffix(text, "\x00")
		}
	}
	varying, padded := varyingBits(texts)
	switch {
	case shape.Bits != min(varying, 64):
		t.Fatalf("seed %d: %d bits, want %d of %d", seed, shape.Bits, min(varying, 64), varying)
	case shape.Exact && (varying > 64 || padded):
		t.Fatalf("seed %d: exact although %d bits vary or a text is another with zeros behind it: %v", seed, varying, padded)
	case !shape.Exact && varying <= 64 && !zeros:
		t.Fatalf("seed %d: not exact although only %d bits vary", seed, varying)
	}
	if shape.Exact {
		nullness := l.newRoom()
		columnar.StageNullness(nullness, l.pieces)
		l.checkOrder(t, seed, nullness, normals)
		return true
	}
	for i, x := range l.values {
		if x == nil && normals[i] != 0 {
			t.Fatalf("seed %d: the integer of NULL is %d", seed, normals[i])
		}
		if bits.Len64(normals[i]) > shape.Bits && x != nil {
			t.Fatalf("seed %d: %x has more than %d bits", seed, normals[i], shape.Bits)
		}
		for j, y := range l.values {
			if x != nil && y != nil && compareValues(x, y) < 0 && normals[i] > normals[j] {
				t.Fatalf("seed %d: %q is below %q, their integers are %x and %x", seed, x, y, normals[i], normals[j])
			}
		}
	}
	if !l.gapsUntouched(normals) {
		t.Fatalf("seed %d: a row outside the pieces has been written", seed)
	}
	return false
}

func TestStageText(t *testing.T) {
	exacts := map[bool]int{}
	forEachPieceList(t, textTypes, func(t *testing.T, seed uint64, l *pieceList) {
		exacts[l.checkTexts(t, seed)]++
	})
	if exacts[true] < 20 || exacts[false] < 20 {
		t.Errorf("%d problems exact, %d not: too few of one kind", exacts[true], exacts[false])
	}
}

// textList is texts as pieces of one array each.
func textList(t *testing.T, dt arrow.DataType, pieces ...[]string) *pieceList {
	l := &pieceList{values: map[int]any{}}
	for _, texts := range pieces {
		b := array.NewBuilder(memory.DefaultAllocator, dt)
		for i, text := range texts {
			if err := b.AppendValueFromString(text); err != nil {
				t.Fatal(err)
			}
			l.values[l.room+i] = text
		}
		a := b.NewArray()
		v := viewOf(t, a)
		l.pieces = append(l.pieces, columnar.Piece{View: &v, To: v.Rows, Start: l.room})
		l.arrays = append(l.arrays, a)
		l.room += len(texts) + columnar.Gap
	}
	return l
}

// TestStageTextShapes stages texts like those that keys are made of.
func TestStageTextShapes(t *testing.T) {
	shapes := map[string]func(rng *rand.Rand) string{
		"digits": func(rng *rand.Rand) string { return fmt.Sprintf("%012d", rng.IntN(1e9)) },
		"urls": func(rng *rand.Rand) string {
			return fmt.Sprintf("https://shop-%03d/item/%06d", rng.IntN(100), rng.IntN(1e4))
		},
		"hexadecimal": func(rng *rand.Rand) string { return fmt.Sprintf("%016x-%016x", rng.Uint64(), rng.Uint64()) },
		"any length":  func(rng *rand.Rand) string { return strings.Repeat("ab", rng.IntN(5)) + fmt.Sprint(rng.IntN(100)) },
		"long prefix": func(rng *rand.Rand) string { return strings.Repeat("prefix/", 40) + fmt.Sprint(rng.IntN(1000)) },
		"late":        func(rng *rand.Rand) string { return strings.Repeat("-", 250) + fmt.Sprintf("%09d", rng.IntN(10)) },
		"too late": func(rng *rand.Rand) string {
			return fmt.Sprint(rng.IntN(2)) + strings.Repeat("-", 300) + fmt.Sprint(rng.IntN(10))
		},
		"one":          func(rng *rand.Rand) string { return "the same" },
		"empty":        func(rng *rand.Rand) string { return "" },
		"any bytes":    func(rng *rand.Rand) string { return fmt.Sprintf("%c%c", rng.IntN(128), rng.IntN(2)) },
		"longer later": func(rng *rand.Rand) string { return strings.Repeat("x", max(0, rng.IntN(300)-290)) },
	}
	for name, text := range shapes {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(5) {
				rng := rand.New(rand.NewPCG(seed, 2))
				pieces := make([][]string, 1+rng.IntN(3))
				for i := range pieces {
					for range rng.IntN(400) {
						pieces[i] = append(pieces[i], text(rng))
					}
				}
				if name == "too late" {
					checkBelow(t, textList(t, arrow.BinaryTypes.String, pieces...))
					continue
				}
				textList(t, arrow.BinaryTypes.String, pieces...).checkTexts(t, seed)
			}
		})
	}
}

// checkBelow wants integers of the order of texts, and not exact ones.
func checkBelow(t *testing.T, l *pieceList) {
	t.Helper()
	var shape columnar.TextShape
	normals := l.newRoom()
	columnar.StageText(normals, l.pieces, 64, &shape)
	if shape.Exact && len(l.values) > 1 {
		t.Fatal("exact")
	}
	for i, x := range l.values {
		for j, y := range l.values {
			if compareValues(x, y) < 0 && normals[i] > normals[j] {
				t.Fatalf("%q is below %q, their integers are %x and %x", x, y, normals[i], normals[j])
			}
		}
	}
}

// TestStageTextRareDifference has thousands of texts of which a single one, which is not among those that are looked at first,
// differs from the others where they are all the same: in a byte before those that vary, in its length or in its last byte.
func TestStageTextRareDifference(t *testing.T) {
	for name, odd := range map[string]string{
		"before":  "kez-000012345-z",
		"between": "key-0000123x4-z",
		"behind":  "key-000012345-y",
		"shorter": "key",
		"empty":   "",
		"longer":  "key-000012345-zz",
		"zero":    "key-000012345-z\x00",
	} {
		for _, at := range []int{1, 777, 5001, 9998} {
			texts := make([]string, 10_000)
			for i := range texts {
				texts[i] = fmt.Sprintf("key-%09d-z", i)
			}
			texts[at] = odd
			var shape columnar.TextShape
			l := textList(t, arrow.BinaryTypes.String, texts)
			normals := l.newRoom()
			columnar.StageText(normals, l.pieces, 64, &shape)
			order := make([]int, len(texts))
			for i := range order {
				order[i] = i
			}
			slices.SortFunc(order, func(i, j int) int { return strings.Compare(texts[i], texts[j]) })
			for i := 1; i < len(order); i++ {
				x, y := order[i-1], order[i]
				if normals[x] > normals[y] || shape.Exact && normals[x] == normals[y] && texts[x] != texts[y] {
					t.Errorf("%s, %d: %q and %q have %x and %x", name, at, texts[x], texts[y], normals[x], normals[y])
					break
				}
			}
		}
	}
}

// TestStageTextAgain stages windows of texts with one shape: what it has learnt from one may be of no use for the next.
func TestStageTextAgain(t *testing.T) {
	var shape columnar.TextShape
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 4))
		prefix, width := strings.Repeat("p", rng.IntN(3)*rng.IntN(50)), 1+rng.IntN(12)
		texts := make([]string, 600)
		for i := range texts {
			texts[i] = fmt.Sprintf("%s%0*d", prefix, width, rng.IntN(1000))
			if rng.IntN(400) == 0 {
				texts[i] = strings.Repeat("x", rng.IntN(80))
			}
		}
		l := textList(t, arrow.BinaryTypes.String, texts)
		normals := l.newRoom()
		columnar.StageText(normals, l.pieces, 20+rng.IntN(44), &shape)
		order := make([]int, len(texts))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(i, j int) int { return strings.Compare(texts[i], texts[j]) })
		for i := 1; i < len(order); i++ {
			x, y := order[i-1], order[i]
			if normals[x] > normals[y] || (normals[x] == normals[y]) != (texts[x] == texts[y]) && (shape.Exact || normals[x] != normals[y]) {
				t.Fatalf("seed %d: %q and %q have %x and %x, exact %v", seed, texts[x], texts[y], normals[x], normals[y], shape.Exact)
			}
		}
	}
}

// TestStageTextEmptyFirst begins with an empty text, whose bytes may be no slice at all.
func TestStageTextEmptyFirst(t *testing.T) {
	l := textList(t, arrow.BinaryTypes.String, []string{""}, []string{"a"}, []string{"ab"})
	if !l.checkTexts(t, 0) {
		t.Error("not exact")
	}
}
