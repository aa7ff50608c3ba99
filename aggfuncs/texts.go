package aggfuncs

import (
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/validity"
)

// texts are results of text or bytes that are still to be written: the pieces of all results one after another, with the
// delimiter between any two pieces of one result.
//
//	pieces    "a" "b" "c"     results end at 2, 2 and 3     a,b   (empty)   c
type texts struct {
	t         arrow.DataType
	delimiter []byte
	pieces    [][]byte
	results   []textResult
	has, all  []uint64 // scratch, by result
}

// textResult is a result: its pieces up to end. None of them means an empty text.
type textResult struct {
	end  int
	null bool
}

func (x *texts) clear() { x.pieces, x.results = x.pieces[:0], x.results[:0] }

// build makes the array of the results.
func (x *texts) build(mem memory.Allocator) (arrow.ArrayData, error) {
	total := x.size()
	text := columnar.NewBuffer(mem, total)
	defer text.Release()
	var offsets *memory.Buffer
	switch id := storage(x.t).ID(); {
	case id == arrow.LARGE_STRING || id == arrow.LARGE_BINARY:
		offsets = writeTexts[int64](x, text.Bytes(), mem)
	case total > math.MaxInt32:
		return nil, fmt.Errorf("%w: %d bytes of text in one output batch of type %s", ErrTooLarge, total, x.t)
	default:
		offsets = writeTexts[int32](x, text.Bytes(), mem)
	}
	defer offsets.Release()
	valid := x.validity(mem)
	defer valid.Release()
	return array.NewData(x.t, len(x.results), []*memory.Buffer{valid.Bitmap, offsets, text}, nil, valid.Nulls, 0), nil
}

// size is how many bytes the results have.
func (x *texts) size() int {
	total, at := 0, 0
	for _, r := range x.results {
		total += max(r.end-at-1, 0) * len(x.delimiter)
		for ; at < r.end; at++ {
			total += len(x.pieces[at])
		}
	}
	return total
}

// writeTexts writes the texts of the results and returns their offsets.
func writeTexts[O int32 | int64](x *texts, dst []byte, mem memory.Allocator) *memory.Buffer {
	b, offsets := newOffsets[O](len(x.results), mem)
	to, at := 0, 0
	for i, r := range x.results {
		for first := at; at < r.end; at++ {
			if at > first {
				to += copy(dst[to:], x.delimiter)
			}
			to += copy(dst[to:], x.pieces[at])
		}
		offsets[i+1] = O(to)
	}
	return b
}

func (x *texts) validity(mem memory.Allocator) columnar.Validity {
	n := len(x.results)
	x.has, x.all = words(x.has, n), words(x.all, n)
	clear(x.has)
	for i, r := range x.results {
		if !r.null {
			validity.Set(x.has, i)
		}
	}
	validity.Fill(x.all, n)
	return validityOf(x.has, x.all, n, mem)
}
