// Package command is the command line of bench.
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/alecthomas/kong"
)

const description = `Measure merges on named workloads, compare what was measured, and ask other systems for the same.

A cell is named job/key/k8/dup50/layout/columns; "bench list" has them all. Every command explains itself: bench run --help.`

// line is the grammar of the command line.
type line struct {
	Gen     genCommand     `cmd:"" help:"Write the runs of workloads as files."`
	Run     runCommand     `cmd:"" help:"Measure cells, one line of JSON each."`
	Compare compareCommand `cmd:"" help:"Compare two files of lines, cell by cell."`
	Peers   peersCommand   `cmd:"" help:"Ask other systems for the same merges."`
	Plot    plotCommand    `cmd:"" help:"Draw lines as pictures."`
	Report  reportCommand  `cmd:"" help:"Write figures into docs/benchmarks.md."`
	Gate    gateCommand    `cmd:"" help:"Measure this source against that of another commit, in turn."`
	List    listCommand    `cmd:"" help:"List the cells."`
}

// streams are where a command writes.
type streams struct{ out, err io.Writer }

// Exit codes.
const (
	exitDone        = 0
	exitError       = 1
	exitUsage       = 2
	exitInterrupted = 130
)

// usageError is a mistake on the command line.
type usageError struct{ message string }

func (e *usageError) Error() string { return e.message }

func usagef(format string, args ...any) error {
	return &usageError{message: fmt.Sprintf(format, args...)}
}

// helped unwinds the parser after it has printed a help text.
type helped struct{}

// Run runs a command line and returns the exit code. It ends early when ctx is cancelled.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	std := &streams{out: stdout, err: stderr}
	selected, err := execute(ctx, args, std)
	var usage *usageError
	switch {
	case err == nil:
		return exitDone
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		fmt.Fprintln(stderr, "bench: interrupted")
		return exitInterrupted
	case errors.As(err, &usage):
		help := "bench --help"
		if selected != "" {
			help = "bench " + selected + " --help"
		}
		fmt.Fprintf(stderr, "bench: %v\nRun \"%s\" for help.\n", err, help)
		return exitUsage
	}
	fmt.Fprintf(stderr, "bench: %v\n", err)
	return exitError
}

// execute parses the command line and runs the command it names, whose name it returns.
func execute(ctx context.Context, args []string, std *streams) (selected string, err error) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(helped); !ok {
				panic(r)
			}
			err = nil
		}
	}()
	var grammar line
	parser, err := kong.New(&grammar,
		kong.Name("bench"),
		kong.Description(description),
		kong.Writers(std.out, std.err),
		kong.Exit(func(int) { panic(helped{}) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
	)
	if err != nil {
		return "", err
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		return commandOf(err), &usageError{message: err.Error()}
	}
	parsed.BindTo(ctx, (*context.Context)(nil))
	return parsed.Selected().Name, parsed.Run(std)
}

// commandOf is the command that the parser had got to.
func commandOf(err error) string {
	var parse *kong.ParseError
	if !errors.As(err, &parse) || parse.Context == nil {
		return ""
	}
	if i := slices.IndexFunc(parse.Context.Path, func(p *kong.Path) bool { return p.Command != nil }); i >= 0 {
		return parse.Context.Path[i].Command.Name
	}
	return ""
}
