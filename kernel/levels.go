package kernel

import (
	"fmt"
	"math"
	"slices"

	"github.com/braidmerge/braid/validity"
)

// ByLevel merges as tables are read that look rows up when they are compacted (docs/semantics.md, "Levels"): of the versions of
// a key in runs of level 1 and above only that of the smallest level counts, as it has everything below it in it already.
// Versions of level 0 all count. The engine first-row does not look at levels, and partial-update-validity takes none: ErrOption.
func ByLevel() MergeOption { return func(c *config) { c.byLevel = true } }

// levels reads the levels of the rows of a window, key by key, and leaves out the rows that do not count by them.
//
//	merged words   a|L2 a|L1 a|L0  b|L0  c|L3 c|L2       lowest
//	stay                a|L1 a|L0  b|L0       c|L2
//	base                a|L1       none       c|L2
type levels struct {
	lowest bool // of the rows of level 1 and above only the first of the smallest level stays
	track  bool // base and traits are wanted
	adds   bool // retracts are passed over, and their level too
	top    int  // if above 0: base is the row of this level, and there may be but one

	of     []int // level by eighth staged row: runs begin at multiples of eight
	base   []uint32
	traits []trait  // by key
	joined []uint64 // the one row that is left of several
	joins  bool     // there is one
}

// trait is what the rows of a key have been read to be.
type trait uint8

const (
	traitFresh  trait = 1 << iota // one is of level 0
	traitHigh                     // one is of level 1 or above
	traitHigher                   // one has been looked up
	traitPassed                   // one is of a level below 0, which is not written yet, or is passed over
	traitSingle                   // it is one row
)

// noRow stands for no staged row.
const noRow = math.MaxUint32

// higherLevel is the level of rows that are looked up.
const higherLevel = math.MaxInt

// readLevels reads the levels of the window and takes out of it what does not count.
func (m *merger) readLevels() error {
	w, l := &m.window, m.levels
	l.stage(w)
	before := w.rows
	if row := l.read(w); row >= 0 {
		return w.blame(row, "", fmt.Errorf("%w: a second row of level %d with its key", ErrInternalState, l.top))
	}
	if w.rows < before && w.rows > 0 {
		w.fence()
	}
	if w.rows > 0 {
		w.groups = m.columns.selectEnds(w)
	} else {
		w.groups = 0
	}
	return nil
}

// stage notes the level of every run of the window.
func (l *levels) stage(w *window) {
	n := w.room>>3 + 1
	l.of = slices.Grow(l.of[:0], n)[:n]
	for run := range w.runs() {
		first, last := &w.pieces[w.firsts[run]], &w.pieces[w.firsts[run+1]-1]
		for i := first.start >> 3; i <= (last.start+last.to-last.from-1)>>3; i++ {
			l.of[i] = first.cursor.run.Level
		}
	}
}

// read goes through the keys of the window and closes the gaps that rows leave that do not count. It returns the staged row
// of a second row of the top level, or -1.
func (l *levels) read(w *window) (second int) {
	l.base, l.traits, l.joins = l.base[:0], l.traits[:0], false
	l.joined = maskOf(l.joined, w.rows)
	clear(l.joined)
	kept := 0
	for from := 0; from < w.rows; {
		k, second := l.key(w, from)
		if second >= 0 {
			return second
		}
		if k.traits&^traitSingle != traitHigher || !l.track {
			at := kept
			kept = l.keep(w, from, k, kept)
			if kept == at+1 && k.to > from+1 {
				validity.Set(l.joined, at)
				l.joins = true
			}
			if l.track {
				l.base, l.traits = append(l.base, k.base), append(l.traits, k.traits)
			}
		}
		from = k.to
	}
	w.rows = kept
	return -1
}

// keyLevels is a key of the window: rows up to to.
type keyLevels struct {
	to     int
	chosen int    // its row of the smallest level above 0, -1 if it has none
	base   uint32 // the staged row that was there before, noRow if none was
	traits trait
}

// key reads the levels of the rows of the key that begins at row from.
func (l *levels) key(w *window, from int) (k keyLevels, second int) {
	idxBits, idxMask := w.form.idxBits, w.form.idxMask()
	k = keyLevels{chosen: -1, base: noRow}
	key, least, to := w.words[from]>>idxBits, 0, from
	for ; w.words[to]>>idxBits == key; to++ {
		staged := w.words[to] & idxMask
		level := l.of[staged>>3]
		switch {
		case level > 0 && level < higherLevel && l.adds && isRetract(int8(w.kinds[staged])):
			k.traits |= traitPassed
			continue
		case level == 0:
			k.traits |= traitFresh
			continue
		case level < 0:
			k.traits |= traitPassed
			continue
		case level == higherLevel:
			k.traits |= traitHigher
		default:
			k.traits |= traitHigh
		}
		if l.top > 0 && level == l.top {
			if k.base != noRow {
				return k, int(staged)
			}
			k.base = uint32(staged)
		}
		if k.chosen < 0 || level < least {
			k.chosen, least = to, level
		}
	}
	if l.top == 0 && k.chosen >= 0 {
		k.base = uint32(w.words[k.chosen] & idxMask)
	}
	if to == from+1 {
		k.traits |= traitSingle
	}
	k.to = to
	return k, -1
}

// keep moves the rows of a key that count to row kept and returns where the next key goes.
func (l *levels) keep(w *window, from int, k keyLevels, kept int) int {
	idxMask := w.form.idxMask()
	for row := from; row < k.to; row++ {
		level := l.of[w.words[row]&idxMask>>3]
		if l.lowest && level >= 1 && row != k.chosen || !l.lowest && level == higherLevel {
			continue
		}
		w.words[kept] = w.words[row]
		kept++
	}
	return kept
}

// notAlone takes rows out of single that are alone only because others of their key do not count.
func (l *levels) notAlone(single []uint64) {
	for i := range single {
		single[i] &^= l.joined[i]
	}
}

// higher returns the end of the staged rows of the window that have been looked up, which come first; 0 if there are none.
func (w *window) higher() (end int) {
	for i := range w.pieces {
		p := &w.pieces[i]
		if p.cursor.run.Level != higherLevel {
			break
		}
		end = p.start + p.to - p.from
	}
	return end
}
