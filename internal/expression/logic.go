package expression

import "github.com/braidmerge/braid/validity"

// evalLogic computes AND and OR. A row that the left side decides does not count on the right.
func (s *step) evalLogic(f *Frame, active []uint64) error {
	left, right := s.args[0], s.args[1]
	if err := left.eval(f, active); err != nil {
		return err
	}
	if right.fails {
		s.active = masked(s.active, f.rows)
		s.undecided(&left.out, active)
		active = s.active
	}
	if err := right.eval(f, active); err != nil {
		return err
	}
	s.out.rows = f.rows
	s.out.bits = masked(s.out.bits, f.rows)
	s.combine(&left.out, &right.out, s.out.bits)
	return nil
}

// undecided sets active to the rows that count and that are not false, for AND, or not true, for OR.
func (s *step) undecided(left *vector, active []uint64) {
	for i, bits := range left.bits {
		decided := bits
		if s.op == opAnd {
			decided = ^bits
			if left.valid != nil {
				decided &= left.valid[i]
			}
		}
		s.active[i] = ^decided
	}
	keep(s.active, active)
	trim(s.active, left.rows)
}

// trim clears the bits past the last row.
func trim(mask []uint64, rows int) {
	if tail := rows & 63; tail != 0 {
		mask[len(mask)-1] &= 1<<tail - 1
	}
}

// combine computes AND or OR of two vectors into bits, which may be those of one of them, and says in out which are valid: those
// that one side decides, and those with a value on both.
func (s *step) combine(a, b *vector, bits []uint64) {
	if a.valid == nil && b.valid == nil {
		for i := range bits {
			if s.op == opAnd {
				bits[i] = a.bits[i] & b.bits[i]
			} else {
				bits[i] = a.bits[i] | b.bits[i]
			}
		}
		s.out.valid = nil
		return
	}
	s.valid = grown(s.valid, len(bits))
	for i := range bits {
		x, y := a.bits[i], b.bits[i]
		xv, yv := validWord(a, i), validWord(b, i)
		if s.op == opAnd {
			bits[i] = x & y
			s.valid[i] = xv&yv | xv&^x | yv&^y
		} else {
			bits[i] = x | y
			s.valid[i] = xv&yv | x | y
		}
	}
	s.out.valid = s.valid
}

// validWord returns a word of a vector's validity.
func validWord(v *vector, i int) uint64 {
	if v.valid != nil {
		return v.valid[i]
	}
	if rest := v.rows - i*64; rest < 64 {
		return 1<<rest - 1
	}
	return ^uint64(0)
}

// not turns true and false round.
func (s *step) not() {
	a := &s.args[0].out
	s.out.valid = a.valid
	s.out.bits = masked(s.out.bits, a.rows)
	for i, w := range a.bits {
		s.out.bits[i] = validWord(a, i) &^ w
	}
}

// isNullMask is true for NULL, and never NULL itself.
func (s *step) isNullMask() {
	a := &s.args[0].out
	s.out.bits = masked(s.out.bits, a.rows)
	clear(s.out.bits)
	if a.valid == nil {
		return
	}
	validity.Fill(s.out.bits, a.rows)
	for i, w := range a.valid {
		s.out.bits[i] &^= w
	}
}

// itemOf gives a constant as often as there are rows; its own one value where vectors are compared with that.
func (s *step) itemOf(t *term, rows int) *vector {
	if kind := t.typ.Kind; (kind == KindInt || kind == KindTime) && !t.value.isNull() && rows > 0 {
		s.single = vector{rows: rows, constant: true, ints: t.value.ints}
		return &s.single
	}
	repeat(&s.item, t.value, t.typ.Kind, rows)
	return &s.item
}

// evalIn computes x IN (a, b, ...), which is x = a OR x = b OR ... with x computed once.
func (s *step) evalIn(f *Frame, active []uint64) error {
	x := s.args[0]
	if err := x.eval(f, active); err != nil {
		return err
	}
	found := &s.owned
	found.rows = f.rows
	found.bits = masked(found.bits, f.rows)
	clear(found.bits)
	nulls := false // some row is NULL in a comparison
	found.valid = masked(found.valid, f.rows)
	validity.Fill(found.valid, f.rows)
	for _, item := range s.args[1:] {
		var other *vector
		if item.op == opConstant {
			other = s.itemOf(item.term, f.rows)
		} else {
			s.active = masked(s.active, f.rows)
			for i, w := range found.bits {
				s.active[i] = ^w
			}
			keep(s.active, active)
			trim(s.active, f.rows)
			if err := item.eval(f, s.active); err != nil {
				return err
			}
			other = &item.out
		}
		s.equal(x.typ, &x.out, other)
		nulls = nulls || s.out.valid != nil
		for i, w := range s.out.bits {
			found.bits[i] |= w
			found.valid[i] &= validWord(&s.out, i)
		}
	}
	copy(s.out.bits, found.bits)
	s.out.valid = nil
	if nulls {
		for i, w := range found.bits {
			found.valid[i] |= w
		}
		s.out.valid = found.valid
	}
	return nil
}
