package kernel_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/braidmerge/braid/kernel"
)

func ExampleParseOptions() {
	options, err := kernel.ParseOptions(map[string]string{
		"merge-engine":             "Partial-Update",
		"sequence.field":           "changed_at, version",
		"fields.note.distinct":     "true",
		"fields.ts.sequence-group": "status,note",
		"bucket":                   "4", // nothing to merging
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(options.Engine, options.SequenceFields, options.SequenceGroups[0].Protected, options.Fields["note"].Distinct)
	// Output: partial-update [changed_at version] [status note] true
}

// Mistakes come together, in the order of their keys.
func ExampleParseOptions_mistakes() {
	_, err := kernel.ParseOptions(map[string]string{
		"merge-engine":       "replace",
		"ignore-delete":      "maybe",
		"fields.v.agregator": "sum",
	})
	fmt.Println(errors.Is(err, kernel.ErrOption))
	fmt.Println(err)
	// Output:
	// true
	// option error: fields.v.agregator: unknown option "agregator" of a column; known are aggregate-function, ignore-retract, list-agg-delimiter, distinct, nested-key, nested-sequence-field, nested-key-null-strategy, count-limit, ts-field and sequence-group
	// option error: ignore-delete: "maybe" is neither true nor false
	// option error: merge-engine: "replace" is none of deduplicate, first-row, partial-update, aggregation, partial-update-validity
}

func TestParseEngine(t *testing.T) {
	for _, engine := range []kernel.Engine{kernel.Deduplicate, kernel.FirstRow, kernel.PartialUpdate, kernel.Aggregation, kernel.PartialUpdateValidity} {
		if got, err := kernel.ParseEngine(engine.String()); got != engine || err != nil {
			t.Errorf("ParseEngine(%q) = %v, %v", engine.String(), got, err)
		}
	}
	if got, err := kernel.ParseEngine("FIRST-row"); got != kernel.FirstRow || err != nil {
		t.Errorf("in another case: %v, %v", got, err)
	}
	for _, name := range []string{"", "dedup", "deduplicate "} {
		if _, err := kernel.ParseEngine(name); !errors.Is(err, kernel.ErrOption) {
			t.Errorf("ParseEngine(%q): %v, want ErrOption", name, err)
		}
	}
}

func TestNamesOfValues(t *testing.T) {
	for value, want := range map[fmt.Stringer]string{
		kernel.Engine(9):                  "9",
		kernel.ChangelogNone:              "none",
		kernel.ChangelogFullCompaction:    "full-compaction",
		kernel.NestedKeyNullDefault:       "merge",
		kernel.NestedKeyNullMerge:         "merge",
		kernel.NestedKeyNullError:         "error",
		kernel.NestedKeyNullStrategy(255): "255",
	} {
		if got := value.String(); got != want {
			t.Errorf("%#v is shown as %q, want %q", value, got, want)
		}
	}
}
