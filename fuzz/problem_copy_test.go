package fuzz_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/internal/rungen"
)

// span is a stretch of memory, [from, to).
type span struct{ from, to uintptr }

// inputMemory lists the buffers of the inputs in ascending order.
func (p posed) inputMemory() []span {
	var spans []span
	for _, r := range p.problem.Runs {
		for _, rec := range r.Records {
			spans = append(spans, memoryOf(rec)...)
		}
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	return slices.Compact(spans)
}

func memoryOf(rec arrow.Record) []span {
	var spans []span
	for _, column := range rec.Columns() {
		spans = append(spans, memoryOfData(column.Data())...)
	}
	return spans
}

func memoryOfData(data arrow.ArrayData) []span {
	var spans []span
	for _, buffer := range data.Buffers() {
		if buffer != nil && buffer.Len() > 0 {
			from := uintptr(unsafe.Pointer(&buffer.Bytes()[0]))
			spans = append(spans, span{from, from + uintptr(buffer.Len())})
		}
	}
	for _, inside := range data.Children() {
		spans = append(spans, memoryOfData(inside)...)
	}
	return spans
}

// sharedWith returns "" if no buffer of the record lies in the memory of the inputs.
func sharedWith(inputs []span, rec arrow.Record) string {
	for _, s := range memoryOf(rec) {
		at, _ := slices.BinarySearchFunc(inputs, s.to, func(in span, to uintptr) int { return cmp.Compare(in.from, to) })
		if at > 0 && inputs[at-1].to > s.from {
			return fmt.Sprintf("%d bytes of a record that was to be a copy are those of an input", s.to-s.from)
		}
	}
	return ""
}

// TestSlicesShareMemory wants the rows of a run that is alone without a copy, and the harness to see that.
func TestSlicesShareMemory(t *testing.T) {
	spec := rungen.Spec{Seed: 1, Rows: 5000, Runs: 1, Keys: []rungen.Column{{}}, Values: []rungen.Column{{}, {Type: "utf8"}}}
	q := question{spec, way{Copy: true}}
	if wrong := q.ask(mergeByKernel); wrong != "" {
		t.Error(wrong)
	}
	withoutCopy := onProblem(mergeByKernel, func(p *posed) { p.Copy = false })
	const says = "was to be a copy"
	if wrong := askUntil(says, func() string { return q.ask(withoutCopy) }); !strings.Contains(wrong, says) {
		t.Errorf("slices instead of copies: %q", wrong)
	}
}
