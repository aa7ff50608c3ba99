package aggfuncs

import (
	"errors"
	"unicode/utf8"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// listAgg joins texts with a delimiter, leaving blank ones out.
type listAgg struct {
	texts
	options Options
	in      *columnar.View
	masks   rowMasks
	tokens  *tokens  // for distinct, else nil
	parts   *parts   // for distinct and a delimiter that is not steady, else nil
	front   [][]byte // scratch: late pieces of the group at hand, the latest last
}

func newListAgg(f arrow.Field, o Options) (Rule, error) {
	name := tableType(f)
	if !isText(f) || name != "STRING" && name != "VARCHAR(2147483647)" {
		return Rule{}, errors.New("it works on STRING only, text of no bounded length")
	}
	l := &listAgg{texts: texts{t: f.Type, delimiter: []byte(o.delimiter())}, options: o}
	if o.Distinct {
		l.tokens = newTokens(l.delimiter)
		if !isSteady(l.delimiter) {
			l.parts = newParts(l.delimiter)
			l.tokens.split = l.parts.split
		}
	}
	return Rule{Function: l}, nil
}

// Fold is Function.Fold.
func (l *listAgg) Fold(g *Groups, in *columnar.View, mem memory.Allocator) (arrow.ArrayData, error) {
	if err := g.refuse(&l.options); err != nil {
		return nil, err
	}
	l.in = in
	l.clear()
	steps := l.masks.stepsOf(g, in, l.options.IgnoreRetract)
	for from := 0; from < len(steps); {
		end, start := from, len(l.pieces)
		for steps[end]&stepEnd == 0 {
			end++
		}
		null := l.group(steps[from:end+1], from)
		if null || steps[end]&stepDrop != 0 {
			l.pieces = l.pieces[:start]
		}
		if steps[end]&stepDrop == 0 {
			l.results = append(l.results, textResult{len(l.pieces), null})
		}
		from = end + 1
	}
	data, err := l.build(mem)
	clear(l.pieces) // they are the window's
	clear(l.front[:cap(l.front)])
	if l.parts != nil {
		l.parts.clear()
	}
	return data, err
}

// group makes the pieces of a group, and says whether it is NULL.
func (l *listAgg) group(steps []step, from int) (null bool) {
	switch {
	case steps[0]&(stepEnd|stepSet|stepSkip) == stepEnd|stepSet|stepSkip: // alone in its group
		l.pieces = append(l.pieces, l.in.Text(from))
		return steps[0]&stepNull != 0
	case l.parts != nil:
		return l.distinctSteps(steps, from)
	}
	start := len(l.pieces)
	null = l.join(steps, from)
	if l.tokens != nil && len(l.pieces) > start+1 {
		l.distinct(start)
	}
	return null
}

// join makes the pieces of a group, and says whether it is NULL. While a blank text is held, the next that is not takes its
// place, or any that is put before it.
func (l *listAgg) join(steps []step, from int) (null bool) {
	start := len(l.pieces)
	l.front = l.front[:0]
	acc := textAcc{null: true, blank: true}
	for i, st := range steps {
		text := l.text(from+i, st)
		if st&stepReset != 0 {
			l.pieces, l.front, acc = l.pieces[:start], l.front[:0], textAcc{null: true, blank: true}
		}
		if st&stepSet != 0 {
			l.pieces, l.front = append(l.pieces[:start], text), l.front[:0]
			acc = textAcc{null: text == nil, blank: blank(text)}
		}
		switch late := st&stepLate != 0; {
		case st&stepSkip != 0, !(late && acc.blank) && blank(text):
		case acc.blank:
			l.pieces = append(l.pieces[:start], text)
			acc = textAcc{null: text == nil, blank: blank(text)}
		case late:
			l.front = append(l.front, text)
		default:
			l.pieces = append(l.pieces, text)
		}
	}
	l.putFront(start)
	return acc.null
}

// text returns the text of a row, nil for NULL.
func (l *listAgg) text(row int, st step) []byte {
	if st&stepNull != 0 {
		return nil
	}
	if text := l.in.Text(row); text != nil {
		return text
	}
	return noText // a column of empty texts may have no bytes at all
}

var noText = []byte{}

// textAcc says what the pieces of a group are.
type textAcc struct{ null, blank bool }

// putFront puts the late pieces of a group before the others, the latest first.
func (l *listAgg) putFront(start int) {
	n := len(l.front)
	if n == 0 {
		return
	}
	l.pieces = append(l.pieces, l.front...)
	copy(l.pieces[start+n:], l.pieces[start:])
	for i, text := range l.front {
		l.pieces[start+n-1-i] = text
	}
}

// blank says whether a text is empty or white space only, by the definition of white space that table systems on the Java
// platform have: line and word separators, but no space that forbids a break.
func blank(text []byte) bool {
	for len(text) > 0 {
		if c := text[0]; c < utf8.RuneSelf {
			if c > ' ' || c < '\t' || c > '\r' && c < 0x1c {
				return false
			}
			text = text[1:]
			continue
		}
		r, n := utf8.DecodeRune(text)
		if !wideBlank(r) {
			return false
		}
		text = text[n:]
	}
	return true
}

// wideBlank says whether a character outside ASCII is white space.
func wideBlank(r rune) bool {
	switch {
	case r >= 0x2000 && r <= 0x200a:
		return r != 0x2007
	case r == 0x1680, r == 0x2028, r == 0x2029, r == 0x205f, r == 0x3000:
		return true
	}
	return false
}
