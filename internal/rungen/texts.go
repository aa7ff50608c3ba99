package rungen

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
)

// The letters that texts and bytes are made of: few, so that many values share a beginning; some of several bytes.
var (
	textAlphabet = [][]byte{[]byte("a"), []byte("b"), {0}, []byte("\x01"), []byte("\x7f"), []byte("é"), []byte("日"), []byte("😀")}
	byteAlphabet = [][]byte{{'a'}, {0}, {1}, {0x7f}, {0x80}, {0xff}}
	zeroAlphabet = [][]byte{{0}, {0}, {'a'}}
	wordAlphabet = [][]byte{[]byte("a"), []byte("b"), []byte("b"), []byte(","), []byte(","), []byte(";"), []byte("ab"), []byte(" "),
		[]byte(" "), []byte("\t"), []byte("\x1c"), []byte("\u0085"), []byte("\u00a0"), []byte("\u2003"), []byte("\u2007"), []byte("\u3000")}
)

// textPool makes a pool of variable-width values, which are given in ascending order.
func textPool(dt arrow.DataType, values [][]byte) *pool {
	p := &pool{dt: dt, ends: []int{0}, size: len(values), keys: len(values)}
	for _, v := range values {
		p.bytes = append(p.bytes, v...)
		p.ends = append(p.ends, len(p.bytes))
	}
	return p
}

// maxLongTexts bounds a pool of long texts.
const maxLongTexts = 50_000

// texts returns at most size different values of the style, ascending by unsigned bytes, the shorter prefix first.
func texts(style Style, size int, alphabet [][]byte, src *source) [][]byte {
	if style == Hex {
		return hexTexts(ranks(64, Spread, size, src))
	}
	if style == Prefix || style == Late || style == Chain || style == Long {
		size = min(size, maxLongTexts)
	}
	next := texter(style, size, alphabet, src)
	values := make([][]byte, size)
	for i := range values {
		values[i] = next(i)
	}
	return sortedTexts(values)
}

// texter returns a function that makes the i-th value of a style.
func texter(style Style, size int, alphabet [][]byte, src *source) func(i int) []byte {
	letters := func(n int) []byte {
		var b []byte
		for range n {
			b = append(b, pick(src, alphabet...)...)
		}
		return b
	}
	head, tail := letters(src.between(20, 120)), letters(src.between(1, 40))
	few := 2 + len(hex.EncodeToString(binary.AppendUvarint(nil, uint64(size))))
	switch style {
	case Prefix:
		return func(int) []byte { return append(bytes.Clone(head), letters(src.intn(few))...) }
	case Late:
		return func(int) []byte { return append(append(bytes.Clone(head), letters(few)...), tail...) }
	case Chain:
		line := letters(min(size, 400))
		return func(i int) []byte {
			if i <= len(line) {
				return line[:i]
			}
			return append(bytes.Clone(line[:i%(len(line)+1)]), letters(few)...)
		}
	case Words:
		alphabet = wordAlphabet
		return func(int) []byte { return letters(src.intn(6)) }
	case Zeros:
		alphabet = zeroAlphabet
		return func(int) []byte { return letters(src.intn(12)) }
	case Long:
		return func(int) []byte {
			n := pick(src, 0, 5, 20, 100, pick(src, 10, 1000, 4000))
			return bytes.Repeat(letters(4), src.between(0, n/4))
		}
	default:
		return func(int) []byte { return letters(src.intn(13)) }
	}
}

func hexTexts(numbers []uint64) [][]byte {
	values := make([][]byte, len(numbers))
	for i, v := range numbers {
		var b [8]byte
		binary.BigEndian.PutUint64(b[:], v)
		values[i] = hex.AppendEncode(nil, b[:])
	}
	return values
}

func sortedTexts(values [][]byte) [][]byte {
	slices.SortFunc(values, bytes.Compare)
	return slices.CompactFunc(values, bytes.Equal)
}

// blockPool makes a pool of blocks of fixed size: consecutive numbers behind a shared head, or random bytes.
func blockPool(dt *arrow.FixedSizeBinaryType, style Style, size int, src *source) *pool {
	width := dt.ByteWidth
	head := make([]byte, width)
	for i := range head {
		head[i] = byte(src.uint64())
	}
	values := make([][]byte, size)
	for i := range values {
		values[i] = block(head, style, i, src)
	}
	p := textPool(dt, sortedTexts(values))
	p.width, p.ends = width, nil
	return p
}

func block(head []byte, style Style, i int, src *source) []byte {
	b := bytes.Clone(head)
	if style == Dense || style == Steps {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(i))
		copy(b[max(0, len(b)-3):], n[8-min(3, len(b)):])
		return b
	}
	for j := range b {
		b[j] = pick(src, 0, 1, 0x80, 0xff, byte(src.uint64()))
	}
	return b
}
