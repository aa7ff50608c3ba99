package rungen

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
)

// function is an aggregate function and the column types it is drawn with: nil for whatever type the column has, or a
// nested one.
type function struct {
	name     string
	types    []arrow.DataType
	retracts bool // takes values back
}

var (
	sumTypes = []arrow.DataType{
		arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int16, arrow.PrimitiveTypes.Int8,
		arrow.PrimitiveTypes.Float32, arrow.PrimitiveTypes.Float64,
		&arrow.Decimal128Type{Precision: 9, Scale: 2}, &arrow.Decimal128Type{Precision: 38, Scale: 10},
	}
	boolTypes = []arrow.DataType{arrow.FixedWidthTypes.Boolean}
	textTypes = []arrow.DataType{arrow.BinaryTypes.String}
)

// functions are the aggregate functions that specs have. Those of bitmaps and sketches, whose inputs are not just any
// bytes, are not among them.
var functions = []function{
	{"sum", sumTypes, true}, {"product", sumTypes, true}, {"min", keyTypes, false}, {"max", keyTypes, false},
	{"bool_and", boolTypes, false}, {"bool_or", boolTypes, false},
	{"first_value", nil, false}, {"first_non_null_value", nil, false}, {"last_value", nil, true}, {"last_non_null_value", nil, true},
	{"listagg", textTypes, false}, {"collect", listTypes, true}, {"merge_map", mapTypes, true},
	{"nested_update", tableTypes, true}, {"nested_partial_update", tableTypes, false},
}

// drawFunctions draws what goes beyond merging flat values: nested columns, aggregation, sequence groups. It takes the place
// of the engine drawn before.
func (s *Spec) drawFunctions(src *source) {
	engine := src.intn(5)
	for range src.intn(3) + engine/4 {
		s.Values = append(s.Values, Column{Type: pick(src, nestedTypes...).String(), Nulls: pick(src, nullChoices...)})
	}
	switch engine {
	case 0, 1:
		s.drawAggregation(src)
	case 2, 3:
		s.drawGroups(src)
	}
}

// startOptions leaves of the options those that go with every engine, and sets the engine. It returns whether rows of the
// spec may be retracts.
func (s *Spec) startOptions(engine string) bool {
	maps.DeleteFunc(s.Options, func(key, _ string) bool {
		return !slices.Contains([]string{"braid.strict", "ignore-update-before", "sequence.field.sort-order"}, key)
	})
	s.Options["merge-engine"] = engine
	return holdsRetracts(s.Kinds) || holdsRetracts(s.KindText)
}

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
	for i := range s.Values {
		if !src.oneIn(5) {
			s.drawFunction(src, i, retracts)
		}
	}
	if src.oneIn(4) {
		s.Options["fields.default-aggregate-function"] = pick(src, "last_value", "last_non_null_value")
		if !retracts {
			s.Options["fields.default-aggregate-function"] = pick(src, "first_value", "first_non_null_value", "last_value")
		}
	}
}

// drawFunction gives value column i an aggregate function and a type that it takes. Where rows may be retracts, the function
// is told to ignore them if it takes none back.
func (s *Spec) drawFunction(src *source, i int, retracts bool) {
	c := &s.Values[i]
	f := pick(src, functions...)
	switch {
	case c.Type == arrow.Null.String():
		return
	case f.types != nil:
		c.Type = pick(src, f.types...).String()
		c.Style = styleFor(src, c.Type)
	case src.oneIn(3):
		c.Type = pick(src, nestedTypes...).String()
	}
	if s.Fault != NullValue {
		c.NotNull = false
	}
	option := func(name, value string) { s.Options["fields.v"+strconv.Itoa(i)+"."+name] = value }
	option("aggregate-function", f.name)
	if retracts && (!f.retracts || src.oneIn(3)) {
		option("ignore-retract", "true")
	}
	switch f.name {
	case "sum", "product":
		c.Style = pick(src, Small, Small, Small, Small, c.Style)
	case "listagg":
		if src.oneIn(2) {
			option("list-agg-delimiter", pick(src, ";", "", "ab", " "))
		}
		option("distinct", pick(src, "true", "false"))
	case "collect":
		option("distinct", pick(src, "true", "false"))
	case "nested_update":
		s.drawNestedKey(src, option)
	case "nested_partial_update":
		option("nested-key", pick(src, "k", "k,l"))
	}
}

// drawNestedKey draws the options of nested_update.
func (s *Spec) drawNestedKey(src *source, option func(name, value string)) {
	if src.oneIn(4) {
		option("count-limit", pick(src, "1", "3", "7"))
	}
	if src.oneIn(3) {
		return
	}
	option("nested-key", pick(src, "k", "l", "k,l"))
	if src.oneIn(3) {
		option("nested-sequence-field", pick(src, "n", "n,l"))
	}
	if src.oneIn(3) {
		option("nested-key-null-strategy", pick(src, "merge", "ignore", "ignore", "error"))
	}
}

// drawGroups draws partial-update with one or two sequence groups. Each protects at least one column.
func (s *Spec) drawGroups(src *source) {
	retracts := s.startOptions("partial-update")
	groups := src.between(1, 2)
	for len(s.Values) <= groups {
		s.Values = append(s.Values, s.drawValue(src))
	}
	protected := make([][]string, groups)
	for i := range s.Values {
		g := i
		if i >= groups {
			g = src.intn(groups+1) - 1
		}
		if g < 0 {
			continue
		}
		protected[g] = append(protected[g], "v"+strconv.Itoa(i))
		if s.Fault != NullValue {
			s.Values[i].NotNull = false
		}
		if src.oneIn(2) {
			s.drawFunction(src, i, retracts)
		}
	}
	named := 0
	for g := range groups {
		var names []string
		for range src.between(1, 2) {
			c := Column{Name: "g" + strconv.Itoa(named), Type: anyType(src), Distinct: pick(src, 2, 5, 50),
				Nulls: pick(src, NoNulls, NoNulls, FewNulls, HalfNulls)}
			c.Style = styleFor(src, c.Type)
			s.Values = append(s.Values, c)
			names = append(names, c.Name)
			named++
		}
		s.Options["fields."+strings.Join(names, ",")+".sequence-group"] = strings.Join(protected[g], ",")
	}
	switch {
	case src.oneIn(4):
		s.Options["partial-update.remove-record-on-sequence-group"] = pick(src, "g0", "g"+strconv.Itoa(named-1))
	case src.oneIn(8):
		s.ignoreDelete(src)
	}
}
