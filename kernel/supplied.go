package kernel

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/internal/invariants"
	"github.com/braidmerge/braid/simd"
	"github.com/braidmerge/braid/validity"
)

// supplied is what the engine partial-update-validity knows of a window (docs/semantics.md, "Partial-update-validity"): which
// columns each row supplies, the row that every column has its value of, and which columns a result has supplied.
//
//	row             0  1  2      one key
//	bytes           {a, b}  {b}  NULL, with a value in a alone
//	supplies a      1  0  1
//	supplies b      1  1  0
//	pick of a, b    2  1         the last row that supplies it, or the last row of all
type supplied struct {
	in      *inputs
	own     int  // the validity column among those of the plan
	place   int  // and among the views of a batch
	ordered bool // the output is all columns of the table, in its order, so that bytes of lone records can stay

	decoder *validity.Decoder
	encoder *validity.Encoder
	numbers []uint32 // of the rows' patterns, by staged row
	merged  []uint32 // in merged order
	nulls   []uint64 // rows with NULL in the validity column
	valid   []uint64 // scratch
	masks   [][]uint64
	has     [][]uint64 // by column of the plan: the row supplies it, and counts
	classes []suppliedClass
	used    int
	sel     []uint32 // of classes that keep none
	of      []int    // the class of a column of the plan, -1 for one that is not at hand

	some    bool       // a row has NULL in the validity column
	uniform bool       // all rows of a piece have supplied the same columns, in every piece
	results [][]uint64 // by column of the output: the result has it supplied
	values  []uint32   // numbers of the results' bytes
	rows    []uint32   // numbers of the patterns of the rows of the results
	single  []uint64   // results that are lone records
	adopted []uint32   // by pattern: one more than the number of the bytes of lone records; 0 if it has none yet
	holes   []uint64   // results that are NULL
}

// suppliedClass is what columns share that the same rows supply.
type suppliedClass struct {
	has  []uint64
	sum  uint64   // of has; different ones are of different masks
	pick []uint64 // one row for every result
	hit  []uint64 // at group ends: a row supplies it
	sel  []uint32
	made bool // sel is made
	same bool // pick is the rows of the results
}

// newSupplied prepares the engine for a merge, which must have the validity column among its inputs.
func newSupplied(p *Plan, in *inputs, output []int) *supplied {
	s := &supplied{in: in, own: p.supplied, decoder: validity.NewDecoder(len(p.columns)), encoder: validity.NewEncoder(len(output)), ordered: len(output) == len(p.columns) && slices.IsSorted(output)}
	s.place = len(in.keys) + in.value(p, p.supplied, false)
	s.has, s.masks, s.of = make([][]uint64, len(p.columns)), make([][]uint64, len(p.columns)), make([]int, len(p.columns))
	s.results = make([][]uint64, len(output))
	return s
}

// read reads the validity column of the window. Bytes that are no bitmap are ErrCorrupt, also in a lone record.
func (s *supplied) read(w *window) error {
	s.decoder.Begin()
	s.encoder.Begin()
	s.some, s.uniform = false, true
	if n := w.room + wordSlack; len(s.numbers) < n {
		s.numbers = make([]uint32, n+n/4)
	}
	for i := range w.pieces {
		p := &w.pieces[i]
		s.some = s.some || p.batch.views[s.place].NullsIn(p.from, p.to) > 0
		same, err := p.batch.views[s.place].ReadSupplied(s.decoder.Source(p.batch.binding.positions), s.numbers[p.start:], p.from, p.to)
		s.uniform = s.uniform && same
		var f *validity.Fault
		if errors.As(err, &f) {
			return w.blame(p.start+f.Row, validity.FieldsColumn, f.Err)
		}
		if err != nil {
			return fmt.Errorf("column %q: %w", validity.FieldsColumn, err)
		}
	}
	return nil
}

// check reads the validity column of rows of one batch, which pass as a slice.
func (s *supplied) check(b *batch, from, to int) *RowError {
	s.decoder.Begin()
	s.merged = slices.Grow(s.merged[:0], to-from)[:to-from]
	_, err := b.views[s.place].ReadSupplied(s.decoder.Source(b.binding.positions), s.merged, from, to)
	var f *validity.Fault
	if errors.As(err, &f) {
		return b.blame(from+f.Row, validity.FieldsColumn, f.Err)
	}
	if err != nil {
		return b.blame(-1, validity.FieldsColumn, err)
	}
	return nil
}

// keeps says whether the bytes of all lone records of the window stay as they are.
func (s *supplied) keeps(w *window) bool {
	if !s.ordered || invariants.Sometimes(20) {
		return false
	}
	for i := range w.pieces {
		if !w.pieces[i].batch.binding.inPlace {
			return false
		}
	}
	return true
}

// begin makes the masks of the rows that supply each column at hand.
func (s *supplied) begin(w *window) {
	s.merged = slices.Grow(s.merged[:0], w.rows)[:w.rows]
	simd.MergeNumbers(s.merged, s.numbers, w.words, w.form.idxBits)
	clear(s.masks)
	for _, v := range s.in.values {
		if v.col != s.own {
			s.has[v.col] = maskOf(s.has[v.col], w.rows)
			s.masks[v.col] = s.has[v.col]
		}
	}
	s.decoder.Masks(s.masks, s.merged)
	s.nulls, s.valid = maskOf(s.nulls, w.rows), maskOf(s.valid, w.rows)
	s.used = 0
}

// fallBack has rows with NULL in the validity column supply the columns in which they are not NULL, and returns the first row
// that is to be checked and supplies a NULL to a NOT NULL column, and that column, or -1.
func (s *supplied) fallBack(p *Plan, w *window, staged *columnar.Staged, checked []uint64) (row, col int) {
	clear(s.nulls)
	if s.some {
		s.decoder.Nulls(s.nulls, s.merged)
	}
	for i, v := range s.in.values {
		must := p.columns[v.col].notNull && !v.kindOnly
		if v.col == s.own || !s.some && !must {
			continue
		}
		shape := w.column(len(s.in.keys) + i)
		has := s.has[v.col]
		if noNullsIn(shape.Pieces) {
			for q, null := range s.nulls {
				has[q] |= null
			}
			continue
		}
		simd.MergeBits(s.valid, staged.StageValid(shape), w.words, w.rows, w.form.idxBits)
		for q, valid := range s.valid {
			if bad := has[q] & checked[q] &^ valid; must && bad != 0 {
				return q<<6 + validity.Next([]uint64{bad}, 0), v.col
			}
			has[q] |= s.nulls[q] & valid
		}
	}
	return -1, 0
}

// pick chooses the rows of every column at hand. blank are the rows that supply nothing, counts those that count, nil for all;
// rows has one row for every result.
func (s *supplied) pick(w *window, m *masks, counts, blank, rows []uint64) {
	for i := range s.of {
		s.of[i] = -1
	}
	for _, v := range s.in.values {
		if v.col == s.own || s.of[v.col] >= 0 {
			continue
		}
		has := s.has[v.col]
		if counts != nil {
			for q := range has {
				has[q] &= counts[q] &^ blank[q]
			}
		}
		s.of[v.col] = s.class(has, m.ends, rows, w.rows)
	}
}

// class finds the class of columns that the rows of has supply.
func (s *supplied) class(has, ends, rows []uint64, n int) int {
	sum := uint64(0)
	for _, word := range has {
		sum = sum*0x9E3779B97F4A7C15 + word
	}
	for i := range s.classes[:s.used] {
		if s.classes[i].sum == sum && slices.Equal(s.classes[i].has, has) {
			return i
		}
	}
	if s.used == len(s.classes) {
		s.classes = append(s.classes, suppliedClass{})
	}
	k := &s.classes[s.used]
	s.used++
	k.has, k.sum, k.made = has, sum, false
	k.pick, k.hit = maskOf(k.pick, n), maskOf(k.hit, n)
	validity.LastValid(k.pick, has, ends)
	validity.Hits(k.hit, k.pick, ends)
	validity.OrEnds(k.pick, rows)
	k.same = slices.Equal(k.pick, rows)
	return s.used - 1
}

// keptSelections is how many classes keep their selection for all their columns. Those beyond make it for every column.
const keptSelections = 32

// selection returns the rows that a class picks, one for every result.
func (s *supplied) selection(class int, c *columns, w *window) []uint32 {
	k, sel := &s.classes[class], &s.sel
	if class < keptSelections {
		sel = &k.sel
	}
	if !k.made {
		k.made = class < keptSelections
		*sel = slices.Grow((*sel)[:0], len(c.sel))[:len(c.sel)]
		simd.Reselect(*sel, c.sel, k.pick, c.rows, w.words, w.form.idxBits)
	}
	return *sel
}

// column makes a column other than the validity column.
func (s *supplied) column(c *columns, w *window, m *masks, out *outputColumn, col int) (arrow.ArrayData, error) {
	shape, k, input := w.column(out.place), &s.classes[s.of[col]], c.in.at(out.place)
	all, agree := noNullsIn(shape.Pieces), s.agree(w, shape, col)
	sel := c.sel
	if k.same {
		sel = w.rare.apply(shape, w, sel)
	} else {
		sel = s.selection(s.of[col], c, w)
	}
	if all || !agree {
		return c.rowsOf(input, shape, sel)
	}
	valid := columnar.CompressValid(k.hit, m.ends, len(sel), c.mem)
	defer valid.Release()
	return c.take(input, shape, sel, valid)
}

// agree says whether a column has a value in just the rows that supply it. It looks at whole pieces, and says no where rows of one
// piece differ, where rows are retracts, and for rows with NULL in the validity column and a value.
func (s *supplied) agree(w *window, shape *columnar.Shape, col int) bool {
	if !s.uniform || w.retracts {
		return false
	}
	for i := range shape.Pieces {
		want := allNull
		if s.decoder.Has(s.numbers[w.pieces[i].start], col) {
			want = allValid
		}
		if p := &shape.Pieces[i]; p.Rows() > 0 && nullness(p) != want {
			return false
		}
	}
	return true
}

// bytes makes the validity column: what each result has supplied, by place in the output. Lone records keep their NULL, and
// their bytes if the output, and the file they come from, have the table's columns in their places.
func (s *supplied) bytes(c *columns, w *window, m *masks, output []outputColumn, lone bool) (arrow.ArrayData, error) {
	input, n := c.in.at(s.place), len(c.sel)
	s.values = slices.Grow(s.values[:0], n)[:n]
	var valid columnar.Validity
	if s.ordered && !w.retracts && !s.some {
		s.united(c, w, m, lone)
	} else {
		s.encoder.Number(s.values, s.resultMasks(c, m, output))
		if lone && n > 0 {
			valid = s.keepLone(c, w, m)
			defer valid.Release()
		}
	}
	return s.encoded(input, valid, c.mem)
}

// united numbers the bytes of results that are all columns in their places, and all of whose rows count and have bytes: the unions
// of the rows' patterns.
func (s *supplied) united(c *columns, w *window, m *masks, lone bool) {
	groups := validity.Groups{Numbers: s.merged, Ends: m.ends}
	if lone {
		groups.Single = m.single
	}
	s.encoder.Unite(s.decoder, s.values, groups, func(i int) []byte {
		p, row := w.locate(int(c.sel[i]))
		if !p.batch.binding.inPlace {
			return nil
		}
		return p.batch.views[s.place].Text(row)
	})
}

// resultMasks makes the masks over the results that have each column of the output supplied.
func (s *supplied) resultMasks(c *columns, m *masks, output []outputColumn) [][]uint64 {
	n, ends := len(c.sel), s.valid
	validity.Hits(ends, c.rows, m.ends)
	masks := s.masks[:0]
	for i := range output {
		masks = append(masks, nil)
		if col := output[i].index; col != s.own && n > 0 {
			s.results[i] = maskOf(s.results[i], n+64)
			masks[i] = s.results[i][:validity.Words(n)]
			masks[i][len(masks[i])-1] = 0
			validity.Compress(bytesOfMask(s.results[i]), s.classes[s.of[col]].hit, ends)
		}
	}
	return masks
}

// keepLone puts the bytes of lone records in the place of what would be encoded, and returns the validity of the results.
func (s *supplied) keepLone(c *columns, w *window, m *masks) columnar.Validity {
	n := len(c.sel)
	s.single = maskOf(s.single, n+64)
	s.single[validity.Words(n)-1] = 0
	if alone := validity.Compress(bytesOfMask(s.single), m.single, c.rows); alone == 0 {
		return columnar.Validity{}
	}
	s.rows = slices.Grow(s.rows[:0], n)[:n]
	simd.Take(s.rows, s.numbers, c.sel)
	s.adopted = slices.Grow(s.adopted[:0], s.decoder.Patterns())[:s.decoder.Patterns()]
	clear(s.adopted)
	s.holes = maskOf(s.holes, n)
	clear(s.holes)
	for q, single := range s.single[:validity.Words(n)] {
		for ; single != 0; single &= single - 1 {
			i := q<<6 + bits.TrailingZeros64(single)
			number := s.rows[i]
			switch {
			case number == 0:
				validity.Set(s.holes, i)
			case s.adopted[number] == 0:
				s.adopted[number] = s.adopt(w, int(c.sel[i]), s.values[i]) + 1
				fallthrough
			default:
				s.values[i] = s.adopted[number] - 1
			}
		}
	}
	if !validity.Any(s.holes) {
		return columnar.Validity{}
	}
	return columnar.Validity{}.Without(bytesOfMask(s.holes), n, c.mem)
}

// adopt returns the number of the bytes that a lone record has, or of those that are encoded for it if it does not keep its own.
func (s *supplied) adopt(w *window, staged int, encoded uint32) uint32 {
	p, row := w.locate(staged)
	if !s.ordered || !p.batch.binding.inPlace {
		return encoded
	}
	return s.encoder.Adopt(p.batch.views[s.place].Text(row))
}

// encoded makes the bytes of all results as the output has them.
func (s *supplied) encoded(input *input, valid columnar.Validity, mem memory.Allocator) (arrow.ArrayData, error) {
	data, err := s.put(input, valid, mem)
	if err != nil || input.encoding.Identity() {
		return data, err
	}
	defer data.Release()
	return input.encoding.Finish(data)
}

// put makes the bytes of all results.
func (s *supplied) put(input *input, valid columnar.Validity, mem memory.Allocator) (arrow.ArrayData, error) {
	n, width := len(s.values), 4
	if input.layout.Form == columnar.FormText64 {
		width = 8
	}
	offsets := columnar.NewBuffer(mem, width*(n+1))
	defer offsets.Release()
	var size int64
	var err error
	if width == 8 {
		size, err = validity.Place(s.encoder, arrow.Int64Traits.CastFromBytes(offsets.Bytes()), s.values)
	} else {
		size, err = validity.Place(s.encoder, arrow.Int32Traits.CastFromBytes(offsets.Bytes()), s.values)
	}
	if err != nil {
		return nil, fmt.Errorf("column %q: %w", validity.FieldsColumn, err)
	}
	data := columnar.NewBuffer(mem, int(size))
	defer data.Release()
	s.encoder.Put(data.Bytes(), s.values)
	return array.NewData(input.staged, n, []*memory.Buffer{valid.Bitmap, offsets, data}, nil, valid.Nulls, 0), nil
}
