package main

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/braidmerge/braid/arrow18"
	"github.com/braidmerge/braid/kernel"
)

//go:embed demo/data/*.parquet
var demoData embed.FS

// demoFiles are the runs of the demo, oldest first.
var demoFiles = []string{"base.parquet", "update-1.parquet", "update-2.parquet", "update-3.parquet"}

// Options of the demo's merge.
const (
	demoKey    = "flight"
	demoEngine = "partial-update"
	demoRemove = "partial-update.remove-record-on-delete"
)

// demoCommand is the command line of demo.
type demoCommand struct {
	Write string `placeholder:"DIR" help:"Write the four files to this directory, to try merges of your own, and merge nothing."`
	Force bool   `help:"Replace files that exist."`
}

// Help is what --help says beside the flags.
func (*demoCommand) Help() string {
	return `The files are part of this program: 120,000 flights of January 2001 as the US Bureau of Transportation Statistics recorded them, and three runs of made-up corrections: delays that changed, with every other column NULL, and flights to delete.

Examples:

  braid demo
  braid demo --write flights`
}

// Run merges the flights and tells about it, or writes their files.
func (c *demoCommand) Run(ctx context.Context, std *streams) error {
	if c.Write != "" {
		return c.writeFiles(std)
	}
	d := &demo{}
	defer d.release()
	if err := d.read(ctx); err != nil {
		return err
	}
	if err := d.merge(ctx); err != nil {
		return err
	}
	_, err := std.out.Write([]byte(d.story()))
	return err
}

// writeFiles writes the files and says how to merge them.
func (c *demoCommand) writeFiles(std *streams) error {
	if err := os.MkdirAll(c.Write, 0o777); err != nil {
		return err
	}
	for _, name := range demoFiles {
		content, err := demoData.ReadFile("demo/data/" + name)
		if err != nil {
			return err
		}
		if err := writeWhole(filepath.Join(c.Write, name), content, c.Force); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(std.out, "wrote %s to %s\nnext: %s\n", plural(len(demoFiles), "file"), c.Write, demoMerge(c.Write))
	return err
}

// writeWhole writes a file of this content.
func writeWhole(path string, content []byte, replace bool) error {
	file, err := createWhole(path, replace)
	if err != nil {
		return err
	}
	defer file.abort()
	if _, err := file.Write(content); err != nil {
		return err
	}
	return file.commit()
}

// demoMerge is the command that merges the files in a directory as the demo does.
func demoMerge(dir string) string {
	command := "braid merge --key " + demoKey + " --engine " + demoEngine + " --option " + demoRemove + "=true"
	for _, name := range demoFiles {
		command += " " + quoted(filepath.Join(dir, name))
	}
	return command + " -o " + quoted(filepath.Join(dir, "merged.parquet"))
}

// demo is the merge of the demo: its runs, its result, and what happened to the flights.
type demo struct {
	runs   []demoRun
	result []arrow.Record
	rows   int64 // of the result
	took   time.Duration
	stats  kernel.Stats
}

// demoRun is a run of the demo.
type demoRun struct {
	name    string
	content []byte
	records []arrow.Record
	rows    int64
	deletes int64
}

// read reads the files, to be able to show rows of them afterwards.
func (d *demo) read(ctx context.Context) error {
	for _, name := range demoFiles {
		content, err := demoData.ReadFile("demo/data/" + name)
		if err != nil {
			return err
		}
		run := demoRun{name: name, content: content}
		r, err := run.open(ctx)
		if err != nil {
			return err
		}
		for r.Next() {
			r.Record().Retain()
			run.records = append(run.records, r.Record())
			run.rows += r.Record().NumRows()
			run.deletes += countDeletes(r.Record())
		}
		d.runs = append(d.runs, run)
		err = r.Err()
		r.Release()
		if err != nil {
			return err
		}
	}
	return nil
}

func (r demoRun) open(ctx context.Context) (array.RecordReader, error) {
	reader, err := arrow18.NewParquetReader(ctx, r.name, bytes.NewReader(r.content), int64(len(r.content)), arrow18.ReadOptions{})
	if err != nil {
		return nil, err
	}
	return reader, nil
}

func countDeletes(record arrow.Record) int64 {
	deletes := int64(0)
	for row := range int(record.NumRows()) {
		if isDelete(record, row) {
			deletes++
		}
	}
	return deletes
}

// isDelete says whether a row of a run is a delete. A run without row kinds has none.
func isDelete(record arrow.Record, row int) bool {
	column := columnOf(record.Schema(), kernel.KindColumn, arrow.INT8)
	return column >= 0 && kindNames[record.Column(column).(*array.Int8).Value(row)] == "-D"
}

// merge merges the files, from their bytes to the rows of the result.
func (d *demo) merge(ctx context.Context) error {
	options, err := kernel.ParseOptions(map[string]string{engineOption: demoEngine, demoRemove: "true"})
	if err != nil {
		return err
	}
	table := kernel.Table{Schema: d.runs[0].records[0].Schema(), PrimaryKey: []string{demoKey}}
	plan, err := kernel.Compile(table, options)
	if err != nil {
		return err
	}
	var runs []kernel.Run
	for _, run := range d.runs {
		runs = append(runs, kernel.Run{Files: []kernel.File{{Name: run.name, Rows: run.rows, Open: run.open}}})
	}
	started := time.Now()
	merged, err := plan.Merge(ctx, runs)
	if err != nil {
		return err
	}
	defer merged.Release()
	for batch, err := range merged.All() {
		if err != nil {
			return err
		}
		batch.Retain()
		d.result = append(d.result, batch)
		d.rows += batch.NumRows()
	}
	d.took, d.stats = time.Since(started), merged.Stats()
	return nil
}

func (d *demo) release() {
	for _, run := range d.runs {
		for _, record := range run.records {
			record.Release()
		}
	}
	for _, record := range d.result {
		record.Release()
	}
}
