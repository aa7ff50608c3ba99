package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/kernel"
)

// updateCommand is the command line of update.
type updateCommand struct {
	Files []string `arg:"" optional:"" name:"file" help:"Files of one table, in the order of their row ids: a name, or a quoted pattern ('data/*.parquet') for all its matches by name."`

	Set         []string `sep:"none" required:"" placeholder:"COLUMN=VALUE" help:"What a column becomes, such as 'v = v + 1'. Said again for every column; all values are computed from the row as it was."`
	Where       string   `placeholder:"CONDITION" help:"The rows that are updated, such as 'id > 4 AND name IS NULL'; by default all."`
	ColumnsOnly bool     `help:"Write a column file: the row ids and the columns that were set, of the files in which a row may change."`
	Format      format   `enum:",parquet,arrow" default:"" placeholder:"parquet|arrow" help:"Format of all files read. By default a file's name says it, or else its first bytes."`

	Output      string `short:"o" placeholder:"FILE" help:"Where the rows go; - is standard output, the default. A file appears whole or not at all."`
	To          format `enum:",parquet,arrow,arrows,jsonl,csv,table" default:"" placeholder:"FORMAT" help:"Format written: parquet, arrow, arrows, jsonl, csv or table. By default the name of the file says it; standard output is a table on a terminal and jsonl elsewhere."`
	Compression string `placeholder:"CODEC" help:"Compression written: zstd (the default), snappy, gzip, brotli, lz4 or none for parquet; none (the default), zstd or lz4 for arrow and arrows."`
	Force       bool   `help:"Replace the file if it exists."`
	JSON        bool   `name:"json" help:"Report as JSON, to standard error."`
	Quiet       bool   `short:"q" help:"No report and no progress."`
}

// Help is what --help says beside the flags.
func (*updateCommand) Help() string {
	return `Examples:

  braid update data.parquet --set 'v = v + 1' --where 'id > 4' -o updated.parquet
  braid update 'data/*.parquet' --set "state = 'closed'" --set 'total = price * (1 + tax)' --where "state = 'open' AND paid >= total" -o out.parquet
  braid update data.parquet --set 'v = 0' --where '_ROW_ID IN (3, 5)' --columns-only --to csv

The rows of the files have the ids 0, 1, 2, ... in the order in which files and rows come; conditions and values can read them as _ROW_ID. The rows keep their order. Dictionaries are written out as their values.

Expressions have columns ("in quotes" where they are no plain words), numbers, 'texts', TRUE, FALSE and NULL; + - * / and ||; = <> < <= > >=, IS NULL, IN (...); AND, OR, NOT. They are checked against the types of the columns before a row is read. A row for which the condition is NULL is not updated.

Parquet files of which the statistics rule out that a row is updated are not read for the update, and left out of a column file.`
}

// Run updates.
func (c *updateCommand) Run(ctx context.Context, std *streams) error {
	started := time.Now()
	t, err := newTarget(c.Output, c.To, c.Compression, c.Force, std)
	if err != nil {
		return err
	}
	files, err := c.open(ctx, std)
	if err != nil {
		return err
	}
	defer files.close()
	table, err := updateTable(files)
	if err != nil {
		return err
	}
	update, err := c.compile(table)
	if err != nil {
		return err
	}
	ranges, err := rowRanges(files)
	if err != nil {
		return err
	}
	out, err := openOutput(t, std)
	if err != nil {
		return err
	}
	defer out.abort()
	w := &updateWriter{ctx: ctx, update: update, table: table, files: files, ranges: ranges, columnsOnly: c.ColumnsOnly, out: out,
		progress: newProgress(std, "updating", files.rows(), c.Quiet)}
	defer w.progress.end()
	stats, err := w.run()
	if err != nil {
		return err
	}
	w.progress.end()
	return c.say(newUpdateReport(stats, files, out, started), std)
}

// open finds the files, each a run of its own, and looks at them.
func (c *updateCommand) open(ctx context.Context, std *streams) (*inputRuns, error) {
	var runs []runPaths
	for _, operand := range c.Files {
		if operand == standardInput {
			return nil, usagef("standard input cannot be updated: rows are read more than once")
		}
		more, err := runsOfOperand(operand)
		if err != nil {
			return nil, err
		}
		runs = append(runs, more...)
	}
	if len(runs) == 0 {
		return nil, usagef("no files: name the files of a table, in the order of their row ids")
	}
	return openRuns(ctx, runs, c.Format, std)
}

// updateTable is the table of the files: the columns of the first.
func updateTable(files *inputRuns) (*arrow.Schema, error) {
	all := files.inputs()
	for _, in := range all {
		for _, f := range in.schema.Fields() {
			switch {
			case isSystem(f.Name):
				return nil, usagef("%s has column %s: rows of a table with a primary key are updated by merging newer rows", in.name, f.Name)
			case f.Name == kernel.RowIDColumn || f.Name == kernel.FirstRowIDColumn:
				return nil, usagef("%s has column %s, which is the name of the rows' ids here", in.name, f.Name)
			}
		}
		if in.rows < 0 {
			return nil, usagef("%s is a stream, which does not say how many rows it has; write it to an Arrow or Parquet file first", in.name)
		}
	}
	table, err := files.table(nil)
	return table.Schema, err
}

// compile makes the update of the texts. A mistake in them is one of the command line.
func (c *updateCommand) compile(table *arrow.Schema) (*kernel.Update, error) {
	var action kernel.Action
	if strings.TrimSpace(c.Where) != "" {
		var err error
		if action.When, err = kernel.ParseCondition(c.Where, table, nil); err != nil {
			return nil, mistake("--where", c.Where, err, table)
		}
	}
	for _, text := range c.Set {
		set, err := kernel.ParseAssignment(text, table, nil)
		if err != nil {
			return nil, mistake("--set", text, err, table)
		}
		if slices.ContainsFunc(action.Set, func(a kernel.Assignment) bool { return a.Column == set.Column }) {
			return nil, usagef("--set %s: column %q is set twice", text, set.Column)
		}
		action.Set = append(action.Set, set)
	}
	return kernel.CompileUpdate(kernel.Table{Schema: table}, nil, action)
}

// mistake makes a usage error of what is wrong with a text, with the columns there are if it names one that is not there.
func mistake(flag, text string, err error, table *arrow.Schema) error {
	var missing *kernel.MissingColumnError
	if errors.As(err, &missing) {
		return usagef("%s %s: there is no column %q; %s", flag, text, missing.Name, suggest(missing.Name, table.Fields()))
	}
	return usagef("%s %s: %v", flag, text, err)
}

// updateReport is what an update has done, as --json gives it.
type updateReport struct {
	Files       []fileReport `json:"files"`
	Output      outReport    `json:"output"`
	Rows        int64        `json:"rows"`
	RowsUpdated int64        `json:"rows_updated"`
	FilesPruned int          `json:"files_pruned"`
	Seconds     float64      `json:"seconds"`
}

func newUpdateReport(stats kernel.UpdateStats, files *inputRuns, out *output, started time.Time) *updateReport {
	r := &updateReport{Rows: files.rows(), RowsUpdated: stats.RowsUpdated, FilesPruned: stats.Pruned, Seconds: time.Since(started).Seconds(),
		Output: outReport{Name: out.path, Format: out.format, Rows: out.rows, Bytes: out.bytes.bytes}}
	for _, in := range files.inputs() {
		r.Files = append(r.Files, fileReport{Name: in.name, Format: in.format, Rows: known(in.rows), Bytes: known(in.bytes)})
	}
	return r
}

// say reports.
func (c *updateCommand) say(r *updateReport, std *streams) error {
	switch {
	case c.JSON:
		encoder := json.NewEncoder(std.err)
		encoder.SetIndent("", "  ")
		return encoder.Encode(r)
	case c.Quiet:
		return nil
	}
	line := fmt.Sprintf("updated %s of %s in %s, %.2fs", rowsText(r.RowsUpdated), grouped(r.Rows), plural(len(r.Files), "file"), r.Seconds)
	if r.FilesPruned > 0 {
		line += fmt.Sprintf(", %d without a row to update by what is known of them", r.FilesPruned)
	}
	if r.Output.Name != standardInput {
		line += fmt.Sprintf(", %s (%s)", r.Output.Name, bytesText(r.Output.Bytes))
	}
	_, err := fmt.Fprintln(std.err, line)
	return err
}

// rowsText is a number of rows.
func rowsText(n int64) string {
	if n == 1 {
		return "1 row"
	}
	return grouped(n) + " rows"
}
