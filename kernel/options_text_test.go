package kernel

import (
	"bufio"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
)

// The files of testdata/options show options and what becomes of them. A case is a few lines, and a blank line ends it:
//
//	case: what it shows
//	columns: k int, a string not null, b bytes as BLOB     the table's columns; without this line there is no table
//	key: k                                                 its primary key
//	partition: p                                           its partition keys
//	merge-engine = partial-update                          an option; a value in quotes is unquoted as in Go
//
// and then the outcome:
//
//	read: SequenceFields ["a" "b"]   a field of Options that is not zero, when there is no table; all of them are listed
//	ok                               the kernel merges such a table
//	error: ...                       a mistake; ParseOptions may find several
//
// A line that begins with # is a remark.
type optionCase struct {
	place   string
	name    string
	table   Table
	options map[string]string
	want    []string
}

// columnTypes are the types a case can name.
var columnTypes = map[string]arrow.DataType{
	"bool": arrow.FixedWidthTypes.Boolean, "int": arrow.PrimitiveTypes.Int32, "bigint": arrow.PrimitiveTypes.Int64,
	"double": arrow.PrimitiveTypes.Float64, "decimal": &arrow.Decimal128Type{Precision: 10, Scale: 2},
	"date": arrow.FixedWidthTypes.Date32, "time": arrow.FixedWidthTypes.Time32ms,
	"timestamp": arrow.FixedWidthTypes.Timestamp_us, "interval": arrow.FixedWidthTypes.MonthInterval,
	"string": arrow.BinaryTypes.String, "large_string": arrow.BinaryTypes.LargeString,
	"string_view": arrow.BinaryTypes.StringView, "bytes": arrow.BinaryTypes.Binary,
	"fixed_bytes": &arrow.FixedSizeBinaryType{ByteWidth: 4}, "null": arrow.Null,
	"coded_string":  &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String},
	"coded_list":    &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.ListOf(arrow.BinaryTypes.String)},
	"run_end_int":   arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int32),
	"run_end_list":  arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, arrow.ListOf(arrow.PrimitiveTypes.Int32)),
	"list":          arrow.ListOf(arrow.PrimitiveTypes.Int32),
	"fixed_list":    arrow.FixedSizeListOf(2, arrow.PrimitiveTypes.Int32),
	"interval_list": arrow.ListOf(arrow.FixedWidthTypes.MonthInterval),
	"duration":      arrow.FixedWidthTypes.Duration_s,
	"duration_list": arrow.ListOf(arrow.FixedWidthTypes.Duration_s),
	"duration_rows": arrow.ListOf(arrow.StructOf(arrow.Field{Name: "num", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
		arrow.Field{Name: "wait", Type: arrow.FixedWidthTypes.Duration_s, Nullable: true})),
	"wide_decimal":   &arrow.Decimal256Type{Precision: 60, Scale: 2},
	"map":            arrow.MapOf(arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int32),
	"struct":         arrow.StructOf(arrow.Field{Name: "num", Type: arrow.PrimitiveTypes.Int32, Nullable: true}),
	"struct_list":    arrow.ListOf(arrow.StructOf(arrow.Field{Name: "num", Type: arrow.PrimitiveTypes.Int32, Nullable: true})),
	"union":          arrow.SparseUnionOf([]arrow.Field{{Name: "n", Type: arrow.PrimitiveTypes.Int32}}, []arrow.UnionTypeCode{0}),
	"extension_int":  &namedType{arrow.ExtensionBase{Storage: arrow.PrimitiveTypes.Int32}},
	"extension_list": &namedType{arrow.ExtensionBase{Storage: arrow.ListOf(arrow.PrimitiveTypes.Int32)}},
}

// namedType is an extension type that adds nothing to its storage.
type namedType struct{ arrow.ExtensionBase }

func (*namedType) ArrayType() reflect.Type { return nil }
func (*namedType) ExtensionName() string   { return "named" }
func (*namedType) Serialize() string       { return "" }
func (t *namedType) ExtensionEquals(o arrow.ExtensionType) bool {
	return t.ExtensionName() == o.ExtensionName()
}
func (t *namedType) Deserialize(arrow.DataType, string) (arrow.ExtensionType, error) {
	return t, nil
}

func TestOptionsText(t *testing.T) {
	files, err := filepath.Glob("testdata/options/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files with cases: %v", err)
	}
	for _, file := range files {
		for _, c := range readOptionCases(t, file) {
			t.Run(c.name, func(t *testing.T) {
				if got := c.outcome(t); !slices.Equal(got, c.want) {
					t.Errorf("%s:\ngot\n\t%s\nwant\n\t%s", c.place, strings.Join(got, "\n\t"), strings.Join(c.want, "\n\t"))
				}
			})
		}
	}
}

// outcome parses the options of a case and compiles the plan, and shows the end of it.
func (c optionCase) outcome(t *testing.T) []string {
	o, err := ParseOptions(c.options)
	if err != nil {
		checkKind(t, err, ErrOption)
		if !reflect.DeepEqual(o, Options{}) {
			t.Errorf("%s: options are returned beside an error: %+v", c.place, o)
		}
		return errorLines(err)
	}
	if c.table.Schema == nil {
		return showFields("read: ", reflect.ValueOf(o))
	}
	if _, err := Compile(c.table, o); err != nil {
		checkKind(t, err, ErrOption, ErrSchema)
		return errorLines(err)
	}
	return []string{"ok"}
}

// checkKind wants the error to be of exactly one of the kinds.
func checkKind(t *testing.T, err error, kinds ...error) {
	t.Helper()
	count := 0
	for _, kind := range kinds {
		if errors.Is(err, kind) {
			count++
		}
	}
	if count != 1 {
		t.Errorf("error %q is of %d of the kinds %v, want 1", err, count, kinds)
	}
}

func errorLines(err error) []string {
	lines := strings.Split(err.Error(), "\n")
	for i, line := range lines {
		lines[i] = "error: " + line
	}
	return lines
}

// showFields lists the fields of a struct that are not zero, one a line.
func showFields(path string, v reflect.Value) []string {
	var lines []string
	switch {
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if !v.Field(i).IsZero() {
				lines = append(lines, showFields(path+"."+v.Type().Field(i).Name, v.Field(i))...)
			}
		}
	case v.Kind() == reflect.Map:
		keys := v.Interface().(map[string]FieldOptions)
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			lines = append(lines, showFields(path+"."+key, reflect.ValueOf(keys[key]))...)
		}
	case v.Type() == reflect.TypeFor[[]SequenceGroup]():
		for _, group := range v.Interface().([]SequenceGroup) {
			lines = append(lines, fmt.Sprintf("%s %q protects %q", path, group.Sequence, group.Protected))
		}
	case v.Kind() == reflect.Pointer:
		lines = showFields(path, v.Elem())
	case v.Kind() == reflect.String || v.Kind() == reflect.Slice:
		lines = []string{fmt.Sprintf("%s %q", path, v.Interface())}
	default:
		lines = []string{fmt.Sprintf("%s %v", path, v.Interface())}
	}
	for i, line := range lines {
		lines[i] = strings.Replace(line, "read: .", "read: ", 1)
	}
	return lines
}

// readOptionCases reads the cases of a file.
func readOptionCases(t testing.TB, file string) []optionCase {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var cases []optionCase
	var c *optionCase
	lines := bufio.NewScanner(f)
	for number := 1; lines.Scan(); number++ {
		place, line := fmt.Sprintf("%s:%d", file, number), lines.Text()
		switch {
		case line == "":
			c = nil
		case strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "case: "):
			cases = append(cases, optionCase{place: place, name: line[len("case: "):], options: map[string]string{}})
			c = &cases[len(cases)-1]
		case c == nil:
			t.Fatalf("%s: a case begins with its name, not with %q", place, line)
		default:
			c.line(t, place, line)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return cases
}

// line reads one line of a case.
func (c *optionCase) line(t testing.TB, place, line string) {
	word, rest, _ := strings.Cut(line, ": ")
	switch word {
	case "columns":
		c.table.Schema = readColumns(t, place, rest)
		return
	case "key":
		c.table.PrimaryKey = strings.Split(rest, ", ")
		return
	case "partition":
		c.table.PartitionKeys = strings.Split(rest, ", ")
		return
	case "ok", "error", "unsupported", "read":
		c.want = append(c.want, line)
		return
	}
	key, value, ok := strings.Cut(line, " = ")
	if !ok {
		t.Fatalf("%s: %q is no line of a case", place, line)
	}
	if strings.HasPrefix(value, `"`) {
		unquoted, err := strconv.Unquote(value)
		if err != nil {
			t.Fatalf("%s: %s: %v", place, value, err)
		}
		value = unquoted
	}
	c.options[key] = value
}

// readColumns reads columns such as "k int not null, b bytes as BLOB".
func readColumns(t testing.TB, place, text string) *arrow.Schema {
	var fields []arrow.Field
	for _, column := range strings.Split(text, ", ") {
		column, notNull := strings.CutSuffix(column, " not null")
		column, declared, isDeclared := strings.Cut(column, " as ")
		name, typeName, _ := strings.Cut(column, " ")
		dataType, ok := columnTypes[typeName]
		if !ok {
			t.Fatalf("%s: column %q has no known type", place, column)
		}
		field := arrow.Field{Name: name, Type: dataType, Nullable: !notNull}
		if isDeclared {
			field.Metadata = arrow.NewMetadata([]string{declaredTypeKey}, []string{declared})
		}
		fields = append(fields, field)
	}
	return arrow.NewSchema(fields, nil)
}
