package main

import (
	"strings"

	"github.com/alecthomas/kong"
)

// arguments is a command line taken apart so that flags and operands may stand in any order.
type arguments struct {
	// ordered is the same command line with its flags first, then "--", then its operands.
	ordered []string
	// runs says, for every operand and every --run flag as they were written, whether it was a --run flag.
	runs []bool
}

// arrange sorts the command line args into flags and operands. What is not understood stays as it is, for the parser to
// refuse.
func arrange(app *kong.Application, args []string) arguments {
	node, rest := findCommand(app.Node, args)
	a := arguments{ordered: args[: len(args)-len(rest) : len(args)-len(rest)]}
	if node == app.Node {
		a.ordered = args
		return a
	}
	takesValue := valueFlags(node)
	var operands []string
	for len(rest) > 0 {
		arg := rest[0]
		rest = rest[1:]
		if arg == "--" {
			operands = append(operands, rest...)
			a.runs = append(a.runs, make([]bool, len(rest))...)
			break
		}
		if arg == "-" || !strings.HasPrefix(arg, "-") {
			operands = append(operands, arg)
			a.runs = append(a.runs, false)
			continue
		}
		if arg == "--run" || strings.HasPrefix(arg, "--run=") {
			a.runs = append(a.runs, true)
		}
		a.ordered = append(a.ordered, arg)
		if needsValue(arg, takesValue) && len(rest) > 0 {
			a.ordered = append(a.ordered, rest[0])
			rest = rest[1:]
		}
	}
	if len(operands) > 0 {
		a.ordered = append(append(a.ordered, "--"), operands...)
	}
	return a
}

// findCommand returns the command that args name, which may be one of another, and the arguments after its name.
func findCommand(root *kong.Node, args []string) (*kong.Node, []string) {
	node := root
	for i, arg := range args {
		if strings.HasPrefix(arg, "-") {
			continue
		}
		if node = childNamed(node, arg); node == nil {
			break
		}
		if len(node.Children) == 0 {
			return node, args[i+1:]
		}
	}
	return root, nil
}

// childNamed returns the command of a command that has a name, nil if there is none.
func childNamed(node *kong.Node, name string) *kong.Node {
	for _, child := range node.Children {
		if child.Name == name {
			return child
		}
	}
	return nil
}

// valueFlags lists the flags of a command that are followed by a value, by "--name" and "-n".
func valueFlags(node *kong.Node) map[string]bool {
	names := map[string]bool{}
	for _, group := range node.AllFlags(false) {
		for _, flag := range group {
			if flag.IsBool() || flag.IsCounter() {
				continue
			}
			names["--"+flag.Name] = true
			if flag.Short != 0 {
				names["-"+string(flag.Short)] = true
			}
		}
	}
	return names
}

// needsValue says whether the value of the flag arg is the argument after it. In "-qo", only the last letter can be such a
// flag; in "-oFILE" the value is there already.
func needsValue(arg string, takesValue map[string]bool) bool {
	if strings.HasPrefix(arg, "--") {
		return takesValue[arg]
	}
	for i, letter := range arg[1:] {
		if takesValue["-"+string(letter)] {
			return i+1+len(string(letter)) == len(arg)
		}
	}
	return false
}
