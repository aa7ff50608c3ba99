package arrow18

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Parquet keeps its headers in Thrift's compact protocol:
//
//	struct  = field* 0x00
//	field   = (id delta << 4 | type) [zigzag id, if the delta is 0] value
//	list    = (size << 4 | element type) [varint size, if the nibble is 15] value*
//	binary  = varint length, bytes
//	integer = zigzag varint
//
// compact walks such bytes before the decoder sees them. The decoder reserves memory for as many elements as a list claims
// and follows structs however deep they nest; the walk refuses a claim that the bytes at hand cannot fulfil.
type compact struct {
	b  []byte // what is left
	at int    // bytes consumed
}

// Types of the compact protocol.
const (
	compactTrue   = 1
	compactFalse  = 2
	compactByte   = 3
	compactI16    = 4
	compactI32    = 5
	compactI64    = 6
	compactDouble = 7
	compactBinary = 8
	compactList   = 9
	compactSet    = 10
	compactMap    = 11
	compactStruct = 12
)

// compactDepth is how deep structs and containers may nest. Parquet's own nest less than ten deep.
const compactDepth = 32

var (
	errShort = errors.New("header is cut short")
	errDeep  = errors.New("header nests too deep")
)

// fields calls visit for every field of a struct. visit consumes the value and says so, or leaves it to be skipped.
func (c *compact) fields(depth int, visit func(id int16, kind byte) (consumed bool, err error)) error {
	if depth > compactDepth {
		return errDeep
	}
	for id := int16(0); ; {
		head, err := c.byte()
		if err != nil {
			return err
		}
		kind := head & 15
		if kind == 0 {
			return nil
		}
		if delta := head >> 4; delta != 0 {
			id += int16(delta)
		} else {
			long, err := c.integer()
			if err != nil {
				return err
			}
			id = int16(long)
		}
		consumed, err := visit(id, kind)
		if err == nil && !consumed {
			err = c.skip(kind, depth+1)
		}
		if err != nil {
			return err
		}
	}
}

// list reads the head of a list or set. Each of its elements takes a byte at least.
func (c *compact) list() (size int, kind byte, err error) {
	head, err := c.byte()
	if err != nil {
		return 0, 0, err
	}
	n := uint64(head >> 4)
	if n == 15 {
		if n, err = c.varint(); err != nil {
			return 0, 0, err
		}
	}
	if n > uint64(len(c.b)) {
		return 0, 0, fmt.Errorf("list of %d elements in %d bytes", n, len(c.b))
	}
	return int(n), head & 15, nil
}

// skip passes over a value. Inside a container a truth value is a byte; as a field it is in the field's type.
func (c *compact) skip(kind byte, depth int) error {
	switch kind {
	case compactTrue, compactFalse:
		return nil
	case compactByte:
		return c.discard(1)
	case compactI16, compactI32, compactI64:
		_, err := c.varint()
		return err
	case compactDouble:
		return c.discard(8)
	case compactBinary:
		n, err := c.varint()
		if err != nil {
			return err
		}
		return c.discard(n)
	case compactList, compactSet:
		return c.skipList(depth)
	case compactMap:
		return c.skipMap(depth)
	case compactStruct:
		return c.fields(depth, func(int16, byte) (bool, error) { return false, nil })
	}
	return fmt.Errorf("header has a field of unknown type %d", kind)
}

func (c *compact) skipList(depth int) error {
	if depth > compactDepth {
		return errDeep
	}
	size, kind, err := c.list()
	for i := 0; i < size && err == nil; i++ {
		err = c.skipElement(kind, depth)
	}
	return err
}

func (c *compact) skipMap(depth int) error {
	if depth > compactDepth {
		return errDeep
	}
	size, err := c.varint()
	if err != nil || size == 0 {
		return err
	}
	if size > uint64(len(c.b)) {
		return fmt.Errorf("map of %d entries in %d bytes", size, len(c.b))
	}
	kinds, err := c.byte()
	for i := uint64(0); i < size && err == nil; i++ {
		if err = c.skipElement(kinds>>4, depth); err == nil {
			err = c.skipElement(kinds&15, depth)
		}
	}
	return err
}

func (c *compact) skipElement(kind byte, depth int) error {
	if kind == compactTrue || kind == compactFalse {
		return c.discard(1)
	}
	return c.skip(kind, depth+1)
}

func (c *compact) integer() (int64, error) {
	u, err := c.varint()
	return int64(u>>1) ^ -int64(u&1), err
}

func (c *compact) varint() (uint64, error) {
	v, n := binary.Uvarint(c.b)
	switch {
	case n > 0:
		return v, c.discard(uint64(n))
	case n == 0:
		return 0, errShort
	}
	return 0, errors.New("header has an integer of more than 64 bits")
}

func (c *compact) byte() (byte, error) {
	if len(c.b) == 0 {
		return 0, errShort
	}
	b := c.b[0]
	return b, c.discard(1)
}

func (c *compact) discard(n uint64) error {
	if n > uint64(len(c.b)) {
		return errShort
	}
	c.b = c.b[n:]
	c.at += int(n)
	return nil
}
