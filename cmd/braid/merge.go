package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/braidmerge/braid/kernel"
)

// maxThreads bounds --threads.
const maxThreads = 256

// terminalRows is how many rows a merge shows on a terminal when nobody says how many.
const terminalRows = 40

// mergeCommand is the command line of merge.
type mergeCommand struct {
	Runs []string `arg:"" optional:"" name:"run" help:"Runs, oldest first: a file each, or a quoted pattern ('new/*.parquet') for a run of every match, or - for an Arrow stream on standard input."`

	Key     []string `short:"k" required:"" placeholder:"COLUMN" help:"Columns of the primary key, in the order that the runs are sorted by. Several are given as a,b or by saying --key again."`
	RunOf   []string `name:"run" sep:"none" placeholder:"FILE,FILE" help:"One run of several files in key order. Runs count in the order in which operands and --run flags are written."`
	Order   string   `enum:",given" default:"" placeholder:"given" help:"With \"given\", the matches of a pattern are runs in the order of their names, oldest first. Needed where the files have no _SEQUENCE_NUMBER."`
	Format  format   `enum:",parquet,arrow,arrows" default:"" placeholder:"parquet|arrow|arrows" help:"Format of all files read. By default a file's name says it, or else its first bytes."`
	Engine  string   `short:"e" placeholder:"ENGINE" help:"What becomes of the rows of a key: deduplicate (the newest row stays, the default), first-row, partial-update (the newest value of every column that is not NULL), partial-update-validity (the newest value of every column that was supplied, as _VALIDITY_FIELDS has it)."`
	Option  []string `sep:"none" placeholder:"NAME=VALUE" help:"Option of the table, such as sequence.field=ts or ignore-delete=true."`
	Options string   `placeholder:"FILE.json" help:"Options of the table as a JSON object. --option and --engine go before."`

	Output            string   `short:"o" placeholder:"FILE" help:"Where the rows go; - is standard output, the default. A file appears whole or not at all."`
	To                format   `enum:",parquet,arrow,arrows,jsonl,csv,table" default:"" placeholder:"FORMAT" help:"Format written: parquet, arrow, arrows, jsonl, csv or table. By default the name of the file says it; standard output is a table on a terminal and jsonl elsewhere."`
	Compression       string   `placeholder:"CODEC" help:"Compression written: zstd (the default), snappy, gzip, brotli, lz4 or none for parquet; none (the default), zstd or lz4 for arrow and arrows."`
	Force             bool     `help:"Replace the file if it exists."`
	Select            []string `placeholder:"COLUMN" help:"Columns to write, in this order; by default all."`
	Limit             *int64   `placeholder:"ROWS" help:"Stop after this many rows. A table on a terminal stops after 40 by itself."`
	KeepDeletes       bool     `help:"Keep deleted rows, as a merge of only some of a table's runs must."`
	KeepSystemColumns bool     `help:"Write _KEY_ columns, _SEQUENCE_NUMBER and _VALUE_KIND too."`

	BatchRows   int      `placeholder:"ROWS" help:"Rows of a batch written, at most."`
	MemoryLimit byteSize `placeholder:"SIZE" help:"Memory that the merge may take, such as 512MiB."`
	Threads     int      `placeholder:"N" help:"Threads that merge, and that read files; by default as many as there are processors, but at most 8."`
	Explain     bool     `help:"Show what would be done with every column, and merge nothing. Under partial-update-validity also which columns the rows of each file supplied, for which that column is read."`
	JSON        bool     `name:"json" help:"Report as JSON, to standard error."`
	Report      string   `placeholder:"FILE" help:"Report as JSON, to this file."`
	Quiet       bool     `short:"q" help:"No report and no progress."`

	written []bool // for every operand and --run flag in the order written: is it a flag
}

// Help is what --help says beside the flags.
func (*mergeCommand) Help() string {
	return `Examples:

  braid merge --key id base.parquet delta1.parquet delta2.parquet -o merged.parquet
  braid merge --key id --engine partial-update base.arrow 'updates/*.arrow' --order given -o merged.arrow
  braid merge --key date,origin --run base-0.parquet,base-1.parquet new.parquet --to csv --select date,origin,delay
  producer | braid merge --key id base.parquet - --limit 10

A run is sorted by the key, ascending; NULL comes first. Later runs are newer. If the files have a column _SEQUENCE_NUMBER (int64), it says which row of a key is newer; a column _VALUE_KIND (int8: 0 +I, 1 -U, 2 +U, 3 -D) says what a row is, and a row that ends up deleted is not written.

The columns are those of the first file; the others must have the same ones, in any order. Text has the names of columns where _VALIDITY_FIELDS has a bitmap of them.`
}

// Run merges.
func (c *mergeCommand) Run(ctx context.Context, std *streams) error {
	started := time.Now()
	options, err := readOptions(c.Options, c.Option, c.Engine)
	if err != nil {
		return err
	}
	target, err := newTarget(c.Output, c.To, c.Compression, c.Force, std)
	if err != nil {
		return err
	}
	if err := c.check(); err != nil {
		return err
	}
	runs, err := c.open(ctx, std)
	if err != nil {
		return err
	}
	defer runs.close()
	plan, table, err := c.compile(runs, options)
	if err != nil {
		return err
	}
	if c.Explain {
		return c.explain(ctx, plan, runs, options, std)
	}
	out, err := openOutput(target, std)
	if err != nil {
		return err
	}
	defer out.abort()
	r := &report{Engine: options.Engine.String(), Key: table.PrimaryKey}
	if options.Engine == kernel.PartialUpdateValidity && (c.JSON || c.Report != "") {
		if err := runs.count(); err != nil {
			return err
		}
	}
	if out.marked = fieldNames(table.Schema); options.Engine == kernel.PartialUpdateValidity && len(c.Select) > 0 {
		out.marked = c.Select
	}
	if err := c.merge(ctx, plan, table, runs, out, r, std); err != nil {
		return err
	}
	r.setInputs(runs)
	r.finish(started)
	return c.say(r, std)
}

// explain shows the plan, and what the writers of the runs supplied where it counts.
func (c *mergeCommand) explain(ctx context.Context, plan *kernel.Plan, runs *inputRuns, options kernel.Options, std *streams) error {
	if _, err := fmt.Fprintln(std.out, plan); err != nil || options.Engine != kernel.PartialUpdateValidity {
		return err
	}
	var reports []suppliedReport
	for i, inputs := range runs.runs {
		for _, in := range inputs {
			report, err := summarize(ctx, in)
			if err != nil {
				return err
			}
			report.Name = fmt.Sprintf("run %d: %s", i, in.name)
			reports = append(reports, report)
		}
	}
	return drawSupplied(reports, std.out)
}

// check refuses numbers that make no sense.
func (c *mergeCommand) check() error {
	if c.Limit != nil && *c.Limit < 0 {
		return usagef("--limit %d is negative", *c.Limit)
	}
	if c.BatchRows < 0 {
		return usagef("--batch-rows %d is negative", c.BatchRows)
	}
	if c.Threads < 0 || c.Threads > maxThreads {
		return usagef("--threads %d is not between 1 and %d", c.Threads, maxThreads)
	}
	return nil
}

// open finds the files and looks at them.
func (c *mergeCommand) open(ctx context.Context, std *streams) (*inputRuns, error) {
	paths, err := runOrder(c.Runs, c.RunOf, c.written)
	if err != nil {
		return nil, err
	}
	runs, err := openRuns(ctx, paths, c.Format, std)
	if err != nil {
		return nil, err
	}
	if c.Order == "" {
		err = runs.checkOrder(paths)
	}
	if err != nil {
		runs.close()
		return nil, err
	}
	return runs, nil
}

// compile makes the plan of the merge.
func (c *mergeCommand) compile(runs *inputRuns, options kernel.Options) (*kernel.Plan, kernel.Table, error) {
	table, err := runs.table(c.Key)
	if err != nil {
		return nil, table, err
	}
	for _, name := range c.Select {
		if !table.Schema.HasField(name) {
			return nil, table, usagef("--select %s: there is no such column; %s", name, suggest(name, table.Schema.Fields()))
		}
	}
	plan, err := kernel.Compile(table, options)
	return plan, table, err
}

// mergeOptions are those of the command line.
func (c *mergeCommand) mergeOptions() []kernel.MergeOption {
	var options []kernel.MergeOption
	if len(c.Select) > 0 {
		options = append(options, kernel.WithProjection(c.Select...))
	}
	if c.KeepDeletes {
		options = append(options, kernel.KeepDeletes())
	}
	if c.KeepSystemColumns {
		options = append(options, kernel.KeepSystemColumns())
	}
	if c.BatchRows > 0 {
		options = append(options, kernel.WithBatchRows(c.BatchRows))
	}
	return append(options, memoryOf(c.MemoryLimit), kernel.WithParallelism(c.threads()))
}

// threads returns how many threads merge.
func (c *mergeCommand) threads() int {
	if c.Threads == 0 {
		return min(runtime.GOMAXPROCS(0), 8)
	}
	return c.Threads
}

// merge merges the runs into the output, which it commits.
func (c *mergeCommand) merge(ctx context.Context, plan *kernel.Plan, table kernel.Table, runs *inputRuns, out *output, r *report, std *streams) error {
	opening := time.Now()
	columns, err := plan.InputFields(c.Select...)
	if err != nil {
		return err
	}
	inputs, err := runs.merge(table, columns)
	if err != nil {
		return err
	}
	merged, err := plan.Merge(ctx, inputs, c.mergeOptions()...)
	if err != nil {
		return err
	}
	defer merged.Release()
	if err := out.begin(merged.Schema()); err != nil {
		return err
	}
	r.Seconds.Open = time.Since(opening).Seconds()
	progress := newProgress(std, "merging", runs.rows(), c.Quiet)
	defer progress.end()
	limit := c.limit(out, std)
	if r.Limited, err = copyRows(merged, out, limit, progress); err != nil {
		return err
	}
	// An interruption must not make half a result look like a whole one.
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := out.commit(); err != nil {
		return err
	}
	r.setStats(merged.Stats())
	r.Seconds.Write = out.time.Seconds()
	r.Output = outReport{Name: out.path, Format: out.format, Rows: out.rows, Bytes: out.bytes.bytes}
	return nil
}

// copyRows writes what is merged, up to limit rows if the limit is not negative, and says whether it stopped there.
func copyRows(merged *kernel.Reader, out *output, limit int64, progress *progress) (limited bool, err error) {
	writing := writeBehind(out.write)
	defer writing.wait()
	left := limit
	for left != 0 && merged.Next() {
		batch := merged.Record()
		if left > 0 && batch.NumRows() > left {
			batch = batch.NewSlice(0, left)
			defer batch.Release()
		}
		left -= batch.NumRows()
		if !writing.add(batch) {
			break
		}
		progress.at(merged.Stats().RowsIn)
	}
	if err := writing.wait(); err != nil {
		return false, err
	}
	return left == 0, merged.Err()
}

// limit returns how many rows are written, -1 for all. A table on a terminal is short unless the command line says so.
func (c *mergeCommand) limit(out *output, std *streams) int64 {
	if c.Limit != nil {
		return *c.Limit
	}
	_, terminal := terminalWidth(std.out)
	if terminal && out.file == nil && out.format == tableFormat && c.To == "" {
		return terminalRows
	}
	return -1
}

// say reports.
func (c *mergeCommand) say(r *report, std *streams) error {
	if c.Report != "" {
		file, err := createWhole(c.Report, true)
		if err != nil {
			return err
		}
		defer file.abort()
		if err := errors.Join(r.writeJSON(file), file.commit()); err != nil {
			return err
		}
	}
	if c.JSON {
		return r.writeJSON(std.err)
	}
	if c.Quiet {
		return nil
	}
	line := r.line()
	if r.Limited && c.Limit == nil {
		line += "\nthe table stops after 40 rows: --limit says how many, -o FILE writes all"
	}
	_, err := fmt.Fprintln(std.err, line)
	return err
}
