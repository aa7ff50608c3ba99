package repotest

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Violation is one place that breaks a rule.
type Violation struct {
	File string // from the root of the tree, with slashes
	Line int    // from 1
	What string
}

// String returns the violation as compilers write theirs.
func (v Violation) String() string { return fmt.Sprintf("%s:%d: %s", v.File, v.Line, v.What) }

// Check returns every violation in a tree whose root is the module's root, in
// the order of file names. Hidden directories other than .ci, and testdata,
// are left out. A Go file that does not parse is an error.
func Check(tree fs.FS) ([]Violation, error) {
	var broken []Violation
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if isLeftOut(name) {
				return fs.SkipDir
			}
			return nil
		}
		if !isText(name) {
			return nil
		}
		found, err := checkFile(tree, name)
		broken = append(broken, found...)
		return err
	})
	return broken, err
}

func checkFile(tree fs.FS, name string) ([]Violation, error) {
	text, err := fs.ReadFile(tree, name)
	if err != nil {
		return nil, err
	}
	broken := checkWords(name, text)
	if path.Ext(name) != ".go" {
		return broken, nil
	}
	imports, err := checkImports(name, text)
	return append(broken, imports...), err
}

func isLeftOut(dir string) bool {
	base := path.Base(dir)
	return base == "testdata" || strings.HasPrefix(base, ".") && dir != "." && dir != ".ci"
}
