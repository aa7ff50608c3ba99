package repotest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strconv"
	"strings"
)

// origin is where an import stands: its directory's entry and the kind of its
// file.
type origin struct {
	name    string // of the entry
	entry   entry
	test    bool
	outside bool // a test from outside its package
}

// checkImports returns what the imports of a Go file break. Build constraints
// do not matter: the imports of every platform and tag are held.
func checkImports(name string, source []byte) ([]Violation, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, source, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	from, found := originOf(name, file)
	if !found {
		what := fmt.Sprintf("package %s is in no entry of the import table", path.Dir(name))
		return []Violation{{File: name, Line: files.Position(file.Package).Line, What: what}}, nil
	}
	var broken []Violation
	for _, spec := range file.Imports {
		importPath, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, fmt.Errorf("%s: import %s: %w", name, spec.Path.Value, err)
		}
		if what := from.refuses(importPath); what != "" {
			broken = append(broken, Violation{File: name, Line: files.Position(spec.Pos()).Line, What: what})
		}
	}
	return broken, nil
}

func originOf(name string, file *ast.File) (from origin, found bool) {
	entryName, found := entryOf(path.Dir(name))
	test := strings.HasSuffix(name, "_test.go")
	return origin{
		name:    entryName,
		entry:   table[entryName],
		test:    test,
		outside: test && strings.HasSuffix(file.Name.Name, "_test"),
	}, found
}

// refuses returns why the import is not allowed there, or nothing.
func (from origin) refuses(importPath string) string {
	for _, f := range forbidden {
		if within(importPath, f.path) {
			return fmt.Sprintf("no file may import %s: %s", importPath, f.reason)
		}
	}
	if within(importPath, module) {
		return from.refusesOurs(path.Clean("." + strings.TrimPrefix(importPath, module)))
	}
	host, _, _ := strings.Cut(importPath, "/")
	standard := !strings.Contains(host, ".")
	if standard || from.free() || allows(from.entry.theirs, importPath) || from.test && allows(inTests.theirs, importPath) {
		return ""
	}
	return fmt.Sprintf("%s may not import %s", from.name, importPath)
}

// refusesOurs is refuses for a package of the module, by its directory.
func (from origin) refusesOurs(dir string) string {
	to, found := entryOf(dir)
	switch {
	case !found:
		return fmt.Sprintf("package %s is in no entry of the import table", dir)
	case to == from.name, from.free(), allows(from.entry.ours, to):
		return ""
	case !from.entry.sealed && allows(everywhere, to):
		return ""
	case from.test && allows(inTests.ours, to):
		return ""
	}
	return fmt.Sprintf("%s may not import %s", from.name, to)
}

// free reports whether every import that is not forbidden to all is allowed.
func (from origin) free() bool { return from.outside && !from.entry.sealed }
