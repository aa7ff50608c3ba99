package rungen

import (
	"bytes"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
)

// encoders make, of the bytes a value may take, a function that draws values of a style that stand for bitmaps or sketches.
var encoders = map[Style]func(room int, src *source) func() []byte{
	Bitmap32: bitmaps32, Bitmap64: bitmaps64, Theta: thetas, HLL: hlls,
}

// isEncoder says whether values of the style stand for bitmaps or sketches.
func isEncoder(style Style) bool { return encoders[style] != nil }

// Bounds of the bytes that stand for a bitmap or a sketch, so that a merge of many rows does not take minutes.
const (
	maxEncoded  = 24      // values of a pool
	encodedRoom = 1 << 21 // bytes of a value times rows of the problem
	mostRoom    = 1 << 16
	leastRoom   = 160
)

// isEncoded says whether the column's values stand for bitmaps or sketches.
func (c tableColumn) isEncoded() bool {
	variable := c.dt.ID() == arrow.BINARY || c.dt.ID() == arrow.LARGE_BINARY
	return variable && (isEncoder(c.Style) || c.Style == Marks || c.Style == RunMarks)
}

// encodedPool makes the pool of a column whose values stand for bitmaps or sketches, in a table of so many columns.
func (s Spec) encodedPool(c tableColumn, size, columns int, src *source) *pool {
	room := min(max(encodedRoom/max(s.Rows, 1), leastRoom), mostRoom)
	draw := func() []byte { return marks(columns, src) }
	if encoder, ok := encoders[c.Style]; ok {
		draw = encoder(room, src)
	}
	var values [][]byte
	for range min(size, maxEncoded) {
		value := draw()
		if c.Forged && src.oneIn(8) {
			value = forge(value, src)
		}
		values = append(values, value)
	}
	if c.Forged {
		values = append(values, forge(draw(), src))
	}
	return textPool(c.dt, sortedTexts(values))
}

// forge changes bytes so that they are hardly what they were: they end too early, go on, or have other bits.
func forge(value []byte, src *source) []byte {
	value = bytes.Clone(value)
	switch src.intn(6) {
	case 0:
		return value[:src.intn(len(value))]
	case 1:
		return append(value, make([]byte, src.between(1, 9))...)
	case 2:
		return slices.Concat(value, value)
	case 3:
		head := value[:min(len(value), 16)]
		head[src.intn(len(head))] = byte(src.uint64())
	default:
		for range src.between(1, 3) {
			value[src.intn(len(value))] ^= 1 << src.intn(8)
		}
	}
	return value
}

// marks draws a bitmap of the positions of supplied columns: most, few, or what lies beyond the columns, too.
func marks(columns int, src *source) []byte {
	var positions []uint64
	for keep, i := pick(src, 1, 2, 2, 4, 8), 0; i < columns; i++ {
		if src.intn(keep) == 0 {
			positions = append(positions, uint64(i))
		}
	}
	if src.oneIn(6) {
		beyond := []uint64{uint64(columns) + src.below(4), src.below(1 << 16), src.below(1 << 32), 1<<32 - 1}
		positions = append(positions, beyond[:src.between(1, len(beyond))]...)
	}
	slices.Sort(positions)
	return bitmap32(chunksOf(positions), pick(src, shortestForm, shortestForm, shortestForm, noRuns, mostRuns))
}
