package command

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/braidmerge/braid/bench/cells"
	"github.com/braidmerge/braid/bench/workload"
)

// genCommand is the command line of gen.
type genCommand struct {
	selection
	Formats []string `enum:"arrow,parquet,zstd" default:"arrow,parquet,zstd" help:"Formats of the files: arrow, parquet (not compressed), zstd (Parquet, compressed)."`
	Data    string   `default:"out/data" placeholder:"DIR" help:"Directory of the workloads."`
}

// Help is what --help says beside the flags.
func (*genCommand) Help() string {
	return `Each workload gets a directory with a file a run and format, oldest run first, and workload.json, which has the columns, the runs and, for each job, the number of rows and a hash of each column of the right answer.`
}

// Run writes the workloads.
func (c *genCommand) Run(ctx context.Context, std *streams) error {
	selected, err := c.cells(ctx, workload.Catalog)
	if err != nil {
		return err
	}
	var done []string
	for _, cell := range selected {
		if slices.Contains(done, cell.Data()) {
			continue
		}
		done = append(done, cell.Data())
		started := time.Now()
		dir, m, _, err := cells.Files(ctx, c.Data, cell, c.Rows, c.Seed, c.Formats)
		if err != nil {
			return fmt.Errorf("%s: %w", cell.Data(), err)
		}
		if _, err := fmt.Fprintf(std.out, "%s: %d rows of %d keys (%.1fs)\n", dir, m.Rows, m.Keys, time.Since(started).Seconds()); err != nil {
			return err
		}
	}
	return nil
}
