package rungen

import (
	"math"

	"github.com/apache/arrow/go/v17/arrow"
)

// numberCells draws the sequence numbers of a run. before and total count the rows of the runs before it and of all runs.
func numberCells(word Numbers, rows, before, total int, src *source) cells {
	p := &pool{dt: arrow.PrimitiveTypes.Int64, width: 8}
	c := cells{pool: p, at: make([]int32, rows)}
	for i := range rows {
		c.at[i] = int32(i)
		p.appendUint(uint64(sequenceNumber(word, i, rows, before, total, src)))
	}
	return c
}

func sequenceNumber(word Numbers, i, rows, before, total int, src *source) int64 {
	switch word {
	case Rising:
		return int64(1000 + before + i)
	case Shaken:
		return int64(before + src.intn(rows))
	case Falling:
		return int64(total - before - rows + i)
	case Overlap:
		return int64(src.intn(2*total + 1))
	case Few:
		return int64(src.intn(4))
	case Unknown:
		return -1
	case Extreme:
		return pick(src, math.MinInt64, math.MaxInt64, -1, 0, int64(src.uint64()))
	default:
		return 7
	}
}

// Row kinds as _VALUE_KIND stores them.
const (
	insert = iota
	updateBefore
	updateAfter
	remove
	noKind // the first of some bytes that are no row kind
)

// kindBytes is the pool of row kinds, those that are none last.
var kindBytes = &pool{dt: arrow.PrimitiveTypes.Int8, width: 1, bytes: []byte{0, 1, 2, 3, 4, 0xff, 0x80}, size: 7, keys: 7}

// kindTexts is the pool of row kind texts: two spellings, at 2*kind and 2*kind+1, and then texts that are none.
var kindTexts = textPool(arrow.BinaryTypes.String, [][]byte{
	[]byte("+I"), []byte("+i"), []byte("-U"), []byte("-u"), []byte("+U"), []byte("+u"), []byte("-D"), []byte("-d"),
	[]byte(""), []byte("+"), []byte("+I "), []byte("D"), []byte("delete"),
})

// kindAt draws a row kind.
func kindAt(word Kinds, src *source) int {
	switch word {
	case Inserts:
		return insert
	case Adds:
		return pick(src, insert, updateAfter)
	case Some:
		return pick(src, insert, insert, insert, insert, insert, updateAfter, updateAfter, pick(src, updateBefore, remove, remove))
	case Many:
		return pick(src, insert, updateAfter, remove, remove, remove, updateBefore)
	default:
		return pick(src, updateBefore, remove)
	}
}

// kindCells draws the row kinds of a run.
func kindCells(word Kinds, rows int, src *source) cells {
	c := cells{pool: kindBytes, at: make([]int32, rows)}
	for i := range c.at {
		c.at[i] = int32(kindAt(word, src))
	}
	return c
}

// kindTextCells draws the row kinds of a run as texts.
func kindTextCells(word Kinds, rows int, src *source) cells {
	c := cells{pool: kindTexts, at: make([]int32, rows)}
	for i := range c.at {
		c.at[i] = int32(2*kindAt(word, src) + src.intn(2))
	}
	return c
}
