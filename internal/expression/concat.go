package expression

import (
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/validity"
)

// concat joins texts. The result has memory of its own for every frame.
func (s *step) concat() error {
	a, b := &s.args[0].out, &s.args[1].out
	s.out.valid, s.valid = both(s.valid, a, b)
	offsets := make([]int64, s.out.rows+1)
	size := int64(0)
	for row := range s.out.rows {
		offsets[row] = size
		if s.out.valid == nil || validity.Get(s.out.valid, row) {
			size += int64(len(a.texts.at(row))) + int64(len(b.texts.at(row)))
		}
		if size > math.MaxUint32 {
			return fault(row, ErrTooLarge, "more than 4 GiB of joined text in %d rows", s.out.rows)
		}
	}
	offsets[s.out.rows] = size
	data := make([]byte, 0, size)
	for row := range s.out.rows {
		if s.out.valid == nil || validity.Get(s.out.valid, row) {
			data = append(append(data, a.texts.at(row)...), b.texts.at(row)...)
		}
	}
	buffers := []*memory.Buffer{nil, memory.NewBufferBytes(arrow.Int64Traits.CastToBytes(offsets)), memory.NewBufferBytes(data)}
	joined := array.NewData(arrow.BinaryTypes.LargeBinary, s.out.rows, buffers, nil, 0, 0)
	defer joined.Release()
	view, err := columnar.NewView(joined)
	s.out.texts = texts{view: &view}
	return err
}
