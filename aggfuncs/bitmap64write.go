package aggfuncs

import "encoding/binary"

// writer64 writes a 64-bit bitmap; bitmap64read.go has the format.
type writer64 struct {
	dst  []byte
	keys []byte // scratch
}

// number writes the low n bytes of a number.
func (w *writer64) number(x uint64, n int) {
	for range n {
		w.dst = append(w.dst, byte(x))
		x >>= 8
	}
}

// keyByte is byte i of an upper part.
func keyByte(high uint64, i int) byte { return byte(high >> (8 * (keyBytes - 1 - i))) }

// node writes the tree of upper parts that agree in the bytes before depth. Their containers are in the places from first on.
func (w *writer64) node(highs []uint64, depth, first int) {
	if len(highs) == 1 {
		w.dst = append(w.dst, nodeLeaf, 0, 0, 0)
		for i := range keyBytes {
			w.dst = append(w.dst, keyByte(highs[0], i))
		}
		w.number(uint64(first), 8)
		return
	}
	fork := depth // the first byte in which they differ
	for keyByte(highs[0], fork) == keyByte(highs[len(highs)-1], fork) {
		fork++
	}
	w.keys = w.keys[:0]
	for i, high := range highs {
		if i == 0 || keyByte(highs[i-1], fork) != keyByte(high, fork) {
			w.keys = append(w.keys, keyByte(high, fork))
		}
	}
	kind := nodeFor(len(w.keys))
	w.dst = append(w.dst, kind)
	w.number(uint64(len(w.keys)), 2)
	w.dst = append(w.dst, byte(fork-depth))
	for i := depth; i < fork; i++ {
		w.dst = append(w.dst, keyByte(highs[0], i))
	}
	w.body(kind)
	for from := 0; from < len(highs); {
		to := from
		for to < len(highs) && keyByte(highs[to], fork) == keyByte(highs[from], fork) {
			to++
		}
		w.node(highs[from:to], fork+1, first+from)
		from = to
	}
}

// nodeFor is the smallest node that has room for so many children.
func nodeFor(children int) byte {
	switch {
	case children <= 4:
		return node4
	case children <= 16:
		return node16
	case children <= 48:
		return node48
	}
	return node256
}

// body writes the key bytes of the children of a node. In all but the largest, the bytes of a word are in reverse.
func (w *writer64) body(kind byte) {
	at := len(w.dst)
	switch kind {
	case node4, node16:
		size := []int{4, 16}[kind]
		w.dst = append(w.dst, make([]byte, size)...)
		for i, key := range w.keys {
			w.dst[at+(i^(min(size, 8)-1))] = key
		}
	case node48:
		for range 256 {
			w.dst = append(w.dst, 0xff)
		}
		for i, key := range w.keys {
			w.dst[at+int(key^7)] = byte(i)
		}
	default:
		var present [4]uint64
		for _, key := range w.keys {
			present[key>>6] |= 1 << (key & 63)
		}
		for _, word := range present {
			w.number(word, 8)
		}
	}
}

// container writes the shortest of runs, bits and numbers; runs only where they are shorter than either.
func (w *writer64) container(runs []run) {
	count := 0
	for _, r := range runs {
		count += int(r.to) - int(r.from) + 1
	}
	kind, size := byte(containerArray), 2*count
	if count > arrayMost {
		kind, size = containerBits, bitmapBytes
	}
	if 2+4*len(runs) < size {
		kind = containerRuns
	}
	w.dst = append(w.dst, 1, kind)
	w.number(uint64(count), 4)
	switch kind {
	case containerRuns:
		w.number(uint64(len(runs)), 2)
		for _, r := range runs {
			w.number(uint64(r.from), 2)
			w.number(uint64(r.to-r.from), 2)
		}
	case containerBits:
		w.bits(runs)
	default:
		for _, r := range runs {
			for n := int(r.from); n <= int(r.to); n++ {
				w.number(uint64(n), 2)
			}
		}
	}
}

func (w *writer64) bits(runs []run) {
	var words [bitmapBytes / 8]uint64
	for _, r := range runs {
		for n := int(r.from); n <= int(r.to); n++ {
			words[n>>6] |= 1 << (n & 63)
		}
	}
	for _, word := range words {
		w.dst = binary.LittleEndian.AppendUint64(w.dst, word)
	}
}
