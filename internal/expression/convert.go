package expression

import (
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// convert makes the values those of the term's type.
func (s *step) convert(active []uint64) error {
	from, a := s.args[0].typ, &s.args[0].out
	s.out.valid = a.valid
	if from.Kind == KindNull {
		s.nulls()
		return nil
	}
	switch s.typ.Kind {
	case KindFloat:
		s.toFloat(from, a)
		return nil
	case KindDecimal:
		return s.toDecimal(from, a, active)
	case KindText:
		s.out.texts = a.texts
		return nil
	case KindTime: // of a constant text: one row
		if s.out.ints = []int64{0}; a.isNull() {
			return nil
		}
		var err error
		s.out.ints[0], err = parseTime(string(a.texts.at(0)), s.typ.Arrow)
		return err
	}
	return fmt.Errorf("%s does not become %s", from, s.typ)
}

// nulls makes values for a column of NULLs, whose slices must be as long as any.
func (s *step) nulls() {
	null := &vector{rows: 1, valid: []uint64{0}, bits: []uint64{0}, ints: []int64{0}, floats: []float64{0}, decimals: []decimal128.Num{{}}}
	repeat(&s.out, null, s.typ.Kind, s.out.rows)
}

func (s *step) toFloat(from Type, a *vector) {
	s.out.floats = grown(s.out.floats, a.rows)
	out := s.out.floats
	if from.Kind == KindInt {
		for i, x := range a.ints {
			out[i] = float64(x)
		}
		return
	}
	scale := math.Pow10(int(from.Scale))
	for i, x := range a.decimals {
		if v, ok := small(x); ok && -1<<53 <= v && v <= 1<<53 && from.Scale <= 22 {
			out[i] = float64(v) / scale // both are exact, so that this is rounded once
			continue
		}
		out[i] = exactFloat(x, from.Scale)
	}
}

func (s *step) toDecimal(from Type, a *vector, active []uint64) error {
	s.out.decimals = grown(s.out.decimals, a.rows)
	out := s.out.decimals
	numbers := a.decimals
	if from.Kind == KindInt {
		for i, x := range a.ints {
			out[i] = decimal128.FromI64(x)
		}
		numbers = out
	}
	places := s.typ.Scale - from.Scale
	if places == 0 {
		copy(out, numbers)
		return nil
	}
	if s.clamp {
		for i, x := range numbers {
			out[i] = clamped(x, places)
		}
		return nil
	}
	var failed []int // rows, of which some may not count
	for i, x := range numbers {
		y, ok := rescale(x, places)
		if !ok {
			failed = append(failed, i)
		}
		out[i] = y
	}
	return s.failed(failed, active)
}

// failed blames the first of some rows that counts and is not NULL.
func (s *step) failed(rows []int, active []uint64) error {
	next := 0
	return s.overflow(active, func(row int) bool {
		for next < len(rows) && rows[next] < row {
			next++
		}
		return next < len(rows) && rows[next] == row
	})
}
