package main

import (
	"context"
	"errors"
	"strings"

	"github.com/alecthomas/kong"
)

const description = `Merge sorted runs of Arrow and Parquet files, column at a time, the way an LSM table merges its files when it is read.

Start with "braid demo". Every command explains itself: braid merge --help.`

// commandLine is the grammar of the command line.
type commandLine struct {
	Merge     mergeCommand     `cmd:"" help:"Merge sorted runs into one sorted table."`
	Update    updateCommand    `cmd:"" help:"Update rows that a condition tells: UPDATE ... SET ... WHERE."`
	Changelog changelogCommand `cmd:"" help:"List what newer runs change in a table: rows added, updated, deleted."`
	Inspect   inspectCommand   `cmd:"" help:"Show what is in files: schema, rows, encodings, order."`
	Validity  validityCommand  `cmd:"" help:"Show, or write down, which columns the writers of rows supplied."`
	Gen       genCommand       `cmd:"" help:"Write sorted runs of made-up rows, to try a merge of any size."`
	Demo      demoCommand      `cmd:"" help:"Merge real flights with three runs of corrections and show what happened."`
	Version   versionCommand   `cmd:"" help:"Show version, Go version and CPU."`
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
		usage.command = commandName(parsed.Path)
	}
	return err
}

// parseError makes a usageError of what the parser says, with the command it had got to.
func parseError(err error) error {
	usage := &usageError{message: err.Error()}
	var parse *kong.ParseError
	if errors.As(err, &parse) && parse.Context != nil {
		usage.command = commandName(parse.Context.Path)
	}
	return usage
}

// commandName is the command of a command line as it is written, empty if there is none.
func commandName(path []*kong.Path) string {
	var names []string
	for _, p := range path {
		if p.Command != nil {
			names = append(names, p.Command.Name)
		}
	}
	return strings.Join(names, " ")
}
