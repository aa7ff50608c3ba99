package command

import (
	"fmt"

	"github.com/braidmerge/braid/bench/pictures"
)

// plotCommand is the command line of plot.
type plotCommand struct {
	Lines  []string `arg:"" help:"Files of lines, of run and of peers."`
	Output string   `short:"o" default:"out/plots" placeholder:"DIR" help:"Directory of the pictures."`
}

// Help is what --help says beside the flags.
func (*plotCommand) Help() string {
	return `Draws, as SVG and PNG, what there are lines for: time by share and by number of runs for all systems, where the time of a merge goes, processor tiers (bench run --tier), threads (bench run --threads).`
}

// Run draws.
func (c *plotCommand) Run(std *streams) error {
	lines, err := readAll(c.Lines)
	if err != nil {
		return err
	}
	names, err := pictures.Draw(lines, c.Output)
	for _, name := range names {
		fmt.Fprintln(std.out, name)
	}
	return err
}
