package aggfuncs_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/aggfuncs"
	"github.com/braidmerge/braid/internal/testscale"
)

// column makes a field f of a type, with a table type of its own if declared is not empty.
func column(t arrow.DataType, declared string) arrow.Field {
	f := arrow.Field{Name: "f", Type: t, Nullable: true}
	if declared != "" {
		f.Metadata = arrow.MetadataFrom(map[string]string{"paimon.type": declared})
	}
	return f
}

// option is an option of field f, for both sides.
type option struct {
	key, value string
	set        func(*aggfuncs.Options)
}

var (
	ignoreRetract = option{"ignore-retract", "true", func(o *aggfuncs.Options) { o.IgnoreRetract = true }}
	distinct      = option{"distinct", "true", func(o *aggfuncs.Options) { o.Distinct = true }}
)

func delimiter(text string) option {
	return option{"list-agg-delimiter", text, func(o *aggfuncs.Options) { o.ListAggDelimiter = &text }}
}

func limit(n int32) option {
	return option{"count-limit", fmt.Sprint(n), func(o *aggfuncs.Options) { o.CountLimit = &n }}
}

func nestedKey(name string, more ...string) option {
	text := name
	for _, m := range more {
		text += "," + m
	}
	return option{"nested-key", text, func(o *aggfuncs.Options) { o.NestedKey = append([]string{name}, more...) }}
}

func nestedSequence(name string) option {
	return option{"nested-sequence-field", name, func(o *aggfuncs.Options) { o.NestedSequenceField = []string{name} }}
}

func nullStrategy(name string, s aggfuncs.NullStrategy) option {
	return option{"nested-key-null-strategy", name, func(o *aggfuncs.Options) { o.NestedKeyNullStrategy = s }}
}

// with makes a subject.
func with(name string, f arrow.Field, options ...option) *subject {
	s := &subject{name: name, field: f, table: map[string]string{}}
	for _, o := range options {
		s.table["fields.f."+o.key] = o.value
		o.set(&s.options)
	}
	return s
}

// strict makes a subject of strict mode.
func (s *subject) strict() *subject {
	c := *s
	c.table = maps.Clone(s.table)
	c.table["braid.strict"] = "true"
	c.options.Strict = true
	return &c
}

var (
	integerTypes = []arrow.DataType{
		arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Int16, arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64,
		arrow.PrimitiveTypes.Uint8, arrow.PrimitiveTypes.Uint16, arrow.PrimitiveTypes.Uint32, arrow.PrimitiveTypes.Uint64,
	}
	floatTypes   = []arrow.DataType{arrow.PrimitiveTypes.Float32, arrow.PrimitiveTypes.Float64}
	decimalTypes = []arrow.DataType{
		&arrow.Decimal128Type{Precision: 4, Scale: 2}, &arrow.Decimal128Type{Precision: 18, Scale: 0},
		&arrow.Decimal128Type{Precision: 19, Scale: 4}, &arrow.Decimal128Type{Precision: 38, Scale: 10},
		&arrow.Decimal128Type{Precision: 38, Scale: 38}, &arrow.Decimal128Type{Precision: 30, Scale: 25},
	}
	otherTypes = []arrow.DataType{
		arrow.FixedWidthTypes.Boolean, arrow.FixedWidthTypes.Date32, arrow.FixedWidthTypes.Time32ms,
		&arrow.TimestampType{Unit: arrow.Nanosecond}, &arrow.TimestampType{Unit: arrow.Second, TimeZone: "UTC"},
		arrow.BinaryTypes.String, arrow.BinaryTypes.LargeString, arrow.BinaryTypes.Binary, &arrow.FixedSizeBinaryType{ByteWidth: 3},
	}
	scalarTypes = concat(integerTypes, floatTypes, decimalTypes, otherTypes)
	rowType     = arrow.StructOf(
		arrow.Field{Name: "a", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
		arrow.Field{Name: "b", Type: arrow.BinaryTypes.String, Nullable: true},
		arrow.Field{Name: "c", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
		arrow.Field{Name: "d", Type: arrow.FixedWidthTypes.Boolean, Nullable: true},
	)
)

func concat(lists ...[]arrow.DataType) (all []arrow.DataType) {
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

// checkAll checks subjects, each in a test of its own. BRAID_SAMPLE makes it one window in so many, BRAID_SEED draws others.
func checkAll(t *testing.T, windows int, subjects ...*subject) {
	windows = testscale.Few(t, windows, 10)
	seed := uint64(testscale.Number(t, "BRAID_SEED", 1))
	for i, s := range subjects {
		t.Run(fmt.Sprintf("%s-%d", s.name, i), func(t *testing.T) { s.check(t, windows, seed<<32|uint64(i)) })
	}
}

func TestPickers(t *testing.T) {
	var subjects []*subject
	for _, name := range []string{"first_value", "first_non_null_value", "first_not_null_value", "last_value", "last_non_null_value", "primary-key"} {
		f := column(arrow.PrimitiveTypes.Int32, "")
		subjects = append(subjects, with(name, f), with(name, f, ignoreRetract), with(name, f).strict())
	}
	checkAll(t, 3000, subjects...)
}

func TestSums(t *testing.T) {
	var subjects []*subject
	for _, dt := range concat(integerTypes, floatTypes, decimalTypes) {
		f := column(dt, "")
		subjects = append(subjects, with("sum", f), with("sum", f, ignoreRetract), with("sum", f).strict(), small("sum", dt))
	}
	checkAll(t, 1000, subjects...)
}

func TestProducts(t *testing.T) {
	var subjects []*subject
	for _, dt := range concat(integerTypes, floatTypes, decimalTypes) {
		f := column(dt, "")
		subjects = append(subjects, with("product", f), with("product", f, ignoreRetract), small("product", dt))
	}
	checkAll(t, 1000, subjects...)
}

func TestExtremes(t *testing.T) {
	var subjects []*subject
	for _, dt := range scalarTypes {
		f := column(dt, "")
		subjects = append(subjects, with("min", f), with("max", f), with("min", f, ignoreRetract), with("max", f, ignoreRetract))
	}
	checkAll(t, 600, subjects...)
}

func TestBooleans(t *testing.T) {
	f := column(arrow.FixedWidthTypes.Boolean, "")
	checkAll(t, 3000, with("bool_and", f), with("bool_or", f), with("bool_and", f, ignoreRetract), with("bool_or", f, ignoreRetract))
}

// small makes a subject whose values seldom lead to an error.
func small(name string, t arrow.DataType) *subject {
	s := with(name, column(t, ""))
	s.value = func(rng *rand.Rand) any { return smallValue(rng, t) }
	return s
}
