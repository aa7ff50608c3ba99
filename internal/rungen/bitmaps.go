package rungen

import (
	"encoding/binary"
	"slices"
)

// span is a stretch of 16-bit numbers, both ends included.
type span struct{ from, to uint16 }

// chunk is the part of a bitmap that one container holds: the numbers that agree in all bits but the lower 16.
type chunk struct {
	high  uint64
	spans []span // ascending, with a gap between any two
}

// The kinds of container, numbered as 64-bit bitmaps number them.
const (
	runContainer = iota
	bitContainer
	listContainer
)

const (
	listMost = 4096 // numbers in a list; more are bits
	runsMost = 2047 // runs that take no more bytes than bits do
	bitBytes = 8192 // of a container of bits
)

// runForm says when a container holds runs.
type runForm int

const (
	shortestForm runForm = iota // where that takes fewest bytes
	noRuns
	mostRuns // where that takes no more bytes than bits do
)

// count counts the numbers of the chunk.
func (c chunk) count() int {
	n := 0
	for _, s := range c.spans {
		n += int(s.to) - int(s.from) + 1
	}
	return n
}

// kind chooses the container of the chunk.
func (c chunk) kind(form runForm) int {
	kind, size := listContainer, 2*c.count()
	if c.count() > listMost {
		kind, size = bitContainer, bitBytes
	}
	if form == mostRuns && len(c.spans) <= runsMost || form == shortestForm && 2+4*len(c.spans) < size {
		return runContainer
	}
	return kind
}

// appendContainer appends the numbers of the chunk in a container of the given kind.
func (c chunk) appendContainer(out []byte, kind int) []byte {
	if kind == runContainer {
		out = binary.LittleEndian.AppendUint16(out, uint16(len(c.spans)))
		for _, s := range c.spans {
			out = binary.LittleEndian.AppendUint16(out, s.from)
			out = binary.LittleEndian.AppendUint16(out, s.to-s.from)
		}
		return out
	}
	var bits [bitBytes]byte
	for _, s := range c.spans {
		for n := int(s.from); n <= int(s.to); n++ {
			bits[n/8] |= 1 << (n % 8)
			if kind == listContainer {
				out = binary.LittleEndian.AppendUint16(out, uint16(n))
			}
		}
	}
	if kind == bitContainer {
		return append(out, bits[:]...)
	}
	return out
}

// The first number of a 32-bit bitmap.
const (
	cookiePlain = 12346 // the number of containers follows
	cookieRuns  = 12347 // that number less one is in the upper 16 bits; which containers hold runs follows
	fewRuns     = 4     // with runs and fewer containers than these, their places are left out
)

// bitmap32 gives the portable bytes of a 32-bit roaring bitmap of the chunks, which ascend.
func bitmap32(chunks []chunk, form runForm) []byte {
	kinds := make([]int, len(chunks))
	flags := make([]byte, (len(chunks)+7)/8)
	for i, c := range chunks {
		kinds[i] = c.kind(form)
		if kinds[i] == runContainer {
			flags[i/8] |= 1 << (i % 8)
		}
	}
	hasRuns := slices.Contains(kinds, runContainer)
	var out []byte
	if hasRuns {
		out = binary.LittleEndian.AppendUint32(nil, cookieRuns|uint32(len(chunks)-1)<<16)
		out = append(out, flags...)
	} else {
		out = binary.LittleEndian.AppendUint32(nil, cookiePlain)
		out = binary.LittleEndian.AppendUint32(out, uint32(len(chunks)))
	}
	for _, c := range chunks {
		out = binary.LittleEndian.AppendUint16(out, uint16(c.high))
		out = binary.LittleEndian.AppendUint16(out, uint16(c.count()-1))
	}
	var containers []byte
	var places []int
	for i, c := range chunks {
		places = append(places, len(containers))
		containers = c.appendContainer(containers, kinds[i])
	}
	if !hasRuns || len(chunks) >= fewRuns {
		first := len(out) + 4*len(places)
		for _, place := range places {
			out = binary.LittleEndian.AppendUint32(out, uint32(first+place))
		}
	}
	return append(out, containers...)
}

// chunksOf puts ascending numbers, which may repeat, into chunks.
func chunksOf(numbers []uint64) []chunk {
	var chunks []chunk
	for _, n := range slices.Compact(numbers) {
		high, low := n>>16, uint16(n)
		if len(chunks) == 0 || chunks[len(chunks)-1].high != high {
			chunks = append(chunks, chunk{high: high})
		}
		c := &chunks[len(chunks)-1]
		if last := len(c.spans) - 1; last >= 0 && c.spans[last].to+1 == low {
			c.spans[last].to = low
			continue
		}
		c.spans = append(c.spans, span{low, low})
	}
	return chunks
}

// bitmapDrawer draws bitmaps that share numbers with each other.
type bitmapDrawer struct {
	highs []uint64 // upper bits to choose from, ascending
	room  int      // bytes that a bitmap may take, about
	src   *source
}

// roomy is the room from which bitmaps may have containers of all kinds; with less they have few small numbers.
const roomy = 2 * bitBytes

// chunks draws some of the chunks.
func (d *bitmapDrawer) chunks() []chunk {
	var chunks []chunk
	keep := pick(d.src, 1, 2, 4)
	for i, high := range d.highs {
		if d.src.intn(keep) == 0 || i == 0 && d.src.oneIn(2) {
			chunks = append(chunks, chunk{high, d.spans()})
		}
	}
	return chunks
}

// spans draws the numbers of a chunk: few, a long list, bits, runs, or all there are.
func (d *bitmapDrawer) spans() []span {
	if d.room < roomy || len(d.highs) > 8 {
		return d.strew(d.src.intn(40), 30, d.src.intn(4), d.src.between(1, 8))
	}
	switch d.src.intn(12) {
	case 0, 1:
		return d.strew(d.src.intn(3000), 30, 0, d.src.between(100, 3900))
	case 2:
		return d.strew(d.src.intn(100), 12, 0, 1<<16)
	case 3, 4, 5:
		return d.strew(d.src.intn(1<<16), 5000, 3000, d.src.between(1, 20))
	case 6:
		return []span{{0, 1<<16 - 1}}
	case 7:
		return d.strew(0, 4, 3, 1<<16)
	default:
		return d.strew(d.src.intn(40), 30, d.src.intn(4), d.src.between(1, 8))
	}
}

// strew draws up to n spans from a number on, each at most gap+1 above the one before, and at most long+1 numbers long.
func (d *bitmapDrawer) strew(at, gap, long, n int) []span {
	var spans []span
	for ; len(spans) < n && at < 1<<16; at += 2 + d.src.intn(gap) {
		from := at
		at = min(at+d.src.intn(long+1), 1<<16-1)
		spans = append(spans, span{uint16(from), uint16(at)})
	}
	return spans
}

// bitmaps32 returns a function that draws 32-bit bitmaps.
func bitmaps32(room int, src *source) func() []byte {
	highs := []uint64{0, 1, 2, 3, 0x7fff, 0x8000, 0xffff}[:src.between(1, 7)]
	if src.oneIn(3) {
		highs = []uint64{src.below(1 << 16)}
	}
	d := &bitmapDrawer{highs: highs, room: room, src: src}
	return func() []byte {
		return bitmap32(d.chunks(), pick(src, shortestForm, shortestForm, shortestForm, noRuns, mostRuns))
	}
}
