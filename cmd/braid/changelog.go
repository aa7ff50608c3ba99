package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/braidmerge/braid/kernel"
)

// changelogCommand is the command line of changelog.
type changelogCommand struct {
	Files []string `arg:"" optional:"" name:"file" help:"The table as it was, one run: a file, or several in key order as a,b or a quoted pattern. Then the runs that change it, oldest first, as of merge."`

	Key     []string `short:"k" required:"" placeholder:"COLUMN" help:"Columns of the primary key, in the order that the runs are sorted by. Several are given as a,b or by saying --key again."`
	Order   string   `enum:",given" default:"" placeholder:"given" help:"With \"given\", the matches of a pattern are runs in the order of their names, oldest first. Needed where the files have no _SEQUENCE_NUMBER."`
	Format  format   `enum:",parquet,arrow,arrows" default:"" placeholder:"parquet|arrow|arrows" help:"Format of all files read. By default a file's name says it, or else its first bytes."`
	Engine  string   `short:"e" placeholder:"ENGINE" help:"What becomes of the rows of a key, as of merge."`
	Option  []string `sep:"none" placeholder:"NAME=VALUE" help:"Option of the table, such as changelog-producer.row-deduplicate=true."`
	Options string   `placeholder:"FILE.json" help:"Options of the table as a JSON object. --option and --engine go before."`

	Output            string `short:"o" placeholder:"FILE" help:"Where the changes go; - is standard output, the default. A file appears whole or not at all."`
	To                format `enum:",parquet,arrow,arrows,jsonl,csv,table" default:"" placeholder:"FORMAT" help:"Format written, as of merge."`
	Compression       string `placeholder:"CODEC" help:"Compression written, as of merge."`
	Force             bool   `help:"Replace the file if it exists."`
	KeepSystemColumns bool   `help:"Write _KEY_ columns and _SEQUENCE_NUMBER too."`

	MemoryLimit byteSize `placeholder:"SIZE" help:"Memory that the merge may take, such as 512MiB."`
	JSON        bool     `name:"json" help:"Report as JSON, to standard error."`
	Quiet       bool     `short:"q" help:"No report and no progress."`
}

// Help is what --help says beside the flags.
func (*changelogCommand) Help() string {
	return `Examples:

  braid changelog --key id table.parquet new-1.parquet new-2.parquet
  braid changelog --key id table.parquet new.parquet --option changelog-producer.row-deduplicate=true -o changes.parquet
  braid changelog --key id table.parquet 'new/*.parquet' --order given --engine partial-update --to csv

A change is a row with its kind in _VALUE_KIND: +I for a new row, -U and +U for one that becomes another, as it was and as it is, -D for one that is gone. Text formats have the kinds in these words; Parquet and Arrow have 0 +I, 1 -U, 2 +U, 3 -D (int8).

The table as it was is read once; only keys of the runs after it change. What a row becomes is what "braid merge" would make of all versions of its key.`
}

// Run lists the changes.
func (c *changelogCommand) Run(ctx context.Context, std *streams) error {
	started := time.Now()
	options, err := readOptions(c.Options, c.Option, c.Engine)
	if err != nil {
		return err
	}
	switch options.Changelog {
	case kernel.ChangelogNone:
		options.Changelog = kernel.ChangelogLookup
	case kernel.ChangelogInput:
		return usagef("the changelog-producer input has no table to compare with; leave the option out")
	}
	target, err := newTarget(c.Output, c.To, c.Compression, c.Force, std)
	if err != nil {
		return err
	}
	runs, err := c.open(ctx, std)
	if err != nil {
		return err
	}
	defer runs.close()
	table, err := runs.table(c.Key)
	if err != nil {
		return err
	}
	plan, err := kernel.Compile(table, options)
	if err != nil {
		return err
	}
	out, err := openOutput(target, std)
	if err != nil {
		return err
	}
	defer out.abort()
	stats, err := c.write(ctx, plan, table, runs, out, std)
	if err != nil {
		return err
	}
	return c.say(newChangelogReport(stats, runs, out, started), std)
}

// open finds the files and looks at them: the table as it was is the first run.
func (c *changelogCommand) open(ctx context.Context, std *streams) (*inputRuns, error) {
	if len(c.Files) < 2 {
		return nil, usagef("name the table as it was, and then the runs that change it")
	}
	paths, err := runOfFiles(c.Files[0])
	if err != nil {
		return nil, err
	}
	for _, operand := range c.Files[1:] {
		more, err := runsOfOperand(operand)
		if err != nil {
			return nil, err
		}
		paths = append(paths, more...)
	}
	if err := checkStandardInput(paths); err != nil {
		return nil, err
	}
	runs, err := openRuns(ctx, paths, c.Format, std)
	if err != nil {
		return nil, err
	}
	if c.Order == "" {
		if err := runs.checkOrder(paths); err != nil {
			runs.close()
			return nil, err
		}
	}
	return runs, nil
}

// write writes the changes and commits.
func (c *changelogCommand) write(ctx context.Context, plan *kernel.Plan, table kernel.Table, runs *inputRuns, out *output, std *streams) (stats kernel.Stats, err error) {
	columns, err := plan.InputFields()
	if err != nil {
		return stats, err
	}
	all, err := runs.merge(table, columns)
	if err != nil {
		return stats, err
	}
	changelog := kernel.Changelog{Higher: &all[0]}
	newer := all[1:]
	if plan.Changelog() == kernel.ChangelogFullCompaction {
		all[0].Level = 1
		changelog, newer = kernel.Changelog{TopLevel: 1}, all
	}
	merged, err := plan.Merge(ctx, newer, kernel.WithChangelog(changelog), memoryOf(c.MemoryLimit))
	if err != nil {
		return stats, err
	}
	defer merged.Release()
	shape := newChangeColumns(merged.ChangelogSchema(), c.KeepSystemColumns, !out.format.isBinary())
	if err := out.begin(shape.schema); err != nil {
		return stats, err
	}
	progress := newProgress(std, "comparing", runs.rows(), c.Quiet)
	defer progress.end()
	for merged.Next() {
		if changes := merged.Changelog(); changes != nil {
			written := shape.of(changes)
			err := out.write(written)
			written.Release()
			if err != nil {
				return stats, err
			}
		}
		progress.at(merged.Stats().RowsIn)
	}
	if err := merged.Err(); err != nil {
		return stats, err
	}
	// An interruption must not make half a result look like a whole one.
	if err := ctx.Err(); err != nil {
		return stats, err
	}
	return merged.Stats(), out.commit()
}

// changelogReport is what was found, as --json gives it.
type changelogReport struct {
	Runs    []runReport `json:"runs"`
	Output  outReport   `json:"output"`
	RowsIn  int64       `json:"rows_in"`
	Seconds float64     `json:"seconds"`
}

func newChangelogReport(stats kernel.Stats, runs *inputRuns, out *output, started time.Time) *changelogReport {
	var inputs report
	inputs.setInputs(runs)
	return &changelogReport{Runs: inputs.Runs, RowsIn: stats.RowsIn, Seconds: time.Since(started).Seconds(),
		Output: outReport{Name: out.path, Format: out.format, Rows: out.rows, Bytes: out.bytes.bytes}}
}

// say reports.
func (c *changelogCommand) say(r *changelogReport, std *streams) error {
	switch {
	case c.JSON:
		encoder := json.NewEncoder(std.err)
		encoder.SetIndent("", "  ")
		return encoder.Encode(r)
	case c.Quiet:
		return nil
	}
	line := fmt.Sprintf("%s in the changelog of %s, %s rows in, %.2fs", rowsText(r.Output.Rows), plural(len(r.Runs)-1, "run"), grouped(r.RowsIn), r.Seconds)
	if r.Output.Name != standardInput {
		line += fmt.Sprintf(", %s (%s)", r.Output.Name, bytesText(r.Output.Bytes))
	}
	_, err := fmt.Fprintln(std.err, line)
	return err
}
