package columnar

import "github.com/apache/arrow/go/v17/arrow"

// number is what integers and floats are cast to and from.
type number interface {
	int8 | int16 | int32 | int64 | float32 | float64
}

// numberRank orders the number types: each holds those before it, exactly or as nearest value.
func numberRank(t arrow.Type) int {
	switch t {
	case arrow.INT8:
		return 1
	case arrow.INT16:
		return 2
	case arrow.INT32:
		return 3
	case arrow.INT64:
		return 4
	case arrow.FLOAT32:
		return 5
	case arrow.FLOAT64:
		return 6
	}
	return 0
}

// numberCast returns the cast from a number or boolean to a number, nil if there is none.
func numberCast(from, to arrow.Type) cast {
	if from == arrow.BOOL {
		return boolCast(to)
	}
	if numberRank(from) == 0 || numberRank(to) <= numberRank(from) {
		return nil
	}
	switch from {
	case arrow.INT8:
		return widenCast[int8](to)
	case arrow.INT16:
		return widenCast[int16](to)
	case arrow.INT32:
		return widenCast[int32](to)
	case arrow.INT64:
		return widenCast[int64](to)
	}
	return widenCast[float32](to)
}

func widenCast[S number](to arrow.Type) cast {
	switch to {
	case arrow.INT16:
		return widen[S, int16]
	case arrow.INT32:
		return widen[S, int32]
	case arrow.INT64:
		return widen[S, int64]
	case arrow.FLOAT32:
		return widen[S, float32]
	}
	return widen[S, float64]
}

func widen[S, D number](c *casting) (arrow.ArrayData, error) {
	values, dst := output[D](c)
	src := input[S](c)
	dst = dst[:len(src)]
	for i, x := range src {
		dst[i] = D(x)
	}
	return c.done(values), nil
}

func boolCast(to arrow.Type) cast {
	switch to {
	case arrow.INT8:
		return boolTo[int8]
	case arrow.INT16:
		return boolTo[int16]
	case arrow.INT32:
		return boolTo[int32]
	case arrow.INT64:
		return boolTo[int64]
	case arrow.FLOAT32:
		return boolTo[float32]
	case arrow.FLOAT64:
		return boolTo[float64]
	}
	return nil
}

func boolTo[D number](c *casting) (arrow.ArrayData, error) {
	values, dst := output[D](c)
	bits, at := c.view.bits, c.view.bitsAt+c.from
	for i := range dst {
		dst[i] = D(bits[(at+i)>>3] >> ((at + i) & 7) & 1)
	}
	return c.done(values), nil
}
