package columnar_test

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// TestLocate locates texts, of one length and of many, of few pieces and of more than may stay where they are, takes some and compares others.
func TestLocate(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		var scratch columnar.Staged
		for _, dt := range []arrow.DataType{arrow.BinaryTypes.String, arrow.BinaryTypes.LargeString} {
			for _, pieces := range []int{1, 2, 8, 85, 86, 300} {
				for _, longest := range []int{0, 1, 5, 40, 100} {
					checkLocated(t, rand.New(rand.NewPCG(uint64(longest), uint64(pieces))), dt, pieces, 0, longest, &scratch)
				}
				for _, size := range []int{3, 4, 7, 8, 13, 16, 31, 32, 36, 63, 64, 65} { // of one length
					checkLocated(t, rand.New(rand.NewPCG(uint64(size), uint64(pieces))), dt, pieces, size, size, &scratch)
				}
			}
		}
	})
}

func checkLocated(t *testing.T, rng *rand.Rand, dt arrow.DataType, pieces, shortest, longest int, scratch *columnar.Staged) {
	t.Helper()
	texts := make([][]string, pieces)
	for i := range texts {
		for range rng.IntN(1 + 4000/pieces) {
			texts[i] = append(texts[i], strings.Repeat("ab", longest+1)[rng.IntN(2):][:shortest+rng.IntN(longest-shortest+1)])
		}
	}
	l := textList(t, dt, texts...)
	gap := 0
	for i := range l.pieces { // some pieces follow the one before at once
		p := &l.pieces[i]
		if i > 0 && rng.IntN(2) == 0 {
			gap += p.Start - gap - l.pieces[i-1].Start - l.pieces[i-1].Rows()
		} else {
			gap -= (8 - (p.Start-gap)&7) & 7
		}
		p.Start -= gap
	}
	staged, text := []uint32{}, map[uint32]string{}
	for i, p := range l.pieces {
		for row, value := range texts[i] {
			staged = append(staged, uint32(p.Start+row))
			text[uint32(p.Start+row)] = value
		}
	}
	last := l.pieces[pieces-1]
	if err := scratch.Stage(last.View.Layout, &columnar.Shape{Pieces: l.pieces, Room: last.Start + last.Rows(), InPlace: true}); err != nil {
		t.Fatal(err)
	}
	rng.Shuffle(len(staged), func(i, j int) { staged[i], staged[j] = staged[j], staged[i] })
	data, err := scratch.Take(dt, staged, columnar.Validity{}, memory.DefaultAllocator)
	if err != nil {
		t.Fatal(err)
	}
	taken := array.MakeFromData(data)
	var pairs [][2]uint32
	var left, differ []uint32
	for i, row := range staged {
		if got := valueOf(taken, i); got != text[row] {
			t.Fatalf("%s, %d pieces: staged row %d is %q, want %q", dt, pieces, row, got, text[row])
		}
		x, place := [2]uint32{row, staged[rng.IntN(len(staged))]}, uint32(2*i+1)
		pairs = append(pairs, x)
		if text[x[0]] == text[x[1]] {
			left = append(left, place)
		} else {
			differ = append(differ, place)
		}
	}
	gotLeft, gotDiffer := scratch.Unequal(tied(pairs), 0, nil)
	if !slices.Equal(gotLeft, left) || !slices.Equal(gotDiffer, differ) {
		t.Fatalf("%s, %d pieces: %d ties left and %d differ, want %d and %d", dt, pieces, len(gotLeft), len(gotDiffer), len(left), len(differ))
	}
}

// TestLetGo holds that values can be collected once they have been let go, while the scratch lives on.
func TestLetGo(t *testing.T) {
	t.Run("texts", func(t *testing.T) { checkLetGo(t, locateTexts) })
	t.Run("texts of one length", func(t *testing.T) { checkLetGo(t, locateAlike) })
	t.Run("fixed width", func(t *testing.T) { checkLetGo(t, locateFixed) })
}

func checkLetGo(t *testing.T, locateOnce func(*testing.T, *columnar.Staged, func())) {
	t.Helper()
	var scratch columnar.Staged
	collected := make(chan struct{})
	locateOnce(t, &scratch, func() { close(collected) })
	deadline := time.After(20 * time.Second)
	for {
		runtime.GC()
		select {
		case <-collected:
			runtime.KeepAlive(&scratch)
			return
		case <-deadline:
			t.Fatal("the values are still in use")
		case <-time.After(time.Millisecond):
		}
	}
}

// locateFixed locates numbers and lets them go; done is called when they have been collected.
func locateFixed(t *testing.T, scratch *columnar.Staged, done func()) {
	const rows = 1000
	values := make([]int64, rows)
	runtime.AddCleanup(&values[0], func(int) { done() }, 0)
	data := array.NewData(arrow.PrimitiveTypes.Int64, rows, []*memory.Buffer{nil,
		memory.NewBufferBytes(arrow.Int64Traits.CastToBytes(values))}, nil, 0, 0)
	locateArray(t, scratch, data)
}

// locateTexts is locateFixed for texts of two lengths, locateAlike for texts of one.
func locateTexts(t *testing.T, scratch *columnar.Staged, done func()) {
	locateSizes(t, scratch, 1, done)
}
func locateAlike(t *testing.T, scratch *columnar.Staged, done func()) {
	locateSizes(t, scratch, 0, done)
}

func locateSizes(t *testing.T, scratch *columnar.Staged, more int32, done func()) {
	const rows, size = 1000, 20
	text, offsets := make([]byte, rows*(size+1)), make([]int32, rows+1)
	runtime.AddCleanup(&text[0], func(int) { done() }, 0)
	for i := range offsets {
		offsets[i] = int32(i*size) + int32(i%2)*more
	}
	data := array.NewData(arrow.BinaryTypes.String, rows, []*memory.Buffer{nil,
		memory.NewBufferBytes(arrow.Int32Traits.CastToBytes(offsets)), memory.NewBufferBytes(text)}, nil, 0, 0)
	locateArray(t, scratch, data)
}

// locateArray locates all rows of an array, which it takes over, and lets them go.
func locateArray(t *testing.T, scratch *columnar.Staged, data arrow.ArrayData) {
	t.Helper()
	defer data.Release()
	view, err := columnar.NewView(data)
	if err != nil {
		t.Fatal(err)
	}
	shape := columnar.Shape{Pieces: []columnar.Piece{{View: &view, To: view.Rows}}, Room: view.Rows, InPlace: true}
	if err := scratch.Stage(view.Layout, &shape); err != nil {
		t.Fatal(err)
	}
	scratch.LetGo()
}
