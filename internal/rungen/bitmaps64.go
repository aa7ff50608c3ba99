package rungen

import (
	"encoding/binary"
	"slices"
)

// The nodes of the tree of a 64-bit bitmap: by the number of children they have room for, and leaves.
const (
	node4 = iota
	node16
	node48
	node256
	leafNode
)

// keyBytes is the length of a key of the tree: the upper 48 bits of a number, big-endian.
const keyBytes = 6

func keyByte(high uint64, i int) byte { return byte(high >> (8 * (keyBytes - 1 - i))) }

// bitmap64 gives the bytes of a 64-bit roaring bitmap of the chunks, which ascend: a radix tree of their upper bits, then the
// containers, which lie in the slots that place chooses.
func bitmap64(chunks []chunk, form runForm, place func(chunks int) [][]int) []byte {
	if len(chunks) == 0 {
		return []byte{0}
	}
	arrays := place(len(chunks))
	w := treeWriter{chunks: chunks, slots: make([]uint64, len(chunks))}
	var last uint64
	for i, slots := range arrays {
		for j, c := range slots {
			if c >= 0 {
				last = uint64(i)<<32 | uint64(j)
				w.slots[c] = last
			}
		}
	}
	w.out = binary.LittleEndian.AppendUint64([]byte{1}, uint64(len(chunks)))
	w.node(0, len(chunks), 0)
	out := binary.LittleEndian.AppendUint32(w.out, uint32(len(arrays)))
	for _, slots := range arrays {
		out = binary.LittleEndian.AppendUint32(append(out, 0xfe), uint32(len(slots)))
		for _, c := range slots {
			if c < 0 {
				out = append(out, 0)
				continue
			}
			kind := chunks[c].kind(form)
			out = append(out, 1, byte(kind))
			out = binary.LittleEndian.AppendUint32(out, uint32(chunks[c].count()))
			out = chunks[c].appendContainer(out, kind)
		}
	}
	out = binary.LittleEndian.AppendUint64(out, uint64(len(chunks)))
	out = binary.LittleEndian.AppendUint32(out, uint32(last>>32))
	return binary.LittleEndian.AppendUint32(out, uint32(last))
}

// treeWriter writes the tree of chunks, of which chunk i has its container in slots[i].
type treeWriter struct {
	out    []byte
	chunks []chunk
	slots  []uint64
}

// node writes the node of chunks [from, to), which agree in the key bytes before depth.
func (w *treeWriter) node(from, to, depth int) {
	first, last := w.chunks[from].high, w.chunks[to-1].high
	if to-from == 1 {
		w.out = append(w.out, leafNode, 0, 0, 0)
		for i := range keyBytes {
			w.out = append(w.out, keyByte(first, i))
		}
		w.out = binary.LittleEndian.AppendUint64(w.out, w.slots[from])
		return
	}
	end := depth
	for keyByte(first, end) == keyByte(last, end) {
		end++
	}
	var keys []byte
	var starts []int
	for i, c := range w.chunks[from:to] {
		if key := keyByte(c.high, end); len(keys) == 0 || keys[len(keys)-1] != key {
			keys, starts = append(keys, key), append(starts, from+i)
		}
	}
	kind, body := nodeBody(keys)
	w.out = binary.LittleEndian.AppendUint16(append(w.out, kind), uint16(len(keys)))
	w.out = append(w.out, byte(end-depth))
	for i := depth; i < end; i++ {
		w.out = append(w.out, keyByte(first, i))
	}
	w.out = append(w.out, body...)
	for i, start := range starts {
		w.node(start, append(starts, to)[i+1], end+1)
	}
}

// nodeBody gives the kind of node for so many children and what says which key bytes they have.
func nodeBody(keys []byte) (kind byte, body []byte) {
	switch {
	case len(keys) <= 4:
		return node4, flipWords(append(slices.Clone(keys), make([]byte, 4-len(keys))...), 4)
	case len(keys) <= 16:
		return node16, flipWords(append(slices.Clone(keys), make([]byte, 16-len(keys))...), 8)
	case len(keys) <= 48:
		places := slices.Repeat([]byte{0xff}, 256)
		for i, k := range keys {
			places[k] = byte(len(keys) - 1 - i)
		}
		return node48, flipWords(places, 8)
	}
	present := make([]byte, 32)
	for _, k := range keys {
		present[k/8] |= 1 << (k % 8)
	}
	return node256, present
}

// flipWords turns round the bytes of every word of the given width.
func flipWords(b []byte, width int) []byte {
	for word := range slices.Chunk(b, width) {
		slices.Reverse(word)
	}
	return b
}

// slotsFor draws in which slots the containers of n chunks lie: in the order of the chunks or another, in one array or two,
// with empty slots behind. -1 is an empty slot.
func slotsFor(n int, src *source) [][]int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	if src.oneIn(3) {
		order = src.permutation(n)
	}
	arrays := [][]int{order}
	if src.oneIn(4) {
		cut := src.intn(n + 1)
		arrays = [][]int{slices.Clone(order[:cut]), order[cut:]}
	}
	for i := range arrays {
		for range pick(src, 0, 0, 1, 3) {
			arrays[i] = append(arrays[i], -1)
		}
	}
	return arrays
}

// bitmaps64 returns a function that draws 64-bit bitmaps. Their keys make nodes of every kind, and prefixes.
func bitmaps64(room int, src *source) func() []byte {
	highs := []uint64{0, 1, 2, 1 << 16, 1<<32 - 1, 1 << 47, 1<<48 - 1}[:src.between(1, 7)]
	if src.oneIn(2) {
		base, shift := src.below(1<<48), pick(src, 0, 8, 16, 40)
		n := pick(src, 2, 5, 16, 17, 48, 49, 70)
		if room < roomy {
			n = min(n, 5)
		}
		highs = nil
		for i := range n {
			highs = append(highs, base&^(0xff<<shift)|uint64(3*i)<<shift)
		}
	}
	d := &bitmapDrawer{highs: highs, room: room, src: src}
	return func() []byte {
		return bitmap64(d.chunks(), pick(src, shortestForm, shortestForm, noRuns, mostRuns), func(n int) [][]int { return slotsFor(n, src) })
	}
}
