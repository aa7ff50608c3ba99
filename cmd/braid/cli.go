package main

import (
	"context"
	"errors"
	"slices"

	"github.com/alecthomas/kong"
)

const description = `Merge sorted runs of Arrow and Parquet files, column at a time, the way an LSM table merges its files when it is read.

Start with "braid demo". Every command explains itself: braid merge --help.`

// commandLine is the grammar of the command line.
type commandLine struct {
	Merge   mergeCommand   `cmd:"" help:"Merge sorted runs into one sorted table."`
	Inspect inspectCommand `cmd:"" help:"Show what is in files: schema, rows, encodings, order."`
	Gen     genCommand     `cmd:"" help:"Write sorted runs of made-up rows, to try a merge of any size."`
	Demo    demoCommand    `cmd:"" help:"Merge real flights with three runs of corrections and show what happened."`
	Version versionCommand `cmd:"" help:"Show version, Go version and CPU."`
}

// helped unwinds the parser after it has printed a help text.
type helped struct{}

// execute parses the command line and runs the command it names.
func execute(ctx context.Context, args []string, std *streams) (err error) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(helped); !ok {
				panic(r)
			}
			err = nil
		}
	}()
	var line commandLine
	parser, err := kong.New(&line,
		kong.Name("braid"),
		kong.Description(description),
		kong.Writers(std.out, std.err),
		kong.Exit(func(int) { panic(helped{}) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
	)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	arranged := arrange(parser.Model, args)
	line.Merge.written = arranged.runs
	parsed, err := parser.Parse(arranged.ordered)
	if err != nil {
		return parseError(err)
	}
	parsed.BindTo(ctx, (*context.Context)(nil))
	err = parsed.Run(std)
	var usage *usageError
	if errors.As(err, &usage) && usage.command == "" {
		usage.command = parsed.Selected().Name
	}
	return err
}

// parseError makes a usageError of what the parser says, with the command it had got to.
func parseError(err error) error {
	usage := &usageError{message: err.Error()}
	var parse *kong.ParseError
	if errors.As(err, &parse) && parse.Context != nil {
		if i := slices.IndexFunc(parse.Context.Path, func(p *kong.Path) bool { return p.Command != nil }); i >= 0 {
			usage.command = parse.Context.Path[i].Command.Name
		}
	}
	return usage
}
