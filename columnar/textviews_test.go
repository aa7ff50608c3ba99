package columnar_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// viewedTypes are the types of text that views are made of.
var viewedTypes = []arrow.DataType{arrow.BinaryTypes.String, arrow.BinaryTypes.LargeString, arrow.BinaryTypes.Binary, arrow.BinaryTypes.LargeBinary}

// TestStageViews takes views of random pieces, some skipped but for single rows, with blocks of any size, and wants the texts, in
// the buffers of the inputs.
func TestStageViews(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		for _, most := range []int{1 << 31, 4000, 300, 41} {
			restore := columnar.SetMaxOffset(min(most, 1<<31-1))
			for seed := range uint64(40) {
				newViewProblem(t, seed).check(t)
			}
			restore()
		}
	})
}

// viewProblem is pieces of arrays of text.
type viewProblem struct {
	mem    *memory.CheckedAllocator
	rng    *rand.Rand
	t      arrow.DataType
	arrays []arrow.Array
	shape  columnar.Shape
	texts  map[uint32]any // by staged row
}

func newViewProblem(t *testing.T, seed uint64) *viewProblem {
	p := &viewProblem{mem: memory.NewCheckedAllocator(memory.DefaultAllocator), rng: rand.New(rand.NewPCG(seed, 9)), texts: map[uint32]any{}}
	p.t = viewedTypes[seed%4]
	for range 1 + p.rng.IntN(5) {
		p.arrays = append(p.arrays, p.array(p.rng.IntN(3000)))
	}
	views := make([]columnar.View, len(p.arrays))
	for i, a := range p.arrays {
		var err error
		if views[i], err = columnar.NewStagedView(a.Data()); err != nil {
			t.Fatal(err)
		}
	}
	for piece := range 1 + p.rng.IntN(10) {
		p.shape.Room = (p.shape.Room+7)&^7 + columnar.Gap
		at := p.rng.IntN(len(views))
		from := p.rng.IntN(views[at].Rows + 1)
		to := from + p.rng.IntN(views[at].Rows+1-from)
		skip := piece > 0 && p.rng.IntN(4) == 0
		p.shape.Pieces = append(p.shape.Pieces, columnar.Piece{View: &views[at], From: from, To: to, Start: p.shape.Room, Skip: skip})
		for row := from; row < to; row++ {
			if !skip {
				p.texts[uint32(p.shape.Room+row-from)] = valueOf(p.arrays[at], row)
			} else if p.rng.IntN(20) == 0 {
				p.shape.Singles = append(p.shape.Singles, columnar.Single{Piece: uint32(piece), Row: uint32(row)})
			}
		}
		p.shape.Room += to - from
	}
	p.rng.Shuffle(len(p.shape.Singles), func(i, j int) {
		s := p.shape.Singles
		s[i], s[j] = s[j], s[i]
	})
	for i, s := range p.shape.Singles {
		piece := &p.shape.Pieces[s.Piece]
		for at := range views {
			if piece.View == &views[at] {
				p.texts[uint32(columnar.SinglesAt(p.shape.Room)+i)] = valueOf(p.arrays[at], int(s.Row))
			}
		}
	}
	return p
}

// array has texts of a few lengths or of many, some NULL, sliced out of a longer one.
func (p *viewProblem) array(n int) arrow.Array {
	b := array.NewBuilder(p.mem, p.t)
	defer b.Release()
	most := []int{1, 12, 13, 40}[p.rng.IntN(4)]
	for i := range n + 3 {
		text := strings.Repeat(fmt.Sprint(i), 40)[:p.rng.IntN(most+1)]
		switch b := b.(type) {
		case array.StringLikeBuilder:
			b.Append(text)
		case *array.BinaryBuilder:
			b.Append([]byte(text))
		}
		if p.rng.IntN(10) == 0 {
			b.AppendNull()
		}
	}
	whole := b.NewArray()
	defer whole.Release()
	return array.NewSlice(whole, 2, int64(2+n))
}

func (p *viewProblem) check(t *testing.T) {
	t.Helper()
	sel := make([]uint32, 0, len(p.texts))
	for row := range p.texts {
		sel = append(sel, row)
	}
	slices.Sort(sel)
	p.rng.Shuffle(len(sel), func(i, j int) { sel[i], sel[j] = sel[j], sel[i] })
	var s columnar.Staged
	if err := s.StageViews(&p.shape); err != nil {
		t.Fatal(err)
	}
	valid := columnar.TakeValid(s.StageValid(&p.shape), sel, p.mem)
	typ, _ := columnar.ViewType(p.t)
	data := s.TakeViews(typ, sel, valid, p.mem)
	valid.Release()
	views := array.MakeFromData(data)
	data.Release()
	for _, b := range data.Buffers()[2:] {
		if !p.isOf(b) {
			t.Fatal("a buffer is none of an input's")
		}
	}
	for _, a := range p.arrays {
		a.Release() // the views keep what they need
	}
	for i, row := range sel {
		if got := valueOf(views, i); got != p.texts[row] {
			t.Fatalf("%s: staged row %d is %q, want %q", p.t, row, got, p.texts[row])
		}
	}
	views.Release()
	p.mem.AssertSize(t, 0)
}

// isOf says whether a buffer is that of an input's texts, or a part of it.
func (p *viewProblem) isOf(b *memory.Buffer) bool {
	return slices.ContainsFunc(p.arrays, func(a arrow.Array) bool {
		text := a.Data().Buffers()[2]
		return b == text || b.Parent() == text
	})
}

// TestViewsOfFewBuffers wants no buffer kept that no view points into, and none twice.
func TestViewsOfFewBuffers(t *testing.T) {
	build := func(texts ...string) arrow.Array {
		b := array.NewStringBuilder(memory.DefaultAllocator)
		b.AppendValues(texts, nil)
		return b.NewArray()
	}
	long, short := build("a text that is not inline", "x", "another of these texts"), build("inline", "is")
	shape := func(arrays ...arrow.Array) (s columnar.Shape) {
		for _, a := range arrays {
			v := viewOf(t, a)
			s.Pieces = append(s.Pieces, columnar.Piece{View: &v, To: v.Rows, Start: s.Room})
			s.Room += v.Rows + columnar.Gap
		}
		return s
	}
	text := long.Data().Buffers()[2]
	single := shape(long, short, long)
	for i := range single.Pieces {
		single.Pieces[i].Skip = true
	}
	single.Singles = []columnar.Single{{Piece: 0, Row: 0}, {Piece: 1, Row: 1}, {Piece: 0, Row: 2}}
	for _, c := range []struct {
		name  string
		shape columnar.Shape
		want  []*memory.Buffer
	}{
		{"inline texts", shape(short, short), nil},
		{"one of both", shape(short, long, short), []*memory.Buffer{text}},
		{"slices of one array", shape(array.NewSlice(long, 0, 1), array.NewSlice(long, 1, 3)), []*memory.Buffer{text}},
		{"single rows", single, []*memory.Buffer{text}},
	} {
		var s columnar.Staged
		if err := s.StageViews(&c.shape); err != nil {
			t.Fatal(err)
		}
		d := s.TakeViews(arrow.BinaryTypes.StringView, nil, columnar.Validity{}, memory.DefaultAllocator)
		if got := d.Buffers()[2:]; !slices.Equal(got, c.want) {
			t.Errorf("%s: %d buffers, want %d", c.name, len(got), len(c.want))
		}
	}
}

// TestViewsOfForgedOffsets has the offsets of three texts, of which there are 20 bytes, and blocks that end early.
func TestViewsOfForgedOffsets(t *testing.T) {
	for _, most := range []int{1<<31 - 1, 15} {
		restore := columnar.SetMaxOffset(most)
		for _, c := range []struct {
			offsets []int32
			want    error
		}{
			{[]int32{0, 3, 13, 20}, nil},
			{[]int32{20, 20, 20, 20}, nil},
			{[]int32{0, 3, 13, 21}, columnar.ErrCorrupt},
			{[]int32{21, 21, 21, 21}, columnar.ErrCorrupt},
			{[]int32{0, 1 << 30, 13, 20}, columnar.ErrCorrupt},
			{[]int32{0, 13, 3, 20}, columnar.ErrCorrupt},
			{[]int32{20, 13, 3, 0}, columnar.ErrCorrupt},
			{[]int32{-1, 3, 13, 20}, columnar.ErrCorrupt},
			{[]int32{-1 << 31, 3, 13, 1<<31 - 1}, columnar.ErrCorrupt},
			{[]int32{0, 0, 0, -1 << 31}, columnar.ErrCorrupt},
		} {
			for _, dt := range viewedTypes {
				offsets := forgedOffsets(dt, c.offsets)
				d := array.NewData(dt, 3, []*memory.Buffer{nil, memory.NewBufferBytes(offsets), memory.NewBufferBytes(make([]byte, 20))}, nil, 0, 0)
				v, err := columnar.NewStagedView(d)
				if err != nil {
					t.Fatal(err)
				}
				var s columnar.Staged
				whole := columnar.Shape{Pieces: []columnar.Piece{{View: &v, To: 3}}, Room: 3}
				if err := s.StageViews(&whole); !errors.Is(err, c.want) {
					t.Errorf("%s, offsets %d: error %v, want %v", dt, c.offsets, err, c.want)
				}
				singles := columnar.Shape{Pieces: []columnar.Piece{{View: &v, To: 3, Skip: true}}, Room: 3, Singles: []columnar.Single{{Row: 0}, {Row: 1}, {Row: 2}}}
				if err := s.StageViews(&singles); !errors.Is(err, c.want) {
					t.Errorf("%s, offsets %d, one by one: error %v, want %v", dt, c.offsets, err, c.want)
				}
				typ, _ := columnar.ViewType(dt)
				if _, err := columnar.TextViews(d, typ, memory.DefaultAllocator); !errors.Is(err, c.want) {
					t.Errorf("%s, offsets %d, an array: error %v, want %v", dt, c.offsets, err, c.want)
				}
			}
		}
		restore()
	}
}

// forgedOffsets are offsets as a type of text has them.
func forgedOffsets(dt arrow.DataType, offsets []int32) (b []byte) {
	for _, o := range offsets {
		if dt.Layout().Buffers[1].ByteWidth == 8 {
			b = binary.LittleEndian.AppendUint64(b, uint64(o))
		} else {
			b = binary.LittleEndian.AppendUint32(b, uint32(o))
		}
	}
	return b
}

// TestViewsOfLongTexts has a text that no view can point to.
func TestViewsOfLongTexts(t *testing.T) {
	l := textList(t, arrow.BinaryTypes.LargeString, []string{"short", strings.Repeat("long", 10), "short"})
	shape := columnar.Shape{Pieces: l.pieces, Room: l.room}
	for most, want := range map[int]error{40: nil, 39: columnar.ErrTooLarge, 10: columnar.ErrTooLarge} {
		restore := columnar.SetMaxOffset(most)
		var s columnar.Staged
		if err := s.StageViews(&shape); !errors.Is(err, want) {
			t.Errorf("at most %d bytes: error %v, want %v", most, err, want)
		}
		restore()
	}
}
