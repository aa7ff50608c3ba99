package repotest_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/braidmerge/braid/internal/repotest"
)

const module = "github.com/braidmerge/braid"

// repository returns the root of the module that the test stands in.
func repository(t *testing.T) fs.FS {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && bytes.HasPrefix(mod, []byte("module "+module+"\n")) {
			return os.DirFS(dir)
		}
	}
	t.Fatalf("no directory above has the go.mod of %s", module)
	return nil
}

func TestRepositoryHoldsTheRules(t *testing.T) {
	tree := repository(t)
	if _, err := fs.Stat(tree, "internal/repotest/table.go"); err != nil {
		t.Fatalf("the tree is not the repository: %v", err)
	}
	violations, err := repotest.Check(tree)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range violations {
		t.Error(v)
	}
}

// source returns a Go file of package name with imports; a path that begins
// with a slash is one of ours.
func source(name string, imports ...string) string {
	text := "package " + name + "\n"
	for _, path := range imports {
		if strings.HasPrefix(path, "/") {
			path = module + path
		}
		text += "import _ \"" + path + "\"\n"
	}
	return text
}

// sound returns a made-up tree that breaks no rule, though it comes close to
// each.
func sound() map[string]string {
	return map[string]string{
		"kernel/merge.go":               source("kernel", "fmt", "/columnar", "/aggfuncs", "/internal/invariants", "github.com/apache/arrow/go/v17/arrow"),
		"kernel/merge_test.go":          source("kernel", "testing", "/internal/rowmerge", "/internal/rungen", "pgregory.net/rapid"),
		"kernel/example_test.go":        source("kernel_test", "/kernel", "/arrow18", "github.com/apache/arrow-go/v18/arrow"),
		"kernel/internal/deep/deep.go":  source("deep", "/kernel", "/simd"),
		"kernel/compute/compute.go":     source("compute", "github.com/apache/arrow/go/v17/arrow/computers"),
		"simd/and.go":                   source("simd", "/internal/cputier"),
		"simd/_asm/gen.go":              source("main", "github.com/mmcloughlin/avo/build"),
		"arrow18/bridge.go":             source("arrow18", "/kernel", "/columnar", "github.com/apache/arrow-go/v18/parquet/pqarrow"),
		"cmd/braid/main.go":             source("main", "/kernel", "/arrow18", "/fuzz", "github.com/alecthomas/kong"),
		"internal/rowmerge/rows.go":     source("rowmerge", "github.com/RoaringBitmap/roaring/v2"),
		"internal/rowmerge/out_test.go": source("rowmerge_test", "/internal/rowmerge", "/internal/rungen"),
		"docs/design.md":                "Work left TO" + "DO is allowed to be told; so is a path such as bench/work/out, or ~/tmp.\n",
		"kernel/testdata/broken.go":     "not Go at all, /wo" + "rk/main\n",
		".git/kernel.go":                source("git", "/nowhere"),
		"Makefile":                      "build:\n\tgo build -o /dev/null ./...\n",
	}
}

func check(t *testing.T, files map[string]string) []repotest.Violation {
	t.Helper()
	tree := fstest.MapFS{}
	for name, text := range files {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	violations, err := repotest.Check(tree)
	if err != nil {
		t.Fatal(err)
	}
	return violations
}

func TestSoundTreePasses(t *testing.T) {
	for _, v := range check(t, sound()) {
		t.Error(v)
	}
}

func TestEachRuleIsSeenToFail(t *testing.T) {
	const compute17 = "github.com/apache/arrow/go/v17/arrow/compute"
	for _, c := range []struct{ rule, file, text, want string }{
		{"upward import", "columnar/x.go", source("columnar", "/kernel"), "columnar may not import kernel"},
		{"kernel and the bridge", "kernel/x.go", source("kernel", "/arrow18"), "kernel may not import arrow18"},
		{"kernel and the command", "kernel/x.go", source("kernel", "/cmd/braid"), "kernel may not import cmd/braid"},
		{"kernel and the reference", "kernel/x.go", source("kernel", "/internal/rowmerge"), "kernel may not import internal/rowmerge"},
		{"simd knows only the tier", "simd/x.go", source("simd", "/validity"), "simd may not import validity"},
		{"package below another", "columnar/deep/x.go", source("deep", "/kernel"), "columnar may not import kernel"},
		{"other platform", "simd/x_plan9.go", "//go:build plan9\n\n" + source("simd", "/kernel"), "simd may not import kernel"},
		{"test inside", "columnar/x_test.go", source("columnar", "/kernel"), "columnar may not import kernel"},
		{"sealed reference", "internal/rowmerge/x.go", source("rowmerge", "/columnar"), "internal/rowmerge may not import columnar"},
		{"sealed reference, checks", "internal/rowmerge/x.go", source("rowmerge", "/internal/invariants"), "internal/rowmerge may not import internal/invariants"},
		{"sealed reference, test outside", "internal/rowmerge/x_test.go", source("rowmerge_test", "/kernel"), "internal/rowmerge may not import kernel"},
		{"sealed generator", "internal/rungen/x.go", source("rungen", "github.com/RoaringBitmap/roaring/v2"), "internal/rungen may not import github.com/RoaringBitmap/roaring/v2"},
		{"module of others", "kernel/x.go", source("kernel", "github.com/alecthomas/kong"), "kernel may not import github.com/alecthomas/kong"},
		{"test library in production", "kernel/x.go", source("kernel", "pgregory.net/rapid"), "kernel may not import pgregory.net/rapid"},
		{"other major version", "kernel/x.go", source("kernel", "github.com/RoaringBitmap/roaring"), "kernel may not import github.com/RoaringBitmap/roaring"},
		{"package without entry", "extras/x.go", source("extras"), "package extras is in no entry"},
		{"internal package without entry", "internal/extras/x.go", source("extras"), "package internal/extras is in no entry"},
		{"command without entry", "cmd/other/x.go", source("main"), "package cmd/other is in no entry"},
		{"package at the root", "x.go", source("braid"), "package . is in no entry"},
		{"import without entry", "cmd/braid/x.go", source("main", "/extras"), "package extras is in no entry"},
		{"import of the root", "cmd/braid/x.go", source("main", module), "package . is in no entry"},
		{"compute", "cmd/braid/x.go", source("main", compute17), "no file may import " + compute17},
		{"compute, below", "fuzz/x.go", source("fuzz", compute17+"/exprs"), "no file may import " + compute17 + "/exprs"},
		{"compute, in a test outside", "kernel/x_test.go", source("kernel_test", compute17), "no file may import " + compute17},
		{"compute of the successor", "arrow18/x.go", source("arrow18", "github.com/apache/arrow-go/v18/arrow/compute"), "no file may import github.com/apache/arrow-go/v18/arrow/compute"},
		{"parquet of v17", "bench/x.go", source("main", "github.com/apache/arrow/go/v17/parquet/file"), "no file may import github.com/apache/arrow/go/v17/parquet/file"},
		{"cgo", "simd/x.go", source("simd", "C"), "no file may import C"},
		{"work left to do", "kernel/x.go", "package kernel\n\n// TO" + "DO: more\n", "a mark for work left to do: TO" + "DO"},
		{"work left to mend", "kernel/x_test.go", "package kernel\n\nvar s = \"FIX" + "ME\"\n", "a mark for work left to do: FIX" + "ME"},
		{"machine path in Go", "kernel/x.go", "package kernel\n\nconst dir = \"/wo" + "rk/data\"\n", "a path of one machine"},
		{"machine path at line start", "docs/x.md", "see\n/tm" + "p\n", "a path of one machine"},
		{"machine path in the Makefile", "Makefile", "out:\n\tcp braid /ho" + "me/me/bin\n", "a path of one machine"},
		{"machine path in CI", ".ci/run", "cd /ro" + "ot/braid\n", "a path of one machine"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			files := sound()
			files[c.file] = c.text
			violations := check(t, files)
			if len(violations) != 1 {
				t.Fatalf("%d violations, want 1: %v", len(violations), violations)
			}
			v := violations[0]
			if v.File != c.file || v.Line < 1 || !strings.HasPrefix(v.What, c.want) {
				t.Errorf("%v, want %s: %s", v, c.file, c.want)
			}
		})
	}
}

func TestBrokenGoFileIsAnError(t *testing.T) {
	tree := fstest.MapFS{"kernel/x.go": {Data: []byte("pakage kernel\n")}}
	if _, err := repotest.Check(tree); err == nil || !strings.Contains(err.Error(), "kernel/x.go:1") {
		t.Errorf("error %v, want one that names kernel/x.go:1", err)
	}
}
