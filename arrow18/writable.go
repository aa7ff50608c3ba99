package arrow18

import (
	"fmt"
	"math"

	v18arrow "github.com/apache/arrow-go/v18/arrow"
	v18array "github.com/apache/arrow-go/v18/arrow/array"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/kernel"
)

// plainField is a field with types that the encoder can write: durations as integers, extension types as their storage where
// that needs rewriting. A field that cannot be written is columnar.ErrSchema.
func plainField(f v18arrow.Field, parent string) (v18arrow.Field, error) {
	path := childPath(parent, f.Name)
	dt, err := plainType(f.Type, path)
	if err != nil {
		return f, err
	}
	if dt.ID() == v18arrow.NULL && !f.Nullable {
		return f, fmt.Errorf("%w: column %q: NULL type in a NOT NULL column", columnar.ErrSchema, path)
	}
	f.Type = dt
	return f, nil
}

func plainType(dt v18arrow.DataType, path string) (v18arrow.DataType, error) {
	switch dt := dt.(type) {
	case v18arrow.ExtensionType:
		storage, err := plainType(dt.StorageType(), path)
		if err != nil || reshaped(storage) || !v18arrow.TypeEqual(storage, dt.StorageType()) {
			return storage, err
		}
		return dt, nil
	case *v18arrow.DurationType:
		return v18arrow.PrimitiveTypes.Int64, nil
	case *v18arrow.DictionaryType:
		return plainDictionary(dt, path)
	case *v18arrow.StructType:
		return plainStruct(dt, path)
	case *v18arrow.MapType:
		return plainMap(dt, path)
	case *v18arrow.ListType:
		elem, err := plainField(dt.ElemField(), path)
		return v18arrow.ListOfField(elem), err
	case *v18arrow.LargeListType:
		elem, err := plainField(dt.ElemField(), path)
		return v18arrow.LargeListOfField(elem), err
	case *v18arrow.FixedSizeListType:
		elem, err := plainField(dt.ElemField(), path)
		return v18arrow.FixedSizeListOfField(dt.Len(), elem), err
	}
	if !writes(dt) {
		return nil, notWritten(dt, path)
	}
	return dt, nil
}

// writes tells whether the encoder writes a type that holds no other.
func writes(dt v18arrow.DataType) bool {
	switch dt.ID() {
	case v18arrow.NULL, v18arrow.BOOL, v18arrow.INT8, v18arrow.INT16, v18arrow.INT32, v18arrow.INT64,
		v18arrow.UINT8, v18arrow.UINT16, v18arrow.UINT32, v18arrow.UINT64, v18arrow.FLOAT16, v18arrow.FLOAT32, v18arrow.FLOAT64,
		v18arrow.DECIMAL128, v18arrow.DECIMAL256, v18arrow.DATE32, v18arrow.DATE64, v18arrow.TIME32, v18arrow.TIME64, v18arrow.TIMESTAMP,
		v18arrow.FIXED_SIZE_BINARY, v18arrow.BINARY, v18arrow.STRING, v18arrow.LARGE_BINARY, v18arrow.LARGE_STRING:
		return true
	}
	return false
}

func notWritten(dt v18arrow.DataType, path string) error {
	return fmt.Errorf("%w: column %q: type %s cannot be written to Parquet", columnar.ErrSchema, path, dt)
}

func plainDictionary(dt *v18arrow.DictionaryType, path string) (v18arrow.DataType, error) {
	value, err := plainType(dt.ValueType, path)
	if err != nil {
		return nil, err
	}
	if _, nested := value.(v18arrow.NestedType); nested || value.ID() == v18arrow.NULL {
		return nil, notWritten(dt, path)
	}
	return &v18arrow.DictionaryType{IndexType: dt.IndexType, ValueType: value, Ordered: dt.Ordered}, nil
}

func plainStruct(dt *v18arrow.StructType, path string) (v18arrow.DataType, error) {
	fields := dt.Fields()
	if len(fields) == 0 {
		return nil, notWritten(dt, path)
	}
	for i := range fields {
		var err error
		if fields[i], err = plainField(fields[i], path); err != nil {
			return nil, err
		}
	}
	return v18arrow.StructOf(fields...), nil
}

func plainMap(dt *v18arrow.MapType, path string) (v18arrow.DataType, error) {
	key, err := plainField(dt.KeyField(), path)
	if err != nil {
		return nil, err
	}
	item, err := plainField(dt.ItemField(), path)
	if err != nil {
		return nil, err
	}
	out := v18arrow.MapOfFields(key, item)
	out.KeysSorted = dt.KeysSorted
	return out, nil
}

// checkValues looks for values that the encoder would write as others: NULLs where a field is not nullable, and date64 values
// within a day. above are the rows of d whose parents are valid; the others are not written.
func checkValues(f v18arrow.Field, d v18arrow.ArrayData, above mask, parent string) error {
	path := childPath(parent, f.Name)
	own := validity(d)
	if !f.Nullable && own.bits != nil {
		for i := range d.Len() {
			if !own.valid(i) && above.valid(i) {
				return fmt.Errorf("column %q: %w", path, kernel.ErrNotNull)
			}
		}
	}
	present := own.and(above, d.Len())
	switch dt := f.Type.(type) {
	case *v18arrow.Date64Type:
		return checkDays(d, present, path)
	case *v18arrow.StructType:
		return checkChildren(dt, d, present, path)
	case v18arrow.ListLikeType:
		return checkElements(dt, d, present, path)
	}
	return nil
}

func checkChildren(dt *v18arrow.StructType, d v18arrow.ArrayData, present mask, path string) error {
	for i, c := range d.Children() {
		rows := v18array.NewSliceData(c, int64(d.Offset()), int64(d.Offset()+d.Len()))
		err := checkValues(dt.Field(i), rows, present, path)
		rows.Release()
		if err != nil {
			return err
		}
	}
	return nil
}

// checkElements checks the values of lists, a run of present rows at a time.
func checkElements(dt v18arrow.ListLikeType, d v18arrow.ArrayData, present mask, path string) error {
	from := listOffsets(d)
	for i := 0; i < d.Len(); {
		start := i
		for i < d.Len() && present.valid(i) {
			i++
		}
		if from[i] > from[start] {
			values := v18array.NewSliceData(d.Children()[0], from[start], from[i])
			err := checkValues(dt.ElemField(), values, mask{}, path)
			values.Release()
			if err != nil {
				return err
			}
		}
		for i < d.Len() && !present.valid(i) {
			i++
		}
	}
	return nil
}

// checkDays checks that date64 values are whole days, in the range of Parquet's dates.
func checkDays(d v18arrow.ArrayData, present mask, path string) error {
	const day = 86_400_000
	if d.Len() == 0 {
		return nil
	}
	values := v18arrow.Int64Traits.CastFromBytes(d.Buffers()[1].Bytes())[d.Offset():][:d.Len()]
	for i, v := range values {
		if present.valid(i) && (v%day != 0 || v/day > math.MaxInt32 || v/day < math.MinInt32) {
			return fmt.Errorf("%w: column %q: date64 value %d is no date that Parquet has", columnar.ErrTooLarge, path, v)
		}
	}
	return nil
}
