package rungen

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/braidmerge/braid/internal/testscale"
)

// drawn counts what specs have, by name: options, their values, functions, types of functions, shapes of sequence groups. In
// strict mode the names end in " strict".
type drawn map[string]int

// note counts what a spec has.
func (d drawn) note(s Spec) {
	mode := ""
	if s.Options["braid.strict"] == "true" {
		mode = " strict"
	}
	engine := strings.ToLower(s.Options["merge-engine"])
	if engine == "" {
		engine = "deduplicate"
	}
	words := map[string]bool{"engine " + engine: true}
	retracts := "without retracts"
	if s.holdsRetracts() {
		retracts = "with retracts"
	}
	words[engine+" "+retracts] = true
	if len(s.Sequence) > 1 {
		words[engine+" sequence fields"] = true
	}
	for _, c := range s.Sequence {
		if dt, _ := typeNamed(c.Type); isNested(dt) {
			words[engine+" nested sequence field"] = true
		}
	}
	for key, value := range s.tableOptions(s.tableColumns()) {
		parts := strings.Split(key, ".")
		option := parts[len(parts)-1]
		switch {
		case option == "sequence-group" && parts[0] == "fields":
			s.noteGroup(words, parts[1], value)
		case key == "fields.default-aggregate-function":
			words[engine+" default "+value] = true
		case option == "aggregate-function":
			s.noteFunction(words, engine, parts[1], value)
		case parts[0] == "fields":
			function := s.Options["fields."+parts[1]+".aggregate-function"]
			words[fmt.Sprintf("%s %s=%s", function, option, value)] = true
			words[function+" "+option] = true
		default:
			words[fmt.Sprintf("%s %s=%s", engine, key, strings.ToLower(value))] = true
			words[engine+" "+key] = true
		}
	}
	s.noteMarks(words, engine)
	for word := range words {
		d[word+mode]++
	}
}

// column finds a value column by the name it has in the table.
func (s Spec) column(name string) Column {
	columns := s.tableColumns()
	at := slices.IndexFunc(columns, func(c tableColumn) bool { return c.Name == name })
	if at < 0 {
		return Column{}
	}
	return columns[at].Column
}

func (s Spec) noteFunction(words map[string]bool, engine, column, function string) {
	c := s.column(column)
	words["function "+function] = true
	words[engine+" function "+function] = true
	words[function+" of "+c.Type] = true
	if strings.HasPrefix(column, "k") {
		words["function of a key"] = true
	}
	if c.Forged {
		words[function+" forged"] = true
	}
}

func (s Spec) noteGroup(words map[string]bool, sequence, protected string) {
	names := strings.Split(sequence, ",")
	words[fmt.Sprintf("group of %d columns", len(names))] = true
	others := 0
	for _, name := range strings.Split(protected, ",") {
		if slices.Contains(names, name) {
			words["group that protects its own column"] = true
			continue
		}
		others++
	}
	words[fmt.Sprintf("group that protects %d others", min(others, 3))] = true
	for i, name := range names {
		c := s.column(name)
		if dt, _ := typeNamed(c.Type); isNested(dt) {
			words["group by a nested column"] = true
		}
		words[fmt.Sprintf("group column %d of NULLs %q", i, c.Nulls)] = true
	}
}

func (s Spec) noteMarks(words map[string]bool, engine string) {
	if engine != "partial-update-validity" {
		return
	}
	for i, name := range s.ColumnNames() {
		c := s.column(name)
		switch {
		case c.NotNull && c.holdsNulls():
			words["validity NULL in NOT NULL"] = true
		case c.NotNull && strings.HasPrefix(name, "v"):
			words["validity NOT NULL"] = true
		case name == validityColumn:
			words[fmt.Sprintf("validity column at %d", min(i, 2))] = true
			words[fmt.Sprintf("validity %s NULLs %q", c.Style, c.Nulls)] = true
			words["validity of "+c.Type] = true
			if c.Forged {
				words["validity forged"] = true
			}
		}
	}
}

// manySpecs are as many specs as it takes to draw everything as often as wantedWords says.
const manySpecs = 30_000

// wantedWords lists what must be drawn, and how often it must be among manySpecs specs in either mode.
func wantedWords() map[string]int {
	wanted := map[string]int{}
	add := func(times int, words ...string) {
		for _, word := range words {
			wanted[word] = times
		}
	}
	each := func(format string, words ...string) []string {
		var list []string
		for _, word := range words {
			list = append(list, fmt.Sprintf(format, word))
		}
		return list
	}
	engines := []string{"deduplicate", "first-row", "partial-update", "aggregation", "partial-update-validity"}
	add(100, each("engine %s", engines...)...)
	add(30, each("%s with retracts", engines...)...)
	add(30, each("%s without retracts", engines...)...)
	add(20, each("%s ignore-update-before=true", engines...)...)
	add(20, each("%s rowkind.field", engines...)...)
	add(20, each("%s primary-key.nullable=true", engines...)...)
	add(10, each("%s sequence.snapshot-ordering=true", engines...)...)
	for _, engine := range engines {
		add(3, each(engine+" %s=true", "ignore-delete", "first-row.ignore-delete", "deduplicate.ignore-delete", "partial-update.ignore-delete")...)
		if engine != "first-row" {
			add(5, each(engine+" %s", "sequence.field", "sequence fields", "nested sequence field", "sequence.field.sort-order=descending", "sequence.field.sort-order=ascending")...)
		}
	}
	add(20, "partial-update partial-update.remove-record-on-delete=true", "partial-update-validity partial-update.remove-record-on-delete=true",
		"aggregation aggregation.remove-record-on-delete=true", "partial-update partial-update.remove-record-on-sequence-group")
	names := []string{"sum", "product", "min", "max", "bool_and", "bool_or", "first_value", "first_non_null_value", "first_not_null_value",
		"last_value", "last_non_null_value", "primary-key", "listagg", "collect", "merge_map", "merge_map_with_keytime", "nested_update",
		"nested_partial_update", "rbm32", "rbm64", "theta_sketch", "hll_sketch"}
	add(40, each("function %s", names...)...)
	add(20, each("aggregation function %s", names...)...)
	add(10, each("partial-update function %s", names...)...)
	add(3, each("%s ignore-retract=true", names...)...)
	defaults := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "nested_partial_update" })
	add(1, each("aggregation default %s", defaults...)...)
	add(1, each("partial-update default %s", defaults...)...)
	for name, types := range map[string][]string{"sum": typeTexts(sumTypes), "product": typeTexts(sumTypes), "min": TypeNames(), "max": TypeNames(),
		"bool_and": {"bool"}, "bool_or": {"bool"}, "listagg": {"utf8", "large_utf8"}, "collect": typeTexts(listTypes),
		"merge_map": typeTexts(mapTypes), "merge_map_with_keytime": typeTexts(timedTypes), "nested_update": typeTexts(tableTypes),
		"nested_partial_update": typeTexts(tableTypes), "rbm32": {"binary", "large_binary"}, "rbm64": {"binary", "large_binary"},
		"theta_sketch": {"binary", "large_binary"}, "hll_sketch": {"binary", "large_binary"}} {
		add(1, each(name+" of %s", types...)...)
	}
	for _, name := range []string{"first_value", "first_non_null_value", "last_value", "last_non_null_value", "primary-key"} {
		add(1, each(name+" of %s", "int64", "utf8", "list<item: int64, nullable>", "struct<k: int32, l: utf8, n: int64>")...)
	}
	add(10, "function of a key")
	add(3, "rbm32 forged", "rbm64 forged", "theta_sketch forged", "hll_sketch forged")
	add(3, each("listagg list-agg-delimiter=%s", ";", "", "ab", " ")...)
	add(10, "listagg distinct=true", "listagg distinct=false", "collect distinct=true", "collect distinct=false")
	add(5, "merge_map_with_keytime ts-field=t", "merge_map_with_keytime ts-field=l")
	add(3, each("nested_update count-limit=%s", "0", "1", "3", "7")...)
	add(3, each("nested_update nested-key=%s", "k", "l", "k,l", "l, k")...)
	add(2, each("nested_update nested-sequence-field=%s", "n", "n,l", " n , k", "m", "m,n")...)
	add(3, each("nested_partial_update nested-key=%s", "k", "k,l", "l , n")...)
	for _, name := range []string{"nested_update", "nested_partial_update"} {
		add(2, each(name+" nested-key-null-strategy=%s", "merge", "MERGE", "ignore", "error")...)
	}
	add(10, each("group of %s columns", "1", "2", "3")...)
	add(10, each("group that protects %s others", "0", "1", "2", "3")...)
	add(10, "group that protects its own column", "group by a nested column")
	for _, nulls := range []Nulls{NoNulls, FewNulls, HalfNulls, ManyNulls, AllNull} {
		add(5, fmt.Sprintf("group column 0 of NULLs %q", nulls), fmt.Sprintf("group column 1 of NULLs %q", nulls))
	}
	for _, nulls := range []Nulls{NoNulls, AllValid, FewNulls, HalfNulls, ManyNulls, AllNull, Blocks, ByRun} {
		add(1, fmt.Sprintf("validity marks NULLs %q", nulls), fmt.Sprintf("validity run-marks NULLs %q", nulls))
	}
	add(10, each("validity column at %s", "0", "1", "2")...)
	add(5, "validity of binary", "validity of large_binary", "validity forged", "validity NOT NULL", "validity NULL in NOT NULL")
	return wanted
}

// missing lists the wanted words that were drawn too rarely, in default or in strict mode. Of a sample of the specs it wants
// half of what is its share.
func (d drawn) missing(sample int) []string {
	var list []string
	wanted := wantedWords()
	for _, word := range slices.Sorted(maps.Keys(wanted)) {
		least := wanted[word]
		if sample > 1 {
			least /= 2 * sample
		}
		for _, mode := range []string{"", " strict"} {
			if d[word+mode] < least {
				list = append(list, fmt.Sprintf("%s%s: drawn %d times, want %d", word, mode, d[word+mode], least))
			}
		}
	}
	return list
}

// drawMany notes n specs of seeds, or of random bytes.
func drawMany(n int, bytes bool) drawn {
	d := drawn{}
	rng := rand.New(rand.NewPCG(1, 2))
	for seed := range uint64(n) {
		if !bytes {
			d.note(Random(seed, 100))
			continue
		}
		var data []byte
		for range rng.IntN(60) {
			data = binary.LittleEndian.AppendUint64(data, rng.Uint64())
		}
		d.note(FromBytes(data, 100))
	}
	return d
}

// TestEverythingIsDrawn wants every engine, function, option and shape of sequence groups among the specs that seeds and bytes
// make, in both modes, and as often as wantedWords says. BRAID_SAMPLE makes it fewer specs.
func TestEverythingIsDrawn(t *testing.T) {
	sample := testscale.Sample(t)
	for _, bytes := range []bool{false, true} {
		for _, word := range drawMany(manySpecs/sample, bytes).missing(sample) {
			t.Errorf("specs of bytes %v: %s", bytes, word)
		}
	}
}

// TestMissingIsNoticed takes functions, types and styles away from the draw, one at a time, and wants that noticed.
func TestMissingIsNoticed(t *testing.T) {
	without := func(name string) func() {
		return func() {
			functions = slices.DeleteFunc(slices.Clone(functions), func(f function) bool { return f.name == name })
		}
	}
	for word, change := range map[string]func(){
		"function merge_map_with_keytime: drawn 0":      without("merge_map_with_keytime"),
		"aggregation default rbm64: drawn 0":            without("rbm64"),
		"validity of large_binary: drawn 0":             func() { bytesTypes = bytesTypes[:1] },
		"group by a nested column: drawn 0":             func() { nestedTypes = keyTypes[:1] },
		"partial-update nested sequence field: drawn 0": func() { nestedTypes = keyTypes[:1] },
	} {
		functionsBefore, bytesBefore, nestedBefore := functions, bytesTypes, nestedTypes
		change()
		missing := drawMany(manySpecs/10, false).missing(1)
		functions, bytesTypes, nestedTypes = functionsBefore, bytesBefore, nestedBefore
		if !slices.ContainsFunc(missing, func(miss string) bool { return strings.HasPrefix(miss, word) }) {
			t.Errorf("%q is not among what is missing: %q", word, missing)
		}
	}
}

func typeTexts[T interface{ String() string }](types []T) []string {
	var texts []string
	for _, dt := range types {
		texts = append(texts, dt.String())
	}
	return texts
}
