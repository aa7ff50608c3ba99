package simd_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/braidmerge/braid/internal/cputier"
	"github.com/braidmerge/braid/simd"
)

// everyTier runs a test under every tier of this build on this processor, and where a tier has features once more without
// them.
func everyTier(t *testing.T, test func(t *testing.T)) {
	const features = cputier.FastPDEP | cputier.VBMI2 | cputier.VPOPCNTDQ
	for _, tier := range cputier.All() {
		for _, without := range []cputier.Feature{0, features} {
			name := tier.String()
			switch {
			case without == 0:
			case tier == cputier.AVX2 || tier == cputier.AVX512:
				name += " without features"
			default:
				continue
			}
			t.Run(name, func(t *testing.T) {
				restore, err := cputier.Set(tier)
				if err != nil {
					t.Fatal(err)
				}
				defer restore()
				defer cputier.Without(without)()
				test(t)
			})
		}
	}
}

// lengths are the numbers of rows that tests try: all up to 200, and some around the sizes loops are unrolled by.
func lengths() []int {
	var n []int
	for i := range 201 {
		n = append(n, i)
	}
	return append(n, 255, 256, 257, 511, 1000, 1024, 4095, 4097, 65_536, 70_001)
}

// TestFastLoopsRun makes sure that a tier runs the loops it has, and no others.
func TestFastLoopsRun(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		for _, loop := range simd.FastLoops {
			if ran, want := loop.Ran(), loop.Has(); ran != want {
				t.Errorf("%s runs a faster loop: %v, want %v", loop.Tier, ran, want)
			}
		}
	})
}

// TestFastLoopsAreKnown makes sure that every function that chooses a loop is one of FastLoops, and is asked.
func TestFastLoopsAreKnown(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	declared, asked := map[string]bool{}, map[string]bool{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				declared[n.Name.Name] = declared[n.Name.Name] || strings.HasSuffix(n.Name.Name, "Tier")
			case *ast.CallExpr:
				if f, ok := n.Fun.(*ast.Ident); ok {
					asked[f.Name] = true
				}
			}
			return true
		})
	}
	for name, chooses := range declared {
		known := slices.ContainsFunc(simd.FastLoops, func(l simd.FastLoop) bool { return l.Tier == name })
		switch {
		case chooses && !known:
			t.Errorf("%s is not one of FastLoops", name)
		case chooses && !asked[name]:
			t.Errorf("%s is not asked", name)
		}
	}
	for _, loop := range simd.FastLoops {
		if !declared[loop.Tier] {
			t.Errorf("%s is no function that chooses a loop", loop.Tier)
		}
	}
}
