package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/kernel"
)

// genCommand is the command line of gen.
type genCommand struct {
	Rows       int64    `default:"1000000" help:"Rows of all runs together."`
	Runs       int      `default:"4" help:"Runs to write."`
	Duplicates float64  `default:"0.1" help:"Fraction of the rows that are another version of a key. At most (runs-1)/runs, as a run has a key once."`
	Deletes    float64  `default:"0.01" help:"Fraction of the rows that are deletes, all of them after the first run."`
	Nulls      float64  `default:"0.05" help:"Fraction of the values that are NULL."`
	Key        string   `enum:"int,string,composite" default:"int" help:"Primary key: int (id int64), string (id string) or composite (region string, id int64)."`
	Columns    []string `default:"quantity:int32,price:float64,name:string,at:timestamp,paid:bool" placeholder:"NAME:TYPE" help:"Value columns. Types: bool, int8, int16, int32, int64, float32, float64, decimal, date, timestamp, string, binary."`
	System     bool     `name:"system-columns" negatable:"" default:"true" help:"Write _SEQUENCE_NUMBER and _VALUE_KIND."`
	Seed       uint64   `default:"1" help:"The same seed gives the same rows."`
	Output     string   `short:"o" required:"" placeholder:"DIR" help:"Directory of the runs; it is made if it is not there."`
	Format     format   `enum:"parquet,arrow,arrows" default:"parquet" help:"Format of the runs: parquet, arrow or arrows."`
	Force      bool     `help:"Replace files that exist."`
	Quiet      bool     `short:"q" help:"Say nothing."`
}

// Help is what --help says beside the flags.
func (*genCommand) Help() string {
	return `Examples:

  braid gen -o runs
  braid gen --rows 50000000 --runs 16 --duplicates 0.5 --key string --format arrow -o runs
  braid gen --columns a:int64,b:decimal,c:string --nulls 0.5 --no-system-columns --deletes 0 -o runs

The runs are run-0.parquet, run-1.parquet and so on, oldest first. A key goes to a run at random; every version of it has values of its own.`
}

// Run writes the runs.
func (c *genCommand) Run(ctx context.Context, std *streams) error {
	started := time.Now()
	g, err := c.generator()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(c.Output, 0o777); err != nil {
		return err
	}
	outs, err := c.openAll(g.schema, std)
	defer func() {
		for _, out := range outs {
			out.abort()
		}
	}()
	if err != nil {
		return err
	}
	progress := newProgress(std, "writing", c.Rows, c.Quiet)
	defer progress.end()
	if err := g.write(ctx, outs, progress.at); err != nil {
		return err
	}
	size := int64(0)
	for _, out := range outs {
		if err := out.commit(); err != nil {
			return err
		}
		size += out.bytes.bytes
	}
	progress.end()
	return c.say(size, time.Since(started), std)
}

// generator makes sense of the flags.
func (c *genCommand) generator() (*generator, error) {
	most := float64(c.Runs-1) / float64(c.Runs)
	switch {
	case c.Rows < 0 || c.Rows > 1<<40:
		return nil, usagef("--rows %d is out of range", c.Rows)
	case c.Runs < 1 || c.Runs > 4096:
		return nil, usagef("--runs %d is not between 1 and 4096", c.Runs)
	case !(c.Duplicates >= 0 && c.Duplicates <= most):
		return nil, usagef("--duplicates %v is not between 0 and %.4g: a run has a key once", c.Duplicates, most)
	case !(c.Deletes >= 0 && c.Deletes <= most):
		return nil, usagef("--deletes %v is not between 0 and %.4g: the first run has none", c.Deletes, most)
	case !(c.Nulls >= 0 && c.Nulls <= 1):
		return nil, usagef("--nulls %v is not between 0 and 1", c.Nulls)
	case c.Deletes > 0 && !c.System:
		return nil, usagef("--deletes %v needs the column %s; say --deletes 0 --no-system-columns", c.Deletes, kernel.KindColumn)
	}
	g := &generator{rows: c.Rows, runs: c.Runs, seed: c.Seed, duplicates: c.Duplicates, deletes: c.Deletes, nulls: c.Nulls, system: c.System}
	return g, g.setColumns(c.Key, c.Columns)
}

// openAll opens the file of every run. What is returned with an error is the caller's to abort too.
func (c *genCommand) openAll(schema *arrow.Schema, std *streams) ([]*output, error) {
	var outs []*output
	for run := range c.Runs {
		t, err := newTarget(c.path(run), c.Format, "", c.Force, std)
		if err != nil {
			return outs, err
		}
		out, err := openOutput(t, std)
		if err != nil {
			return outs, err
		}
		outs = append(outs, out)
		if err := out.begin(schema); err != nil {
			return outs, err
		}
	}
	return outs, nil
}

// path is the file of a run. The names of all runs in order are the runs in order.
func (c *genCommand) path(run int) string {
	digits := len(fmt.Sprint(c.Runs - 1))
	return filepath.Join(c.Output, fmt.Sprintf("run-%0*d.%s", digits, run, c.Format))
}

// say says what is there and what to do with it.
func (c *genCommand) say(size int64, took time.Duration, std *streams) error {
	if c.Quiet {
		return nil
	}
	key, order := "id", ""
	if c.Key == "composite" {
		key = "region,id"
	}
	if !c.System {
		order = " --order given"
	}
	pattern := filepath.Join(c.Output, "run-*."+string(c.Format))
	_, err := fmt.Fprintf(std.out, "wrote %s rows in %s to %s (%s, %.1fs)\nnext: braid merge --key %s%s %s -o %s\n",
		grouped(c.Rows), plural(c.Runs, "run"), c.Output, bytesText(size), took.Seconds(),
		key, order, quoted(pattern), quoted(filepath.Join(c.Output, "merged."+string(c.Format))))
	return err
}

// quoted is a word as a shell takes it.
func quoted(word string) string {
	if !strings.ContainsAny(word, " '\"*?[$&|;<>()\\`~#!{") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
