package command

import (
	"errors"
	"fmt"
	"strings"

	"github.com/braidmerge/braid/bench/cells"
	"github.com/braidmerge/braid/bench/compare"
)

// compareCommand is the command line of compare.
type compareCommand struct {
	Old   string  `arg:"" help:"File of lines."`
	New   string  `arg:"" help:"File of lines."`
	Limit float64 `default:"10" help:"How many percent more processor time a gate may take."`
}

// Help is what --help says beside the flags.
func (*compareCommand) Help() string {
	return `Per cell: the ratio of processor times, what it could be if any round of each were the true one, and a mark where no round of one was like any of the other. A gate is all cells of one job and key on one track; if the median of its ratios is above the limit, the exit code is 1.`
}

// Run compares.
func (c *compareCommand) Run(std *streams) error {
	if !(c.Limit >= 0) {
		return usagef("--limit %v is less than 0", c.Limit)
	}
	old, err := cells.Read(c.Old)
	if err != nil {
		return err
	}
	fresh, err := cells.Read(c.New)
	if err != nil {
		return err
	}
	report := compare.Compare(old, fresh)
	if len(report.Changes) == 0 {
		return errors.New("the two files have no cell in common")
	}
	if err := report.Write(std.out); err != nil {
		return err
	}
	var fallen []string
	for _, g := range report.Fallen(1 + c.Limit/100) {
		fallen = append(fallen, fmt.Sprintf("%s takes %.2f times as long", g.Name, g.Ratio))
	}
	if len(fallen) > 0 {
		return fmt.Errorf("gates fell: %s", strings.Join(fallen, "; "))
	}
	return nil
}
