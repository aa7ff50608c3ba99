package validity

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/braidmerge/braid/internal/invariants"
	"github.com/braidmerge/braid/simd"
)

// Offset is a place in the bytes of a column.
type Offset interface{ int32 | int64 | uint32 }

// Column is rows of a validity column, as slices of an Arrow array.
type Column[O Offset] struct {
	Offsets []O // of the rows in Data, and the end of the last: one more than rows
	Data    []byte
	Valid   []byte // an Arrow bitmap: bit ValidAt + i says that row i is not NULL; nil when none is
	ValidAt int
}

// Decoder reads which columns the writers of rows supplied. It gives every row the number of a pattern, which has a bit for
// each column that is asked for; rows that supplied the same columns have few numbers between them. From the numbers, in the
// order of the rows or in any other, come masks over the rows.
//
//	bytes of a row   number   a b c            numbers   1 1 2 0 1
//	NULL             0        0 0 0    --->    mask a    1 1 0 0 1
//	{1, 3}           1        1 0 1            mask c    1 1 1 0 1
//	{3}              2        0 0 1
//
// A row with NULL has number 0: it supplied those columns in which it is not NULL (docs/semantics.md, "Supplied columns").
// Scratch memory is kept, and bounded by the rows since Begin times the columns. A Decoder serves one goroutine.
type Decoder struct {
	columns, stride int      // a pattern has a bit a column, in stride words
	words           []uint64 // pattern n is stride words from n*stride on
	sources         []*Source
	forgotten       bool   // there are patterns that no source remembers
	factor          uint64 // of hashes
	block           block
}

// NewDecoder makes a decoder for some number of columns.
func NewDecoder(columns int) *Decoder {
	d := &Decoder{columns: columns, stride: max(1, Words(columns))}
	d.words, d.factor = make([]uint64, d.stride), rand.Uint64()|1
	return d
}

// Columns returns how many columns are asked for.
func (d *Decoder) Columns() int { return d.columns }

// Sources returns how many arrangements of columns there are.
func (d *Decoder) Sources() int { return len(d.sources) }

// Patterns returns how many numbers have been given.
func (d *Decoder) Patterns() int { return len(d.words) / d.stride }

// Begin starts a new window: numbers given so far mean nothing any more. Byte values that were met stay known as long as
// there are few.
func (d *Decoder) Begin() {
	if !d.forgotten {
		return
	}
	for _, s := range d.sources {
		s.known.forget()
		clear(s.recent[:])
	}
	d.words, d.forgotten = d.words[:d.stride], false
}

// Bytes returns how much memory the scratch holds.
func (d *Decoder) Bytes() int64 {
	n := 8 * int64(cap(d.words))
	for _, s := range d.sources {
		n += s.known.bytes() + 4*int64(len(s.reader.places))
	}
	return n
}

// Source is one arrangement of columns in files. Files of one schema share it.
type Source struct {
	decoder   *Decoder
	positions []int
	reader    bitmapReader
	known     dictionary
	recent    [1 << recentBits]shortValue
}

// shortValue is a value of a validity column of at most 32 bytes that was met lately, with zeros behind it.
type shortValue struct {
	words [4]uint64
	size  int32
	plus  uint32 // one more than its number, 0 for none
}

// Source returns the source of files in whose complete schema the columns asked for have these positions: -1 for one that
// the files lack, or that is to have no bit, as the validity column itself. A bit at any other position, or beyond the
// columns, is dropped.
func (d *Decoder) Source(positions []int) *Source {
	for _, s := range d.sources {
		if slices.Equal(s.positions, positions) {
			return s
		}
	}
	invariants.Check(len(positions) == d.columns, "validity: %d positions of %d columns", len(positions), d.columns)
	s := &Source{decoder: d, positions: slices.Clone(positions)}
	if len(positions) > 0 {
		s.reader.places = make([]int32, max(0, slices.Max(positions)+1))
	}
	for i := range s.reader.places {
		s.reader.places[i] = -1
	}
	for i, position := range positions {
		if position >= 0 {
			s.reader.places[position] = int32(i)
		}
	}
	d.sources = append(d.sources, s)
	return s
}

// Read gives every row of a column the number of its pattern, and says whether all have the same. Bytes that are no bitmap
// are a *Fault with their row that matches ErrCorrupt, as are offsets that fall or leave the bytes.
func Read[O Offset](s *Source, numbers []uint32, c Column[O]) (same bool, err error) {
	var before []byte
	known, number, differ := false, uint32(0), uint32(0)
	for i := 0; i < len(numbers); i++ {
		if known && i&63 == 0 && i+64 <= len(numbers) && c.repeats(before, i) {
			fill64((*[64]uint32)(numbers[i:]), number)
			differ |= number ^ numbers[0]
			i += 63
			continue
		}
		if at := c.ValidAt + i; c.Valid != nil && c.Valid[at>>3]>>(at&7)&1 == 0 {
			numbers[i] = 0
			differ |= numbers[0]
			continue
		}
		from, to := int64(c.Offsets[i]), int64(c.Offsets[i+1])
		if from < 0 || to < from || to > int64(len(c.Data)) {
			return false, &Fault{Row: i, Err: fmt.Errorf("%w: offsets from %d to %d of %d bytes of values", ErrCorrupt, from, to, len(c.Data))}
		}
		value := c.Data[from:to]
		if to-from <= shortBytes && from <= int64(len(c.Data)-shortBytes) {
			number, err = s.short((*[shortBytes]byte)(c.Data[from:]), value)
		} else if !known || string(value) != string(before) {
			number, err = s.number(value)
		}
		if err != nil {
			return false, &Fault{Row: i, Err: err}
		}
		known, before = true, value
		numbers[i] = number
		differ |= number ^ numbers[0]
	}
	return differ == 0, nil
}

// fill64 gives 64 rows a number.
func fill64(numbers *[64]uint32, number uint32) {
	for i := 0; i < 64; i += 8 {
		n := (*[8]uint32)(numbers[i:])
		n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7] = number, number, number, number, number, number, number, number
	}
}

// repeats says whether the 64 rows from row on are not NULL and have a value once more. Values of one length are equal when
// their bytes are what they are one length further on.
func (c *Column[O]) repeats(value []byte, row int) bool {
	if c.Valid != nil && CountRange(c.Valid, c.ValidAt+row, 64) < 64 {
		return false
	}
	offsets, size := c.Offsets[row:row+65], len(value)
	first := offsets[0]
	differ := O(0)
	for i, at := range offsets {
		differ |= at - first - O(i*size)
	}
	from := int64(first)
	if differ != 0 || from < 0 || from > int64(len(c.Data)-64*size) {
		return false
	}
	data := c.Data[from : from+int64(64*size)]
	return string(data[:size]) == string(value) && string(data[size:]) == string(data[:63*size])
}

// shortBytes is how many bytes most values do not exceed.
const shortBytes = 32

// lowBytes[n] has the bits of the first n of shortBytes bytes.
var lowBytes = func() (masks [shortBytes + 1][4]uint64) {
	for n := range masks {
		for i := range n {
			masks[n][i>>3] |= 0xff << (i & 7 * 8)
		}
	}
	return masks
}()

// short is number for a value of at most shortBytes bytes, as the first of so many in which it lies. It does the same work for
// values of all lengths.
func (s *Source) short(b *[shortBytes]byte, value []byte) (uint32, error) {
	mask, size := &lowBytes[len(value)], int32(len(value))
	w := [4]uint64{
		binary.LittleEndian.Uint64(b[0:]) & mask[0], binary.LittleEndian.Uint64(b[8:]) & mask[1],
		binary.LittleEndian.Uint64(b[16:]) & mask[2], binary.LittleEndian.Uint64(b[24:]) & mask[3],
	}
	f := s.decoder.factor
	hash := (w[0]^uint64(size))*f ^ (w[1]*f+w[2])*(f+2) ^ w[3]*(f+4)
	r := &s.recent[hash>>(64-recentBits)]
	if r.size == size && r.plus != 0 && (r.words[0]^w[0])|(r.words[1]^w[1])|(r.words[2]^w[2])|(r.words[3]^w[3]) == 0 {
		return r.plus - 1, nil
	}
	number, err := s.number(value)
	if err == nil {
		*r = shortValue{w, size, number + 1}
	}
	return number, err
}

// number returns the number of the pattern of a value.
func (s *Source) number(value []byte) (uint32, error) {
	number, hash, found := s.known.find(value)
	if found {
		return number, nil
	}
	d := s.decoder
	first := len(d.words)
	d.words = slices.Grow(d.words, d.stride)[:first+d.stride]
	s.reader.bits = d.words[first:]
	clear(s.reader.bits)
	if err := s.reader.read(value); err != nil {
		d.words = d.words[:first]
		return 0, err
	}
	number = uint32(first / d.stride)
	if !s.known.put(value, hash, number) {
		d.forgotten = true
	}
	return number, nil
}

// Has says whether a pattern has the bit of a column.
func (d *Decoder) Has(number uint32, column int) bool {
	return Get(d.words[int(number)*d.stride:], column)
}

// Masks writes for every column the mask of the rows whose pattern has its bit: masks[i] is that of column i, and is left
// out where it is nil.
func (d *Decoder) Masks(masks [][]uint64, numbers []uint32) {
	invariants.Check(len(masks) <= d.columns, "validity: %d masks of %d columns", len(masks), d.columns)
	for at := 0; at < len(numbers); at += 64 {
		rows := numbers[at:min(at+64, len(numbers))]
		all := ^uint64(0) >> (64 - len(rows))
		if pattern, same := d.same(rows); same {
			for i, mask := range masks {
				if mask != nil {
					mask[at>>6] = -(pattern[i>>6] >> (i & 63) & 1) & all
				}
			}
			continue
		}
		for first := 0; first < len(masks); first += 64 {
			d.columnsOf(masks[first:min(first+64, len(masks))], rows, first>>6, at>>6)
		}
	}
}

// same returns the pattern of up to 64 rows if they all have one.
func (d *Decoder) same(rows []uint32) ([]uint64, bool) {
	first := rows[0]
	differ := first ^ rows[len(rows)-1] | first ^ rows[len(rows)/2]
	for i := 0; differ == 0 && i < len(rows); i++ {
		differ = first ^ rows[i]
	}
	return d.words[int(first)*d.stride:], differ == 0
}

// columnsOf writes word `to` of up to 64 masks, which are word `from` of the patterns of up to 64 rows.
func (d *Decoder) columnsOf(masks [][]uint64, rows []uint32, from, to int) {
	if len(masks) <= 8 {
		d.fewColumns(masks, rows, from, to)
		return
	}
	b := &d.block
	for i, n := range rows {
		b[i] = d.words[int(n)*d.stride+from]
	}
	clear(b[len(rows):])
	b.toColumns(len(masks))
	for i, mask := range masks {
		if mask != nil {
			mask[to] = b[i]
		}
	}
}

// fewColumns is columnsOf for up to 8 masks.
func (d *Decoder) fewColumns(masks [][]uint64, rows []uint32, from, to int) {
	var patterns [64]byte
	var columns [8]uint64
	w, stride := d.words[from:], uint32(d.stride)
	for i, n := range rows[:min(64, len(rows))] {
		patterns[i] = byte(w[n*stride])
	}
	simd.TurnBytes(&columns, &patterns)
	for i, mask := range masks[:min(8, len(masks))] {
		if mask != nil {
			mask[to] = columns[i]
		}
	}
}

// Mask writes the mask of one column.
func (d *Decoder) Mask(mask []uint64, numbers []uint32, column int) {
	words := d.words[column>>6:]
	for at := 0; at < len(numbers); at += 64 {
		x := uint64(0)
		for i, n := range numbers[at:min(at+64, len(numbers))] {
			x |= words[int(n)*d.stride] >> (column & 63) & 1 << i
		}
		mask[at>>6] = x
	}
}

// Nulls writes the mask of the rows whose value is NULL, and says whether there is one.
func (d *Decoder) Nulls(mask []uint64, numbers []uint32) bool {
	any := uint64(0)
	for at := 0; at < len(numbers); at += 64 {
		x := uint64(0)
		for i, n := range numbers[at:min(at+64, len(numbers))] {
			x |= (uint64(n) - 1) >> 63 << i
		}
		mask[at>>6] = x
		any |= x
	}
	return any != 0
}
