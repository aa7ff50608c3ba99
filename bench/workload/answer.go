package workload

import (
	"github.com/braidmerge/braid/bench/rowhash"
	"github.com/braidmerge/braid/internal/rowmerge"
)

// version is one row of a key: its value cells and its row kind.
type version struct {
	cells []value
	kind  int8
}

// answer says what a job makes of the versions of a key, oldest first, as hashes of the value cells. ok is false if the key has
// no result.
type answer func(set *columnSet, versions []version, out []uint64) (ok bool)

// answers are the answers of the jobs. They follow docs/semantics.md, row at a time.
var answers = map[string]answer{
	"dedup":    answerDedup,
	"first":    answerFirst,
	"partial":  answerPartial,
	"agg":      answerAggregation,
	"groups":   answerGroups,
	"validity": answerValidity,
}

// cell hashes a cell of a column.
func (c *column) cell(v *value) uint64 {
	if v.null {
		return rowhash.Null
	}
	return layoutOf(c.typ).hash(v)
}

func (s *columnSet) take(v *version, out []uint64) {
	for i := range s.columns {
		out[i] = s.columns[i].cell(&v.cells[i])
	}
}

// answerDedup: the last version stands for its key, unless it is a retract.
func answerDedup(s *columnSet, versions []version, out []uint64) bool {
	last := &versions[len(versions)-1]
	s.take(last, out)
	return !isRetract(last.kind)
}

func answerFirst(s *columnSet, versions []version, out []uint64) bool {
	s.take(&versions[0], out)
	return true
}

// answerPartial: every column has its last value that is not NULL.
func answerPartial(s *columnSet, versions []version, out []uint64) bool {
	for i := range s.columns {
		out[i] = rowhash.Null
		for v := len(versions) - 1; v >= 0; v-- {
			if cell := &versions[v].cells[i]; !cell.null {
				out[i] = s.columns[i].cell(cell)
				break
			}
		}
	}
	return true
}

// answerAggregation: every column has what its function makes of its values.
func answerAggregation(s *columnSet, versions []version, out []uint64) bool {
	var total value
	for i := range s.columns {
		c := &s.columns[i]
		total.null = true
		for v := range versions {
			c.fold(&total, &versions[v].cells[i])
		}
		out[i] = c.cell(&total)
	}
	return true
}

// fold adds a value to a total.
func (c *column) fold(total, v *value) {
	switch {
	case c.function == "last_value":
		total.copyFrom(v)
	case v.null:
	case total.null:
		total.copyFrom(v)
	case c.function == "sum":
		total.number += v.number
	case c.function == "max":
		total.number = max(total.number, v.number)
	case c.function == "min":
		total.number = min(total.number, v.number)
	case c.union != nil:
		total.text = union(c.union, total.text, v.text)
	default:
		panic("no function " + c.function)
	}
}

// union is the sketch of two, by the reference's own function.
func union(f *rowmerge.Function, a, b []byte) []byte {
	out, err := f.Agg(a, b)
	if err != nil {
		panic(err) // the sketches are made here
	}
	return out.([]byte)
}

// answerGroups: the columns of a group come from the row with the greatest sequence of the group, the latest of such rows; rows without
// one do not count. Columns outside of groups have their last value that is not NULL.
func answerGroups(s *columnSet, versions []version, out []uint64) bool {
	answerPartial(s, versions, out)
	if len(versions) == 1 {
		s.take(&versions[0], out) // a lone row passes unchanged
		return true
	}
	for orders := range s.columns {
		if !s.columns[orders].orders {
			continue
		}
		best := -1
		for v := range versions {
			at := &versions[v].cells[orders]
			if !at.null && (best < 0 || at.number >= versions[best].cells[orders].number) {
				best = v
			}
		}
		for i := range s.columns {
			if s.columns[i].group != s.columns[orders].group {
				continue
			}
			out[i] = rowhash.Null
			if best >= 0 {
				out[i] = s.columns[i].cell(&versions[best].cells[i])
			}
		}
	}
	return true
}

// answerValidity: every column has the last value that was supplied, or the last one if none was; the bitmap is that of all columns
// supplied.
func answerValidity(s *columnSet, versions []version, out []uint64) bool {
	if len(versions) == 1 {
		s.take(&versions[0], out)
		return true
	}
	var union value
	for i := range s.columns {
		place := int64(i + 1) // behind the key, which is one column
		out[i] = s.columns[i].cell(&versions[len(versions)-1].cells[i])
		supplied := false
		for v := range versions {
			if supplies(&versions[v].cells[0], place) {
				out[i] = s.columns[i].cell(&versions[v].cells[i])
				supplied = true
			}
		}
		if supplied {
			union.list = append(union.list, place)
		}
	}
	union.list = append(union.list, 1)
	union.text = rowmerge.BuildRbm32(union.list)
	out[0] = s.columns[0].cell(&union)
	return true
}

func supplies(bitmap *value, place int64) bool {
	for _, p := range bitmap.list {
		if p == place {
			return true
		}
	}
	return false
}
