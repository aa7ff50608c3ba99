package validity

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/braidmerge/braid/internal/invariants"
)

// Encoder writes which columns are supplied as bytes of a validity column. Bytes are made once for every pattern of columns
// that is met; rows have its number.
//
//	mask 1   1 1 0 1           numbers   0 0 1 0
//	mask 2   0 0 0 0    --->   values    {1, 3}  {3}
//	mask 3   1 1 1 1
//
// Scratch memory is kept, and bounded by the rows since Begin times the columns. An Encoder serves one goroutine.
type Encoder struct {
	columns, stride int
	block           block
	patterns        []uint64 // of 64 rows
	slots           []uint32 // by hash of a pattern: its number and 1; 0 in a free slot
	seed, factor    uint64   // of hashes
	known           int      // patterns in slots
	sets            []uint64 // the pattern of number n is stride words from n*stride on
	ends            []int    // its value is data[ends[n]:ends[n+1]]
	data            []byte
	unions          unions
}

// NewEncoder makes an encoder for some number of columns, the validity column counted.
func NewEncoder(columns int) *Encoder {
	e := &Encoder{columns: columns, stride: max(1, Words(columns)), seed: rand.Uint64(), factor: rand.Uint64() | 1, ends: []int{0}}
	e.patterns, e.slots = make([]uint64, 64*e.stride), make([]uint32, mostSlots)
	return e
}

// Begin starts a new window: numbers given so far mean nothing any more. Patterns that were met stay known as long as there
// are few.
func (e *Encoder) Begin() {
	if e.known == len(e.ends)-1 {
		return
	}
	clear(e.slots)
	e.known, e.sets, e.ends, e.data = 0, e.sets[:0], e.ends[:1], e.data[:0]
}

// Bytes returns how much memory the scratch holds.
func (e *Encoder) Bytes() int64 {
	return 8*int64(cap(e.patterns)+cap(e.sets)+cap(e.ends)) + 4*int64(cap(e.slots)) + int64(cap(e.data)) + e.unions.bytes()
}

// Number gives every row the number of its value. masks[i] says in which rows the column at position i is supplied; nil
// means in none, as for the validity column itself.
func (e *Encoder) Number(numbers []uint32, masks [][]uint64) {
	invariants.Check(len(masks) <= e.columns, "validity: %d masks of %d columns", len(masks), e.columns)
	for at := 0; at < len(numbers); at += 64 {
		rows := numbers[at:min(at+64, len(numbers))]
		if e.load(masks, at>>6, len(rows)) {
			n := e.number(e.patterns[:e.stride])
			for i := range rows {
				rows[i] = n
			}
			continue
		}
		for i := range rows {
			rows[i] = e.number(e.patterns[i*e.stride : (i+1)*e.stride])
		}
	}
}

// load makes the patterns of up to 64 rows, or that of the first if all are the same.
func (e *Encoder) load(masks [][]uint64, word, rows int) (same bool) {
	all := ^uint64(0) >> (64 - rows)
	clear(e.patterns[:e.stride])
	same = true
	for i, mask := range masks {
		if mask == nil {
			continue
		}
		x := mask[word] & all
		e.patterns[i>>6] |= x & 1 << (i & 63)
		same = same && (x == 0 || x == all)
	}
	if same {
		return true
	}
	b := &e.block
	for first := 0; first < len(masks); first += 64 {
		part := masks[first:min(first+64, len(masks))]
		for i, mask := range part {
			b[i] = 0
			if mask != nil {
				b[i] = mask[word]
			}
		}
		b.toRows(len(part))
		for row := range rows {
			e.patterns[row*e.stride+first>>6] = b[row]
		}
	}
	return false
}

// number returns the number of a pattern, whose value it makes if it is not known.
func (e *Encoder) number(pattern []uint64) uint32 {
	hash := e.seed
	for _, w := range pattern {
		hash = (hash ^ w) * e.factor
		hash ^= hash >> 32
	}
	slot := &e.slots[hash%mostSlots]
	for *slot != 0 {
		if n := *slot - 1; e.has(n, pattern) {
			return n
		}
		hash++
		slot = &e.slots[hash%mostSlots]
	}
	n := uint32(len(e.ends) - 1)
	e.sets = append(e.sets, pattern...)
	e.data = appendRoaring(e.data, pattern)
	e.ends = append(e.ends, len(e.data))
	if 2*e.known < mostSlots {
		*slot = n + 1
		e.known++
	}
	return n
}

// Adopt gives a value a number as it is, whatever bytes it has.
func (e *Encoder) Adopt(value []byte) uint32 {
	e.sets = append(e.sets, make([]uint64, e.stride)...)
	e.data = append(e.data, value...)
	e.ends = append(e.ends, len(e.data))
	return uint32(len(e.ends) - 2)
}

// has says whether the pattern is that of a number.
func (e *Encoder) has(n uint32, pattern []uint64) bool {
	set := e.sets[int(n)*e.stride:]
	for i, w := range pattern {
		if set[i] != w {
			return false
		}
	}
	return true
}

// Value returns the bytes of a number. They are good until the next call of Number or Begin.
func (e *Encoder) Value(number uint32) []byte { return e.data[e.ends[number]:e.ends[number+1]] }

// Place writes where the values of rows are in a column that has them one after another: offsets has one more than rows and counts
// from 0. It returns how many bytes there are. More than offsets can count are ErrTooLarge.
func Place[O int32 | int64](e *Encoder, offsets []O, numbers []uint32) (size int64, err error) {
	offsets = offsets[:len(numbers)+1]
	offsets[0] = 0
	ends, rest := e.ends, offsets[1:]
	for i, n := range numbers {
		size += int64(ends[n+1] - ends[n])
		rest[i] = O(size)
	}
	if int64(O(size)) != size {
		return 0, fmt.Errorf("%w: %d bytes of a validity column with 32-bit offsets", ErrTooLarge, size)
	}
	return size, nil
}

// chunk is how many bytes are copied at once: those of most values.
const chunk = 32

// Put writes the values of rows one after another, where Place has put them. Data has as many bytes as Place said.
func (e *Encoder) Put(data []byte, numbers []uint32) {
	e.data = slices.Grow(e.data, chunk)
	values, ends := e.data[:len(e.data)+chunk], e.ends
	at, i := 0, 0
	for ; i < len(numbers) && at+chunk <= len(data); i++ { // chunks may reach past a value, into the place of the next
		n := numbers[i]
		from, size := ends[n], ends[n+1]-ends[n]
		copyChunk((*[chunk]byte)(data[at:]), (*[chunk]byte)(values[from:]))
		if size > chunk {
			copy(data[at:], values[from:from+size])
		}
		at += size
	}
	for ; i < len(numbers); i++ {
		at += copy(data[at:], e.Value(numbers[i]))
	}
}

// copyChunk copies a chunk word by word, which is not a call as the assignment of an array is.
func copyChunk(to, from *[chunk]byte) {
	w := binary.LittleEndian
	a, b, c, d := w.Uint64(from[0:]), w.Uint64(from[8:]), w.Uint64(from[16:]), w.Uint64(from[24:])
	w.PutUint64(to[0:], a)
	w.PutUint64(to[8:], b)
	w.PutUint64(to[16:], c)
	w.PutUint64(to[24:], d)
}
