package arrow18

import (
	"encoding/binary"
	"fmt"
	"math"

	v18arrow "github.com/apache/arrow-go/v18/arrow"
	v18array "github.com/apache/arrow-go/v18/arrow/array"
	v18memory "github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// INT96 is a point in time of 12 bytes, lowest first:
//
//	nanoseconds of the day, 8 bytes | Julian day, 4 bytes
//
// For times before 1970 some writers count the nanoseconds down from the next midnight, so that they are below zero.
const (
	int96Bytes  = 12
	dayNanos    = 86_400_000_000_000
	epochJulian = 2_440_588
)

// timestamps makes an array of type dt, timestamps in nanoseconds, of an array d whose buffer has INT96 values. The caller owns
// the result.
func (l lists) timestamps(d v18arrow.ArrayData, dt v18arrow.DataType) (v18arrow.ArrayData, error) {
	out := l.buffer(v18arrow.Int64Traits.BytesRequired(d.Len()))
	defer out.Release()
	clear(out.Bytes())
	values, valid := v18arrow.Int64Traits.CastFromBytes(out.Bytes()), validity(d)
	var raw []byte
	if b := d.Buffers()[1]; b != nil {
		raw = b.Bytes()
	}
	if len(raw) < (d.Offset()+d.Len())*int96Bytes {
		return nil, fmt.Errorf("%d bytes of INT96 for %d rows", len(raw), d.Len())
	}
	for i := range values {
		if !valid.valid(i) {
			continue
		}
		var err error
		if values[i], err = sinceEpoch(raw[(d.Offset()+i)*int96Bytes:]); err != nil {
			return nil, fmt.Errorf("row %d: %w", i, err)
		}
	}
	own := l.ownValidity(d)
	if own != nil {
		defer own.Release()
	}
	return v18array.NewData(dt, d.Len(), []*v18memory.Buffer{own, out}, nil, d.NullN(), 0), nil
}

// sinceEpoch gives the nanoseconds since 1970 that an INT96 value stands for.
func sinceEpoch(b []byte) (int64, error) {
	nanos := int64(binary.LittleEndian.Uint64(b))
	day := int64(int32(binary.LittleEndian.Uint32(b[8:]))) - epochJulian
	if nanos <= -dayNanos || nanos >= dayNanos {
		return 0, fmt.Errorf("%d nanoseconds in a day of INT96", nanos)
	}
	// The day and its part are taken to one side of 1970, so that their sum leaves the range only if the time does.
	switch {
	case day < 0 && nanos > 0:
		day, nanos = day+1, nanos-dayNanos
	case day > 0 && nanos < 0:
		day, nanos = day-1, nanos+dayNanos
	}
	if day < math.MinInt64/dayNanos || day > math.MaxInt64/dayNanos {
		return 0, beyondNanos(day)
	}
	sum := day*dayNanos + nanos
	if nanos < 0 && sum > day*dayNanos || nanos > 0 && sum < day*dayNanos {
		return 0, beyondNanos(day)
	}
	return sum, nil
}

func beyondNanos(day int64) error {
	return fmt.Errorf("%w: day %d since 1970 is beyond what nanoseconds count", columnar.ErrTooLarge, day)
}
