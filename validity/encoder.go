package validity

import (
	"fmt"
	"math"
	"slices"
	"unsafe"
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
	known           dictionary
	forgotten       bool     // there are values that known does not have
	patterns        []uint64 // of 64 rows
	ends            []int    // value n is data[ends[n]:ends[n+1]]
	data            []byte
	block           block
}

// NewEncoder makes an encoder for some number of columns, the validity column counted.
func NewEncoder(columns int) *Encoder {
	e := &Encoder{columns: columns, stride: max(1, Words(columns)), ends: []int{0}}
	e.patterns = make([]uint64, 64*e.stride)
	return e
}

// Begin starts a new window: numbers given so far mean nothing any more. Patterns that were met stay known as long as there
// are few.
func (e *Encoder) Begin() {
	if !e.forgotten {
		return
	}
	e.known.forget()
	e.ends, e.data, e.forgotten = e.ends[:1], e.data[:0], false
}

// Bytes returns how much memory the scratch holds.
func (e *Encoder) Bytes() int64 {
	return e.known.bytes() + 8*int64(cap(e.patterns)+cap(e.ends)) + int64(cap(e.data))
}

// Number gives every row the number of its value. masks[i] says in which rows the column at position i is supplied; nil
// means in none, as for the validity column itself.
func (e *Encoder) Number(numbers []uint32, masks [][]uint64) {
	var before []uint64
	number := uint32(0)
	for at := 0; at < len(numbers); at += 64 {
		rows := numbers[at:min(at+64, len(numbers))]
		same := e.load(masks, at>>6, len(rows))
		for i := range rows {
			if i > 0 && same {
				rows[i] = number
				continue
			}
			pattern := e.patterns[i*e.stride : (i+1)*e.stride]
			if i == 0 || !slices.Equal(pattern, before) {
				number = e.number(pattern)
			}
			rows[i], before = number, pattern
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
	key := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(pattern))), 8*len(pattern))
	number, hash, found := e.known.find(key)
	if found {
		return number
	}
	number = uint32(len(e.ends) - 1)
	e.data = appendRoaring(e.data, pattern)
	e.ends = append(e.ends, len(e.data))
	if !e.known.put(key, hash, number) {
		e.forgotten = true
	}
	return number
}

// Value returns the bytes of a number. They are good until the next call of Number or Begin.
func (e *Encoder) Value(number uint32) []byte { return e.data[e.ends[number]:e.ends[number+1]] }

// Size returns how many bytes the values of rows have.
func (e *Encoder) Size(numbers []uint32) int64 {
	n := int64(0)
	for _, number := range numbers {
		n += int64(e.ends[number+1] - e.ends[number])
	}
	return n
}

// Put writes the values of rows as a column: offsets, which has one more than rows, counts from 0, and data has at least
// Size bytes. More bytes than offsets can count are ErrTooLarge.
func Put[O int32 | int64](e *Encoder, offsets []O, data []byte, numbers []uint32) error {
	if size := e.Size(numbers); unsafe.Sizeof(O(0)) == 4 && size > math.MaxInt32 {
		return fmt.Errorf("%w: %d bytes of a validity column with 32-bit offsets", ErrTooLarge, size)
	}
	at := 0
	offsets[0] = 0
	for i, number := range numbers {
		at += copy(data[at:], e.Value(number))
		offsets[i+1] = O(at)
	}
	return nil
}
