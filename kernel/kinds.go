package kernel

import (
	"encoding/binary"
	"fmt"
	"unsafe"

	"github.com/braidmerge/braid/columnar"
)

// Row kinds as `_VALUE_KIND` has them (docs/semantics.md, "Row kinds"). The odd ones are retracts.
const (
	kindInsert       = 0 // +I
	kindUpdateBefore = 1 // -U
	kindUpdateAfter  = 2 // +U
	kindDelete       = 3 // -D
)

func isRetract(kind int8) bool { return kind&1 != 0 }

// kindBytes sees kinds as bytes.
func kindBytes(kinds []int8) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(kinds))), len(kinds))
}

// badKind returns the first row whose kind is none, or -1.
func badKind(kinds []int8) int {
	if orBytes(kindBytes(kinds))&^3 == 0 {
		return -1
	}
	for row, kind := range kinds {
		if kind&^3 != 0 {
			return row
		}
	}
	return -1
}

// orBytes ORs all bytes.
func orBytes(b []byte) byte {
	var x uint64
	for ; len(b) >= 8; b = b[8:] {
		x |= binary.LittleEndian.Uint64(b)
	}
	for _, c := range b {
		x |= uint64(c)
	}
	x |= x >> 32
	x |= x >> 16
	x |= x >> 8
	return byte(x)
}

// parseKinds makes the row kinds of a batch from the text of rowkind.field.
func (b *batch) parseKinds(v *columnar.View, name string) error {
	if cap(b.parsed) < v.Rows {
		b.parsed = make([]int8, v.Rows)
	}
	b.parsed = b.parsed[:v.Rows]
	for row := range b.parsed {
		if v.IsNull(row) {
			return b.blame(row, name, fmt.Errorf("%w: NULL", ErrRowKind))
		}
		kind, ok := parseKind(v.Text(row))
		if !ok {
			return b.blame(row, name, fmt.Errorf("%w: %q is none of +I, -U, +U, -D", ErrRowKind, shorten(v.Text(row))))
		}
		b.parsed[row] = kind
	}
	b.kinds = b.parsed
	return nil
}

// parseKind reads the text of a row kind, in upper or lower case.
func parseKind(text []byte) (int8, bool) {
	if len(text) != 2 {
		return 0, false
	}
	switch string([]byte{text[0], text[1] &^ 0x20}) {
	case "+I":
		return kindInsert, true
	case "-U":
		return kindUpdateBefore, true
	case "+U":
		return kindUpdateAfter, true
	case "-D":
		return kindDelete, true
	}
	return 0, false
}

// shorten keeps long values out of errors.
func shorten(text []byte) string {
	if len(text) > 40 {
		return string(text[:40]) + "..."
	}
	return string(text)
}
