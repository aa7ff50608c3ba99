package kernel

import (
	"math/bits"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/simd"
)

// encodeIntegers makes the words of a window whose key is one integer column, in one pass over the keys. done is false when
// the column is of another kind; unsorted is the staged row of a key below the one before it in its run, or -1.
func encodeIntegers(w *window, pieces []columnar.Piece, words []uint64) (done bool, unsorted int) {
	switch pieces[0].View.Order {
	case columnar.OrderInt8:
		return true, encodeWindow[int8](w, pieces, words)
	case columnar.OrderInt16:
		return true, encodeWindow[int16](w, pieces, words)
	case columnar.OrderInt32:
		return true, encodeWindow[int32](w, pieces, words)
	case columnar.OrderInt64:
		return true, encodeWindow[int64](w, pieces, words)
	case columnar.OrderUint8:
		return true, encodeWindow[uint8](w, pieces, words)
	case columnar.OrderUint16:
		return true, encodeWindow[uint16](w, pieces, words)
	case columnar.OrderUint32:
		return true, encodeWindow[uint32](w, pieces, words)
	case columnar.OrderUint64:
		return true, encodeWindow[uint64](w, pieces, words)
	}
	return false, -1
}

func encodeWindow[T columnar.Integer](w *window, pieces []columnar.Piece, words []uint64) (unsorted int) {
	least, most := columnar.Fixed[T](pieces[0].View)[pieces[0].From], columnar.Fixed[T](pieces[0].View)[pieces[0].From]
	for i := range pieces {
		// If the runs are sorted, all keys lie between these. If a key does not, the encoder meets a fall on the way to or
		// from it.
		keys := columnar.Fixed[T](pieces[i].View)[pieces[i].From:pieces[i].To]
		first, last := keys[0], keys[len(keys)-1]
		least, most = min(least, first, last), max(most, first, last)
	}
	span := uint64(int64(most)) - uint64(int64(least))
	w.form.keyBits = bits.Len64(span)
	drop := max(0, w.form.keyBits+w.form.idxBits-63)
	w.form.keyBits -= drop
	w.form.exact, w.form.least = drop == 0, uint64(int64(least))
	form := simd.KeyWords{Least: w.form.least, Drop: drop, IdxBits: w.form.idxBits}
	var run *cursor
	var before T
	for i := range pieces {
		p := &pieces[i]
		keys := columnar.Fixed[T](p.View)[p.From:p.To]
		if run != w.pieces[i].cursor {
			run = w.pieces[i].cursor
			before = keys[0]
		}
		if simd.PutWords(words[:len(keys)], keys, form, uint64(p.Start), before) {
			return p.Start + firstFall(keys, before)
		}
		before = keys[len(keys)-1]
		words = words[len(keys):]
	}
	return -1
}

// firstFall returns the first key that is below the one before it, which for the first is before. A key below the least of the window only
// shows as a fall behind it in the words, so this looks at the keys.
func firstFall[T columnar.Integer](keys []T, before T) int {
	for i, key := range keys {
		if key < before {
			return i
		}
		before = key
	}
	return 0
}
