package main

import (
	"errors"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
)

// declarations reads what package simd declares in its amd64 build. What it imports is not looked at, but for package unsafe: the types
// of assembly functions are basic ones, and types of simd that are made of them.
func declarations(dir string) (*types.Package, error) {
	amd64 := build.Default
	amd64.GOOS, amd64.GOARCH, amd64.BuildTags, amd64.CgoEnabled = "linux", "amd64", nil, false
	list, err := amd64.ImportDir(dir, 0)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range list.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	config := types.Config{
		IgnoreFuncBodies: true,
		Importer:         noImports{},
		Error:            func(error) {}, // what is imported is missing, as it should be
		Sizes:            types.SizesFor("gc", "amd64"),
	}
	declared, _ := config.Check(list.Name, fset, files, nil)
	return declared, nil
}

// noImports imports nothing.
type noImports struct{}

func (noImports) Import(path string) (*types.Package, error) {
	return nil, errors.New("package " + path + " is not read")
}
