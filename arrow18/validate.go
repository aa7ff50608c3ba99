package arrow18

import (
	"fmt"

	v18arrow "github.com/apache/arrow-go/v18/arrow"
	v18array "github.com/apache/arrow-go/v18/arrow/array"
)

// checkParts checks that the parts of an array fit each other, and that indices are within their dictionary.
func checkParts(a v18arrow.Array) error {
	if err := v18array.Validate(a); err != nil {
		return err
	}
	return checkIndices(a)
}

// checkIndices looks for dictionaries in a and its children.
func checkIndices(a v18arrow.Array) error {
	switch a := a.(type) {
	case *v18array.Dictionary:
		return checkDictionary(a)
	case v18array.ExtensionArray:
		return checkIndices(a.Storage())
	case v18array.ListLike:
		return checkIndices(a.ListValues())
	case *v18array.Struct:
		for i := range a.NumField() {
			if err := checkIndices(a.Field(i)); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkDictionary(a *v18array.Dictionary) error {
	values := a.Dictionary().Len()
	if indices, ok := a.Indices().(*v18array.Int32); ok && within(indices.Int32Values(), values) {
		return nil
	}
	for i := range a.Len() {
		if a.IsValid(i) && uint(a.GetValueIndex(i)) >= uint(values) {
			return fmt.Errorf("row %d has value %d of a dictionary of %d", i, a.GetValueIndex(i), values)
		}
	}
	return nil
}

// within tells whether all indices, those of NULLs too, are below n.
func within(indices []int32, n int) bool {
	most := uint32(0)
	for _, v := range indices {
		most = max(most, uint32(v))
	}
	return len(indices) == 0 || int64(most) < int64(n)
}
