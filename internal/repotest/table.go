package repotest

import (
	"path"
	"slices"
	"strings"
)

// module is the path of the root module.
const module = "github.com/braidmerge/braid"

// Modules of others, by the paths their packages begin with.
const (
	arrow17      = "github.com/apache/arrow/go/v17"
	arrow18      = "github.com/apache/arrow-go/v18"
	roaring      = "github.com/RoaringBitmap/roaring/v2"
	datasketches = "github.com/apache/datasketches-go"
	cpuid        = "github.com/klauspost/cpuid/v2"
	sys          = "golang.org/x/sys"
	avro         = "github.com/twmb/avro"
	avo          = "github.com/mmcloughlin/avo"
	rapid        = "pgregory.net/rapid"
	goleak       = "go.uber.org/goleak"
)

// anything in a list allows every import that is not forbidden to all.
const anything = "*"

// entry says what the packages of one row may import.
type entry struct {
	ours   []string // entries
	theirs []string // module paths
	sealed bool     // tests from outside get no more than tests inside
}

// table is the import table, by directory. A lower layer never imports a
// higher one.
var table = map[string]entry{
	"kernel": {
		ours:   []string{"aggfuncs", "validity", "columnar", "simd", "internal/expression", "internal/cputier", "internal/hooks"},
		theirs: []string{arrow17, roaring},
	},
	"aggfuncs": {
		ours:   []string{"validity", "columnar", "simd"},
		theirs: []string{arrow17, roaring, datasketches},
	},
	"columnar": {
		ours:   []string{"validity", "simd"},
		theirs: []string{arrow17},
	},
	"validity": {
		ours:   []string{"simd"},
		theirs: []string{arrow17, roaring},
	},
	"simd":      {ours: []string{"internal/cputier"}},
	"simd/_asm": {theirs: []string{avo}},
	"paimon": {
		ours:   []string{"kernel", "columnar", "validity"},
		theirs: []string{arrow17, roaring, avro},
	},
	"arrow18": {
		ours:   []string{"kernel", "columnar"},
		theirs: []string{arrow17, arrow18},
	},

	"cmd/braid": {ours: []string{anything}, theirs: []string{anything}},
	"bench":     {ours: []string{anything}, theirs: []string{anything}},
	"fuzz":      {ours: []string{anything}, theirs: []string{anything}},

	"internal/expression": {ours: []string{"aggfuncs", "columnar", "validity", "simd"}, theirs: []string{arrow17}},
	"internal/rowmerge":   {theirs: []string{arrow17, roaring, datasketches}, sealed: true},
	"internal/rungen":     {theirs: []string{arrow17}, sealed: true},
	"internal/hooks":      {},
	"internal/cputier":    {theirs: []string{cpuid, sys}},
	"internal/invariants": {},
	"internal/repotest":   {},
	"internal/testscale":  {},
}

// everywhere is what every entry but the sealed ones may import.
var everywhere = []string{"internal/invariants"}

// inTests is what every test may import.
var inTests = entry{
	ours:   []string{"internal/rowmerge", "internal/rungen", "internal/hooks", "internal/cputier", "internal/invariants", "internal/testscale"},
	theirs: []string{arrow17, rapid, goleak},
}

// forbidden lists packages that no file may import, with everything below
// them, and the reason.
var forbidden = []struct{ path, reason string }{
	{arrow17 + "/arrow/compute", "a panic in its kernels ends the process"},
	{arrow18 + "/arrow/compute", "a panic in its kernels ends the process"},
	{arrow17 + "/parquet", "it misreads files; Parquet goes through arrow18"},
	{"C", "the module builds without a C compiler"},
}

// entryOf returns the row that holds the directory dir: its own or that of
// the nearest directory above.
func entryOf(dir string) (name string, found bool) {
	for ; dir != "."; dir = path.Dir(dir) {
		if _, ok := table[dir]; ok {
			return dir, true
		}
	}
	return "", false
}

// allows reports whether list holds the path or one that it lies below.
func allows(list []string, importPath string) bool {
	return slices.ContainsFunc(list, func(allowed string) bool {
		return allowed == anything || within(importPath, allowed)
	})
}

// within reports whether importPath is root or lies below it.
func within(importPath, root string) bool {
	return importPath == root || strings.HasPrefix(importPath, root+"/")
}
