// Package gate measures a change against the commit before it, in turn on one machine, and says whether it may go in. Machines that run
// such checks are noisy, so only what is seen twice counts, and only if it is gross; bench compare is for finer judgements.
package gate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/braidmerge/braid/bench/cells"
	"github.com/braidmerge/braid/bench/measure"
	"github.com/braidmerge/braid/bench/workload"
)

// ErrFell means that the gate fell.
var ErrFell = errors.New("the gate fell")

// Measure measures a cell with one of the two builds.
type Measure func(context.Context, workload.Name) (cells.Line, error)

// Limit is how many times as long a cell may take as before.
const Limit = 1.5

// verdict is what is known of a cell.
type verdict struct {
	cell  workload.Name
	ratio float64
	fault string // what is against the change, empty if nothing is
}

// Judge measures the cells with both builds in turn, writes the ratios, and measures those again that look bad. ErrFell names the cells
// that look bad twice: a wrong answer, a window that allocates, or a ratio above Limit.
func Judge(ctx context.Context, before, now Measure, names []workload.Name, w io.Writer) error {
	var ratios []float64
	var fallen []string
	for _, n := range names {
		v, err := judge(ctx, before, now, n)
		if err != nil {
			return err
		}
		if v.fault != "" {
			fmt.Fprintf(w, "%v: %s; once more\n", n, v.fault)
			if v, err = judge(ctx, before, now, n); err != nil {
				return err
			}
		}
		if v.fault != "" {
			fallen = append(fallen, fmt.Sprintf("%v: %s", n, v.fault))
		}
		if v.ratio > 0 {
			ratios = append(ratios, v.ratio)
			fmt.Fprintf(w, "%-45v %.2f\n", n, v.ratio)
		}
	}
	if len(ratios) > 0 {
		s := measure.SpreadOf(ratios)
		fmt.Fprintf(w, "processor time now, of that before: median %.2f, from %.2f to %.2f, %d cells\n", s.Median, s.Min, s.Max, len(ratios))
	}
	if len(fallen) > 0 {
		return fmt.Errorf("%w: %s", ErrFell, strings.Join(fallen, "; "))
	}
	return nil
}

func judge(ctx context.Context, before, now Measure, n workload.Name) (verdict, error) {
	old, err := before(ctx, n)
	if err != nil {
		return verdict{}, err
	}
	fresh, err := now(ctx, n)
	if err != nil {
		return verdict{}, err
	}
	v := verdict{cell: n}
	if old.Timed() && fresh.Timed() {
		v.ratio = fresh.CPU.Min / old.CPU.Min
	}
	switch {
	case !fresh.Timed():
		v.fault = fresh.Status
	case fresh.Allocations != nil && *fresh.Allocations > 0:
		v.fault = fmt.Sprintf("%d allocations a window", *fresh.Allocations)
	case v.ratio > Limit:
		v.fault = fmt.Sprintf("%.2f times the processor time", v.ratio)
	}
	return v, nil
}
