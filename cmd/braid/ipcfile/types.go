package ipcfile

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
)

// checkTypes refuses types whose parameters make no sense.
func checkTypes(schema *arrow.Schema) error {
	for _, field := range schema.Fields() {
		if err := checkType(field.Type); err != nil {
			return fmt.Errorf("column %q: %w", field.Name, err)
		}
	}
	return nil
}

func checkType(dt arrow.DataType) error {
	switch dt := dt.(type) {
	case *arrow.FixedSizeBinaryType:
		if dt.ByteWidth < 0 {
			return corrupt("fixed-size binary of %d bytes", dt.ByteWidth)
		}
	case *arrow.FixedSizeListType:
		if dt.Len() < 0 {
			return corrupt("fixed-size list of %d values", dt.Len())
		}
	case *arrow.Decimal128Type:
		return checkDecimal(dt, 38)
	case *arrow.Decimal256Type:
		return checkDecimal(dt, 76)
	case *arrow.DictionaryType:
		return checkType(dt.ValueType)
	case arrow.ExtensionType:
		return checkType(dt.StorageType())
	}
	if nested, ok := dt.(arrow.NestedType); ok {
		for _, field := range nested.Fields() {
			if err := checkType(field.Type); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkDecimal checks precision and scale of a decimal of at most this many digits.
func checkDecimal(dt arrow.DecimalType, digits int32) error {
	if p, s := dt.GetPrecision(), dt.GetScale(); p < 1 || p > digits || s < -digits || s > digits {
		return corrupt("decimal of precision %d and scale %d", p, s)
	}
	return nil
}
