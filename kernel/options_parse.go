package kernel

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// ParseOptions reads the options of a table from their texts, as far as they can be judged without its schema: the rest is
// judged when a plan is compiled. Keys and names are as written; booleans and enumerations may be in upper or lower case.
// Options that merging does not read are passed over, but every key that begins with `fields` must be one it knows.
//
// All mistakes are reported together, each an ErrOption, in the order of their keys; the options are then the zero value.
func ParseOptions(options map[string]string) (Options, error) {
	p := optionParser{options: options}
	o := Options{
		Engine:                   Engine(p.enum("merge-engine", engineNames)),
		SequenceFields:           p.columns("sequence.field", strings.TrimSpace),
		SequenceDescending:       p.enum("sequence.field.sort-order", sortOrderNames) == sortDescending,
		SnapshotOrdering:         p.bool("sequence.snapshot-ordering"),
		RowKindField:             p.name("rowkind.field"),
		IgnoreUpdateBefore:       p.bool("ignore-update-before"),
		DefaultAggregateFunction: p.name(fieldsPrefix + defaultFunctionOption),
		Changelog:                ChangelogProducer(p.enum("changelog-producer", changelogNames)),
		ChangelogRowDeduplicate:  p.bool("changelog-producer.row-deduplicate"),
		NullableKeys:             p.bool("primary-key.nullable"),
		Strict:                   p.bool("braid.strict"),
	}
	o.IgnoreDelete = p.bool("ignore-delete",
		"first-row.ignore-delete", "deduplicate.ignore-delete", "partial-update.ignore-delete")
	o.RemoveRecordOnDelete = p.removeOnDelete(o.Engine)
	o.RemoveRecordOnSequenceGroup = p.columns("partial-update.remove-record-on-sequence-group", asIs)
	if list, set := options["changelog-producer.row-deduplicate-ignore-fields"]; set {
		o.ChangelogIgnoreFields = strings.Split(list, ",")
	}
	for _, key := range slices.Sorted(maps.Keys(options)) {
		if strings.HasPrefix(key, "fields") {
			p.field(&o, key)
		}
	}
	if err := p.err(); err != nil {
		return Options{}, err
	}
	return o, nil
}

var sortOrderNames = []string{"ascending", "descending"}

// sortDescending is the index of descending among the names.
const sortDescending = 1

// optionParser reads single options and gathers their mistakes. An option that is not set, or set wrongly, reads as the
// zero value.
type optionParser struct {
	options  map[string]string
	mistakes []mistake
}

// mistake is an error about the option of that key.
type mistake struct {
	key string
	err error
}

// fail notes a mistake.
func (p *optionParser) fail(key, format string, args ...any) {
	p.mistakes = append(p.mistakes, mistake{key, optionError(key, format, args...)})
}

// err joins the mistakes in the order of their keys.
func (p *optionParser) err() error {
	slices.SortStableFunc(p.mistakes, func(a, b mistake) int { return strings.Compare(a.key, b.key) })
	errs := make([]error, len(p.mistakes))
	for i, m := range p.mistakes {
		errs[i] = m.err
	}
	return errors.Join(errs...)
}

// bool reads a boolean under the first of the keys that is set. Values under the other keys must be booleans, too.
func (p *optionParser) bool(keys ...string) bool {
	value, found := false, false
	for _, key := range keys {
		text, set := p.options[key]
		if !set {
			continue
		}
		isTrue := strings.EqualFold(text, "true")
		if !isTrue && !strings.EqualFold(text, "false") {
			p.fail(key, "%q is neither true nor false", text)
		}
		if !found {
			value, found = isTrue, true
		}
	}
	return value
}

// enum reads one of the names and gives its index; not set, that is the first.
func (p *optionParser) enum(key string, names []string) uint8 {
	text, set := p.options[key]
	if !set {
		return 0
	}
	index, err := enumIndex(names, text)
	if err != nil {
		p.fail(key, "%v", err)
	}
	return index
}

// name reads one name, which must not be empty.
func (p *optionParser) name(key string) string {
	text, set := p.options[key]
	if set && text == "" {
		p.fail(key, "the value is empty, a name is expected")
	}
	return text
}

// columns reads a list of names between commas, each passed through tidy; none may be empty then.
func (p *optionParser) columns(key string, tidy func(string) string) []string {
	text, set := p.options[key]
	if !set {
		return nil
	}
	names := strings.Split(text, ",")
	for i, name := range names {
		names[i] = tidy(name)
	}
	if slices.Contains(names, "") {
		p.fail(key, "%q has an empty name, names between commas are expected", text)
	}
	return names
}

// asIs leaves a name as it is: blanks belong to it.
func asIs(name string) string { return name }

// count reads a number from 0 to 2,147,483,647 under a key that is set.
func (p *optionParser) count(key string) *int32 {
	text := p.options[key]
	number, err := strconv.ParseInt(text, 10, 32)
	if err != nil || number < 0 {
		p.fail(key, "%q is no whole number from 0 to 2147483647", text)
		return nil
	}
	limit := int32(number)
	return &limit
}

// removeOnDelete reads the option that is the engine's own; that of another engine must be a boolean, too.
func (p *optionParser) removeOnDelete(engine Engine) bool {
	update := p.bool(partialUpdateRemoveKey)
	aggregation := p.bool(aggregationRemoveKey)
	switch engine {
	case PartialUpdate, PartialUpdateValidity:
		return update
	case Aggregation:
		return aggregation
	}
	return false
}

const (
	partialUpdateRemoveKey = "partial-update.remove-record-on-delete"
	aggregationRemoveKey   = "aggregation.remove-record-on-delete"
)
