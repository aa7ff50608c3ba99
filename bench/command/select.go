package command

import (
	"context"
	"errors"
	"fmt"

	"github.com/braidmerge/braid/bench/workload"
)

// selection is the flags that say which cells.
type selection struct {
	Cells   string `default:"*" placeholder:"PATTERN" help:"Cells, as job/key/k8/dup50/layout/columns with asterisks; the last parts may be left out, commas divide patterns."`
	Rows    int64  `default:"8000000" help:"Rows of all runs together."`
	Seed    uint64 `default:"1" help:"The same seed gives the same rows."`
	Flights string `placeholder:"FILE" help:"Parquet file of flights (date, delay, distance, origin, destination), for the cells of the columns flights."`
}

// cells returns the cells of a list that were asked for.
func (s *selection) cells(ctx context.Context, list func() []workload.Name) ([]workload.Name, error) {
	if s.Flights != "" {
		if err := workload.UseFlights(ctx, s.Flights); err != nil {
			return nil, err
		}
	}
	if s.Rows < workload.MinRows || s.Rows > workload.MaxRows {
		return nil, usagef("--rows %d is not between %d and %d", s.Rows, workload.MinRows, int64(workload.MaxRows))
	}
	selected, err := workload.Select(list(), s.Cells)
	if errors.Is(err, workload.ErrName) {
		return nil, &usageError{message: err.Error()}
	}
	return selected, err
}

// listCommand is the command line of list.
type listCommand struct {
	Cells string `default:"*" placeholder:"PATTERN" help:"Only cells that match."`
}

// Run lists the cells.
func (c *listCommand) Run(std *streams) error {
	cells, err := workload.Select(workload.Catalog(), c.Cells)
	if err != nil {
		return &usageError{message: err.Error()}
	}
	for _, cell := range cells {
		if _, err := fmt.Fprintln(std.out, cell); err != nil {
			return err
		}
	}
	return nil
}
