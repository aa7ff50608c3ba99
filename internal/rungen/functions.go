package rungen

import (
	"maps"
	"slices"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"
)

// function is an aggregate function and the column types it is drawn with: nil for whatever type the column has, or a
// nested one.
type function struct {
	name     string
	types    []arrow.DataType
	retracts bool  // takes values back
	style    Style // of its inputs; "": any
}

var (
	sumTypes = []arrow.DataType{
		arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int16, arrow.PrimitiveTypes.Int8,
		arrow.PrimitiveTypes.Float32, arrow.PrimitiveTypes.Float64, arrow.PrimitiveTypes.Uint32,
		&arrow.Decimal128Type{Precision: 9, Scale: 2}, &arrow.Decimal128Type{Precision: 18, Scale: 4},
		&arrow.Decimal128Type{Precision: 38, Scale: 10}, &arrow.Decimal128Type{Precision: 38, Scale: 0},
	}
	boolTypes  = []arrow.DataType{arrow.FixedWidthTypes.Boolean}
	textTypes  = []arrow.DataType{arrow.BinaryTypes.String, arrow.BinaryTypes.String, arrow.BinaryTypes.LargeString}
	bytesTypes = []arrow.DataType{arrow.BinaryTypes.Binary, arrow.BinaryTypes.Binary, arrow.BinaryTypes.LargeBinary}
)

// functions are the aggregate functions that specs have: all there are.
var functions = []function{
	{"sum", sumTypes, true, Small}, {"product", sumTypes, true, Units}, {"min", keyTypes, false, ""}, {"max", keyTypes, false, ""},
	{"bool_and", boolTypes, false, ""}, {"bool_or", boolTypes, false, ""}, {"primary-key", nil, true, ""},
	{"first_value", nil, false, ""}, {"first_non_null_value", nil, false, ""}, {"first_not_null_value", nil, false, ""},
	{"last_value", nil, true, ""}, {"last_non_null_value", nil, true, ""},
	{"listagg", textTypes, false, Words}, {"collect", listTypes, true, ""},
	{"merge_map", mapTypes, true, ""}, {"merge_map_with_keytime", timedTypes, false, ""},
	{"nested_update", tableTypes, true, ""}, {"nested_partial_update", tableTypes, false, ""},
	{"rbm32", bytesTypes, false, Bitmap32}, {"rbm64", bytesTypes, false, Bitmap64},
	{"theta_sketch", bytesTypes, false, Theta}, {"hll_sketch", bytesTypes, false, HLL},
}

// needsOption says whether the function does nothing without an option of its own.
func (f function) needsOption() bool { return f.name == "nested_partial_update" }

// drawFunctions draws what goes beyond merging flat values: nested columns, aggregation, sequence groups, validity. It takes
// the place of the engine drawn before.
func (s *Spec) drawFunctions(src *source) {
	if !src.oneIn(4) {
		s.crowd(src)
	}
	engine := src.intn(6)
	for range src.intn(3) + engine/5 {
		s.Values = append(s.Values, Column{Type: pick(src, nestedTypes...).String(), Nulls: pick(src, nullChoices...)})
	}
	switch engine {
	case 0, 1:
		s.drawAggregation(src)
	case 2, 3:
		s.drawGroups(src)
	case 4:
		s.drawValidity(src)
	}
}

// crowd lets most keys come several times.
func (s *Spec) crowd(src *source) {
	s.Runs = max(s.Runs, 2)
	s.Shape = pick(src, Interleaved, Duplicates, Same, Hot)
	if s.Repeats = src.oneIn(2); s.Repeats || s.Shape == Interleaved {
		s.Universe = src.between(1, 1+s.Rows/3)
	}
}

// startOptions leaves of the options those that go with every engine, and sets the engine. It returns whether rows of the
// spec may be retracts.
func (s *Spec) startOptions(engine string) bool {
	maps.DeleteFunc(s.Options, func(key, _ string) bool {
		return !slices.Contains([]string{"braid.strict", "ignore-update-before", "sequence.field.sort-order"}, key)
	})
	s.Options["merge-engine"] = engine
	return s.holdsRetracts()
}

func (s *Spec) holdsRetracts() bool { return holdsRetracts(s.Kinds) || holdsRetracts(s.KindText) }

func (s *Spec) drawAggregation(src *source) {
	retracts := s.startOptions("aggregation")
	switch {
	case src.oneIn(4):
		s.Options["aggregation.remove-record-on-delete"] = "true"
		s.Options["ignore-update-before"] = strconv.FormatBool(!src.oneIn(6))
		retracts = false
	case src.oneIn(8):
		s.ignoreDelete(src)
	}
	for len(s.Values) < 2 {
		s.Values = append(s.Values, s.drawValue(src))
	}
	var rest []int
	for i := range s.Values {
		if src.oneIn(4) || s.Values[i].Type == arrow.Null.String() {
			rest = append(rest, i)
			continue
		}
		s.drawFunction(src, i, retracts)
	}
	if src.oneIn(3) {
		s.drawDefault(src, rest, retracts)
	}
	if src.oneIn(16) && len(s.Sequence) == 0 { // the key is no function's
		s.Options["fields.k0.aggregate-function"] = pick(src, "sum", "max", "last_value", "first_value")
	}
}

// drawDefault draws the function of the columns without one of their own, the value columns of which are given, and makes
// them of a type it takes.
func (s *Spec) drawDefault(src *source, rest []int, retracts bool) {
	choices := slices.DeleteFunc(slices.Clone(functions), func(f function) bool {
		return f.needsOption() || retracts && !f.retracts || f.types != nil && s.KindText != NoKinds
	})
	f := pick(src, choices...)
	if src.oneIn(3) {
		f = function{name: pick(src, "last_value", "last_non_null_value"), retracts: true}
	}
	s.Options["fields.default-aggregate-function"] = f.name
	for _, i := range rest {
		s.fit(src, &s.Values[i], f)
	}
}

// drawFunction gives value column i, which is not of the null type, an aggregate function and a type that it takes. Where rows may be retracts, the function
// is told to ignore them if it takes none back.
func (s *Spec) drawFunction(src *source, i int, retracts bool) {
	c := &s.Values[i]
	f := pick(src, functions...)
	s.fit(src, c, f)
	option := func(name, value string) { s.Options["fields.v"+strconv.Itoa(i)+"."+name] = value }
	option("aggregate-function", f.name)
	unsigned := c.Type == arrow.PrimitiveTypes.Uint32.String()
	switch {
	case retracts && (!f.retracts || unsigned || src.oneIn(3)):
		option("ignore-retract", pick(src, "true", "TRUE"))
	case src.oneIn(8):
		option("ignore-retract", "false")
	}
	drawFunctionOptions(src, f.name, c.Type, option)
}

// fit makes a column's type and values such as the function takes.
func (s *Spec) fit(src *source, c *Column, f function) {
	switch {
	case f.types != nil:
		c.Type = pick(src, f.types...).String()
		c.Style = styleFor(src, c.Type)
	case c.Type != arrow.Null.String() && src.oneIn(3):
		c.Type = pick(src, nestedTypes...).String()
	}
	if s.Fault != NullValue {
		c.NotNull = false
	}
	if f.style != "" && (isEncoder(f.style) || !src.oneIn(5)) {
		c.Style = f.style
		c.Forged = isEncoder(f.style) && src.oneIn(8)
	}
}

// drawFunctionOptions draws the options of a function of a column whose type has that name.
func drawFunctionOptions(src *source, function, typeName string, option func(name, value string)) {
	switch function {
	case "listagg":
		if src.oneIn(2) {
			option("list-agg-delimiter", pick(src, ";", "", "ab", " "))
		}
		option("distinct", pick(src, "true", "false"))
	case "collect":
		option("distinct", pick(src, "true", "false"))
	case "merge_map_with_keytime":
		if src.oneIn(2) {
			option("ts-field", pick(src, "t", "t", "l"))
		}
	case "nested_update":
		drawNestedKey(src, typeName, option)
	case "nested_partial_update":
		option("nested-key", pick(src, "k", "k,l", "l , n"))
		drawNullStrategy(src, option)
	}
}

// drawNestedKey draws the options of nested_update. Of the types it takes, the second has a nested field, m.
func drawNestedKey(src *source, typeName string, option func(name, value string)) {
	if src.oneIn(3) {
		option("count-limit", pick(src, "0", "1", "3", "7"))
	}
	if src.oneIn(3) {
		return
	}
	option("nested-key", pick(src, "k", "l", "k,l", "l, k"))
	if src.oneIn(3) {
		fields := []string{"n", "n,l", " n , k"}
		if typeName == tableTypes[1].String() {
			fields = append(fields, "m", "m,n")
		}
		option("nested-sequence-field", pick(src, fields...))
	}
	drawNullStrategy(src, option)
}

// drawNullStrategy draws what becomes of a NULL in a nested key.
func drawNullStrategy(src *source, option func(name, value string)) {
	if src.oneIn(3) {
		option("nested-key-null-strategy", pick(src, "merge", "MERGE", "ignore", "ignore", "ignore", "error"))
	}
}
