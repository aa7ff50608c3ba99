package rungen

import (
	"encoding/binary"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// cells are the values of one column in the rows of one run: positions in a pool, and which of them are valid. An invalid
// cell has a position too, so that what lies under a NULL is not zero.
type cells struct {
	pool  *pool // nil for a column of the null type
	at    []int32
	valid mask
}

// keep returns the cells of the given rows.
func (c cells) keep(rows []int32) cells {
	kept := cells{pool: c.pool, at: make([]int32, len(rows))}
	if c.valid != nil {
		kept.valid = newMask(len(rows))
	}
	for i, row := range rows {
		if c.at != nil {
			kept.at[i] = c.at[row]
		}
		if c.valid != nil && c.valid.bit(int(row)) {
			kept.valid[i>>6] |= 1 << (i & 63)
		}
	}
	return kept
}

// array makes an Arrow array of the cells of rows [from, to).
func (c cells) array(mem memory.Allocator, from, to int) arrow.Array {
	rows := to - from
	if c.pool == nil {
		return array.NewNull(rows)
	}
	buffers := make([]*memory.Buffer, 2, 3)
	nulls := 0
	if c.valid != nil {
		buffers[0] = newBuffer(mem, (rows+7)/8)
		nulls = rows - copyBits(buffers[0].Bytes(), c.valid, from, rows)
	}
	at := c.at[from:to]
	if c.pool.nested != nil {
		if buffers[0] != nil {
			defer buffers[0].Release()
		}
		return c.pool.gatherNested(mem, at, buffers[0], nulls)
	}
	switch {
	case c.pool.width == 0:
		offsets, values := c.pool.gatherTexts(mem, at)
		buffers[1] = offsets
		buffers = append(buffers, values)
	case c.pool.dt.ID() == arrow.BOOL:
		buffers[1] = newBuffer(mem, (rows+7)/8)
		c.pool.gatherBools(buffers[1].Bytes(), at)
	default:
		buffers[1] = newBuffer(mem, rows*c.pool.width)
		c.pool.gatherFixed(buffers[1].Bytes(), at)
	}
	data := array.NewData(c.pool.dt, rows, buffers, nil, nulls, 0)
	defer data.Release()
	for _, b := range buffers {
		if b != nil {
			b.Release()
		}
	}
	return array.MakeFromData(data)
}

func newBuffer(mem memory.Allocator, size int) *memory.Buffer {
	b := memory.NewResizableBuffer(mem)
	b.Resize(size)
	clear(b.Buf()[:b.Cap()])
	return b
}

// copyBits writes rows bits of m, from bit from on, to dst and returns how many of them are ones. The last byte is filled
// up with zeros.
func copyBits(dst []byte, m mask, from, rows int) int {
	part := newMask(rows)
	for i := range part {
		at := from + i*64
		part[i] = m[at>>6] >> (at & 63)
		if at&63 != 0 && at>>6+1 < len(m) {
			part[i] |= m[at>>6+1] << (64 - at&63)
		}
		if rest := rows - i*64; rest < 64 {
			part[i] &= 1<<rest - 1
		}
	}
	for i := range dst {
		dst[i] = byte(part[i>>3] >> (i & 7 * 8))
	}
	return part.ones(rows)
}

// gatherFixed writes the values at the given positions to dst.
func (p *pool) gatherFixed(dst []byte, at []int32) {
	switch p.width {
	case 4:
		gather(arrow.Uint32Traits.CastFromBytes(dst), arrow.Uint32Traits.CastFromBytes(p.bytes), at)
	case 8:
		gather(arrow.Uint64Traits.CastFromBytes(dst), arrow.Uint64Traits.CastFromBytes(p.bytes), at)
	case 16:
		gather(arrow.Decimal128Traits.CastFromBytes(dst), arrow.Decimal128Traits.CastFromBytes(p.bytes), at)
	default:
		for i, j := range at {
			copy(dst[i*p.width:(i+1)*p.width], p.bytes[int(j)*p.width:])
		}
	}
}

func gather[T uint32 | uint64 | decimal128.Num](dst, src []T, at []int32) {
	for i, j := range at {
		dst[i] = src[j]
	}
}

func (p *pool) gatherBools(dst []byte, at []int32) {
	for i, j := range at {
		dst[i>>3] |= p.bytes[j] << (i & 7)
	}
}

// gatherTexts returns the values at the given positions, one behind the other, and where each begins and ends.
func (p *pool) gatherTexts(mem memory.Allocator, at []int32) (offsets, values *memory.Buffer) {
	total := 0
	for _, j := range at {
		total += p.ends[j+1] - p.ends[j]
	}
	wide := arrow.IsLargeBinaryLike(p.dt.ID())
	offsets = newBuffer(mem, (len(at)+1)*offsetWidth(wide))
	values = newBuffer(mem, total)
	end := 0
	for i, j := range at {
		end += copy(values.Bytes()[end:], p.bytes[p.ends[j]:p.ends[j+1]])
		if wide {
			binary.LittleEndian.PutUint64(offsets.Bytes()[8*(i+1):], uint64(end))
			continue
		}
		binary.LittleEndian.PutUint32(offsets.Bytes()[4*(i+1):], uint32(end))
	}
	return offsets, values
}

func offsetWidth(wide bool) int {
	if wide {
		return 8
	}
	return 4
}
