package arrow18_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/braidmerge/braid/arrow18"
	"github.com/braidmerge/braid/columnar"
)

const physInt96 = 3

// int96File is a file of INT96 values, each a day since 1970 and nanoseconds of it.
func int96File(values ...[2]int64) []byte {
	var page []byte
	for _, v := range values {
		page = binary.LittleEndian.AppendUint64(page, uint64(v[1]))
		page = binary.LittleEndian.AppendUint32(page, uint32(v[0]+2_440_588))
	}
	n := int64(len(values))
	return forged{physical: physInt96, rows: n, values: n, pages: dataPage(n, 0, int64(len(page)), page)}.bytes()
}

func TestInt96(t *testing.T) {
	const day = 86_400_000_000_000
	cases := []struct {
		day, nanos, want int64
	}{
		{0, 0, 0},
		{0, 1, 1},
		{1, 1, day + 1},
		{-1, day - 1, -1},
		{0, -1, -1}, // the same time, counted down
		{1, -1, day - 1},
		{-1, -1, -day - 1},
		{106_751, math.MaxInt64 - 106_751*day, math.MaxInt64},
		{106_752, math.MaxInt64 - 106_751*day - day, math.MaxInt64},
		{-106_752, math.MinInt64 + 106_751*day + day, math.MinInt64},
		{-106_751, math.MinInt64 + 106_751*day, math.MinInt64},
	}
	var values [][2]int64
	for _, c := range cases {
		values = append(values, [2]int64{c.day, c.nanos})
	}
	mem, _ := checked(t)
	_, recs := decode(t, int96File(values...), arrow18.ReadOptions{Allocator: mem})
	for i, c := range cases {
		if got := int64(recs[0].Column(0).(*array.Timestamp).Value(i)); got != c.want {
			t.Errorf("day %d, %d ns: %d, want %d", c.day, c.nanos, got, c.want)
		}
	}
	recs[0].Release()
}

func TestInt96OutOfRange(t *testing.T) {
	const day = 86_400_000_000_000
	for _, c := range []struct {
		value [2]int64
		kind  error
	}{
		{[2]int64{106_751, math.MaxInt64 - 106_751*day + 1}, columnar.ErrTooLarge},
		{[2]int64{-106_751, math.MinInt64 + 106_751*day - 1}, columnar.ErrTooLarge},
		{[2]int64{2_932_896, 0}, columnar.ErrTooLarge}, // the last day of the year 9999
		{[2]int64{-719_162, 0}, columnar.ErrTooLarge},  // the first day of the year 1
		{[2]int64{math.MaxInt32 - 2_440_588, 0}, columnar.ErrTooLarge},
		{[2]int64{0, day}, columnar.ErrCorrupt},
		{[2]int64{0, -day}, columnar.ErrCorrupt},
		{[2]int64{0, math.MinInt64}, columnar.ErrCorrupt},
	} {
		err := survive(t, int96File([2]int64{0, 0}, c.value))
		if !errors.Is(err, c.kind) || !containsAll(fmt.Sprint(err), `column "c"`, "row 1") {
			t.Errorf("%v: error %v", c.value, err)
		}
	}
}
