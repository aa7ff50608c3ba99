package aggfuncs

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math/bits"
	"slices"
)

// The bytes of a 64-bit bitmap, numbers in little-endian order:
//
//	0                       it is empty, or
//	1, keys int64           how many upper parts it has
//	node                    the tree of upper parts, each of 6 bytes, the highest first
//	arrays int32            of containers; each:
//	  0xfe, places int32      each: 0, or 1 and a container
//	containers int64, last array int32, last place int32
//
//	node        type byte, children int16, length of the prefix byte, prefix, body, then the children
//	leaf        body: 6 bytes of the upper part, place of its container int64: the array in the upper half
//	container   type byte, count int32, then runs, bits or numbers
const (
	node4 = iota
	node16
	node48
	node256
	nodeLeaf
)

const (
	containerRuns = iota
	containerBits
	containerArray
)

const (
	arrayMark = 0xfe
	keyBytes  = 6
)

// reader64 reads 64-bit bitmaps, each twice. The first time it checks everything and keeps nothing: that every leaf has a
// container of its own shows in sums of hashes of places, which cannot be made to agree without the seed. Then it notes leaves
// and containers, two words or a few for each, and gives one to the other.
//
//	leaves       at 2, 0, 1        hash(2) + hash(0) + hash(1)
//	containers   at 0, 1, 2      - hash(0) - hash(1) - hash(2)  = 0
type reader64 struct {
	rest []byte
	bad  bool
	key  [keyBytes]byte // of the node at hand, as far as it is known

	keys, held uint64 // leaves and containers so far
	balance    uint64 // the sum of the hashes of the places of leaves, less that of containers

	keep   bool // the bytes have been checked
	leaves []leaf64
	places []place64
}

// leaf64 is an upper part and where its container is.
type leaf64 struct{ high, place uint64 }

// place64 is a container in the bytes that are read.
type place64 struct {
	place uint64
	bytes []byte
	used  bool
}

// placeSeed is the seed of the hashes of places.
var placeSeed = maphash.MakeSeed()

func hashPlace(place uint64) uint64 {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], place)
	return maphash.Bytes(placeSeed, b[:])
}

// read reads bytes that are exactly one bitmap; anything else is ErrCorrupt, for which nothing is allocated but the error.
func (r *reader64) read(into *bitmap64, value []byte) error {
	into.clear()
	if len(value) == 1 && value[0] == 0 {
		return nil
	}
	if err := r.check(value); err != nil {
		return err
	}
	leaves, places := grown(r.leaves, int(r.keys)), grown(r.places, int(r.held))
	defer clear(places) // they are the caller's bytes
	*r = reader64{rest: value, keep: true, leaves: leaves[:0], places: places[:0]}
	r.walk()
	return r.collect(into)
}

// check says whether bytes are one bitmap.
func (r *reader64) check(value []byte) error {
	*r = reader64{rest: value, leaves: r.leaves, places: r.places}
	switch r.walk(); {
	case r.bad || len(r.rest) > 0:
		return fmt.Errorf("%w: not a 64-bit roaring bitmap of %d bytes", ErrCorrupt, len(value))
	case r.balance != 0 || r.keys != r.held:
		return fmt.Errorf("%w: 64-bit roaring bitmap of %d keys whose %d containers are not at their places", ErrCorrupt, r.keys, r.held)
	}
	return nil
}

// walk goes through the bytes of a bitmap.
func (r *reader64) walk() {
	if r.number(1) != 1 {
		r.bad = true
	}
	keys := r.number(8)
	r.node(0)
	if r.keys != keys {
		r.bad = true
	}
	r.containers()
}

// take cuts off n bytes. At the end of the bytes it gives zeros, up to eight, and the bytes are bad.
func (r *reader64) take(n int) []byte {
	if r.bad || n > len(r.rest) {
		r.bad = true
		return make([]byte, min(n, 8))
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

// number cuts off a number of 1, 2, 4 or 8 bytes.
func (r *reader64) number(n int) uint64 {
	switch b := r.take(n); n {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(b))
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	default:
		return binary.LittleEndian.Uint64(b)
	}
}

// node reads a node and all below it; depth bytes of their keys are known.
func (r *reader64) node(depth int) {
	kind, children := r.number(1), int(r.number(2))
	prefix := r.take(int(r.number(1)))
	if r.bad || depth+len(prefix) > keyBytes {
		r.bad = true
		return
	}
	depth += copy(r.key[depth:], prefix)
	if kind == nodeLeaf {
		r.leaf(depth)
		return
	}
	present, n := r.childKeys(int(kind), children)
	if r.bad || depth == keyBytes || children == 0 || n != children {
		r.bad = true
		return
	}
	for w, set := range present {
		for ; set != 0; set &= set - 1 {
			r.key[depth] = byte(w<<6 + bits.TrailingZeros64(set))
			if r.node(depth + 1); r.bad {
				return
			}
		}
	}
}

// leaf reads a leaf, whose key must begin with the bytes that are known.
func (r *reader64) leaf(depth int) {
	key := r.take(keyBytes)
	place := r.number(8)
	if r.bad || !slices.Equal(key[:depth], r.key[:depth]) {
		r.bad = true
		return
	}
	high := uint64(0)
	for _, b := range key {
		high = high<<8 | uint64(b)
	}
	r.keys++
	if r.keep {
		r.leaves = append(r.leaves, leaf64{high, place})
	} else {
		r.balance += hashPlace(place)
	}
}

// childKeys reads the body of a node: the key bytes of its children, as a set, and how many there are. Those of small nodes
// must ascend.
func (r *reader64) childKeys(kind, children int) (set [4]uint64, n int) {
	switch kind {
	case node4, node16:
		body := r.take([]int{4, 16}[kind])
		if r.bad || children > len(body) {
			return set, 0
		}
		before := -1
		for i := range children {
			b := int(body[i^(min(len(body), 8)-1)]) // the first is in the highest byte of a word
			if b <= before {
				return set, 0
			}
			set[b>>6] |= 1 << (b & 63)
			before = b
			n++
		}
	case node48:
		for b, place := range r.take(256) {
			if b ^= 7; place != 0xff {
				set[b>>6] |= 1 << (b & 63)
				n++
			}
		}
	case node256:
		for w := range set {
			set[w] = r.number(8)
			n += bits.OnesCount64(set[w])
		}
	default:
		r.bad = true
	}
	return set, n
}

// containers notes where the containers are and checks them.
func (r *reader64) containers() {
	arrays := r.number(4)
	for i := uint64(0); i < arrays && !r.bad; i++ {
		if r.number(1) != arrayMark {
			r.bad = true
		}
		places := r.number(4)
		for j := uint64(0); j < places && !r.bad; j++ {
			switch r.number(1) {
			case 0:
			case 1:
				r.containerAt(i<<32 | j)
			default:
				r.bad = true
			}
		}
	}
	if r.number(8) != r.held {
		r.bad = true
	}
	r.take(8)
}

// containerAt checks the container of a place, or notes it.
func (r *reader64) containerAt(place uint64) {
	r.held++
	before := r.rest
	kind, count := r.number(1), int(r.number(4))
	if !r.keep {
		r.container(kind, count)
		r.balance -= hashPlace(place)
		return
	}
	switch kind {
	case containerRuns:
		r.take(4 * int(r.number(2)))
	case containerBits:
		r.take(bitmapBytes)
	default:
		r.take(2 * count)
	}
	r.places = append(r.places, place64{place: place, bytes: before[:len(before)-len(r.rest)]})
}

// container checks a container: what it says it has must be there, in order.
func (r *reader64) container(kind uint64, count int) {
	ok := false
	switch {
	case r.bad || count == 0 || count > 1<<16:
	case kind == containerRuns:
		before := r.rest
		if r.rest, ok = checkRuns(before); ok {
			ok = countRuns(before[2:len(before)-len(r.rest)]) == count
		}
	case kind == containerBits:
		r.rest, ok = checkBits(r.rest, count)
	case kind == containerArray:
		r.rest, ok = checkArray(r.rest, count)
	}
	r.bad = r.bad || !ok
}

// countRuns counts the numbers of runs.
func countRuns(b []byte) int {
	n := 0
	for ; len(b) > 0; b = b[4:] {
		n += int(binary.LittleEndian.Uint16(b[2:])) + 1
	}
	return n
}

// collect gives every leaf its container. Most writers put containers in the order of leaves.
func (r *reader64) collect(into *bitmap64) error {
	for i, leaf := range r.leaves {
		at := i
		if r.places[i].place != leaf.place {
			at, _ = slices.BinarySearchFunc(r.places, leaf.place, func(p place64, place uint64) int { return cmp.Compare(p.place, place) })
		}
		if at == len(r.places) || r.places[at].place != leaf.place || r.places[at].used {
			return fmt.Errorf("%w: 64-bit roaring bitmap without a container %#x of its own", ErrCorrupt, leaf.place)
		}
		r.places[at].used = true
		r.leaves[i].place = uint64(at)
	}
	for _, leaf := range r.leaves {
		into.readContainer(r.places[leaf.place].bytes)
		into.close(leaf.high)
	}
	return nil
}

// readContainer reads the numbers of a container that has been checked.
func (b *bitmap64) readContainer(c []byte) {
	from := len(b.runs)
	kind, c := c[0], c[5:]
	switch kind {
	case containerRuns:
		for c = c[2:]; len(c) > 0; c = c[4:] {
			start := binary.LittleEndian.Uint16(c)
			b.runs = append(b.runs, run{start, start + binary.LittleEndian.Uint16(c[2:])})
		}
	case containerBits:
		for w := range bitmapBytes / 8 {
			for set := binary.LittleEndian.Uint64(c[8*w:]); set != 0; set &= set - 1 {
				n := uint16(w<<6 + bits.TrailingZeros64(set))
				b.join(from, run{n, n})
			}
		}
	default:
		for ; len(c) > 0; c = c[2:] {
			n := binary.LittleEndian.Uint16(c)
			b.join(from, run{n, n})
		}
	}
}
