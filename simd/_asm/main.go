// Command _asm writes the amd64 assembly of package simd, a file for every generator function of this package:
//
//	go -C simd/_asm run .             into the package
//	go -C simd/_asm run . DIRECTORY   somewhere else
//
// The Go declarations of the loops are in package simd, with what they promise, and the generator reads the signatures there. A new
// loop is a declaration without a body there, a function here that begins with f.implement, and, if it has a file of its own, a line in the
// table below.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// simdDir is package simd, as seen from the module's directory.
const simdDir = ".."

// generators are the files of assembly by the name they have before _amd64.s, and here before .go.
var generators = []struct {
	name  string
	write func(*file)
}{
	{"add", add},
	{"addto", addTo},
	{"blend", blend},
	{"blockbytes", blockBytes},
	{"blocks", blocks},
	{"combine", combine},
	{"compare", compare},
	{"differ", differ},
	{"ends", ends},
	{"extract", extract},
	{"fours", fours},
	{"groups", groups},
	{"groupsof", groupsOf},
	{"keyparts", keyparts},
	{"keywords", keyWords},
	{"offsets", offsets},
	{"pack", pack},
	{"packfour", packFour},
	{"pattern", pattern},
	{"places", places},
	{"selectbits", selectBits},
	{"span", span},
	{"stretches", stretches},
	{"turn", turn},
	{"unpack", unpack},
	{"views", views},
	{"warm", warm},
}

func main() {
	out := simdDir
	if len(os.Args) > 1 {
		out = os.Args[1]
	}
	if err := generate(out); err != nil {
		fmt.Fprintln(os.Stderr, "_asm:", err)
		os.Exit(1)
	}
}

func generate(out string) error {
	declared, err := declarations(simdDir)
	if err != nil {
		return err
	}
	for _, g := range generators {
		f := newFile(declared)
		g.write(f)
		text, err := f.text(g.name)
		if err != nil {
			return fmt.Errorf("%s: %w", g.name, err)
		}
		if err := os.WriteFile(filepath.Join(out, g.name+"_amd64.s"), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
