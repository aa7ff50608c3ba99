package rungen

import (
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
)

// validityColumn is the column in which rows say which columns they supply.
const validityColumn = "_VALIDITY_FIELDS"

// drawValidity draws partial-update-validity: rows say which columns they supply, each for itself or all of a run alike, or
// do not say it.
func (s *Spec) drawValidity(src *source) {
	retracts := s.startOptions("partial-update-validity")
	marks := Column{Name: validityColumn, Type: pick(src, bytesTypes...).String(), Style: pick(src, Marks, Marks, RunMarks, RunMarks),
		Nulls: pick(src, NoNulls, NoNulls, AllValid, FewNulls, HalfNulls, ManyNulls, AllNull, Blocks, ByRun), Forged: src.oneIn(12)}
	for i, c := range s.Values {
		s.Values[i].NotNull = c.NotNull || s.Fault == NoFault && c.Type != arrow.Null.String() && src.oneIn(40)
	}
	s.Shuffled = !src.oneIn(3)
	s.Values = slices.Insert(s.Values, src.intn(len(s.Values)+1), marks)
	s.drawDeletes(src, retracts)
}
