package columnar

import (
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// isText says whether a type is one of texts or binary values, of which a column can be declared to have a length.
func isText(t arrow.DataType) bool {
	switch t.ID() {
	case arrow.STRING, arrow.LARGE_STRING, arrow.BINARY, arrow.LARGE_BINARY:
		return true
	}
	return false
}

// isBinary says whether a type is one of bytes that are no text.
func isBinary(t arrow.DataType) bool {
	switch t.ID() {
	case arrow.BINARY, arrow.LARGE_BINARY, arrow.FIXED_SIZE_BINARY:
		return true
	}
	return false
}

// textCast returns the cast to text or binary, and whether there is anything to do.
func textCast(file, table arrow.Field) (cast, bool, error) {
	most := declaredOf(table).limit()
	if c := formatCast(file); c != nil && !isBinary(table.Type) {
		return textOf(c, most), true, nil
	}
	if !isText(file.Type) && !isBinary(file.Type) || isBinary(file.Type) != isBinary(table.Type) {
		return nil, false, ErrSchema
	}
	declared := declaredOf(file)
	switch {
	case declared.name != "" && !declared.limit().within(most):
		return textOf(copyText, most), true, nil
	case arrow.TypeEqual(file.Type, table.Type):
		return nil, false, nil
	}
	return relay, true, nil
}

// format appends the texts of an excerpt's rows.
type format func(c *casting, out *textWriter)

// textOf returns the cast that makes texts, no longer than the limit.
func textOf(write format, most limit) cast {
	return func(c *casting) (arrow.ArrayData, error) {
		out := newTextWriter(c, most)
		write(c, out)
		if out.full {
			out.offsets.Release()
			out.bytes.Release()
			return nil, fmt.Errorf("%w: more than 2 GiB of text in one batch of type %s", ErrTooLarge, c.table)
		}
		out.bytes.ResizeNoShrink(out.used)
		return c.done(out.offsets, out.bytes), nil
	}
}

// textWriter makes the values of an array of texts, one after another:
//
//	for every row { b := out.room(n); b = append up to n bytes to b; if !out.end(b) { return } }
type textWriter struct {
	most    limit
	offsets *memory.Buffer
	off32   []int32 // one of both, from the end of row 0 on
	off64   []int64
	bytes   *memory.Buffer
	used    int // bytes of the rows that are finished
	rows    int // that are finished
	full    bool
}

func newTextWriter(c *casting, most limit) *textWriter {
	t := &textWriter{most: most, bytes: NewBuffer(c.mem, 0)}
	if c.table.Layout().Buffers[1].ByteWidth == 8 {
		t.offsets = NewBuffer(c.mem, (c.rows()+1)*8)
		t.off64 = castSlice[int64](t.offsets.Bytes())
		t.off64[0], t.off64 = 0, t.off64[1:]
		return t
	}
	t.offsets = NewBuffer(c.mem, (c.rows()+1)*4)
	t.off32 = castSlice[int32](t.offsets.Bytes())
	t.off32[0], t.off32 = 0, t.off32[1:]
	return t
}

// room returns the bytes written so far with room for n more behind them.
func (t *textWriter) room(n int) []byte {
	if need := t.used + n; need > t.bytes.Cap() {
		t.bytes.ResizeNoShrink(t.used) // what is kept
		t.bytes.Reserve(max(need, 2*t.bytes.Cap()))
	}
	return t.bytes.Buf()[:t.used]
}

// end ends the next row: it has the bytes that were appended to room. It is false when there is room for no more, which is
// an error in the end.
func (t *textWriter) end(b []byte) bool {
	if t.most.on {
		b = t.fit(b)
	}
	if t.full = t.full || len(b) > math.MaxInt32; t.full {
		return false
	}
	t.used = len(b)
	return t.endNull()
}

// endNull ends the next row with no bytes of its own.
func (t *textWriter) endNull() bool {
	if t.off32 != nil {
		t.off32[t.rows] = int32(t.used)
	} else {
		t.off64[t.rows] = int64(t.used)
	}
	t.rows++
	return true
}

// fit cuts the bytes behind used to the limit, or fills them up to it.
func (t *textWriter) fit(b []byte) []byte {
	value := b[t.used:]
	size := len(value)
	if t.most.chars {
		size = utf8.RuneCount(value)
	}
	switch {
	case size > t.most.n:
		return b[:t.used+t.most.prefix(value)]
	case size == t.most.n || !t.most.pads:
		return b
	}
	missing := t.most.n - size
	if t.full = len(b)+missing > math.MaxInt32; t.full {
		return b
	}
	used := t.used
	t.used = len(b)
	b = t.room(missing)
	t.used = used
	for range missing {
		b = append(b, t.most.pad)
	}
	return b
}

// prefix returns how many bytes of a value that is longer than the limit are kept.
func (l limit) prefix(value []byte) int {
	if !l.chars {
		return l.n
	}
	at := 0
	for range l.n {
		_, size := utf8.DecodeRune(value[at:])
		at += size
	}
	return at
}
