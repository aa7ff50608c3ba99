package aggfuncs

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
// other parts after each. It says whether the group is NULL.
func (l *listAgg) distinctSteps(steps []step, from int) (null bool) {
	acc, whole := textAcc{null: true, blank: true}, []byte(nil)
	apart := false // the text is in parts, not whole
	for i, st := range steps {
		text := l.text(from+i, st)
		if st&stepReset != 0 {
			acc, apart = textAcc{null: true, blank: true}, false
		}
		if st&stepSet != 0 {
			acc, whole, apart = textAcc{null: text == nil, blank: blank(text)}, text, false
		}
		switch late := st&stepLate != 0; {
		case st&stepSkip != 0, !(late && acc.blank) && blank(text):
			continue
		case acc.blank:
			acc, whole, apart = textAcc{null: text == nil, blank: blank(text)}, text, false
			continue
		}
		if !apart {
			l.parts.begin(whole)
			apart = true
		}
		if st&stepLate != 0 {
			l.parts.late(text)
		} else {
			l.addNew(text)
		}
	}
	if apart {
		l.pieces = l.parts.appendTo(l.pieces)
	} else if !acc.null {
		l.pieces = append(l.pieces, whole)
	}
	return acc.null
}

// addNew adds the tokens of a text that are neither blank, nor parts of what was accumulated before it, nor there twice.
func (l *listAgg) addNew(text []byte) {
	l.tokens.reset()
	l.front = l.front[:0]
	for token, rest, ok := l.tokens.next(text); ok; token, rest, ok = l.tokens.next(rest) {
		if !blank(token) && !l.parts.has(token) && l.tokens.put(token) {
			l.front = append(l.front, token)
		}
	}
	for _, token := range l.front {
		l.parts.add(token)
	}
}
