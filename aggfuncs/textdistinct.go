package aggfuncs

import "bytes"

// distinct leaves of the pieces from start on the first as it is, and of the others the tokens that are not blank and have not
// been there. With a steady delimiter it does not matter whether rows are added before or after, or when: of equal tokens the
// first in the end stays.
func (l *listAgg) distinct(start int) {
	l.front = append(l.front[:0], l.pieces[start:]...)
	l.pieces = l.pieces[:start+1]
	l.tokens.reset()
	l.tokens.putAll(l.front[0])
	for _, text := range l.front[1:] {
		l.appendNew(text)
	}
}

// appendNew appends the tokens of a text that are neither blank nor in the set, which they come into.
func (l *listAgg) appendNew(text []byte) {
	for token, rest, ok := l.tokens.next(text); ok; token, rest, ok = l.tokens.next(rest) {
		if !blank(token) && l.tokens.put(token) {
			l.pieces = append(l.pieces, token)
		}
	}
}

// distinctSteps makes the pieces of a group for a delimiter that is not steady: row by row, as what is accumulated falls into
// other tokens after each. It says whether the group is NULL.
func (l *listAgg) distinctSteps(steps []step, from int) (null bool) {
	start := len(l.pieces)
	acc := textAcc{null: true, blank: true}
	for i, st := range steps {
		text := l.text(from+i, st)
		if st&stepReset != 0 {
			l.pieces, acc = l.pieces[:start], textAcc{null: true, blank: true}
		}
		if st&stepSet != 0 {
			l.pieces = append(l.pieces[:start], text)
			acc = textAcc{null: text == nil, blank: blank(text)}
		}
		switch late := st&stepLate != 0; {
		case st&stepSkip != 0, !(late && acc.blank) && blank(text):
			continue
		case acc.blank:
			l.pieces = append(l.pieces[:start], text)
			acc = textAcc{null: text == nil, blank: blank(text)}
			continue
		}
		held := bytes.Join(l.pieces[start:], l.delimiter)
		if st&stepLate != 0 {
			held, text = text, held
			l.pieces = append(l.pieces[:start], held)
		}
		l.tokens.reset()
		l.tokens.putAll(held)
		l.appendNew(text)
	}
	return acc.null
}
