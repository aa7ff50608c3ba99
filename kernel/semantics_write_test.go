package kernel_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/kernel"
)

// The section of the document about writing has examples of two more kinds. Rows of a table, which a write buffer makes a run
// of; the same is asked of the row merger:
//
//	```write
//	merge-engine = deduplicate                   an option of the table
//	columns: k int, a int not null default 7     its columns; without this line those of the input, all of them int
//	```
//
//	| kind | k | a |                             the rows in the order in which they come; kind may be left out
//
//	Written:                                     and the rows of the run; or "Refused: `ErrNotNull` at row 1, column `a`."
//
// Rows of some columns of a table, which a validity.Writer makes complete:
//
//	```supply
//	columns: _VALIDITY_FIELDS bytes, k int, a int
//	```
//
//	| supplies | a | k |                         the rows; supplies, which may be left out, has the columns of the row's action
//
//	Complete:                                    and the complete rows; or "Refused: ..." as above
type writeExample struct {
	docExample
	kind    string // write or supply
	want    docTable
	fault   string
	place   string
	decided bool
}

var refusedLine = regexp.MustCompile("^Refused: `(Err\\w+)` at ([^.]*)\\.$")

// readWriteExamples finds the examples of writing.
func readWriteExamples(text string) ([]*writeExample, error) {
	var examples []*writeExample
	var e *writeExample // at hand, nil between examples
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		var err error
		switch {
		case line == "```write" || line == "```supply":
			e = &writeExample{kind: strings.TrimPrefix(line, "```")}
			e.docExample = docExample{line: i + 1, options: map[string]string{}, key: []string{"k"}}
			for i++; i < len(lines) && lines[i] != "```" && err == nil; i++ {
				err = e.setting(lines[i])
			}
			examples = append(examples, e)
		case line == "```merge":
			e = nil
		case e == nil:
		case strings.HasPrefix(line, "|") && e.input.header == nil:
			e.input, i = readTable(lines, i)
			if e.kind == "write" {
				err = e.setColumns()
			}
		case line == "Written:" || line == "Complete:":
			for i++; i+1 < len(lines) && lines[i] == ""; i++ {
			}
			e.want, i = readTable(lines, i)
			e.decided, e = true, nil
		case strings.HasPrefix(line, "Refused:"):
			m := refusedLine.FindStringSubmatch(line)
			if m == nil {
				return nil, fmt.Errorf("line %d: %q is no result", i+1, line)
			}
			e.fault, e.place = m[1], m[2]
			e.decided, e = true, nil
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	for _, e := range examples {
		if !e.decided || e.input.header == nil {
			return nil, fmt.Errorf("line %d: an example without an input or a result", e.line)
		}
	}
	return examples, nil
}

// table is the schema of the table, defaults included.
func (e *writeExample) table() (*arrow.Schema, error) {
	defaults := map[string]string{}
	for name, typ := range e.types {
		if before, text, ok := strings.Cut(typ, " default "); ok {
			e.types[name], defaults[name] = before, text
		}
	}
	schema, err := e.schema()
	if err != nil {
		return nil, err
	}
	fields := schema.Fields()
	for i, f := range fields {
		if text, ok := defaults[f.Name]; ok {
			fields[i].Metadata = arrow.MetadataFrom(map[string]string{"paimon.default": text})
		}
	}
	return arrow.NewSchema(fields, nil), nil
}

// check asks everybody who should know.
func (e *writeExample) check() error {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	types := maps.Clone(e.types)
	for _, batchRows := range []int{1 << 10, 1} {
		e.types = maps.Clone(types)
		table, err := e.table()
		if err != nil {
			return err
		}
		if e.kind == "supply" {
			err = e.checkSupply(table, mem)
		} else {
			err = e.checkWrite(table, batchRows, mem)
		}
		if err != nil {
			return fmt.Errorf("batches of up to %d rows: %w", batchRows, err)
		}
	}
	if left := mem.CurrentAlloc(); left != 0 {
		return fmt.Errorf("%d bytes are left in the allocator", left)
	}
	return nil
}

func (e *writeExample) checkWrite(table *arrow.Schema, batchRows int, mem memory.Allocator) error {
	p := rowmerge.Problem{Schema: table, PrimaryKey: e.key, Options: e.options}
	records, err := e.input.build(mem, table, e.input.rows, batchRows)
	defer releaseRecords(records)
	if err != nil {
		return err
	}
	var rows []rowmerge.Row
	for _, rec := range records {
		of, err := rowmerge.RowsOf(rec, e.columns, nil)
		if err != nil {
			return err
		}
		rows = append(rows, of...)
	}
	made, err := p.Write(rows, 1)
	var fault *rowmerge.Error
	place := ""
	if errors.As(err, &fault) {
		place = fmt.Sprintf("row %d", fault.Row)
		if fault.Column != "" {
			place += ", column `" + fault.Column + "`"
		}
		if !slices.Contains(docFaults[e.fault], fault.Kind) {
			return fmt.Errorf("row merger: %w", err)
		}
	}
	if err := e.compare(made.File, err, place, p, mem); err != nil {
		return fmt.Errorf("row merger: %w", err)
	}
	got, err := writeByKernel(p, records, mem)
	if err != nil && !errors.Is(err, docErrors[e.fault]) {
		return fmt.Errorf("kernel: %w", err)
	}
	if err := e.compare(got, err, placeAdded(err, batchRows), p, mem); err != nil {
		return fmt.Errorf("kernel: %w", err)
	}
	return nil
}

func releaseRecords(records []arrow.Record) {
	for _, rec := range records {
		rec.Release()
	}
}

// placeAdded is the place of an error of a write buffer as results write it.
func placeAdded(err error, batchRows int) string {
	var at *kernel.RowError
	if !errors.As(err, &at) {
		return ""
	}
	place := fmt.Sprintf("row %d", at.Batch*batchRows+at.Row)
	if at.Column != "" {
		place += ", column `" + at.Column + "`"
	}
	return place
}

// compare compares rows, or an error and its place, with the result.
func (e *writeExample) compare(got []rowmerge.Row, err error, place string, p rowmerge.Problem, mem memory.Allocator) error {
	if (err != nil) != (e.fault != "") || place != e.place {
		return fmt.Errorf("error %v at %q, want %q at %q", err, place, e.fault, e.place)
	}
	if err != nil {
		return nil
	}
	return docResult{rows: e.want}.diff(got, p, mem)
}

// writeByKernel makes a run of records.
func writeByKernel(p rowmerge.Problem, records []arrow.Record, mem memory.Allocator) ([]rowmerge.Row, error) {
	options, err := kernel.ParseOptions(p.Options)
	if err != nil {
		return nil, err
	}
	plan, err := kernel.Compile(kernel.Table{Schema: p.Schema, PrimaryKey: p.PrimaryKey}, options)
	if err != nil {
		return nil, err
	}
	b, err := plan.NewWriteBuffer(1, mem)
	if err != nil {
		return nil, err
	}
	defer b.Release()
	for _, rec := range records {
		if err := b.Add(rec); err != nil {
			return nil, err
		}
	}
	out, err := b.Flush(context.Background())
	if err != nil {
		return nil, err
	}
	defer out.Release()
	var names []string
	for _, f := range p.Schema.Fields() {
		names = append(names, f.Name)
	}
	var all []rowmerge.Row
	for out.Next() {
		rows, err := rowmerge.RowsOf(out.Record(), names, nil)
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	return all, out.Err()
}

func TestSemanticsWriting(t *testing.T) {
	examples, err := readWriteExamples(semantics(t))
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, e := range examples {
		kinds[e.kind]++
		t.Run(fmt.Sprintf("%s, line %d", e.kind, e.line), func(t *testing.T) {
			if err := e.check(); err != nil {
				t.Errorf("%s:%d: %v", semanticsPage, e.line, err)
			}
		})
	}
	if kinds["write"] == 0 || kinds["supply"] == 0 {
		t.Errorf("the document has the examples %v", kinds)
	}
}

// TestSemanticsWritingCheckerFails shows the checker examples that are wrong.
func TestSemanticsWritingCheckerFails(t *testing.T) {
	const write = "```write\nmerge-engine = deduplicate\ncolumns: k int, a int default 7, b int not null\n```\n\n" +
		"| kind | k | a | b |\n|---|---|---|---|\n| +U | 2 | NULL | 1 |\n| +I | 1 | 5 | 2 |\n\n" +
		"Written:\n\n| seq | kind | k | a | b |\n|---|---|---|---|---|\n| 2 | +I | 1 | 5 | 2 |\n| 1 | +U | 2 | 7 | 1 |\n"
	const refused = "```write\nmerge-engine = deduplicate\ncolumns: k int, a int, b int not null\n```\n\n" +
		"| k | a | b |\n|---|---|---|\n| 2 | NULL | 1 |\n| 1 | 5 | NULL |\n\nRefused: `ErrNotNull` at row 1, column `b`.\n"
	const supply = "```supply\ncolumns: _VALIDITY_FIELDS bytes, k int, a int default 7, b int\n```\n\n" +
		"| supplies | k | b |\n|---|---|---|\n| k, b | 1 | NULL |\n| k | 2 | 3 |\n\n" +
		"Complete:\n\n| _VALIDITY_FIELDS | k | a | b |\n|---|---|---|---|\n| {1,3} | 1 | 7 | NULL |\n| {1} | 2 | 7 | NULL |\n"
	for _, c := range []struct{ text, old, new, want string }{
		{write, "", "", ""},
		{write, "| 2 | +I |", "| 3 | +I |", "sequence number"},
		{write, "| 1 | +U | 2 | 7 |", "| 1 | +I | 2 | 7 |", "kind"},
		{write, "| 2 | 7 | 1 |", "| 2 | NULL | 1 |", "want NULL, got 7"},
		{write, " default 7", "", "want 7, got NULL"},
		{write, "\n| 1 | +U | 2 | 7 | 1 |", "", "2 rows, want 1"},
		{write, "Written", "Writen", "without an input or a result"},
		{refused, "", "", ""},
		{refused, "row 1", "row 0", "want \"ErrNotNull\" at \"row 0"},
		{refused, "column `b`", "column `a`", "want \"ErrNotNull\""},
		{refused, "ErrNotNull", "ErrRetract", "not-null"},
		{refused, "b int not null", "b int", "want \"ErrNotNull\""},
		{supply, "", "", ""},
		{supply, "{1,3}", "{1,2,3}", "complete rows are"},
		{supply, "| k | 2 |", "| k, b | 2 |", "complete rows are"},
		{supply, " default 7", "", "complete rows are"},
		{supply, "b int\n", "b int not null\n", "ErrNotNull"},
	} {
		if !strings.Contains(c.text, c.old) {
			t.Fatalf("%q is not in the example", c.old)
		}
		examples, err := readWriteExamples(strings.Replace(c.text, c.old, c.new, 1))
		for _, e := range examples {
			if err == nil {
				err = e.check()
			}
		}
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), "NULL in a NOT NULL column", "ErrNotNull"), c.want)) {
			t.Errorf("%q for %q: error %v, want one with %q", c.new, c.old, err, c.want)
		}
	}
}
