package rungen

import "math/bits"

// mask is a bitmap with one bit a row, bit i of word i/64 first. A nil mask is all ones.
type mask []uint64

func newMask(rows int) mask { return make(mask, (rows+63)/64) }

func (m mask) bit(i int) bool { return m == nil || m[i>>6]>>(i&63)&1 != 0 }

func (m mask) clear(i int) { m[i>>6] &^= 1 << (i & 63) }

// ones counts the ones among the first rows bits.
func (m mask) ones(rows int) int {
	n := 0
	for i, w := range m {
		if rest := rows - i*64; rest < 64 {
			w &= 1<<rest - 1
		}
		n += bits.OnesCount64(w)
	}
	return n
}

// validMask draws which of the rows are valid. It is nil for NoNulls.
func validMask(nulls Nulls, rows int, src *source) mask {
	if nulls == NoNulls {
		return nil
	}
	if nulls == ByRun {
		nulls = pick(src, AllValid, HalfNulls, AllNull)
	}
	m := newMask(rows)
	block, left := AllValid, 0
	for i := range m {
		if nulls != Blocks {
			m[i] = validWord(nulls, src)
			continue
		}
		if left == 0 {
			block, left = pick(src, AllValid, AllNull, HalfNulls, FewNulls), src.between(1, 8)
		}
		m[i] = validWord(block, src)
		left--
	}
	return m
}

// sparseWord draws bits of which one in 2^halvings is set.
func sparseWord(src *source, halvings int) uint64 {
	word := ^uint64(0)
	for range halvings {
		word &= src.uint64()
	}
	return word
}

// validWord draws the validity of 64 rows.
func validWord(nulls Nulls, src *source) uint64 {
	switch nulls {
	case AllValid:
		return ^uint64(0)
	case AllNull:
		return 0
	case FewNulls:
		return ^sparseWord(src, 6)
	case ManyNulls:
		return sparseWord(src, 3)
	default:
		return src.uint64()
	}
}
