package ipcfile

import "encoding/binary"

// flat reads FlatBuffer tables out of bytes that may hold anything. A read outside the bytes gives zero and sets bad, so
// that a caller reads all it wants and asks once.
//
// A table is a position with an offset back to its vtable, which says where the fields are:
//
//	table:   int32 (table - vtable) | fields ...
//	vtable:  uint16 size | uint16 size of the table | uint16 offset of field 0 in the table, 0 if absent | ...
//	vector:  uint32 length | elements
//
// Offsets to tables and vectors are unsigned and count from where they stand, so that no walk can go in circles.
type flat struct {
	bytes []byte
	bad   bool
}

func (f *flat) has(pos, n int) bool {
	if pos < 0 || n < 0 || pos > len(f.bytes)-n {
		f.bad = true
		return false
	}
	return true
}

func (f *flat) uint8(pos int) uint8 {
	if !f.has(pos, 1) {
		return 0
	}
	return f.bytes[pos]
}

func (f *flat) uint16(pos int) int {
	if !f.has(pos, 2) {
		return 0
	}
	return int(binary.LittleEndian.Uint16(f.bytes[pos:]))
}

func (f *flat) int32(pos int) int32 {
	if !f.has(pos, 4) {
		return 0
	}
	return int32(binary.LittleEndian.Uint32(f.bytes[pos:]))
}

func (f *flat) int64(pos int) int64 {
	if !f.has(pos, 8) {
		return 0
	}
	return int64(binary.LittleEndian.Uint64(f.bytes[pos:]))
}

// follow returns the position that the offset at pos leads to.
func (f *flat) follow(pos int) int {
	return pos + int(uint32(f.int32(pos)))
}

// field returns the position of a field of the table, 0 if the table has no such field.
func (f *flat) field(table, number int) int {
	vtable := table - int(f.int32(table))
	size := f.uint16(vtable)
	at := 4 + 2*number
	if at >= size {
		return 0
	}
	offset := f.uint16(vtable + at)
	if offset == 0 {
		return 0
	}
	return table + offset
}

// table returns the position of the table in a field, 0 if absent.
func (f *flat) table(table, number int) int {
	pos := f.field(table, number)
	if pos == 0 {
		return 0
	}
	return f.follow(pos)
}

// byte returns the uint8 in a field, 0 if absent.
func (f *flat) byte(table, number int) uint8 {
	pos := f.field(table, number)
	if pos == 0 {
		return 0
	}
	return f.uint8(pos)
}

// short returns the uint16 in a field, 0 if absent.
func (f *flat) short(table, number int) int {
	pos := f.field(table, number)
	if pos == 0 {
		return 0
	}
	return f.uint16(pos)
}

// long returns the int64 in a field, 0 if absent.
func (f *flat) long(table, number int) int64 {
	pos := f.field(table, number)
	if pos == 0 {
		return 0
	}
	return f.int64(pos)
}

// vector returns the position of the first element of the vector in a field and the number of its elements, each of width
// bytes. All of them are inside the bytes.
func (f *flat) vector(table, number, width int) (first, length int) {
	pos := f.table(table, number)
	if pos == 0 {
		return 0, 0
	}
	length = int(uint32(f.int32(pos)))
	if !f.has(pos+4, length*width) {
		return 0, 0
	}
	return pos + 4, length
}
