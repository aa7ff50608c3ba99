package arrow18

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"time"
	"unicode/utf8"

	v18arrow "github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/float16"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/metadata"
)

// addStatistics adds the statistics of a column chunk whose values have type dt. Statistics that are absent, or of a writer
// known to write wrong ones, leave c as it is.
func (c *ColumnInfo) addStatistics(meta *metadata.ColumnChunkMetaData, dt v18arrow.DataType) error {
	s, err := meta.Statistics()
	if err != nil || s == nil {
		return err
	}
	if s.HasNullCount() {
		c.Nulls = s.NullCount()
	}
	if s.HasMinMax() {
		c.Min, c.Max = printStatistic(s.EncodeMin(), meta.Type(), dt), printStatistic(s.EncodeMax(), meta.Type(), dt)
		c.Bounded = c.Min != "" && c.Max != ""
	}
	return nil
}

// printStatistic prints a value as it stands in statistics, plain encoded but without a length. "" stands for bytes that are
// no value of the type.
func printStatistic(b []byte, physical parquet.Type, dt v18arrow.DataType) string {
	switch physical {
	case parquet.Types.ByteArray, parquet.Types.FixedLenByteArray:
		return printBytes(b, dt)
	case parquet.Types.Boolean:
		if len(b) == 1 {
			return strconv.FormatBool(b[0] != 0)
		}
	case parquet.Types.Int32:
		if len(b) == 4 {
			return printInteger(int64(int32(binary.LittleEndian.Uint32(b))), dt)
		}
	case parquet.Types.Int64:
		if len(b) == 8 {
			return printInteger(int64(binary.LittleEndian.Uint64(b)), dt)
		}
	case parquet.Types.Float:
		if len(b) == 4 {
			return strconv.FormatFloat(float64(math.Float32frombits(binary.LittleEndian.Uint32(b))), 'g', -1, 32)
		}
	case parquet.Types.Double:
		if len(b) == 8 {
			return strconv.FormatFloat(math.Float64frombits(binary.LittleEndian.Uint64(b)), 'g', -1, 64)
		}
	}
	return ""
}

func printInteger(v int64, dt v18arrow.DataType) string {
	switch dt := dt.(type) {
	case v18arrow.DecimalType:
		return printDecimal(big.NewInt(v), dt.GetScale())
	case *v18arrow.Date32Type, *v18arrow.Date64Type:
		return v18arrow.Date32(v).FormattedString()
	case *v18arrow.Time32Type:
		return v18arrow.Time32(v).FormattedString(dt.Unit)
	case *v18arrow.Time64Type:
		return v18arrow.Time64(v).FormattedString(dt.Unit)
	case *v18arrow.TimestampType:
		return printTimestamp(v, dt)
	case *v18arrow.Uint32Type:
		return strconv.FormatUint(uint64(uint32(v)), 10)
	case *v18arrow.Uint64Type:
		return strconv.FormatUint(uint64(v), 10)
	}
	return strconv.FormatInt(v, 10)
}

func printTimestamp(v int64, dt *v18arrow.TimestampType) string {
	layout := "2006-01-02T15:04:05.999999999"
	if dt.TimeZone != "" {
		layout += "Z"
	}
	return v18arrow.Timestamp(v).ToTime(dt.Unit).In(time.UTC).Format(layout)
}

func printBytes(b []byte, dt v18arrow.DataType) string {
	switch dt := dt.(type) {
	case v18arrow.DecimalType:
		return printDecimal(bigEndian(b), dt.GetScale())
	case *v18arrow.Float16Type:
		if len(b) != 2 {
			return ""
		}
		return float16.FromLEBytes(b).String()
	case *v18arrow.StringType, *v18arrow.LargeStringType, *v18arrow.DictionaryType:
		if utf8.Valid(b) {
			return strconv.Quote(string(b))
		}
	}
	return fmt.Sprintf("0x%x", b)
}

// bigEndian reads a two's complement number, highest byte first.
func bigEndian(b []byte) *big.Int {
	v := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0]&0x80 != 0 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return v
}

// printDecimal prints an unscaled decimal, with as many digits after the point as its scale.
func printDecimal(v *big.Int, scale int32) string {
	if scale <= 0 {
		return v.String()
	}
	digits := fmt.Sprintf("%0*s", int(scale)+1, new(big.Int).Abs(v).String())
	sign := ""
	if v.Sign() < 0 {
		sign = "-"
	}
	return sign + digits[:len(digits)-int(scale)] + "." + digits[len(digits)-int(scale):]
}
