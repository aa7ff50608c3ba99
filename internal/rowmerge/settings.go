package rowmerge

import (
	"slices"
	"sort"
	"strconv"
	"strings"
)

// settings are the options of a table, read and checked as far as no engine is needed for it.
type settings struct {
	all                map[string]string
	engine             string
	sequence           []int // columns of sequence.field
	descending         bool
	kindColumn         int // column of rowkind.field, -1 if there is none
	ignoreDelete       bool
	ignoreUpdateBefore bool
	removeOnDelete     bool     // the engine's own remove-record-on-delete
	removeOnGroup      []string // names in partial-update.remove-record-on-sequence-group
	removeOnGroupText  string
	nullableKeys       bool
	strict             bool
	changelog          string
	compareRows        bool     // changelog-producer.row-deduplicate
	compareIgnores     []string // changelog-producer.row-deduplicate-ignore-fields
}

var engineNames = []string{"deduplicate", "partial-update", "aggregation", "first-row", "partial-update-validity"}

// readSettings reads the options of t, whose columns and key are set already.
func readSettings(options map[string]string, t *table, partitionKeys []string) (settings, *Error) {
	s := settings{all: options, kindColumn: -1}
	r := optionReader{options: options}
	s.engine = r.choice("merge-engine", engineNames)
	s.descending = r.choice("sequence.field.sort-order", []string{"ascending", "descending"}) == "descending"
	s.changelog = r.choice("changelog-producer", []string{"none", "input", "lookup", "full-compaction"})
	r.choice("sort-engine", []string{"loser-tree", "min-heap"})
	s.ignoreDelete = r.flag("ignore-delete", "first-row.ignore-delete", "deduplicate.ignore-delete", "partial-update.ignore-delete")
	s.ignoreUpdateBefore = r.flag("ignore-update-before")
	s.nullableKeys = r.flag("primary-key.nullable")
	s.strict = r.flag("braid.strict")
	s.compareRows = r.flag("changelog-producer.row-deduplicate")
	s.compareIgnores = r.list("changelog-producer.row-deduplicate-ignore-fields", false)
	s.removeOnGroupText = options["partial-update.remove-record-on-sequence-group"]
	s.removeOnGroup = r.list("partial-update.remove-record-on-sequence-group", false)
	switch s.engine {
	case "partial-update", "partial-update-validity":
		s.removeOnDelete = r.flag("partial-update.remove-record-on-delete")
	case "aggregation":
		s.removeOnDelete = r.flag("aggregation.remove-record-on-delete")
	}
	snapshots := r.flag("sequence.snapshot-ordering")
	if r.err != nil {
		return s, r.err
	}
	if s.engine == "first-row" && s.changelog != "none" && s.changelog != "lookup" {
		return s, configf("first-row takes the changelog producers none and lookup only")
	}
	if err := s.setSequence(r, t, partitionKeys); err != nil {
		return s, err
	}
	if snapshots && len(s.sequence) > 0 {
		return s, configf("sequence.snapshot-ordering and sequence.field exclude each other")
	}
	if name, ok := options["rowkind.field"]; ok {
		if s.kindColumn = t.find(name); s.kindColumn < 0 {
			return s, configf("rowkind.field: %q is not a column", name)
		}
		if root := t.columns[s.kindColumn].root(); !isText(root) {
			return s, configf("rowkind.field: column %q is not text", name)
		}
	}
	return s, checkFieldOptions(options, t)
}

// setSequence reads sequence.field and checks it against the rest.
func (s *settings) setSequence(r optionReader, t *table, partitionKeys []string) *Error {
	for _, name := range r.list("sequence.field", true) {
		i := t.find(name)
		if i < 0 {
			return configf("sequence field %q can not be found in table schema", name)
		}
		if _, ok := r.options["fields."+name+".aggregate-function"]; ok {
			return configf("Should not define aggregation on sequence field: '%s'.", name)
		}
		if slices.Contains(s.sequence, i) {
			return configf("sequence field %q is defined repeatedly", name)
		}
		s.sequence = append(s.sequence, i)
	}
	if len(s.sequence) == 0 {
		return nil
	}
	if s.engine == "first-row" {
		return configf("first-row does not take sequence.field")
	}
	for _, name := range partitionKeys {
		if !t.isPrimary(name) {
			return configf("sequence.field needs partition column %q in the primary key", name)
		}
	}
	return nil
}

// fieldOptions are the options a column can have, as the last part of `fields.<column>.<option>`.
var fieldOptions = []string{
	"sequence-group", "aggregate-function", "ignore-retract", "list-agg-delimiter", "distinct",
	"nested-key", "nested-sequence-field", "nested-key-null-strategy", "count-limit", "ts-field",
}

// checkFieldOptions checks the form of every key that starts with `fields.`, and that functions have a name, whatever uses
// them.
func checkFieldOptions(options map[string]string, t *table) *Error {
	for _, key := range sortedKeys(options) {
		if !strings.HasPrefix(key, "fields.") {
			continue
		}
		if name := options[key]; strings.HasSuffix(key, "aggregate-function") && name != "" && makers[name] == nil {
			return configf("Could not find any factory for identifier '%s' among the aggregate functions", name)
		}
		if key == "fields.default-aggregate-function" {
			continue
		}
		parts := strings.Split(key, ".")
		for _, name := range strings.Split(parts[1], ",") {
			if t.find(name) < 0 && name != "default-aggregate-function" {
				return configf("Field %s can not be found in table schema.", name)
			}
		}
		switch {
		case len(parts) > 3:
			return configf("Nested-field path is not supported: %s", key)
		case len(parts) < 3 || !slices.Contains(fieldOptions, parts[2]):
			return configf("unknown option %s", key)
		}
	}
	return nil
}

func sortedKeys(options map[string]string) []string {
	var keys []string
	for key := range options {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}

// optionReader reads option values and keeps the first mistake.
type optionReader struct {
	options map[string]string
	err     *Error
}

// flag reads a boolean under the first of the keys that is there.
func (r *optionReader) flag(keys ...string) bool {
	for _, key := range keys {
		text, ok := r.options[key]
		if !ok {
			continue
		}
		switch strings.ToLower(text) {
		case "true":
			return true
		case "false":
			return false
		}
		r.fail(configf("option %s: %q is neither true nor false", key, text))
		return false
	}
	return false
}

// choice reads one of the names, the first when the option is absent.
func (r *optionReader) choice(key string, names []string) string {
	text, ok := r.options[key]
	if !ok {
		return names[0]
	}
	name := strings.ToLower(text)
	if !slices.Contains(names, name) {
		r.fail(configf("option %s: %q is none of %s", key, text, strings.Join(names, ", ")))
		return names[0]
	}
	return name
}

// list reads a comma list, nil when the option is absent.
func (r *optionReader) list(key string, trim bool) []string {
	text, ok := r.options[key]
	if !ok {
		return nil
	}
	names := strings.Split(text, ",")
	for i := range names {
		if trim {
			names[i] = strings.TrimSpace(names[i])
		}
	}
	return names
}

// number reads a 32-bit integer.
func (r *optionReader) number(key string, otherwise int) int {
	text, ok := r.options[key]
	if !ok {
		return otherwise
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		r.fail(configf("option %s: %q is not a number", key, text))
	}
	return int(n)
}

func (r *optionReader) fail(err *Error) {
	if r.err == nil {
		r.err = err
	}
}

// isText reports whether a table type holds text.
func isText(root string) bool { return root == "STRING" || root == "VARCHAR" || root == "CHAR" }
