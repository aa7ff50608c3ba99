package kernel

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/braidmerge/braid/columnar"
)

// part is rows of a record that are there, as far as the deletion vector of its file says.
type part struct {
	from, to int      // these,
	kept     []uint32 // or else just these
}

func (p *part) rows() int {
	if p.kept != nil {
		return len(p.kept)
	}
	return p.to - p.from
}

// survivors returns the parts of the n rows of a file from row base on that are not deleted. Few deleted rows leave slices;
// many are worth a copy of the others.
func (s *source) survivors(base int64, n int) []part {
	s.parts = s.parts[:0]
	switch {
	case n == 0:
		return nil
	case s.file.kept != nil:
		return append(s.parts, part{kept: s.file.kept})
	}
	deleted := s.file.Deleted
	if deleted == nil || base+int64(n) > 1<<32 && base >= 1<<32 {
		return append(s.parts, part{to: n})
	}
	it := deleted.Iterator()
	it.AdvanceIfNeeded(uint32(base))
	from := 0
	for it.HasNext() {
		at := int64(it.Next()) - base
		if at >= int64(n) {
			break
		}
		if int(at) > from {
			s.parts = append(s.parts, part{from: from, to: int(at)})
		}
		from = int(at) + 1
	}
	if from < n {
		s.parts = append(s.parts, part{from: from, to: n})
	}
	if len(s.parts) > 1+n/sliceRows {
		return append(s.parts[:0], part{kept: listed(s.parts)})
	}
	return s.parts
}

func listed(parts []part) (rows []uint32) {
	for _, p := range parts {
		for row := p.from; row < p.to; row++ {
			rows = append(rows, uint32(row))
		}
	}
	return rows
}

// take returns the rows of a column. The caller releases them.
func (p *part) take(d arrow.ArrayData, scratch *columnar.Staged) (arrow.ArrayData, error) {
	switch {
	case p.kept == nil && p.rows() == d.Len():
		d.Retain()
		return d, nil
	case p.kept == nil:
		return array.NewSliceData(d, int64(p.from), int64(p.to)), nil
	}
	v, err := columnar.NewView(d)
	if err != nil {
		return nil, err
	}
	shape := &columnar.Shape{Pieces: []columnar.Piece{{View: &v, To: v.Rows}}, Room: v.Rows}
	valid := columnar.Validity{}
	if v.Nulls > 0 {
		valid = columnar.TakeValid(scratch.StageValid(shape), p.kept, unzeroed{})
	}
	defer valid.Release()
	if err := scratch.Stage(v.Layout, shape); err != nil {
		return nil, err
	}
	return scratch.Take(d.DataType(), p.kept, valid, unzeroed{})
}
