package kernel_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/aggfuncs"
	"github.com/braidmerge/braid/kernel"
)

// functionTypes are types of columns, by what the document's table of functions calls them. A type with several names belongs
// to all of them.
var functionTypes = []struct{ typ, names string }{
	{"boolean", "all types; types with an order; booleans"},
	{"tinyint", "all types; types with an order; numbers"},
	{"int", "all types; types with an order; numbers"},
	{"bigint", "all types; types with an order; numbers"},
	{"float", "all types; types with an order; numbers"},
	{"double", "all types; types with an order; numbers"},
	{"decimal(9, 2)", "all types; types with an order; numbers"},
	{"decimal(38, 0)", "all types; types with an order; numbers"},
	{"string", "all types; types with an order; text"},
	{"bytes", "all types; types with an order; bytes"},
	{"array<int>", "all types; arrays"},
	{"array<row<x int, y string>>", "all types; arrays; arrays of rows"},
	{"map<string, int>", "all types; maps"},
	{"map<string, row<x int, y string>>", "all types; maps; maps of rows"},
	{"row<x int, y string>", "all types"},
}

// functionRow is what the table says of one function.
type functionRow struct {
	name    string
	types   string
	retract string
	errors  []string
}

// functionRows reads the table of functions.
func functionRows(t *testing.T) []functionRow {
	var rows []functionRow
	for _, cells := range sectionTable(t, "function").rows {
		for _, name := range codesOf(cells[0]) {
			rows = append(rows, functionRow{name: name, types: cells[1], retract: cells[4], errors: codesOf(cells[5])})
		}
	}
	return rows
}

// TestSemanticsFunctions holds the table of functions: it has each of them once; each compiles for columns of the types it
// lists and for no others, takes retracts back or refuses them as it says, and has a worked example under "Functions" and one
// of every error it can end in.
func TestSemanticsFunctions(t *testing.T) {
	examples, err := readExamples(semantics(t))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, row := range functionRows(t) {
		names = append(names, row.name)
		if err := row.check(examples); err != nil {
			t.Errorf("%s: %v", row.name, err)
		}
	}
	slices.Sort(names)
	if !slices.Equal(names, aggfuncs.Names()) {
		t.Errorf("the document lists %q\nthere are %q", names, aggfuncs.Names())
	}
}

func (f functionRow) check(examples []docExample) error {
	var first string
	for _, c := range functionTypes {
		want := slices.Contains(strings.Split(c.names, "; "), f.types)
		err := f.compile(c.typ)
		if want != (err == nil) {
			return fmt.Errorf("on %s the error is %v, the document lists %q", c.typ, err, f.types)
		}
		if err != nil && !errors.Is(err, kernel.ErrOption) {
			return fmt.Errorf("on %s: %w", c.typ, err)
		}
		if want && first == "" {
			first = c.typ
		}
	}
	if first == "" {
		return fmt.Errorf("%q is the name of no type", f.types)
	}
	answer, err := witnessAnswer(f.settings(first)+"\n\n| run | kind | k | a |\n|---|---|---|---|\n| 0 | +I | 1 | NULL |\n| 1 | -U | 1 | NULL |",
		"merge-engine = aggregation")
	if err != nil {
		return err
	}
	refused := strings.Contains(answer, kernel.ErrRetract.Error())
	if refused != (f.retract == "refused") {
		return fmt.Errorf("a retract gives %s, the document says %q", answer, f.retract)
	}
	return f.checkExamples(examples)
}

// settings are those of a table with the function on a column.
func (f functionRow) settings(typ string) string {
	text := "columns: k int, a " + typ + "\nfields.a.aggregate-function = " + f.name
	if f.name == "nested_partial_update" {
		text += "\nfields.a.nested-key = x"
	}
	return text
}

// compile makes the plan of a table with the function on a column.
func (f functionRow) compile(typ string) error {
	t, err := docType(typ)
	if err != nil {
		return err
	}
	options := map[string]string{"merge-engine": "aggregation", "fields.a.aggregate-function": f.name}
	if f.name == "nested_partial_update" {
		options["fields.a.nested-key"] = "x"
	}
	o, err := kernel.ParseOptions(options)
	if err != nil {
		return err
	}
	schema := arrow.NewSchema([]arrow.Field{{Name: "k", Type: plainTypes["int"]}, {Name: "a", Type: t, Nullable: true}}, nil)
	_, err = kernel.Compile(kernel.Table{Schema: schema, PrimaryKey: []string{"k"}}, o)
	return err
}

// checkExamples wants an example of what the function makes, and one of every error.
func (f functionRow) checkExamples(examples []docExample) error {
	missing := append([]string{""}, f.errors...)
	for _, e := range examples {
		if e.chapter != "Functions" || !e.uses(f.name) {
			continue
		}
		missing = slices.DeleteFunc(missing, func(fault string) bool {
			return slices.ContainsFunc(e.results, func(r docResult) bool { return r.fault == fault })
		})
	}
	if len(missing) > 0 {
		return fmt.Errorf("there is no example under \"Functions\" with the results %q", missing)
	}
	return nil
}

// uses says whether a column of the example has the function.
func (e *docExample) uses(function string) bool {
	for option, value := range e.options {
		if value == function && (option == "fields.default-aggregate-function" || strings.HasSuffix(option, ".aggregate-function")) {
			return true
		}
	}
	return false
}

// TestSemanticsFunctionsCheckerFails shows the checker a row that is right, and ones that are wrong.
func TestSemanticsFunctionsCheckerFails(t *testing.T) {
	example := docExample{chapter: "Functions", options: map[string]string{"fields.a.aggregate-function": "sum"},
		results: []docResult{{}, {fault: "ErrOverflow"}}}
	for _, c := range []struct {
		row  functionRow
		want string // part of the error, empty for none
	}{
		{functionRow{"sum", "numbers", "subtracts", []string{"ErrOverflow"}}, ""},
		{functionRow{"sum", "types with an order", "subtracts", nil}, "on boolean the error is"},
		{functionRow{"sum", "booleans", "subtracts", nil}, "on boolean the error is"},
		{functionRow{"sum", "", "subtracts", nil}, "on tinyint the error is <nil>"},
		{functionRow{"sum", "numbers", "refused", nil}, "a retract gives"},
		{functionRow{"max", "types with an order", "subtracts", nil}, "a retract gives"},
		{functionRow{"sum", "numbers", "subtracts", []string{"ErrInexact"}}, `the results ["ErrInexact"]`},
		{functionRow{"max", "types with an order", "refused", nil}, `the results [""]`},
		{functionRow{"maximum", "types with an order", "refused", nil}, "unknown aggregate function"},
	} {
		err := c.row.check([]docExample{example})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want one with %q", c.row, err, c.want)
		}
	}
}
