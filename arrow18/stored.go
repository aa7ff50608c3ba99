package arrow18

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// storedSchemaKey is the key under which Arrow implementations keep, in a Parquet file, the Arrow schema it was written
// from: base64 of an IPC schema message. It says what Parquet cannot, such as 64-bit offsets, dictionaries and time zones.
const storedSchemaKey = "ARROW:schema"

// The message is a flatbuffer: tables that point at tables, vectors and strings by offsets. Its reader follows them, so
// tables that point at themselves never end, and many pointers at one large string copy it many times.
// checkStoredSchema follows them first, up to these limits.
const (
	storedDepth  = schemaDepth
	storedFields = 1 << 18
	storedBytes  = 64 << 20 // of names, metadata and the like
)

var errFlat = errors.New("stored Arrow schema is corrupt")

// checkStoredSchema checks a stored schema as it is in the file.
func checkStoredSchema(encoded string) error {
	message, err := decodeStored(encoded)
	if err != nil {
		return fmt.Errorf("%w: %w", errFlat, err)
	}
	const continuation = math.MaxUint32
	if len(message) >= 4 && binary.LittleEndian.Uint32(message) == continuation {
		message = message[4:]
	}
	if len(message) < 8 || int64(binary.LittleEndian.Uint32(message)) > int64(len(message)-4) {
		return fmt.Errorf("%w: message of %d bytes", errFlat, len(message))
	}
	f := flat{b: message[4 : 4+binary.LittleEndian.Uint32(message)]}
	f.message()
	if f.bad {
		return errFlat
	}
	return nil
}

// decodeStored decodes base64 with or without padding, as the reader does.
func decodeStored(encoded string) ([]byte, error) {
	if len(encoded)%4 == 0 {
		if b, err := base64.StdEncoding.DecodeString(encoded); err == nil && len(b) > 0 {
			return b, nil
		}
	}
	return base64.RawStdEncoding.DecodeString(encoded)
}

// flat follows a flatbuffer. Positions are of 32 bits and wrap around, as in the reader. Once bad, it reads zeros.
type flat struct {
	b      []byte
	bad    bool
	fields int
	bytes  uint64
}

// Slots of the tables that a schema message is made of, and the type numbers with parts of variable length.
const (
	messageHeader, messageBody                       = 2, 3
	schemaFields, schemaMetadata                     = 1, 2
	fieldName, fieldTypeKind, fieldType              = 0, 2, 3
	fieldChildren, fieldMetadata                     = 5, 6
	pairKey, pairValue                               = 0, 1
	timestampKind, timestampZone, unionKind, unionID = 10, 1, 14, 1
)

func (f *flat) message() {
	root := f.u32(0)
	if body := f.slot(root, messageBody); body != 0 && (f.u32(body) != 0 || f.u32(body+4) != 0) {
		f.bad = true // a schema has no body
	}
	header := f.slot(root, messageHeader)
	if header == 0 {
		f.bad = true
		return
	}
	schema := f.follow(header)
	f.pairs(f.slot(schema, schemaMetadata))
	f.each(f.slot(schema, schemaFields), func(field uint32) { f.field(field, 0) })
}

func (f *flat) field(at uint32, depth int) {
	if f.fields++; f.fields > storedFields || depth > storedDepth {
		f.bad = true
	}
	if f.bad {
		return
	}
	f.text(f.slot(at, fieldName), 1)
	f.pairs(f.slot(at, fieldMetadata))
	if kind, of := f.slot(at, fieldTypeKind), f.slot(at, fieldType); kind != 0 && of != 0 {
		switch f.u8(kind) {
		case timestampKind:
			f.text(f.slot(f.follow(of), timestampZone), 1)
		case unionKind:
			f.text(f.slot(f.follow(of), unionID), 4)
		}
	}
	f.each(f.slot(at, fieldChildren), func(child uint32) { f.field(child, depth+1) })
}

// pairs follows a vector of keys and values.
func (f *flat) pairs(slot uint32) {
	f.each(slot, func(pair uint32) {
		f.text(f.slot(pair, pairKey), 1)
		f.text(f.slot(pair, pairValue), 1)
	})
}

// each calls visit with the position of every table of a vector of tables.
func (f *flat) each(slot uint32, visit func(at uint32)) {
	if slot == 0 || f.bad {
		return
	}
	at := f.follow(slot)
	n := f.count(at, 4)
	for i := uint32(0); i < n && !f.bad; i++ {
		visit(f.follow(at + 4 + 4*i))
	}
}

// text takes account of a string, or of a vector of numbers of the given width.
func (f *flat) text(slot uint32, width uint32) {
	if slot != 0 && !f.bad {
		f.count(f.follow(slot), width)
	}
}

// count reads the length of a vector and takes account of its bytes.
func (f *flat) count(at, width uint32) uint32 {
	n := f.u32(at)
	if uint64(at)+4+uint64(n)*uint64(width) > uint64(len(f.b)) {
		f.bad = true
	}
	if f.bytes += uint64(n) * uint64(width); f.bytes > storedBytes {
		f.bad = true
	}
	if f.bad {
		return 0
	}
	return n
}

// slot gives the position of a table's field, 0 if it is not there.
func (f *flat) slot(table uint32, i uint16) uint32 {
	vtable := table - f.u32(table)
	if at := 4 + 2*i; at < f.u16(vtable) {
		if offset := f.u16(vtable + uint32(at)); offset != 0 {
			return table + uint32(offset)
		}
	}
	return 0
}

// follow gives the position that an offset points at.
func (f *flat) follow(at uint32) uint32 { return at + f.u32(at) }

func (f *flat) u32(at uint32) uint32 {
	if f.bad || uint64(at)+4 > uint64(len(f.b)) {
		f.bad = true
		return 0
	}
	return binary.LittleEndian.Uint32(f.b[at:])
}

func (f *flat) u16(at uint32) uint16 {
	if f.bad || uint64(at)+2 > uint64(len(f.b)) {
		f.bad = true
		return 0
	}
	return binary.LittleEndian.Uint16(f.b[at:])
}

func (f *flat) u8(at uint32) byte {
	if f.bad || uint64(at) >= uint64(len(f.b)) {
		f.bad = true
		return 0
	}
	return f.b[at]
}
