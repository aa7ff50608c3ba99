package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/braidmerge/braid/validity"
)

// summaryCommand is the command line of validity summary.
type summaryCommand struct {
	Files  []string `arg:"" name:"file" help:"Files, quoted patterns, or - for an Arrow stream on standard input."`
	Format format   `enum:",parquet,arrow,arrows" default:"" placeholder:"parquet|arrow|arrows" help:"Format of all files. By default a file's name says it, or else its first bytes."`
	JSON   bool     `name:"json" help:"Write JSON, a line for each file."`
}

// Help is what --help says beside the flags.
func (*summaryCommand) Help() string {
	return `Examples:

  braid validity summary 'runs/*.parquet'

A column of the table that is drawn is a file. "all" says that every row of the file supplied the column, "-" that none did, and else there is their share. Rows with NULL in _VALIDITY_FIELDS do not say what they supplied: those of their columns that are not NULL.`
}

// suppliedReport is what summary finds in a file.
type suppliedReport struct {
	Name     string           `json:"name"`
	Rows     int64            `json:"rows"`
	Null     int64            `json:"null_rows"` // rows that do not say what they supplied
	Sets     int              `json:"sets"`      // different sets of columns
	Supplied map[string]int64 `json:"supplied"`  // rows, by column
	columns  []string
}

// Run draws the table.
func (c *summaryCommand) Run(ctx context.Context, std *streams) error {
	var reports []suppliedReport
	for _, name := range c.Files {
		paths, err := expand(name)
		if err != nil {
			return err
		}
		for _, path := range paths {
			report, err := c.summarize(ctx, path, std)
			if err != nil {
				return err
			}
			reports = append(reports, report)
		}
	}
	if !c.JSON {
		return drawSupplied(reports, std.out)
	}
	for _, report := range reports {
		if err := json.NewEncoder(std.out).Encode(report); err != nil {
			return err
		}
	}
	return nil
}

// summarize counts the rows of the file at path by what they supplied.
func (c *summaryCommand) summarize(ctx context.Context, path string, std *streams) (suppliedReport, error) {
	in, err := openInput(ctx, path, c.Format, std)
	if err != nil {
		return suppliedReport{}, err
	}
	defer in.close()
	return summarize(ctx, in)
}

// summarize counts the rows of a file by what they supplied.
func summarize(ctx context.Context, in *input) (suppliedReport, error) {
	r, err := newSuppliedReader(in)
	if err != nil {
		return suppliedReport{}, err
	}
	count := newSuppliedCount(in.name, r.suppliedColumn)
	err = r.each(ctx, func() bool {
		count.add()
		return true
	})
	if err != nil {
		return count.report, named(in.name, err)
	}
	return count.report, nil
}

// share says in words how many of the rows that say what they supplied supplied a column; nothing of a column that the file
// lacks.
func (r *suppliedReport) share(column string) string {
	supplied, rows := r.Supplied[column], r.Rows-r.Null
	switch {
	case !slices.Contains(r.columns, column):
		return ""
	case supplied == 0:
		return "-"
	case supplied == rows:
		return "all"
	case 200*supplied < rows:
		return "<1%"
	case 200*(rows-supplied) < rows:
		return ">99%"
	}
	return fmt.Sprintf("%d%%", (100*supplied+rows/2)/rows)
}

// drawSupplied draws a table with a line for every column that a file has, in the order of the files.
func drawSupplied(reports []suppliedReport, out io.Writer) error {
	header, rows, sets, nulls := []string{""}, []string{"rows"}, []string{"sets of columns"}, []string{"rows with NULL in " + validity.FieldsColumn}
	var columns []string
	known := map[string]bool{}
	for _, r := range reports {
		header = append(header, r.Name)
		rows = append(rows, grouped(r.Rows))
		sets = append(sets, grouped(int64(r.Sets)))
		nulls = append(nulls, grouped(r.Null))
		for _, name := range r.columns {
			if !known[name] {
				known[name] = true
				columns = append(columns, name)
			}
		}
	}
	table := [][]string{header, rows, sets, nulls, nil}
	for _, name := range columns {
		line := []string{name}
		for i := range reports {
			line = append(line, reports[i].share(name))
		}
		table = append(table, line)
	}
	_, err := io.WriteString(out, drawTable(table))
	return err
}

// drawTable lines cells up, the first of a line to the left and the others to the right. A nil line is drawn as a rule.
func drawTable(table [][]string) string {
	widths := make([]int, len(table[0]))
	for _, line := range table {
		for i, cell := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, line := range table {
		for i, width := range widths {
			if i > 0 {
				b.WriteString("  ")
			}
			switch {
			case line == nil:
				b.WriteString(strings.Repeat("-", width))
			case i == 0:
				fmt.Fprintf(&b, "%-*s", width, line[i])
			default:
				fmt.Fprintf(&b, "%*s", width, line[i])
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}
