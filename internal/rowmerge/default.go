package rowmerge

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// readDefaults reads the defaults of a schema's columns, nil for none, from their metadata `paimon.default`.
func readDefaults(schema *arrow.Schema) ([]any, *Error) {
	defaults := make([]any, schema.NumFields())
	for i, f := range schema.Fields() {
		text, ok := f.Metadata.GetValue("paimon.default")
		if !ok {
			continue
		}
		var err error
		if defaults[i], err = readDefault(plainType(f.Type), text); err != nil {
			return nil, configf("default %q of column %q: %v", text, f.Name, err)
		}
	}
	return defaults, nil
}

// readDefault reads a value of a type from text.
func readDefault(t arrow.DataType, text string) (any, error) {
	switch t := t.(type) {
	case *arrow.StringType, *arrow.LargeStringType, *arrow.StringViewType:
		return text, nil
	case *arrow.BooleanType:
		return strconv.ParseBool(strings.ToLower(text))
	case *arrow.Float32Type:
		f, err := strconv.ParseFloat(text, 32)
		return float32(f), err
	case *arrow.Float64Type:
		return strconv.ParseFloat(text, 64)
	case *arrow.Decimal128Type:
		return decimal128.FromString(text, t.Precision, t.Scale)
	}
	width, ok := integerOf(t)
	if !ok {
		return nil, strconv.ErrSyntax
	}
	n, ok := new(big.Int).SetString(text, 10)
	if !ok {
		return nil, strconv.ErrSyntax
	}
	v, err := width.put(n)
	if err != nil {
		return nil, err
	}
	return v, nil
}
