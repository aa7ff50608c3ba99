package columnar

import (
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// cast makes the values of an excerpt of a file's array those of the table's type. What it returns is the caller's. These
// casts give the values that the engine which defines the table format reads, also where one does not fit:
//
//	from                  to                       the value
//	int8, 16, 32          wider int                the same
//	int8 to int64         float32, float64         the nearest, ties to even
//	float32               float64                  the same, NaN and infinities too
//	bool                  int, float               0 or 1
//	bool, int8 to int64   decimal128(p,s)          the same; NULL if it has more than p digits
//	decimal128            decimal128(p,s)          rounded half away from zero to s digits after the point; NULL if it then
//	                                               has more than p digits
//	decimal128(p,s)       float64                  p up to 18: the float64 next to the unscaled value, divided by 10^s;
//	                                               else the nearest
//	decimal128            float32                  its float64, rounded
//	int8 to int64         text                     decimal digits
//	bool                  text                     true, false
//	decimal128(p,s)       text                     plain, with s digits after the point
//	date32                text                     2024-01-31; a year outside 0 to 9999 is ErrTooLarge
//	time32, time64        text                     10:20:30.5; a fraction if the time has a precision, as many digits as it
//	                                               needs up to the precision, at least one; a time outside of the day
//	                                               wraps around
//	timestamp             text                     2024-01-31 10:20:30.500; as many digits of a fraction as the precision,
//	                                               more if it needs them; years as for dates
//	date32                timestamp                midnight; ErrTooLarge if it does not fit 64 bits
//	timestamp             timestamp, finer         the same; ErrTooLarge if it does not fit 64 bits
//	timestamp             timestamp, coarser       digits are cut off: towards the past down to milliseconds, from there on
//	                                               towards 1970
//	time32, time64        time of a finer unit     the same; ErrTooLarge if it does not fit 32 bits
//	text                  text, large text         the same
//	binary, fixed binary  binary, large binary     the same
//
// Text is utf8 and large_utf8. A table column declared VARCHAR(n) or VARBINARY(n) keeps the first n characters or bytes of
// what is cast to it, one declared CHAR(n) or BINARY(n) is also filled up with blanks or zero bytes; text and binary whose
// field in the file declares no length are taken to fit. The precision of a time or timestamp is the declared one, else that
// of its unit. Timestamps with a zone and without are the same instant in UTC, and text shows them in UTC.
//
// All else is refused: narrower numbers, floats to decimals or text, text to anything else, unsigned integers, timestamps to
// dates or times, types of different kinds. A value is ErrTooLarge only if it is not NULL and lies in nothing that is.
type cast func(c *casting) (arrow.ArrayData, error)

// casting is one use of a cast.
type casting struct {
	excerpt
	table   arrow.DataType
	mem     memory.Allocator
	misfits []int // rows, counted from the first of the excerpt, that the table's type cannot hold
}

// castOf returns the cast between two types that are not nested, and whether the values change at all. Without a way from one
// to the other it is ErrSchema.
func castOf(file, table arrow.Field) (cast, bool, error) {
	from, to := file.Type.ID(), table.Type.ID()
	var c cast
	switch {
	case isText(table.Type):
		return textCast(file, table)
	case from == arrow.TIMESTAMP && to == arrow.TIMESTAMP:
		c, changes := timestampCast(file, table)
		return c, changes, nil
	case arrow.TypeEqual(file.Type, table.Type):
		return nil, false, nil
	case to == arrow.DECIMAL128:
		c = decimalCast(file.Type, table.Type.(*arrow.Decimal128Type))
	case from == arrow.DECIMAL128:
		c = decimalToFloatCast(file.Type.(*arrow.Decimal128Type), to)
	case from == arrow.DATE32 && to == arrow.TIMESTAMP:
		c = scaleUp[int32, int64](86400 * power10(unitDigits(table.Type.(*arrow.TimestampType).Unit)))
	case isTime(file.Type) && isTime(table.Type):
		c = timeCast(file.Type, table.Type)
	default:
		c = numberCast(from, to)
	}
	if c == nil {
		return nil, false, ErrSchema
	}
	return c, true, nil
}

// sameValues says whether the cast between two types, if there is one, only moves bytes.
func sameValues(file, table arrow.Field) bool {
	from := declaredOf(file)
	return isText(file.Type) && isText(table.Type) && (from.name == "" || from.limit().within(declaredOf(table).limit()))
}

// output returns a buffer for one value a row.
func output[D any](c *casting) (*memory.Buffer, []D) {
	values := NewBuffer(c.mem, c.rows()*int(unsafe.Sizeof(*new(D))))
	return values, castSlice[D](values.Bytes())
}

// input returns the values of the excerpt.
func input[S any](c *casting) []S { return Fixed[S](c.view)[c.from:c.to] }

// misfit notes a row whose value the table's type cannot hold.
func (c *casting) misfit(row int) { c.misfits = append(c.misfits, row) }

// done makes the array of values, as valid as the file's. Misfits under a NULL are none.
func (c *casting) done(values ...*memory.Buffer) arrow.ArrayData {
	kept := c.misfits[:0]
	for _, row := range c.misfits {
		if !c.view.IsNull(c.from + row) {
			kept = append(kept, row)
		}
	}
	c.misfits = kept
	valid := c.valid(c.mem)
	defer valid.Release()
	return newData(c.table, c.rows(), valid, nil, values...)
}

// doneNulls is done with every misfit NULL.
func (c *casting) doneNulls(values ...*memory.Buffer) arrow.ArrayData {
	if len(c.misfits) == 0 {
		return c.done(values...)
	}
	valid := c.copyValid(c.mem)
	defer valid.Release()
	bits := valid.Bitmap.Bytes()
	for _, row := range c.misfits {
		if bits[row>>3]>>(row&7)&1 != 0 {
			bits[row>>3] &^= 1 << (row & 7)
			valid.Nulls++
		}
	}
	c.misfits = nil
	return newData(c.table, c.rows(), valid, nil, values...)
}
