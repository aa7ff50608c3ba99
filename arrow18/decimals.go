package arrow18

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"

	v18arrow "github.com/apache/arrow-go/v18/arrow"
	v18array "github.com/apache/arrow-go/v18/arrow/array"
	v18memory "github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"github.com/braidmerge/braid/columnar"
)

// Parquet stores decimals of up to 9 digits as int32, of up to 18 as int64, and longer ones as bytes, the highest first. A sum
// may have more digits than its type and still be stored exactly. The encoder refuses such a value as an integer and cuts it
// as bytes: integers are given to it as what they are, under a type that says decimal to Parquet alone, and what does not fit
// the bytes is refused here.
const (
	digitsOfInt32 = 9
	digitsOfInt64 = 18
)

// storedDecimal is the v18 extension type of integers that are decimals in Parquet.
type storedDecimal struct {
	v18arrow.ExtensionBase
	precision, scale int32
}

type storedDecimalArray struct{ v18array.ExtensionArrayBase }

// ArrayType is part of arrow.ExtensionType.
func (*storedDecimal) ArrayType() reflect.Type { return reflect.TypeOf(storedDecimalArray{}) }

// ExtensionName is part of arrow.ExtensionType.
func (*storedDecimal) ExtensionName() string { return "braid.stored_decimal" }

// ExtensionEquals is part of arrow.ExtensionType.
func (d *storedDecimal) ExtensionEquals(o v18arrow.ExtensionType) bool {
	other, ok := o.(*storedDecimal)
	return ok && d.precision == other.precision && d.scale == other.scale
}

// Serialize is part of arrow.ExtensionType. The type never leaves the writer.
func (*storedDecimal) Serialize() string { return "" }

// Deserialize is part of arrow.ExtensionType.
func (d *storedDecimal) Deserialize(v18arrow.DataType, string) (v18arrow.ExtensionType, error) {
	return d, nil
}

// ParquetLogicalType is part of pqarrow.ExtensionCustomParquetType.
func (d *storedDecimal) ParquetLogicalType() schema.LogicalType {
	return schema.NewDecimalLogicalType(d.precision, d.scale)
}

// decimalType is the type under which the encoder is given decimals.
func decimalType(dt v18arrow.DecimalType) v18arrow.DataType {
	storage := v18arrow.PrimitiveTypes.Int64
	switch {
	case dt.GetPrecision() <= digitsOfInt32:
		storage = v18arrow.PrimitiveTypes.Int32
	case dt.GetPrecision() > digitsOfInt64:
		return dt
	}
	return &storedDecimal{v18arrow.ExtensionBase{Storage: storage}, dt.GetPrecision(), dt.GetScale()}
}

// decimals gives decimals the type decimalType. The caller owns the result.
func (l lists) decimals(d v18arrow.ArrayData, dt v18arrow.DecimalType) (v18arrow.ArrayData, error) {
	width := dt.BitWidth() / 8
	valid := validity(d)
	stored, ok := decimalType(dt).(*storedDecimal)
	if !ok {
		return wideDecimals(d, valid, width, int(pqarrow.DecimalSize(dt.GetPrecision())))
	}
	long := stored.Storage.ID() == v18arrow.INT64
	size := 4
	if long {
		size = 8
	}
	out := l.buffer(d.Len() * size)
	defer out.Release()
	clear(out.Bytes())
	for i := range d.Len() {
		if !valid.valid(i) {
			continue
		}
		b := decimalAt(d, i, width)
		v := int64(binary.LittleEndian.Uint64(b))
		switch {
		case !fits(b, 8) || !long && (v < math.MinInt32 || v > math.MaxInt32):
			return nil, unfitDecimal(i, size)
		case long:
			binary.NativeEndian.PutUint64(out.Bytes()[i*8:], uint64(v))
		default:
			binary.NativeEndian.PutUint32(out.Bytes()[i*4:], uint32(v))
		}
	}
	own := l.ownValidity(d)
	if own != nil {
		defer own.Release()
	}
	return v18array.NewData(stored, d.Len(), []*v18memory.Buffer{own, out}, nil, d.NullN(), 0), nil
}

// wideDecimals gives decimals of more than 18 digits as they are, if they fit the bytes of their type.
func wideDecimals(d v18arrow.ArrayData, valid mask, width, bytes int) (v18arrow.ArrayData, error) {
	for i := range d.Len() {
		if valid.valid(i) && !fits(decimalAt(d, i, width), bytes) {
			return nil, unfitDecimal(i, bytes)
		}
	}
	d.Retain()
	return d, nil
}

func unfitDecimal(row, bytes int) error {
	return fmt.Errorf("%w: row %d: decimal of more than the %d bytes that its type has in Parquet", columnar.ErrTooLarge, row, bytes)
}

// decimalAt gives a value, lowest byte first.
func decimalAt(d v18arrow.ArrayData, i, width int) []byte {
	from := (d.Offset() + i) * width
	return d.Buffers()[1].Bytes()[from : from+width]
}

// fits tells whether a two's complement number, lowest byte first, is the same in n bytes.
func fits(b []byte, n int) bool {
	fill := byte(0)
	if b[n-1]&0x80 != 0 {
		fill = 0xff
	}
	for _, high := range b[n:] {
		if high != fill {
			return false
		}
	}
	return true
}
