package kernel_test

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/kernel"
)

// updateExample is a worked example of an update in the document: a block, the files of one range, and what comes out.
//
//	```update
//	columns: id int, v int      the table's columns
//	where: id > 4               begins an action
//	set: v = v + 1              an assignment of the action; without a "where" before it, of one for every row
//	deleted: 1, 2               positions of deleted rows
//	```
//
//	| file | row id | id | v |  the rows of the files, oldest first; a dash where a file does not have a column
//
//	After:                      and the rows of the new column file, or "After: no column file.", or an error
type updateExample struct {
	line    int
	columns []string
	types   map[string]string
	actions []exampleAction
	deleted []uint32
	input   docTable
	after   docTable
	none    bool
	fault   string
	place   string
}

type exampleAction struct {
	when string
	set  []string
}

var afterLine = regexp.MustCompile("^After:(?: (no column file)\\.| `(Err\\w+)`(?: at (row id [^.]*))?\\.)?$")

// readUpdates finds the examples of updates in a document.
func readUpdates(text string) ([]updateExample, error) {
	var examples []updateExample
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		var e *updateExample
		if len(examples) > 0 {
			e = &examples[len(examples)-1]
		}
		switch line := lines[i]; {
		case line == "```update":
			next := updateExample{line: i + 1, types: map[string]string{}}
			for i++; i < len(lines) && lines[i] != "```"; i++ {
				if err := next.setting(lines[i]); err != nil {
					return nil, fmt.Errorf("line %d: %w", i+1, err)
				}
			}
			examples = append(examples, next)
		case strings.HasPrefix(line, "| file |"):
			if e == nil || e.input.header != nil {
				return nil, fmt.Errorf("line %d: files without a block of their own", i+1)
			}
			e.input, i = readTable(lines, i)
		case strings.HasPrefix(line, "After:"):
			m := afterLine.FindStringSubmatch(line)
			if e == nil || m == nil || e.input.header == nil {
				return nil, fmt.Errorf("line %d: no result of an update", i+1)
			}
			e.none, e.fault, e.place = m[1] != "", m[2], m[3]
			if line == "After:" {
				for i++; i+1 < len(lines) && lines[i] == ""; i++ {
				}
				e.after, i = readTable(lines, i)
			}
		}
	}
	return examples, nil
}

func (e *updateExample) setting(line string) error {
	word, rest, _ := strings.Cut(line, ": ")
	switch word {
	case "columns":
		for _, column := range strings.Split(rest, ", ") {
			name, typ, _ := strings.Cut(column, " ")
			e.columns, e.types[name] = append(e.columns, name), typ
		}
	case "where":
		e.actions = append(e.actions, exampleAction{when: rest})
	case "set":
		if len(e.actions) == 0 {
			e.actions = append(e.actions, exampleAction{})
		}
		last := &e.actions[len(e.actions)-1]
		last.set = append(last.set, rest)
	case "deleted":
		for _, text := range strings.Split(rest, ", ") {
			at, err := strconv.ParseUint(text, 10, 32)
			if err != nil {
				return err
			}
			e.deleted = append(e.deleted, uint32(at))
		}
	default:
		return fmt.Errorf("%q is no setting of an update", line)
	}
	return nil
}

// check puts the example to the kernel, in windows of several sizes.
func (e *updateExample) check() error {
	if e.after.header == nil && !e.none && e.fault == "" {
		return errors.New("the example has no result")
	}
	for _, rows := range []int{0, 1, 2} {
		got, err := e.run(rows)
		if e.fault != "" {
			var at *kernel.RowIDError
			place := ""
			if errors.As(err, &at) {
				place = fmt.Sprintf("row id %d", at.RowID)
				if at.Column != "" {
					place += ", column `" + at.Column + "`"
				}
			}
			if !errors.Is(err, docErrors[e.fault]) || place != e.place {
				return fmt.Errorf("windows of %d rows: error %v at %q, want %s at %q", rows, err, place, e.fault, e.place)
			}
			continue
		}
		if err != nil {
			return err
		}
		want := ""
		if !e.none {
			want = strings.Join(e.after.header, " | ")
			for _, row := range e.after.rows {
				want += "\n" + strings.Join(row, " | ")
			}
		}
		if got != want {
			return fmt.Errorf("windows of %d rows:\n%s\nwant\n%s", rows, got, want)
		}
	}
	return nil
}

// run gives the table of the new column file, its header first; nothing for none.
func (e *updateExample) run(batchRows int) (string, error) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	doc := docExample{columns: e.columns, types: e.types}
	schema, err := doc.schema()
	if err != nil {
		return "", err
	}
	c := &updateCase{mem: mem, table: kernel.Table{Schema: schema}, batchRows: batchRows}
	r, release, err := e.rowRange(mem, schema)
	defer release()
	if err != nil {
		return "", err
	}
	c.ranges = []kernel.RowRange{r}
	var actions []kernel.Action
	for _, a := range e.actions {
		action, err := c.action(a.when, a.set...)
		if err != nil {
			return "", err
		}
		actions = append(actions, action)
	}
	u, err := kernel.CompileUpdate(c.table, nil, actions...)
	if err != nil {
		return "", err
	}
	got, _, err := c.run(actions...)
	if err != nil || got == "" {
		return "", err
	}
	out := strings.Join(append([]string{"row id"}, u.Columns()...), " | ")
	rows := strings.Split(strings.TrimPrefix(got, ": "), ") (")
	for i, row := range rows {
		out += fmt.Sprintf("\n%d | %s", r.FirstRowID+int64(i), strings.ReplaceAll(strings.Trim(row, "()"), ", ", " | "))
	}
	release()
	if left := mem.CurrentAlloc(); left != 0 {
		return "", fmt.Errorf("%d bytes are left in the allocator", left)
	}
	return out, nil
}

// rowRange makes the range of the example's files.
func (e *updateExample) rowRange(mem memory.Allocator, table *arrow.Schema) (r kernel.RowRange, release func(), err error) {
	var records []arrow.Record
	release = func() {
		for _, rec := range records {
			rec.Release()
		}
		records = nil
	}
	first, last := int64(0), int64(0)
	var names []string
	byFile := map[string][][]string{}
	for i, row := range e.input.rows {
		if len(row) != len(e.columns)+2 {
			return r, release, fmt.Errorf("%q is not %d columns", row, len(e.columns)+2)
		}
		id, err := strconv.ParseInt(row[1], 10, 64)
		if err != nil {
			return r, release, err
		}
		if i == 0 {
			first, last = id, id
		}
		first, last = min(first, id), max(last, id)
		if byFile[row[0]] == nil {
			names = append(names, row[0])
		}
		byFile[row[0]] = append(byFile[row[0]], row)
	}
	r = kernel.RowRange{FirstRowID: first, Rows: last - first + 1, Deleted: roaring.BitmapOf(e.deleted...)}
	for _, name := range names {
		rec, columns, err := e.file(mem, table, byFile[name])
		if err != nil {
			return r, release, err
		}
		records = append(records, rec)
		open := kernel.FromRecords(rec).Files[0].Open
		r.Files = append(r.Files, kernel.ColumnFile{Name: name, Columns: columns, Open: open})
	}
	return r, release, nil
}

// file makes the record of a file, whose rows have row ids, and names the table's columns it has.
func (e *updateExample) file(mem memory.Allocator, table *arrow.Schema, rows [][]string) (arrow.Record, []string, error) {
	fields := []arrow.Field{{Name: kernel.RowIDColumn, Type: arrow.PrimitiveTypes.Int64}}
	cells := []int{1}
	var columns []string
	for i, name := range e.columns {
		if !slices.ContainsFunc(rows, func(row []string) bool { return row[i+2] != "-" }) {
			continue
		}
		fields = append(fields, table.Field(i))
		cells, columns = append(cells, i+2), append(columns, name)
	}
	b := array.NewRecordBuilder(mem, arrow.NewSchema(fields, nil))
	defer b.Release()
	for _, row := range rows {
		for i, cell := range cells {
			if err := appendCell(b.Field(i), row[cell]); err != nil {
				return nil, nil, err
			}
		}
	}
	return b.NewRecord(), columns, nil
}

func TestSemanticsUpdates(t *testing.T) {
	examples, err := readUpdates(semantics(t))
	if err != nil || len(examples) == 0 {
		t.Fatal("no example of an update: ", err)
	}
	for _, e := range examples {
		t.Run(fmt.Sprintf("line %d", e.line), func(t *testing.T) {
			if err := e.check(); err != nil {
				t.Errorf("%s:%d: %v", semanticsPage, e.line, err)
			}
		})
	}
}

// TestSemanticsUpdatesFail shows the checker examples that are wrong, next to the one they are made from, which is right.
func TestSemanticsUpdatesFail(t *testing.T) {
	const right = "```update\ncolumns: id int, v int not null\nwhere: id > 1\nset: v = v + 1\n```\n\n| file | row id | id | v |\n|---|---|---|---|\n" +
		"| base | 7 | 1 | 5 |\n| base | 8 | 2 | 6 |\n\nAfter:\n\n| row id | v |\n|---|---|\n| 7 | 5 |\n| 8 | 7 |\n"
	for _, c := range []struct{ name, old, new, want string }{
		{"right", "", "", ""},
		{"a value", "| 8 | 7 |", "| 8 | 6 |", "want"},
		{"a row id", "| 8 | 7 |", "| 9 | 7 |", "want"},
		{"a row too few", "| 8 | 7 |\n", "", "want"},
		{"a column", "| row id | v |", "| row id | id |", "want"},
		{"no column file", "After:\n", "After: no column file.\n", "want"},
		{"an error", "After:\n", "After: `ErrOverflow`.\n", "want ErrOverflow"},
		{"no error", "v + 1", "v + 2147483647", "integer overflow"},
		{"another condition", "id > 1", "id > 0", "want"},
		{"a setting", "where:", "were:", "no setting"},
		{"no result", "After:", "Afterwards:", "no result"},
		{"no block", "```update", "```", "without a block"},
	} {
		examples, err := readUpdates(strings.Replace(right, c.old, c.new, 1))
		for i := range examples {
			if err == nil {
				err = examples[i].check()
			}
		}
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}
