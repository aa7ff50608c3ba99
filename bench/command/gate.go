package command

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/braidmerge/braid/bench/gate"
	"github.com/braidmerge/braid/bench/workload"
)

// gateCommand is the command line of gate.
type gateCommand struct {
	Base   string `default:"HEAD~1" help:"Commit to compare with."`
	Repo   string `default:".." placeholder:"DIR" help:"Checkout of the library."`
	Rows   int64  `default:"1000000" help:"Rows of each cell."`
	Rounds int    `default:"5" help:"Rounds of each cell."`
	Cells  string `default:"*" placeholder:"PATTERN" help:"Only cells of the small grid that match."`
}

// Help is what --help says beside the flags.
func (*gateCommand) Help() string {
	return fmt.Sprintf(`Builds the library of another commit with the benchmarks of this checkout, and measures a small grid with both builds in turn. It ends in exit code 1 if a cell has a wrong answer, allocates for its windows, or takes more than %.1f times the processor time, twice in a row. A commit that is not there or does not build with these benchmarks is one line, and no failure.`, gate.Limit)
}

// Run measures.
func (c *gateCommand) Run(ctx context.Context, std *streams) error {
	s := selection{Cells: c.Cells, Rows: c.Rows}
	names, err := s.cells(ctx, workload.Small)
	if err != nil {
		return err
	}
	if c.Rounds < 1 {
		return usagef("--rounds %d is less than 1", c.Rounds)
	}
	now, err := os.Executable()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "braid-gate-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	before, err := gate.Build(ctx, c.Repo, c.Base, dir)
	if errors.Is(err, gate.ErrNotComparable) {
		fmt.Fprintf(std.out, "bench gate: %v\n", err)
		return nil
	}
	if err != nil {
		return err
	}
	return gate.Judge(ctx, gate.Program(before, c.Rows, c.Rounds), gate.Program(now, c.Rows, c.Rounds), names, std.out)
}
