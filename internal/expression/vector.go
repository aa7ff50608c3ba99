package expression

import (
	"bytes"
	"slices"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/validity"
)

// vector is the values of a term in the rows of a frame, in the slice of its type's kind. What a NULL's value is means
// nothing, but its bit is 0.
type vector struct {
	rows     int
	constant bool     // every row has the value, or the NULL, of the first
	valid    []uint64 // mask of the rows that are not NULL; nil when none is NULL
	bits     []uint64 // KindBool
	ints     []int64  // KindInt, KindTime
	floats   []float64
	decimals []decimal128.Num
	texts    texts
}

// texts are the values of KindText: those of a view, or one for all rows.
type texts struct {
	view *columnar.View
	one  []byte
}

func (t *texts) at(row int) []byte {
	if t.view == nil {
		return t.one
	}
	return t.view.Text(row)
}

// isNull and bool look at the first row.
func (v *vector) isNull() bool { return v.valid != nil && v.valid[0]&1 == 0 }
func (v *vector) bool() bool   { return v.bits[0]&1 != 0 }

// clone copies a vector of one row.
func (v *vector) clone() *vector {
	return &vector{rows: v.rows, valid: slices.Clone(v.valid), bits: slices.Clone(v.bits), ints: slices.Clone(v.ints),
		floats: slices.Clone(v.floats), decimals: slices.Clone(v.decimals), texts: texts{one: bytes.Clone(v.firstText())}}
}

func (v *vector) firstText() []byte {
	if v.isNull() {
		return nil
	}
	return v.texts.at(0)
}

// grown makes a slice n long, without keeping what it held.
func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}

// masked makes a mask for n rows, without keeping what it held.
func masked(s []uint64, n int) []uint64 { return grown(s, validity.Words(n)) }

// both sets valid to the rows that are valid in a and b, for which own is the memory.
func both(own []uint64, a, b *vector) (valid, memory []uint64) {
	switch {
	case a.valid == nil && b.valid == nil:
		return nil, own
	case a.valid == nil:
		return b.valid, own
	case b.valid == nil:
		return a.valid, own
	}
	own = grown(own, len(a.valid))
	for i, w := range a.valid {
		own[i] = w & b.valid[i]
	}
	return own, own
}

// keep clears the bits that are not in mask; nil leaves all.
func keep(bits, mask []uint64) {
	if mask == nil {
		return
	}
	for i, w := range mask {
		bits[i] &= w
	}
}

// firstRow returns the first row that counts, is valid and bad; -1 if there is none.
func firstRow(rows int, active, valid []uint64, bad func(row int) bool) int {
	for row := range rows {
		if (active == nil || validity.Get(active, row)) && (valid == nil || validity.Get(valid, row)) && bad(row) {
			return row
		}
	}
	return -1
}
