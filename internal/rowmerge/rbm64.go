package rowmerge

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
)

// span is a stretch of numbers, both ends included.
type span struct{ from, to uint16 }

// bitmap64 is a 64-bit roaring bitmap: per upper 48 bits the lower 16 as spans in order, a gap between any two.
type bitmap64 map[uint64][]span

// newRbm64 makes rbm64: the union of 64-bit roaring bitmaps in the radix-tree form.
func newRbm64(c column, o *functionOptions) (*Function, *Error) {
	return newBytesFunction("roaring bitmap", c, func(acc, in []byte) ([]byte, *Error) {
		a, err := readBitmap64(acc)
		if err != nil {
			return nil, err
		}
		b, err := readBitmap64(in)
		if err != nil {
			return nil, err
		}
		for high, spans := range b {
			a[high] = joinSpans(append(a[high], spans...))
		}
		return a.write(), nil
	})
}

// joinSpans sorts spans and joins those that overlap or touch.
func joinSpans(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	var joined []span
	for _, s := range spans {
		last := len(joined) - 1
		if last >= 0 && int(s.from) <= int(joined[last].to)+1 {
			joined[last].to = max(joined[last].to, s.to)
			continue
		}
		joined = append(joined, s)
	}
	return joined
}

// SameRbm64 reports whether two values are bitmaps of the same numbers, or the same bytes.
func SameRbm64(a, b []byte) bool {
	x, errX := readBitmap64(a)
	y, errY := readBitmap64(b)
	if errX != nil || errY != nil {
		return slices.Equal(a, b)
	}
	return slices.Equal(x.write(), y.write())
}

// BuildRbm64 gives the bytes of a bitmap of integers, which are taken as unsigned.
func BuildRbm64(ints []int64) []byte {
	b := bitmap64{}
	for _, n := range ints {
		high, low := uint64(n)>>16, uint16(n)
		b[high] = joinSpans(append(b[high], span{low, low}))
	}
	return b.write()
}

// byteReader reads little-endian numbers; bad stays set once the bytes have run out.
type byteReader struct {
	data []byte
	bad  bool
}

func (r *byteReader) take(n int) []byte {
	if r.bad || n < 0 || n > len(r.data) {
		r.bad = true
		return make([]byte, min(max(n, 0), 8))
	}
	taken := r.data[:n]
	r.data = r.data[n:]
	return taken
}

func (r *byteReader) u8() byte    { return r.take(1)[0] }
func (r *byteReader) u16() uint16 { return binary.LittleEndian.Uint16(r.take(2)) }
func (r *byteReader) u32() uint32 { return binary.LittleEndian.Uint32(r.take(4)) }
func (r *byteReader) u64() uint64 { return binary.LittleEndian.Uint64(r.take(8)) }

// The nodes of the tree.
const (
	node4 = iota
	node16
	node48
	node256
	leaf
)

// readBitmap64 reads the tree, whose leaves name containers, then the containers.
func readBitmap64(data []byte) (bitmap64, *Error) {
	r := &byteReader{data: data}
	b := bitmap64{}
	switch empty := r.u8(); {
	case empty == 0 && len(data) == 1:
		return b, nil
	case empty != 1:
		return nil, corruptf("not a 64-bit roaring bitmap")
	}
	keys := int64(r.u64())
	leaves := map[uint64]uint64{}
	if !readNode(r, nil, leaves) || int64(len(leaves)) != keys {
		return nil, corruptf("64-bit roaring bitmap with a broken tree of %d keys", keys)
	}
	containers := readContainers(r)
	if r.bad || len(r.data) != 0 {
		return nil, corruptf("64-bit roaring bitmap with broken containers")
	}
	for high, at := range leaves {
		spans, ok := containers[at]
		if !ok {
			return nil, corruptf("64-bit roaring bitmap without a container %x of its own", at)
		}
		delete(containers, at)
		b[high] = spans
	}
	if len(containers) > 0 {
		return nil, corruptf("64-bit roaring bitmap with %d containers of no key", len(containers))
	}
	return b, nil
}

// readNode reads a node and all below it, and notes the container of each leaf. above are the key bytes so far.
func readNode(r *byteReader, above []byte, leaves map[uint64]uint64) bool {
	kind, children := r.u8(), int(r.u16())
	prefix := r.take(int(r.u8()))
	if r.bad || len(above)+len(prefix) > 6 {
		return false
	}
	key := slices.Concat(above, prefix)
	if kind == leaf {
		return readLeaf(r, key, leaves)
	}
	bytes := readChildKeys(r, kind)
	if r.bad || len(key) > 5 || children == 0 || len(bytes) < children || kind >= node48 && len(bytes) != children {
		return false
	}
	bytes = bytes[:children]
	for i, b := range bytes {
		if i > 0 && bytes[i-1] >= b || !readNode(r, slices.Concat(key, []byte{b}), leaves) {
			return false
		}
	}
	return true
}

// readLeaf reads the 48 bits of a leaf, which must begin with the bytes of the nodes above it, and its container.
func readLeaf(r *byteReader, above []byte, leaves map[uint64]uint64) bool {
	key := r.take(6)
	at := r.u64()
	if r.bad || !slices.Equal(key[:len(above)], above) {
		return false
	}
	var high uint64
	for _, b := range key {
		high = high<<8 | uint64(b)
	}
	if _, twice := leaves[high]; twice {
		return false
	}
	leaves[high] = at
	return true
}

// readChildKeys reads the body of a node: the key bytes of its children, of small nodes with the unused ones behind them.
func readChildKeys(r *byteReader, kind byte) []byte {
	var keys []byte
	switch kind {
	case node4:
		keys = binary.BigEndian.AppendUint32(nil, r.u32())
	case node16:
		keys = binary.BigEndian.AppendUint64(nil, r.u64())
		keys = binary.BigEndian.AppendUint64(keys, r.u64())
	case node48:
		for i := range 32 {
			word := r.u64()
			for j := range 8 {
				if byte(word>>(8*(7-j))) != 0xff {
					keys = append(keys, byte(8*i+j))
				}
			}
		}
	case node256:
		for i := range 4 {
			word := r.u64()
			for j := range 64 {
				if word>>j&1 != 0 {
					keys = append(keys, byte(64*i+j))
				}
			}
		}
	default:
		r.bad = true
	}
	return keys
}

// readContainers reads the arrays of containers, by array in the upper and slot in the lower half of the number.
func readContainers(r *byteReader) map[uint64][]span {
	containers := map[uint64][]span{}
	arrays := r.u32()
	for i := uint64(0); i < uint64(arrays) && !r.bad; i++ {
		if r.u8() != 0xfe {
			r.bad = true
		}
		slots := r.u32()
		for j := uint64(0); j < uint64(slots) && !r.bad; j++ {
			switch r.u8() {
			case 0:
			case 1:
				containers[i<<32|j] = readContainer(r)
			default:
				r.bad = true
			}
		}
	}
	if count := r.u64(); count != uint64(len(containers)) {
		r.bad = true
	}
	r.take(8)
	return containers
}

// readContainer reads a container: runs, bits or numbers.
func readContainer(r *byteReader) []span {
	kind, cardinality := r.u8(), int(r.u32())
	var spans []span
	switch kind {
	case 0:
		for range int(r.u16()) {
			start, length := r.u16(), r.u16()
			r.bad = r.bad || int(start)+int(length) > math.MaxUint16
			spans = append(spans, span{start, start + length})
		}
	case 1:
		for i := range 1024 {
			word := r.u64()
			for j := range 64 {
				if low := uint16(64*i + j); word>>j&1 != 0 {
					spans = append(spans, span{low, low})
				}
			}
		}
		spans = joinSpans(spans)
	case 2:
		for i := 0; i < cardinality && !r.bad; i++ {
			low := r.u16()
			spans = append(spans, span{low, low})
		}
	}
	r.checkSpans(kind, cardinality, spans)
	return joinSpans(spans)
}

// checkSpans wants spans that ascend, with gaps where they are runs, and hold as many numbers as they say.
func (r *byteReader) checkSpans(kind byte, cardinality int, spans []span) {
	total := 0
	for i, s := range spans {
		total += int(s.to) - int(s.from) + 1
		if i == 0 {
			continue
		}
		before := int(spans[i-1].to)
		r.bad = r.bad || int(s.from) <= before || kind == 0 && int(s.from) == before+1
	}
	r.bad = r.bad || total != cardinality || total == 0
}
