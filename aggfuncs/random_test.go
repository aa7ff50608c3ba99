package aggfuncs_test

import (
	"math"
	"math/big"
	"math/rand/v2"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"github.com/braidmerge/braid/internal/rowmerge"
)

// randomValue draws a value of a type, mostly out of few, and often one from the ends. It is never NULL itself, but its parts
// may be.
func randomValue(rng *rand.Rand, t arrow.DataType) any {
	switch t := t.(type) {
	case *arrow.BooleanType:
		return rng.IntN(2) == 0
	case *arrow.Float32Type:
		if rng.IntN(8) == 0 {
			return math.Float32frombits(0x7f800001 + rng.Uint32N(3)<<20 | rng.Uint32()&(1<<31))
		}
		return float32(randomFloat(rng))
	case *arrow.Float64Type:
		if rng.IntN(8) == 0 {
			return math.Float64frombits(0x7ff0000000000001 + uint64(rng.IntN(3))<<50 | rng.Uint64()&(1<<63))
		}
		return randomFloat(rng)
	case *arrow.Decimal128Type:
		return randomDecimal(rng, t)
	case *arrow.StringType, *arrow.LargeStringType:
		return randomText(rng)
	case *arrow.BinaryType:
		return []byte(randomText(rng))
	case *arrow.FixedSizeBinaryType:
		b := make([]byte, t.ByteWidth)
		b[0] = byte(rng.IntN(3))
		return b
	case *arrow.MapType:
		m := rowmerge.Map{}
		for range rng.IntN(4) {
			m = append(m, rowmerge.Entry{Key: randomValue(rng, t.KeyType()), Value: randomOrNull(rng, t.ItemType())})
		}
		return m
	case *arrow.StructType:
		row := rowmerge.Struct{}
		for _, f := range t.Fields() {
			row = append(row, randomOrNull(rng, f.Type))
		}
		return row
	case arrow.ListLikeType:
		list, n := rowmerge.List{}, rng.IntN(4)
		if fixed, ok := t.(*arrow.FixedSizeListType); ok {
			n = int(fixed.Len())
		}
		for range n {
			list = append(list, randomOrNull(rng, t.Elem()))
		}
		return list
	}
	return randomInteger(rng, t)
}

func randomOrNull(rng *rand.Rand, t arrow.DataType) any {
	if rng.IntN(5) == 0 {
		return nil
	}
	return randomValue(rng, t)
}

func randomFloat(rng *rand.Rand) float64 {
	return []float64{0, math.Copysign(0, -1), 1, -1, 0.1, 2.5, 1e17, -1e17, math.Inf(1), math.Inf(-1), math.MaxFloat64, 3e38,
		math.SmallestNonzeroFloat64, 7}[rng.IntN(14)]
}

func randomDecimal(rng *rand.Rand, t *arrow.Decimal128Type) any {
	limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(t.Precision)), nil)
	switch rng.IntN(6) {
	case 0: // an end of the type, or nearly
		n := new(big.Int).Sub(limit, big.NewInt(1+rng.Int64N(3)))
		if rng.IntN(2) == 0 {
			n.Neg(n)
		}
		return decimal128.FromBigInt(n)
	case 1: // a simple number
		n := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(t.Scale)), nil)
		n.Mul(n, big.NewInt(rng.Int64N(5)-1))
		return decimal128.FromBigInt(n.Rem(n, limit))
	case 2: // of any length
		n := randomBelow(rng, limit)
		return decimal128.FromBigInt(n.Rsh(n, rng.UintN(100)))
	}
	return decimal128.FromI64(rng.Int64N(40) - 20)
}

var alphabet = []string{"", " ", "a", "b", "ab", ",", "a,b", "b,", "a b", "\t", "\u00a0", "\u2003", "c,a,c", ";;", ",;", "x;;y"}

func randomText(rng *rand.Rand) string {
	text := ""
	for range 1 + rng.IntN(2) {
		text += alphabet[rng.IntN(len(alphabet))]
	}
	return text
}

func randomInteger(rng *rand.Rand, t arrow.DataType) any {
	n := rng.Int64N(7) - 2
	switch rng.IntN(10) {
	case 0:
		n = math.MaxInt64 - rng.Int64N(3)
	case 1:
		n = math.MinInt64 + rng.Int64N(3)
	case 2:
		n = int64(rng.Uint64())
	}
	bits := t.(arrow.FixedWidthDataType).BitWidth()
	if rng.IntN(4) == 0 { // keep the ends of narrower types, too
		n >>= 64 - bits
	}
	switch t.ID() {
	case arrow.INT8:
		return int8(n)
	case arrow.INT16:
		return int16(n)
	case arrow.INT32:
		return int32(n)
	case arrow.INT64:
		return n
	case arrow.UINT8:
		return uint8(n)
	case arrow.UINT16:
		return uint16(n)
	case arrow.UINT32:
		return uint32(n)
	case arrow.UINT64:
		return uint64(n)
	case arrow.DATE32:
		return arrow.Date32(n)
	case arrow.TIME32:
		return arrow.Time32(n)
	case arrow.TIMESTAMP:
		return arrow.Timestamp(n)
	}
	panic("no integer of type " + t.String())
}

func randomBelow(rng *rand.Rand, limit *big.Int) *big.Int {
	n := new(big.Int)
	for range 3 {
		n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(rng.Uint64()))
	}
	return n.Mod(n, limit)
}

// smallValue draws 1, or now and then 2.
func smallValue(rng *rand.Rand, t arrow.DataType) any {
	n := 1
	if rng.IntN(10) == 0 {
		n = 2
	}
	switch t.ID() {
	case arrow.INT8:
		return int8(n)
	case arrow.INT16:
		return int16(n)
	case arrow.INT32:
		return int32(n)
	case arrow.INT64:
		return int64(n)
	case arrow.UINT8:
		return uint8(n)
	case arrow.UINT16:
		return uint16(n)
	case arrow.UINT32:
		return uint32(n)
	case arrow.UINT64:
		return uint64(n)
	case arrow.FLOAT32:
		return float32(n)
	case arrow.FLOAT64:
		return float64(n)
	}
	return decimal128.FromI64(int64(n))
}
