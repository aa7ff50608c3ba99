package columnar_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/internal/invariants"
	"github.com/braidmerge/braid/simd"
)

// staging is a window of one column: pieces of the batches of some runs, some of them skipped, and singles.
type staging struct {
	shape  columnar.Shape
	values map[int]any // by staged row, of pieces and singles
	rows   []uint32    // the staged rows that may be selected
	arrays []arrow.Array
}

func newStaging(t *testing.T, rng *rand.Rand, mem memory.Allocator, dt arrow.DataType) *staging {
	s := &staging{values: map[int]any{}}
	for run := range rng.IntN(5) {
		if run > 0 {
			s.shape.Room = (s.shape.Room+7)&^7 + columnar.Gap
		}
		skipped := rng.IntN(3) == 0
		for range 1 + rng.IntN(3) {
			s.addPiece(t, rng, newArray(rng, mem, dt, randomRaws(rng, dt, rng.IntN(60))), skipped || rng.IntN(10) == 0)
		}
	}
	if len(s.shape.Pieces) > 0 {
		s.addSingles(rng)
	}
	return s
}

// addPiece stages rows of an array behind the piece before.
func (s *staging) addPiece(t *testing.T, rng *rand.Rand, a arrow.Array, skip bool) {
	s.arrays = append(s.arrays, a)
	v := viewOf(t, a)
	p := columnar.Piece{View: &v, From: rng.IntN(v.Rows + 1), Start: s.shape.Room, Skip: skip}
	p.To = p.From + rng.IntN(v.Rows-p.From+1)
	for row := p.From; row < p.To; row++ {
		staged := p.Start + row - p.From
		s.values[staged] = valueOf(a, row)
		if !skip {
			s.rows = append(s.rows, uint32(staged))
		}
	}
	s.shape.Pieces = append(s.shape.Pieces, p)
	s.shape.Room += p.Rows()
}

func (s *staging) addSingles(rng *rand.Rand) {
	for range rng.IntN(20) {
		i := rng.IntN(len(s.shape.Pieces))
		if rows := s.shape.Pieces[i].View.Rows; rows > 0 {
			row := rng.IntN(rows)
			staged := columnar.SinglesAt(s.shape.Room) + len(s.shape.Singles)
			s.shape.Singles = append(s.shape.Singles, columnar.Single{Piece: uint32(i), Row: uint32(row)})
			s.values[staged] = valueOf(s.arrays[i], row)
			s.rows = append(s.rows, uint32(staged))
		}
	}
}

// selection draws staged rows that may be selected.
func (s *staging) selection(rng *rand.Rand) []uint32 {
	sel, most := []uint32{}, 100
	if rng.IntN(8) == 0 {
		most = 1500 // more than is taken at a time where another column is expected
	}
	for range rng.IntN(most) {
		if len(s.rows) == 0 {
			break
		}
		i := rng.IntN(len(s.rows))
		for repeat := 1 + rng.IntN(4)/3; repeat > 0; repeat-- {
			sel = append(sel, s.rows[i])
		}
	}
	return sel
}

func (s *staging) release() {
	for _, a := range s.arrays {
		a.Release()
	}
}

// TestTake stages and takes columns of every layout one after another with the same scratch memory.
func TestTake(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
		defer mem.AssertSize(t, 0)
		var scratch columnar.Staged
		for seed := range uint64(25) {
			for _, dt := range mergeTypes {
				rng := rand.New(rand.NewPCG(seed, 1))
				s := newStaging(t, rng, mem, dt)
				checkStaging(t, rng, seed, dt, s, &scratch, mem)
				s.release()
			}
		}
	})
}

func checkStaging(t *testing.T, rng *rand.Rand, seed uint64, dt arrow.DataType, s *staging, scratch *columnar.Staged, mem memory.Allocator) {
	t.Helper()
	staged := scratch.StageValid(&s.shape)
	for row, value := range s.values {
		want := byte(1)
		if value == nil {
			want = 0
		}
		if staged[row] != want {
			t.Fatalf("seed %d, %s: the validity of staged row %d is %d, want %d", seed, dt, row, staged[row], want)
		}
	}
	layout, err := columnar.LayoutOf(dt)
	if err != nil {
		t.Fatal(err)
	}
	if rng.IntN(3) == 0 {
		checkStretches(t, rng, seed, dt, s, scratch, mem, layout)
	}
	s.shape.InPlace = rng.IntN(2) == 0
	if err := scratch.Stage(layout, &s.shape); err != nil {
		t.Fatalf("seed %d, %s: %v", seed, dt, err)
	}
	for range 3 { // what is staged can be taken more than once
		sel := s.selection(rng)
		valid := columnar.TakeValid(staged, sel, mem)
		if expected := []*columnar.Shape{nil, &s.shape}; rng.IntN(2) == 0 {
			scratch.Expect(expected[rng.IntN(2)])
		}
		data, err := scratch.Take(dt, sel, valid, mem)
		if err != nil {
			t.Fatalf("seed %d, %s: %v", seed, dt, err)
		}
		valid.Release()
		s.checkTaken(t, seed, dt, sel, data)
		data.Release()
	}
}

// checkStretches takes a column by stretches, of any length.
func checkStretches(t *testing.T, rng *rand.Rand, seed uint64, dt arrow.DataType, s *staging, scratch *columnar.Staged, mem memory.Allocator,
	layout columnar.Layout) {
	t.Helper()
	var sel []uint32
	for range rng.IntN(8) {
		if len(s.rows) == 0 {
			break
		}
		from := rng.IntN(len(s.rows))
		rows := s.rows[from:min(from+1+rng.IntN(300), len(s.rows))]
		for i, row := range rows {
			if row != rows[0]+uint32(i) {
				rows = rows[:i]
				break
			}
		}
		sel = append(sel, rows...)
		s.shape.Stretches = append(s.shape.Stretches, simd.Stretch{Row: rows[0], Rows: uint32(len(rows))})
	}
	s.shape.InPlace = false
	defer func() { s.shape.Stretches = nil }()
	valid := columnar.TakeValid(scratch.StageValid(&s.shape), sel, mem)
	defer valid.Release()
	if err := scratch.Stage(layout, &s.shape); err != nil {
		t.Fatalf("seed %d, %s: %v", seed, dt, err)
	}
	data, err := scratch.Take(dt, sel, valid, mem)
	if err != nil {
		t.Fatalf("seed %d, %s: %v", seed, dt, err)
	}
	defer data.Release()
	s.checkTaken(t, seed, dt, sel, data)
}

// checkTaken compares taken rows with the values they were staged from, through the accessors of Arrow.
func (s *staging) checkTaken(t *testing.T, seed uint64, dt arrow.DataType, sel []uint32, data arrow.ArrayData) {
	t.Helper()
	a := array.MakeFromData(data)
	defer a.Release()
	if a.Len() != len(sel) || !arrow.TypeEqual(a.DataType(), dt) || data.Offset() != 0 {
		t.Fatalf("seed %d: %d rows of type %s at offset %d, want %d of %s", seed, a.Len(), a.DataType(), data.Offset(), len(sel), dt)
	}
	nulls := 0
	for i, row := range sel {
		got, want := valueOf(a, i), s.values[int(row)]
		if want == nil {
			nulls++
		}
		if !same(got, want) {
			t.Fatalf("seed %d, %s: row %d, staged %d, is %v, want %v", seed, dt, i, row, got, want)
		}
	}
	if data.NullN() != nulls {
		t.Fatalf("seed %d, %s: %d NULLs, want %d", seed, dt, data.NullN(), nulls)
	}
	checkBuffers(t, seed, dt, len(sel), data)
	v := viewOf(t, a)
	if v.Nulls != nulls {
		t.Fatalf("seed %d, %s: the view has %d NULLs, want %d", seed, dt, v.Nulls, nulls)
	}
}

// checkBuffers wants buffers of the exact size, offsets from 0, and a bitmap only where there are NULLs, its last bits 0.
func checkBuffers(t *testing.T, seed uint64, dt arrow.DataType, rows int, data arrow.ArrayData) {
	t.Helper()
	if dt.ID() == arrow.NULL {
		return
	}
	buffers := data.Buffers()
	if bitmap := buffers[0]; (bitmap != nil) != (data.NullN() > 0) {
		t.Fatalf("seed %d, %s: bitmap %v with %d NULLs", seed, dt, bitmap, data.NullN())
	}
	sizes := []int{(rows + 7) / 8}
	switch {
	case dt.ID() == arrow.BOOL:
		sizes = append(sizes, (rows+7)/8)
	case isText(dt):
		width := dt.Layout().Buffers[1].ByteWidth
		offsets := buffers[1].Bytes()
		last := 0
		for i := range width {
			last |= int(offsets[rows*width+i]) << (8 * i)
			if offsets[i] != 0 {
				t.Fatalf("seed %d, %s: the first offset is not 0", seed, dt)
			}
		}
		sizes = append(sizes, (rows+1)*width, last)
	default:
		sizes = append(sizes, rows*dt.(arrow.FixedWidthDataType).BitWidth()/8)
	}
	if len(buffers) != len(sizes) {
		t.Fatalf("seed %d, %s: %d buffers, want %d", seed, dt, len(buffers), len(sizes))
	}
	for i, size := range sizes {
		if buffers[i] != nil && buffers[i].Len() != size {
			t.Fatalf("seed %d, %s: buffer %d has %d bytes, want %d", seed, dt, i, buffers[i].Len(), size)
		}
	}
	if buffers[0] != nil && rows%8 != 0 && buffers[0].Bytes()[rows/8]>>(rows%8) != 0 {
		t.Fatalf("seed %d, %s: the bitmap has bits behind row %d", seed, dt, rows)
	}
}

// TestTakeManyRows takes more rows than the loops unroll, with texts long and short.
func TestTakeManyRows(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
		defer mem.AssertSize(t, 0)
		for seed, dt := range mergeTypes {
			rng := rand.New(rand.NewPCG(uint64(seed), 2))
			s := &staging{values: map[int]any{}}
			for range 3 {
				s.addPiece(t, rng, newArray(rng, mem, dt, randomRaws(rng, dt, 2000)), false)
			}
			s.addSingles(rng)
			checkStaging(t, rng, uint64(seed), dt, s, &columnar.Staged{}, mem)
			s.release()
		}
	})
}

// bigText is an array of one text of a megabyte.
func bigText(mem memory.Allocator, dt arrow.DataType) arrow.Array {
	b := array.NewBinaryBuilder(mem, dt.(arrow.BinaryDataType))
	defer b.Release()
	b.Append(make([]byte, 1<<20))
	return b.NewArray()
}

// TestStageTooMuchText stages the same megabyte until 32 bits cannot say where it ends, and wants the error before any
// memory is asked for.
func TestStageTooMuchText(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	for _, dt := range []arrow.DataType{arrow.BinaryTypes.Binary, arrow.BinaryTypes.LargeBinary} {
		a := bigText(mem, dt)
		v := viewOf(t, a)
		for _, singles := range []bool{false, true} {
			var shape columnar.Shape
			for i := range 4096 {
				if singles {
					shape.Singles = append(shape.Singles, columnar.Single{})
				}
				if i == 0 || !singles {
					shape.Pieces = append(shape.Pieces, columnar.Piece{View: &v, To: 1, Start: i, Skip: singles})
				}
			}
			shape.Room = len(shape.Pieces)
			var scratch columnar.Staged
			if err := scratch.Stage(v.Layout, &shape); !errors.Is(err, columnar.ErrTooLarge) {
				t.Errorf("%s, singles %v: error %v, want ErrTooLarge", dt, singles, err)
			}
			if n := scratch.Bytes(); n > 1<<20 {
				t.Errorf("%s, singles %v: the scratch memory holds %d bytes after the error", dt, singles, n)
			}
		}
		a.Release()
	}
}

// TestTakeTooMuchText takes the same megabyte until 32-bit offsets cannot say where it ends.
func TestTakeTooMuchText(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	a := bigText(mem, arrow.BinaryTypes.Binary)
	defer a.Release()
	v := viewOf(t, a)
	var scratch columnar.Staged
	if err := scratch.Stage(v.Layout, &columnar.Shape{Pieces: []columnar.Piece{{View: &v, To: 1}}, Room: 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := scratch.Take(arrow.BinaryTypes.Binary, make([]uint32, 2048), columnar.Validity{}, mem); !errors.Is(err, columnar.ErrTooLarge) {
		t.Errorf("error %v, want ErrTooLarge", err)
	}
	data, err := scratch.Take(arrow.BinaryTypes.Binary, make([]uint32, 3), columnar.Validity{}, mem)
	if err != nil {
		t.Fatal(err)
	}
	if n := data.Buffers()[2].Len(); n != 3<<20 {
		t.Errorf("%d bytes of text, want %d", n, 3<<20)
	}
	data.Release()
}

// countingAllocator counts the buffers that are asked for.
type countingAllocator struct {
	memory.Allocator
	buffers int
}

func (c *countingAllocator) Allocate(size int) []byte {
	c.buffers++
	return c.Allocator.Allocate(size)
}

// TestStagingAllocatesTheOutputOnly counts allocations when the scratch memory has grown: none for staging, and for taking
// the buffers and a few headers, however many rows there are.
func TestStagingAllocatesTheOutputOnly(t *testing.T) {
	if invariants.Enabled {
		t.Skip("the checks of a checked build allocate")
	}
	const headers = 6 // objects of Arrow an array may cost
	for _, dt := range mergeTypes {
		rng := rand.New(rand.NewPCG(1, 3))
		mem := &countingAllocator{Allocator: memory.DefaultAllocator}
		s := &staging{values: map[int]any{}}
		raws := randomRaws(rng, dt, 4000)
		raws[0] = nil
		a := newArray(rng, mem, dt, raws)
		v := viewOf(t, a)
		s.shape = columnar.Shape{Pieces: []columnar.Piece{{View: &v, To: v.Rows}}, Room: v.Rows, Singles: []columnar.Single{{Row: 3}}}
		var scratch columnar.Staged
		stage := func() {
			scratch.StageValid(&s.shape)
			if err := scratch.Stage(v.Layout, &s.shape); err != nil {
				t.Fatal(err)
			}
		}
		if allocs := testing.AllocsPerRun(10, stage); allocs > 0 {
			t.Errorf("%s: staging allocates %v times", dt, allocs)
		}
		held := scratch.Bytes()
		for _, rows := range []int{1, 4000} {
			sel := make([]uint32, rows) // row 0 is NULL
			mem.buffers = 0
			const runs = 10
			allocs := testing.AllocsPerRun(runs, func() {
				valid := columnar.TakeValid(scratch.StageValid(&s.shape), sel, mem)
				data, err := scratch.Take(dt, sel, valid, mem)
				if err != nil {
					t.Fatal(err)
				}
				valid.Release()
				data.Release()
			})
			buffers := float64(mem.buffers) / (runs + 1) // AllocsPerRun runs once more before it counts
			if most := len(dt.Layout().Buffers); buffers > float64(max(most, 1)) {
				t.Errorf("%s: taking %d rows asks for %v buffers, want at most %d", dt, rows, buffers, most)
			}
			if allocs > buffers+headers {
				t.Errorf("%s: taking %d rows allocates %v times for %v buffers", dt, rows, allocs, buffers)
			}
		}
		if scratch.Bytes() != held {
			t.Errorf("%s: the scratch memory grows from %d to %d bytes", dt, held, scratch.Bytes())
		}
		a.Release()
	}
}
