package aggfuncs

import "bytes"

// isSteady says whether parts of texts stay parts when the texts are joined: no end of the delimiter is also a beginning of it.
// An empty delimiter splits at spaces and joins with nothing.
func isSteady(delimiter []byte) bool {
	for n := 1; n < len(delimiter); n++ {
		if bytes.HasPrefix(delimiter, delimiter[n:]) {
			return false
		}
	}
	return len(delimiter) > 0
}

// parts is an accumulated text as its parts between delimiters, for a delimiter that is not steady. When something is joined to
// such a text, it falls into other parts, but only where they are joined, as the first delimiter may begin before that:
//
//	delimiter aa     xa with y and z behind it     xa aa y aa z     is split into   x  ay  z
//
// A text that is added changes the last part and no other. A late row leaves out the parts that are blank, equal to one of its
// own, or equal to one before them. Its last part then changes with the first that stays. The second one changes only if the
// first is shorter than the delimiter: behind a longer one, which a delimiter has followed before, one begins again. An empty
// delimiter joins all that stay to the last part of the late row. So a row takes the time of its own parts, of those that it
// takes out for good, and of a number of short ones that has a bound in the delimiter, however much is accumulated.
type parts struct {
	partSet
	split      []byte // what texts are split at
	glue       []byte // what they are joined with: the same, or nothing
	overlaps   []int  // lengths of beginnings of the delimiter which a delimiter may follow that began with them; the longest first
	head, tail int32  // parts in their order
	old        int32  // parts before it have been there before the row at hand
	dropped    []int32
	front      [][]byte // scratch: new parts before the others
	bytes      []byte   // memory for parts of the window
	scratch    []byte
}

func newParts(delimiter []byte) *parts {
	p := &parts{partSet: partSet{rolling: newRolling()}, split: delimiter, glue: delimiter}
	if len(delimiter) == 0 {
		p.split = []byte(" ")
	}
	for n := len(delimiter) - 1; n > 0; n-- {
		if bytes.HasPrefix(delimiter, delimiter[n:]) {
			p.overlaps = append(p.overlaps, n)
		}
	}
	return p
}

// clear gives back the memory of the parts, for a new window.
func (p *parts) clear() {
	p.empty()
	clear(p.front[:cap(p.front)])
	p.bytes = p.bytes[:0]
}

// begin makes a text the accumulated one.
func (p *parts) begin(text []byte) {
	p.empty()
	p.head, p.tail, p.old, p.dropped = none, none, 0, p.dropped[:0]
	for rest, found := text, true; found; {
		text, rest, found = bytes.Cut(rest, p.split)
		p.pushBack(text)
	}
}

// appendTo appends the pieces that are joined to the text.
func (p *parts) appendTo(pieces [][]byte) [][]byte {
	for n := p.head; n != none; n = p.parts[n].next {
		if n != p.head && len(p.glue) == 0 {
			pieces = append(pieces, p.split)
		}
		pieces = append(pieces, p.parts[n].text())
	}
	return pieces
}

// has says whether a text is one of the parts.
func (p *parts) has(text []byte) bool { return p.find(text, p.of(text)) != none }

// add joins a text without delimiters to the others.
func (p *parts) add(text []byte) {
	p.old = 0
	last := p.parts[p.tail].text()
	if len(p.glue) == 0 {
		p.leave(p.tail)
		p.extend(p.tail, text)
		p.enter(p.tail)
		return
	}
	if end := p.cut(last); end < len(last) {
		p.leave(p.tail)
		x := &p.parts[p.tail]
		x.buf = x.buf[:x.from+end]
		x.hash, x.blank = p.of(x.text()), blank(x.text())
		p.enter(p.tail)
		text = p.concat(p.remainder(last, end), text)
	}
	for rest, found := text, true; found; {
		text, rest, found = bytes.Cut(rest, p.split)
		p.pushBack(text)
	}
}

// late puts a text before the parts that are not among its own.
func (p *parts) late(text []byte) {
	p.old = int32(len(p.parts))
	p.dropAll()
	p.front = p.front[:0]
	for rest, found := text, true; found; {
		text, rest, found = bytes.Cut(rest, p.split)
		p.front = append(p.front, text)
		if n := p.find(text, p.of(text)); n != none {
			p.remove(n)
			p.unlink(n)
		}
	}
	changed := p.meet()
	first := p.head
	for _, text := range p.front {
		n := p.newPart(text)
		p.link(n, first)
		p.enter(n)
	}
	if changed != none {
		p.enter(changed)
	}
}

// meet brings the last part in front, which was the end of a text, together with the parts that follow it. Some of them may
// come to the front. The part that it gives has changed and is not in the set.
func (p *parts) meet() (changed int32) {
	switch {
	case p.head == none:
		return none
	case len(p.glue) == 0:
		return p.meetAll()
	}
	for p.head != none {
		open := p.front[len(p.front)-1]
		end := p.cut(open)
		if end == len(open) {
			return none
		}
		p.front[len(p.front)-1] = open[:end]
		rest, first := p.remainder(open, end), p.head
		next := p.parts[first].text()
		p.remove(first)
		switch at := p.cutBoth(rest, next); {
		case at >= 0:
			p.front = append(p.front, rest[:at])
			p.shorten(first, at+len(p.split)-len(rest))
			return first
		case len(next) >= len(p.split)-1:
			p.prepend(first, rest)
			return first
		}
		p.front = append(p.front, p.concat(rest, next))
		p.unlink(first)
	}
	return none
}

// meetAll brings all parts together with the last in front.
func (p *parts) meetAll() (changed int32) {
	last := len(p.front) - 1
	p.scratch = append(p.scratch[:0], p.front[last]...)
	p.front = p.front[:last]
	for p.head != p.tail {
		p.scratch = append(p.scratch, p.parts[p.head].text()...)
		p.remove(p.head)
		p.unlink(p.head)
	}
	p.remove(p.tail)
	p.prepend(p.tail, p.scratch)
	return p.tail
}

// cut finds where the first delimiter begins in a text without one that a delimiter follows.
func (p *parts) cut(text []byte) int {
	for _, n := range p.overlaps {
		if bytes.HasSuffix(text, p.split[:n]) {
			return len(text) - n
		}
	}
	return len(text)
}

// remainder is what is left of the delimiter behind a text, when one begins in the text.
func (p *parts) remainder(text []byte, at int) []byte { return p.split[len(p.split)-(len(text)-at):] }

// cutBoth finds where a delimiter begins in the first of two joined texts that have none, or gives -1.
func (p *parts) cutBoth(a, b []byte) int {
	p.scratch = append(append(p.scratch[:0], a...), b[:min(len(b), len(p.split)-1)]...)
	return bytes.Index(p.scratch, p.split)
}

// enter puts a part into the set that is new or has changed. Of equal parts it keeps the first, which is that of the row at hand,
// or, in the set already, that of an added row.
func (p *parts) enter(n int32) {
	x := &p.parts[n]
	if x.blank {
		p.drop(n)
		return
	}
	equal := p.find(x.text(), x.hash)
	switch {
	case equal == none:
	case equal >= p.old:
		p.drop(n)
		return
	default:
		p.drop(equal)
	}
	p.put(n)
}

// leave takes a part out of the set, before it changes.
func (p *parts) leave(n int32) {
	if x := &p.parts[n]; x.dropped {
		x.dropped = false
	} else {
		p.remove(n)
	}
}

// drop notes that a late row leaves a part out.
func (p *parts) drop(n int32) {
	p.parts[n].dropped = true
	p.dropped = append(p.dropped, n)
}

func (p *parts) dropAll() {
	for _, n := range p.dropped {
		if p.parts[n].dropped {
			p.parts[n].dropped = false
			p.unlink(n)
		}
	}
	p.dropped = p.dropped[:0]
}

func (p *parts) newPart(text []byte) int32 {
	p.parts = append(p.parts, part{buf: text[:len(text):len(text)], hash: p.of(text), blank: blank(text)})
	return int32(len(p.parts) - 1)
}

func (p *parts) pushBack(text []byte) {
	n := p.newPart(text)
	p.link(n, none)
	p.enter(n)
}

// link puts a part before another, or behind all for none.
func (p *parts) link(n, next int32) {
	x := &p.parts[n]
	x.next, x.prev = next, p.tail
	if next == none {
		p.tail = n
	} else {
		x.prev = p.parts[next].prev
		p.parts[next].prev = n
	}
	if x.prev == none {
		p.head = n
	} else {
		p.parts[x.prev].next = n
	}
}

func (p *parts) unlink(n int32) {
	x := &p.parts[n]
	if x.prev == none {
		p.head = x.next
	} else {
		p.parts[x.prev].next = x.next
	}
	if x.next == none {
		p.tail = x.prev
	} else {
		p.parts[x.next].prev = x.prev
	}
}

// extend puts a text behind a part. Room doubles, so that the time a part takes to grow is that of its last length.
func (p *parts) extend(n int32, text []byte) {
	x := &p.parts[n]
	x.hash, x.blank = p.join(x.hash, p.of(text), len(text)), x.blank && blank(text)
	if !x.own || cap(x.buf)-len(x.buf) < len(text) {
		p.move(x, x.from, len(x.text())+2*len(text))
	}
	x.buf = append(x.buf, text...)
}

// prepend puts a text before a part.
func (p *parts) prepend(n int32, text []byte) {
	x := &p.parts[n]
	x.hash, x.blank = p.join(p.of(text), x.hash, len(x.text())), x.blank && blank(text)
	if x.from < len(text) {
		p.move(x, len(x.text())+2*len(text), cap(x.buf)-len(x.buf))
	}
	x.from -= len(text)
	copy(x.buf[x.from:], text)
}

// shorten cuts bytes off the beginning of a part.
func (p *parts) shorten(n int32, count int) {
	x := &p.parts[n]
	x.hash = p.behind(x.hash, p.of(x.text()[:count]), len(x.text())-count)
	if x.own {
		x.from += count
	} else {
		x.buf = x.buf[count:]
	}
	x.blank = blank(x.text())
}

// move gives a part memory of its own, with so much room before and behind it.
func (p *parts) move(x *part, before, behind int) {
	buf := p.alloc(before + len(x.text()) + behind)
	copy(buf[before:], x.text())
	x.buf, x.from, x.own = buf[:before+len(x.text())], before, true
}

// concat puts two texts together.
func (p *parts) concat(a, b []byte) []byte {
	return append(append(p.alloc(len(a) + len(b))[:0], a...), b...)
}

// alloc gives memory that is used until the window ends.
func (p *parts) alloc(n int) []byte {
	if cap(p.bytes)-len(p.bytes) < n {
		p.bytes = make([]byte, 0, max(2*cap(p.bytes), n, 1<<10))
	}
	from := len(p.bytes)
	p.bytes = p.bytes[:from+n]
	return p.bytes[from : from+n : from+n]
}
