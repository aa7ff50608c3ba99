package kernel_test

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/kernel"
)

// The document for users shows what a merge answers in worked examples. These tests put every one of them to the kernel and
// to the row merger, and hold the document's tables of options and errors. A worked example is a block, an input, and one
// result or more:
//
//	```merge
//	merge-engine = partial-update         an option of the table
//	columns: k int, a int not null        its columns, with types (semantics_values_test.go); without this line those of the
//	                                      input, all of them int
//	key: k                                its primary key; k without this line
//	partition keys: p                     its partition keys
//	projection: a                         the columns that the merge is asked for
//	sequence of run 1: 7                  the number that stands for all sequence numbers of the run
//	```
//
//	| run | seq | kind | k | a |          the rows of run 0, then those of run 1, and so on; seq and kind may be left out
//
//	Result:                               and its rows; or "Result: no rows."; or "Result: `ErrNotNull` at run 0, row 1,
//	                                      column `a`.", with less of the place or without one
//
// A result of "Result, default:" or "Result, strict:" is that of one mode, any other is that of both. Results have no
// retracts, unless "deletes kept" stands there, too.
const semanticsPage = "../docs/semantics.md"

// docErrors are the errors a result can name.
var docErrors = map[string]error{
	"ErrCorrupt": kernel.ErrCorrupt, "ErrMemoryLimit": kernel.ErrMemoryLimit, "ErrNotNull": kernel.ErrNotNull,
	"ErrOption": kernel.ErrOption, "ErrRetract": kernel.ErrRetract,
	"ErrRowKind": kernel.ErrRowKind, "ErrSchema": kernel.ErrSchema, "ErrTooLarge": kernel.ErrTooLarge,
	"ErrUnsorted": kernel.ErrUnsorted, "ErrOverflow": kernel.ErrOverflow, "ErrDivideByZero": kernel.ErrDivideByZero,
	"ErrInexact": kernel.ErrInexact, "ErrNullNestedKey": kernel.ErrNullNestedKey, "ErrInternalState": kernel.ErrInternalState,
	"ErrExpression": kernel.ErrExpression, "ErrNotSelfMerge": kernel.ErrNotSelfMerge, "ErrNullRowID": kernel.ErrNullRowID,
	"ErrDuplicateRowID": kernel.ErrDuplicateRowID, "ErrRowRange": kernel.ErrRowRange,
}

// docFaults says which kinds of fault of the row merger stand for an error.
var docFaults = map[string][]rowmerge.Kind{
	"ErrOption":   {rowmerge.KindConfig},
	"ErrSchema":   {rowmerge.KindConfig, rowmerge.KindSchema},
	"ErrRetract":  {rowmerge.KindDeleteNotAccepted, rowmerge.KindRetract},
	"ErrNotNull":  {rowmerge.KindNotNull, rowmerge.KindNullKey},
	"ErrUnsorted": {rowmerge.KindUnsorted},
	"ErrRowKind":  {rowmerge.KindRowKind},
	"ErrCorrupt":  {rowmerge.KindCorrupt},

	"ErrOverflow":      {rowmerge.KindArithmetic},
	"ErrDivideByZero":  {rowmerge.KindArithmetic},
	"ErrInexact":       {rowmerge.KindArithmetic},
	"ErrNullNestedKey": {rowmerge.KindNestedKeyNull},
}

// docExample is a worked example.
type docExample struct {
	chapter     string // the heading of the second level that it stands under
	section     string // the last heading before it
	line        int    // of its block, from 1
	options     map[string]string
	types       map[string]string // of columns, as written; nil: all int
	columns     []string
	key         []string
	partitions  []string
	projection  []string
	runSequence map[int]int64
	input       docTable
	results     []docResult
}

// docResult is what an example says comes out.
type docResult struct {
	mode  string // default, strict, or empty for both
	kept  bool   // retracts are kept
	rows  docTable
	fault string // the error's name, if it is one
	place string // of the error: run, row and column as written, or a part of that
}

// docTable is a table: the names of its columns, and its cells.
type docTable struct {
	header []string
	rows   [][]string
}

var resultLine = regexp.MustCompile("^Result(?:, (default|strict))?(, deletes kept)?:(?: no rows\\.| `(Err\\w+)`(?: at (run [^.]*))?\\.)?$")

// readExamples finds the worked examples of a document.
func readExamples(text string) ([]docExample, error) {
	var examples []docExample
	chapter, section, lines := "", "", strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		var err error
		switch {
		case strings.HasPrefix(line, "#"):
			section = strings.TrimLeft(line, "# ")
			if !strings.HasPrefix(line, "###") {
				chapter = section
			}
		case line == "```merge":
			e := docExample{chapter: chapter, section: section, line: i + 1, options: map[string]string{}, key: []string{"k"},
				runSequence: map[int]int64{}}
			for i++; i < len(lines) && lines[i] != "```" && err == nil; i++ {
				err = e.setting(lines[i])
			}
			examples = append(examples, e)
		case strings.HasPrefix(line, "| run |") && len(examples) > 0:
			e := &examples[len(examples)-1]
			if e.section != section || e.input.header != nil {
				return nil, fmt.Errorf("line %d: an input without a block of its own", i+1)
			}
			e.input, i = readTable(lines, i)
			err = e.setColumns()
		case strings.HasPrefix(line, "Result"):
			if len(examples) == 0 || examples[len(examples)-1].input.header == nil {
				return nil, fmt.Errorf("line %d: a result without an input", i+1)
			}
			e := &examples[len(examples)-1]
			i, err = e.result(lines, i)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	return examples, nil
}

// setting reads a line of an example's block.
func (e *docExample) setting(line string) error {
	if option, value, ok := strings.Cut(line, " = "); ok {
		e.options[option] = value
		return nil
	}
	word, rest, _ := strings.Cut(line, ": ")
	list := splitList(rest)
	number, ofRun := strings.CutPrefix(word, "sequence of run ")
	switch {
	case word == "columns":
		e.types = map[string]string{}
		for _, column := range list {
			name, typ, _ := strings.Cut(column, " ")
			e.types[name], e.columns = typ, append(e.columns, name)
		}
	case word == "key":
		e.key = list
	case word == "partition keys":
		e.partitions = list
	case word == "projection":
		e.projection = list
	case ofRun:
		run, err := strconv.Atoi(number)
		if err != nil {
			return err
		}
		e.runSequence[run], err = strconv.ParseInt(rest, 10, 64)
		return err
	default:
		return fmt.Errorf("%q is no setting of an example", line)
	}
	return nil
}

// setColumns takes the table's columns from the input, if the block does not name them.
func (e *docExample) setColumns() error {
	values := e.input.values()
	if e.types == nil {
		e.columns = values
	}
	if !slices.Equal(values, e.columns) {
		return fmt.Errorf("the input has the columns %q, the table has %q", values, e.columns)
	}
	return nil
}

// result reads the result that begins in line i, and returns its last line.
func (e *docExample) result(lines []string, i int) (int, error) {
	m := resultLine.FindStringSubmatch(lines[i])
	if m == nil {
		return i, fmt.Errorf("%q is no result", lines[i])
	}
	r := docResult{mode: m[1], kept: m[2] != "", fault: m[3], place: m[4]}
	if strings.HasSuffix(lines[i], ":") {
		for i++; i+1 < len(lines) && lines[i] == ""; i++ {
		}
		r.rows, i = readTable(lines, i)
		want := e.columns
		if e.projection != nil {
			want = e.projection
		}
		if got := r.rows.values(); !slices.Equal(got, want) {
			return i, fmt.Errorf("the result has the columns %q, want %q", got, want)
		}
		if r.kept && !slices.Contains(r.rows.header, "kind") {
			return i, errors.New("a result with deletes kept shows no kinds")
		}
	}
	e.results = append(e.results, r)
	return i, nil
}

// readTable reads the table that begins in line i, and returns its last line.
func readTable(lines []string, i int) (docTable, int) {
	var rows [][]string
	for ; i < len(lines) && strings.HasPrefix(lines[i], "|"); i++ {
		cells := strings.Split(strings.Trim(lines[i], "|"), "|")
		for c := range cells {
			cells[c] = strings.TrimSpace(cells[c])
		}
		rows = append(rows, cells)
	}
	if len(rows) < 2 {
		return docTable{}, i - 1
	}
	return docTable{header: rows[0], rows: rows[2:]}, i - 1
}

// values names the value columns.
func (t docTable) values() []string {
	var names []string
	for _, name := range t.header {
		if name != "run" && name != "seq" && name != "kind" {
			names = append(names, name)
		}
	}
	return names
}

// schema is the table's.
func (e *docExample) schema() (*arrow.Schema, error) {
	var fields []arrow.Field
	for _, name := range e.columns {
		f := arrow.Field{Name: name, Type: plainTypes["int"], Nullable: true}
		if e.types != nil {
			word, notNull := strings.CutSuffix(e.types[name], " not null")
			var err error
			if f.Type, err = docType(word); err != nil {
				return nil, fmt.Errorf("column %q: %w", name, err)
			}
			f.Nullable = !notNull
		}
		fields = append(fields, f)
	}
	return arrow.NewSchema(fields, nil), nil
}

// build makes records of n rows each out of rows of a table; the last may have fewer. The caller releases them.
func (t docTable) build(mem memory.Allocator, table *arrow.Schema, rows [][]string, n int) ([]arrow.Record, error) {
	var fields []arrow.Field
	var cells []int
	for i, name := range t.header {
		switch name {
		case "run":
			continue
		case "seq":
			fields = append(fields, arrow.Field{Name: kernel.SequenceColumn, Type: arrow.PrimitiveTypes.Int64})
		case "kind":
			fields = append(fields, arrow.Field{Name: kernel.KindColumn, Type: arrow.PrimitiveTypes.Int8})
		default:
			fields = append(fields, table.Field(table.FieldIndices(name)[0]))
		}
		cells = append(cells, i)
	}
	b := array.NewRecordBuilder(mem, arrow.NewSchema(fields, nil))
	defer b.Release()
	var records []arrow.Record
	for chunk := range slices.Chunk(rows, n) {
		for _, row := range chunk {
			for i, cell := range cells {
				if len(row) != len(t.header) {
					return records, fmt.Errorf("%d cells under %d headings: %q", len(row), len(t.header), row)
				}
				add := appendCell
				if t.header[cell] == "kind" {
					add = appendKind
				}
				if err := add(b.Field(i), row[cell]); err != nil {
					return records, fmt.Errorf("%s: %q: %w", t.header[cell], row[cell], err)
				}
			}
		}
		records = append(records, b.NewRecord())
	}
	return records, nil
}

// runs are the rows of the input, run by run.
func (e *docExample) runs() ([][][]string, error) {
	var runs [][][]string
	for _, row := range e.input.rows {
		number, err := strconv.Atoi(row[0])
		if err != nil || number < len(runs)-1 {
			return nil, fmt.Errorf("run %q stands after run %d", row[0], len(runs)-1)
		}
		for len(runs) <= number {
			runs = append(runs, nil)
		}
		runs[number] = append(runs[number], row)
	}
	return runs, nil
}

// check puts the example to the kernel, in whole runs and in batches of one row, and to the row merger, in every mode that a
// result is for, and returns what is wrong with the results.
func (e *docExample) check() error {
	if len(e.results) == 0 {
		return errors.New("the example has no result")
	}
	if err := e.checkModes(); err != nil {
		return err
	}
	for _, r := range e.results {
		modes := []string{r.mode}
		if r.mode == "" {
			modes = []string{"default", "strict"}
		}
		for _, mode := range modes {
			for _, batchRows := range []int{1 << 10, 1} {
				if err := e.checkResult(r, mode, batchRows); err != nil {
					return fmt.Errorf("%s mode, deletes kept %v, batches of up to %d rows: %w", mode, r.kept, batchRows, err)
				}
			}
		}
	}
	return nil
}

// checkModes wants results of one mode in pairs that differ.
func (e *docExample) checkModes() error {
	for _, kept := range []bool{false, true} {
		of := map[string]docResult{}
		for _, r := range e.results {
			if r.kept != kept {
				continue
			}
			if _, twice := of[r.mode]; twice {
				return fmt.Errorf("two results of the same sort, %q", r.mode)
			}
			of[r.mode] = r
		}
		was, strict := of["default"], of["strict"]
		_, both := of[""]
		switch {
		case both && len(of) > 1, len(of) == 1 && !both:
			return errors.New("results are for both modes or for each of them")
		case len(of) == 2 && was.fault == strict.fault && reflect.DeepEqual(was.rows, strict.rows):
			return errors.New("the results of both modes are the same")
		}
	}
	return nil
}

// checkResult compares one result with the two answers.
func (e *docExample) checkResult(r docResult, mode string, batchRows int) (err error) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer func() {
		if left := mem.CurrentAlloc(); left != 0 && err == nil {
			err = fmt.Errorf("%d bytes are left in the allocator", left)
		}
	}()
	schema, err := e.schema()
	if err != nil {
		return err
	}
	p := rowmerge.Problem{Schema: schema, PrimaryKey: e.key, PartitionKeys: e.partitions, Options: maps.Clone(e.options),
		Projection: e.projection, KeepDeletes: r.kept}
	p.Options["braid.strict"] = strconv.FormatBool(mode == "strict")
	runs, err := e.runs()
	if err != nil {
		return err
	}
	for i, rows := range runs {
		records, err := e.input.build(mem, schema, rows, batchRows)
		for _, rec := range records {
			defer rec.Release()
		}
		if err != nil {
			return err
		}
		run := rowmerge.Run{Records: records}
		if number, ok := e.runSequence[i]; ok {
			run.Sequence = &number
		}
		p.Runs = append(p.Runs, run)
	}
	if err := r.checkReference(p, mem); err != nil {
		return fmt.Errorf("row merger: %w", err)
	}
	if err := r.checkKernel(p, mem, batchRows); err != nil {
		return fmt.Errorf("kernel: %w", err)
	}
	return nil
}

func (r docResult) checkReference(p rowmerge.Problem, mem memory.Allocator) error {
	got, faults := p.Faults()
	if r.fault == "" {
		if len(faults) > 0 {
			return faults[0]
		}
		return r.diff(got, p, mem)
	}
	for _, f := range faults {
		place := placeOf(f.Run, f.Row, f.Column)
		if slices.Contains(docFaults[r.fault], f.Kind) && (strings.HasPrefix(r.place, place) || strings.HasPrefix(place, r.place)) {
			return nil
		}
	}
	return fmt.Errorf("the faults %v, want %s at %q", faults, r.fault, r.place)
}

func (r docResult) checkKernel(p rowmerge.Problem, mem memory.Allocator, batchRows int) error {
	got, err := docMerge(p, mem)
	if r.fault == "" {
		if err != nil {
			return err
		}
		return r.diff(got, p, mem)
	}
	if !errors.Is(err, docErrors[r.fault]) {
		return fmt.Errorf("error %v and %d rows, want %s", err, len(got), r.fault)
	}
	var at *kernel.RowError
	if errors.As(err, &at) && at.Row >= 0 {
		if place := placeOf(at.Run, at.Batch*batchRows+at.Row, at.Column); place != r.place {
			return fmt.Errorf("%s at %q, want %q", r.fault, place, r.place)
		}
	} else if r.place != "" {
		return fmt.Errorf("%s without a row, want %q", r.fault, r.place)
	}
	return nil
}

// placeOf writes the place of an error as results do.
func placeOf(run, row int, column string) string {
	if run < 0 {
		return ""
	}
	place := fmt.Sprintf("run %d, row %d", run, row)
	if column != "" {
		place += ", column `" + column + "`"
	}
	return place
}

// diff compares the rows of an answer with those of the result.
func (r docResult) diff(got []rowmerge.Row, p rowmerge.Problem, mem memory.Allocator) error {
	var want []rowmerge.Row
	columns := r.rows.values()
	records, err := r.rows.build(mem, p.Schema, r.rows.rows, len(r.rows.rows)+1)
	for _, rec := range records {
		defer rec.Release()
	}
	if err != nil {
		return err
	}
	for _, rec := range records {
		if want, err = rowmerge.RowsOf(rec, columns, nil); err != nil {
			return err
		}
	}
	if d := rowmerge.Diff(want, got, rowmerge.Comparison{Columns: columns,
		Kinds: slices.Contains(r.rows.header, "kind"), Sequences: slices.Contains(r.rows.header, "seq"),
		AnyNaN: func(int) bool { return true }}); d != "" {
		return errors.New(d)
	}
	return nil
}

// docMerge puts a problem to the kernel.
func docMerge(p rowmerge.Problem, mem memory.Allocator) ([]rowmerge.Row, error) {
	options, err := kernel.ParseOptions(p.Options)
	if err != nil {
		return nil, err
	}
	plan, err := kernel.Compile(kernel.Table{Schema: p.Schema, PrimaryKey: p.PrimaryKey, PartitionKeys: p.PartitionKeys}, options)
	if err != nil {
		return nil, err
	}
	var runs []kernel.Run
	for _, r := range p.Runs {
		run := kernel.FromRecords(r.Records...)
		for i := range run.Files {
			run.Files[i].Sequence = r.Sequence
		}
		runs = append(runs, run)
	}
	how := []kernel.MergeOption{kernel.WithAllocator(mem), kernel.KeepSystemColumns()}
	columns := p.Projection
	if columns == nil {
		for _, f := range p.Schema.Fields() {
			columns = append(columns, f.Name)
		}
	} else {
		how = append(how, kernel.WithProjection(columns...))
	}
	if p.KeepDeletes {
		how = append(how, kernel.KeepDeletes())
	}
	merged, err := plan.Merge(context.Background(), runs, how...)
	if err != nil {
		return nil, err
	}
	defer merged.Release()
	var all []rowmerge.Row
	for merged.Next() {
		rows, err := rowmerge.RowsOf(merged.Record(), columns, nil)
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	return all, merged.Err()
}

// semantics reads the document.
func semantics(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(semanticsPage)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestSemanticsExamples(t *testing.T) {
	examples, err := readExamples(semantics(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(examples) == 0 {
		t.Fatal("the document has no example")
	}
	for _, e := range examples {
		t.Run(fmt.Sprintf("%s, line %d", e.section, e.line), func(t *testing.T) {
			if err := e.check(); err != nil {
				t.Errorf("%s:%d: %v", semanticsPage, e.line, err)
			}
		})
	}
}

// TestSemanticsCheckerFails shows the checker examples that are wrong, next to the one they are made from, which is right.
func TestSemanticsCheckerFails(t *testing.T) {
	const right = "# Made up\n```merge\nmerge-engine = partial-update\ncolumns: k int, a int, b int not null\n```\n\n" +
		"| run | seq | kind | k | a | b |\n|---|---|---|---|---|---|\n" +
		"| 0 | 1 | +I | 1 | 5 | 6 |\n| 0 | 2 | +U | 2 | 7 | NULL |\n| 1 | 3 | +U | 1 | NULL | 8 |\n\n"
	const defaultRows = "Result, default:\n\n| seq | kind | k | a | b |\n|---|---|---|---|---|\n| 3 | +I | 1 | 5 | 8 |\n| 2 | +U | 2 | 7 | NULL |\n\n"
	const strictError = "Result, strict: `ErrNotNull` at run 0, row 1, column `b`.\n"
	for _, c := range []struct {
		name, old, new string
		want           string // part of the error, empty for none
	}{
		{"right", "", "", ""},
		{"a value", "| 5 | 8 |", "| 6 | 8 |", "want 6, got 5"},
		{"NULL", "| 5 | 8 |", "| NULL | 8 |", "want NULL, got 5"},
		{"a kind", "| 2 | +U | 2 | 7 | NULL |\n\n", "| 2 | +I | 2 | 7 | NULL |\n\n", "row 1: kind"},
		{"a sequence number", "| 3 | +I | 1 |", "| 1 | +I | 1 |", "row 0: sequence number"},
		{"a row too few", "| 2 | +U | 2 | 7 | NULL |\n\n", "\n", "2 rows, want 1"},
		{"a row too many", "\n\nResult, strict", "\n| 4 | +I | 3 | 7 | 7 |\n\nResult, strict", "2 rows, want 3"},
		{"rows for an error", strictError, "Result, strict: no rows.\n", "not-null"},
		{"an error for rows", defaultRows, "Result, default: `ErrNotNull`.\n", "the results of both modes are the same"},
		{"another error", "ErrNotNull", "ErrRetract", "want ErrRetract"},
		{"another row", "row 1", "row 0", "want ErrNotNull"},
		{"another column", "column `b`", "column `a`", "want ErrNotNull"},
		{"no column", ", column `b`", "", "want \"run 0, row 1\""},
		{"one mode for both", "Result, default:", "Result:", "for both modes or for each of them"},
		{"strict left out", strictError, "", "for both modes or for each of them"},
		{"another engine", "partial-update", "deduplicate", "row 0: kind"},
		{"no results", defaultRows + strictError, "", "no result"},
		{"columns of the result", "| seq | kind | k | a | b |\n|---|---|---|---|---|\n| 3", "| seq | kind | k | b | a |\n|---|---|---|---|---|\n| 3", "the result has the columns"},
		{"columns of the input", "columns: k int, a int, ", "columns: k int, ", "the input has the columns"},
		{"a setting", "columns:", "colums:", "no setting"},
		{"a result", "Result, strict", "Result, stric", "no result"},
		{"no block", "```merge", "```", "a result without an input"},
		{"runs out of order", "| 1 | 3 | +U |", "| 1 | 3 | +U | 1 | 1 | 1 |\n| 0 | 3 | +U |", "stands after run 1"},
		{"two modes that agree", strictError, strings.Replace(defaultRows, "default", "strict", 1), "the results of both modes are the same"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := right + defaultRows + strictError
			if !strings.Contains(text, c.old) {
				t.Fatalf("%q is not in the example", c.old)
			}
			examples, err := readExamples(strings.Replace(text, c.old, c.new, 1))
			for i := range examples {
				if err == nil {
					err = examples[i].check()
				}
			}
			switch {
			case err == nil && c.want != "":
				t.Errorf("no error, want one with %q", c.want)
			case err != nil && (c.want == "" || !strings.Contains(err.Error(), c.want)):
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

// sectionTable returns the rows of the table whose first column has that heading.
func sectionTable(t *testing.T, heading string) docTable {
	t.Helper()
	lines := strings.Split(semantics(t), "\n")
	at := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "| "+heading+" |") })
	if at < 0 {
		t.Fatalf("no table with the heading %q", heading)
	}
	table, _ := readTable(lines, at)
	return table
}

var codeSpan = regexp.MustCompile("`([^`]*)`")

// codesOf returns the pieces of code in a cell.
func codesOf(cell string) []string {
	var codes []string
	for _, m := range codeSpan.FindAllStringSubmatch(cell, -1) {
		codes = append(codes, m[1])
	}
	return codes
}

// firstCode returns the first piece of code in a cell, if there is one.
func firstCode(cell string) string { return append(codesOf(cell), "")[0] }

// TestSemanticsErrors holds that the table of errors has every error of the kernel, and no other.
func TestSemanticsErrors(t *testing.T) {
	var listed []string
	for _, row := range sectionTable(t, "error").rows {
		listed = append(listed, firstCode(row[0]))
	}
	slices.Sort(listed)
	declared := declaredErrors(t)
	if !slices.Equal(listed, declared) {
		t.Errorf("the document lists %q\nthe kernel has %q", listed, declared)
	}
	if known := slices.Sorted(maps.Keys(docErrors)); !slices.Equal(known, declared) {
		t.Errorf("examples can name %q\nthe kernel has %q", known, declared)
	}
}

// declaredErrors names the errors that package kernel exports.
func declaredErrors(t *testing.T) []string {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if v, ok := n.(*ast.ValueSpec); ok {
				for _, id := range v.Names {
					if strings.HasPrefix(id.Name, "Err") {
						names = append(names, id.Name)
					}
				}
			}
			_, inside := n.(*ast.FuncDecl)
			return !inside
		})
	}
	slices.Sort(names)
	return names
}

var sectionReference = regexp.MustCompile(`docs/semantics\.md, "([^"]+)"`)

// TestSemanticsSections holds that every section the code refers to is there.
func TestSemanticsSections(t *testing.T) {
	sections := map[string]bool{}
	for _, line := range strings.Split(semantics(t), "\n") {
		if strings.HasPrefix(line, "#") {
			sections[strings.TrimLeft(line, "# ")] = true
		}
	}
	references := 0
	for _, dir := range []string{"../kernel", "../columnar", "../aggfuncs", "../validity", "../cmd"} {
		err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(name) != ".go" {
				return err
			}
			text, err := os.ReadFile(name)
			for _, m := range sectionReference.FindAllStringSubmatch(string(text), -1) {
				references++
				if !sections[m[1]] {
					t.Errorf("%s refers to the section %q", name, m[1])
				}
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	if references == 0 {
		t.Error("no file refers to a section")
	}
}
