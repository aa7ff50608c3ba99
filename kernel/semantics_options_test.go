package kernel_test

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/kernel"
)

// The document's table of options is held to what options do: every one that is read has a witness below, and the engines
// that the table names are those that answer the witness otherwise with the option than without.

// optionWitnesses are worked examples without an engine, without the options they are for, and without results.
var optionWitnesses = map[string]string{
	"sequence.field": `
| run | k | a |
|---|---|---|
| 0 | 1 | 8 |
| 1 | 1 | 7 |`,
	"sequence.field.sort-order": `
sequence.field = a

| run | k | a |
|---|---|---|
| 0 | 1 | 8 |
| 1 | 1 | 7 |`,
	"rowkind.field": `
columns: k int, a string

| run | k | a |
|---|---|---|
| 0 | 1 | +I |
| 1 | 1 | -D |`,
	"ignore-delete": plainDelete, "first-row.ignore-delete": plainDelete, "deduplicate.ignore-delete": plainDelete,
	"partial-update.ignore-delete": plainDelete, "partial-update.remove-record-on-delete": plainDelete,
	"aggregation.remove-record-on-delete": plainDelete,
	"primary-key.nullable": `
| run | k | a |
|---|---|---|
| 0 | NULL | 1 |`,
	"braid.strict": `
ignore-delete = true

| run | kind | k | a |
|---|---|---|---|
| 0 | -D | 1 | 1 |`,
	"partial-update.remove-record-on-sequence-group": `
fields.b.sequence-group = c

| run | kind | k | b | c |
|---|---|---|---|---|
| 0 | +I | 1 | 1 | 1 |
| 1 | -D | 1 | 2 | 1 |`,
	"fields.a.sequence-group": `
| run | k | a | b |
|---|---|---|---|
| 0 | 1 | 5 | 1 |
| 1 | 1 | 4 | 2 |`,
	"fields.a.aggregate-function": `
fields.b.sequence-group = a

| run | k | a | b |
|---|---|---|---|
| 0 | 1 | 5 | 1 |
| 1 | 1 | 4 | 2 |`,
	"fields.default-aggregate-function": `
fields.b.sequence-group = a

| run | kind | k | a | b |
|---|---|---|---|---|
| 0 | +I | 1 | 1 | 5 |
| 0 | +I | 2 | 1 | 5 |
| 1 | -U | 1 | 9 | 4 |
| 1 | +I | 2 | NULL | 6 |`,
	"fields.a.ignore-retract": `
fields.b.sequence-group = a
fields.a.aggregate-function = max

| run | kind | k | a | b |
|---|---|---|---|---|
| 0 | +I | 1 | 1 | 1 |
| 1 | -U | 1 | 1 | 2 |`,
	"fields.a.list-agg-delimiter": `
columns: k int, a string, b int
fields.b.sequence-group = a
fields.a.aggregate-function = listagg

| run | k | a | b |
|---|---|---|---|
| 0 | 1 | x | 1 |
| 1 | 1 | y | 2 |`,
	"fields.a.distinct": `
columns: k int, a string, b int
fields.b.sequence-group = a
fields.a.aggregate-function = listagg

| run | k | a | b |
|---|---|---|---|
| 0 | 1 | x | 1 |
| 1 | 1 | x | 2 |`,
	"fields.a.nested-key": nestedRows + `
| 0 | 1 | [(1, 1)] | 1 |
| 1 | 1 | [(1, 2)] | 2 |`,
	"fields.a.nested-sequence-field": "fields.a.nested-key = y" + nestedRows + `
| 0 | 1 | [(2, 1)] | 1 |
| 1 | 1 | [(1, 1)] | 2 |`,
	"fields.a.nested-key-null-strategy": "fields.a.nested-key = x" + nestedRows + `
| 0 | 1 | [(1, 1)] | 1 |
| 1 | 1 | [(NULL, 1)] | 2 |`,
	"fields.a.count-limit": nestedRows + `
| 0 | 1 | [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5)] | 1 |
| 1 | 1 | [(6, 6)] | 2 |`,
	"fields.a.ts-field": `
columns: k int, a map<string, row<x string, y string>>, b int
fields.b.sequence-group = a
fields.a.aggregate-function = merge_map_with_keytime

| run | k | a | b |
|---|---|---|---|
| 0 | 1 | {p: (2, 1)} | 1 |
| 1 | 1 | {p: (1, 2)} | 2 |`,
}

const (
	plainDelete = `
| run | kind | k | a |
|---|---|---|---|
| 0 | +I | 1 | 1 |
| 1 | -D | 1 | 1 |`
	nestedRows = `
columns: k int, a array<row<x int, y int>>, b int
fields.b.sequence-group = a
fields.a.aggregate-function = nested_update

| run | k | a | b |
|---|---|---|---|`
)

// engineNames are the engines that the kernel has.
var engineNames = []string{"deduplicate", "first-row", "partial-update", "aggregation", "partial-update-validity"}

// TestSemanticsOptions holds the table of options: ParseOptions reads every option and has its default, engines do with them
// what the table says, and nothing that ParseOptions reads is missing. The first piece of code under "values" is a value
// that is not the default.
func TestSemanticsOptions(t *testing.T) {
	all := map[string]string{}
	for _, row := range sectionTable(t, "option").rows {
		for _, name := range codesOf(row[0]) {
			o := optionRow{key: strings.ReplaceAll(name, "<column>", "a"), value: firstCode(row[1]), preset: firstCode(row[2]),
				engines: codesOf(row[3]), today: row[5]}
			all[o.key] = o.value
			t.Run(o.key, func(t *testing.T) {
				if err := o.check(); err != nil {
					t.Error(err)
				}
			})
		}
	}
	options := parsed(t, all)
	for _, v := range []reflect.Value{reflect.ValueOf(options), reflect.ValueOf(options.Fields["a"])} {
		for i := range v.NumField() {
			if v.Field(i).IsZero() {
				t.Errorf("no option of the table sets %s.%s", v.Type(), v.Type().Field(i).Name)
			}
		}
	}
}

func parsed(t *testing.T, options map[string]string) kernel.Options {
	t.Helper()
	o, err := kernel.ParseOptions(options)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// optionRow is what the table says of one option.
type optionRow struct {
	key, value, preset string
	engines            []string
	today              string
}

func (o optionRow) check() error {
	if err := o.checkParsed(); err != nil {
		return err
	}
	var want []string
	var err error
	switch {
	case o.key == "merge-engine":
		want = engineNames
	case o.today == "read":
		want, err = o.changed(optionWitnesses[o.key])
	case o.today == "no effect", o.today == "changelog":
		want, err = o.accepted(optionWitnesses["sequence.field"])
	default:
		err = fmt.Errorf("today %q", o.today)
	}
	if err == nil && !slices.Equal(o.engines, want) {
		err = fmt.Errorf("the engines %q are listed, want %q", o.engines, want)
	}
	return err
}

// checkParsed wants ParseOptions to read the option and to have its default.
func (o optionRow) checkParsed() error {
	none, err := kernel.ParseOptions(nil)
	if err != nil {
		return err
	}
	read := func(value string) (kernel.Options, error) {
		return kernel.ParseOptions(map[string]string{o.key: value, "merge-engine": o.engines[0]})
	}
	if o.key == "merge-engine" {
		read = func(value string) (kernel.Options, error) {
			return kernel.ParseOptions(map[string]string{o.key: value})
		}
	} else {
		none.Engine, err = kernel.ParseEngine(o.engines[0])
	}
	set, fault := read(o.value)
	switch err := errors.Join(err, fault); {
	case err != nil:
		return err
	case reflect.DeepEqual(none, set):
		return fmt.Errorf("%s = %s is not read", o.key, o.value)
	case o.preset == "" || strings.HasPrefix(o.key, "fields."): // set at all, it shows in the options
		return nil
	}
	preset, err := read(o.preset)
	if err == nil && !reflect.DeepEqual(none, preset) {
		err = fmt.Errorf("%q is not the default", o.preset)
	}
	return err
}

// changed returns the engines that take the option and answer a witness otherwise with it.
func (o optionRow) changed(witness string) ([]string, error) {
	if witness == "" {
		return nil, errors.New("the option has no witness")
	}
	return o.engineWhere(witness, func(without, with string, refused bool) (bool, error) {
		return !refused && without != with, nil
	})
}

// accepted returns the engines that take the option, which must not change an answer.
func (o optionRow) accepted(witness string) ([]string, error) {
	return o.engineWhere(witness, func(without, with string, refused bool) (bool, error) {
		if !refused && without != with {
			return false, fmt.Errorf("it has an effect: %s, without it %s", with, without)
		}
		return !refused, nil
	})
}

// engineWhere returns the engines for which is holds.
func (o optionRow) engineWhere(witness string, is func(without, with string, refused bool) (bool, error)) ([]string, error) {
	var engines []string
	for _, engine := range engineNames {
		without, err := witnessAnswer(witness, "merge-engine = "+engine)
		if err != nil {
			return nil, err
		}
		with, err := witnessAnswer(witness, "merge-engine = "+engine, o.key+" = "+o.value)
		if err != nil {
			return nil, err
		}
		ok, err := is(without, with, with == refusedAnswer)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", engine, err)
		}
		if ok {
			engines = append(engines, engine)
		}
	}
	return engines, nil
}

// refusedAnswer is the answer of the kernel to options that it does not take.
const refusedAnswer = "refused"

// witnessAnswer shows what the kernel answers, deletes kept, to a witness with more settings. The error is one of the
// witness itself.
func witnessAnswer(witness string, settings ...string) (string, error) {
	block, table, _ := strings.Cut(strings.TrimLeft(witness, "\n"), "| run |")
	if settings[0] == "merge-engine = partial-update-validity" {
		block, table = withValidityColumn(block, table)
	}
	text := "```merge\n" + strings.Join(settings, "\n") + "\n" + strings.TrimSpace(block) + "\n```\n\n| run |" + table
	examples, err := readExamples(strings.ReplaceAll(text, "\n\n```", "\n```"))
	if err != nil {
		return "", err
	}
	e := examples[0]
	schema, err := e.schema()
	if err != nil {
		return "", err
	}
	runs, err := e.runs()
	if err != nil {
		return "", err
	}
	p := rowmerge.Problem{Schema: schema, PrimaryKey: e.key, Options: maps.Clone(e.options), KeepDeletes: true}
	for _, rows := range runs {
		records, err := e.input.build(memory.DefaultAllocator, schema, rows, len(rows))
		for _, rec := range records {
			defer rec.Release()
		}
		if err != nil {
			return "", err
		}
		p.Runs = append(p.Runs, rowmerge.Run{Records: records})
	}
	rows, err := docMerge(p, memory.DefaultAllocator)
	if errors.Is(err, kernel.ErrOption) {
		return refusedAnswer, nil
	}
	if err != nil {
		return err.Error(), nil
	}
	var shown []string
	for _, row := range rows {
		shown = append(shown, rowmerge.FormatRow(row))
	}
	return fmt.Sprint(len(rows), shown), nil
}

// withValidityColumn gives a witness a validity column of NULLs.
func withValidityColumn(block, table string) (string, string) {
	lines := strings.Split(table, "\n")
	names := slices.DeleteFunc(strings.FieldsFunc(lines[0], func(r rune) bool { return r == '|' || r == ' ' }), func(name string) bool {
		return name == "seq" || name == "kind"
	})
	const columns, column = "columns: ", "_VALIDITY_FIELDS bytes, "
	if block = strings.TrimSpace(block); strings.Contains(block, columns) {
		block = strings.Replace(block, columns, columns+column, 1)
	} else {
		block += "\n" + columns + column + strings.Join(names, " int, ") + " int"
	}
	block = strings.TrimSpace(block) + "\nkey: k"
	first := slices.Index(strings.Split(strings.ReplaceAll(lines[0], " ", ""), "|"), names[0])
	for i, line := range lines {
		if line == "" {
			continue
		}
		cell, row, place := " NULL ", strings.Split(line, "|"), first+2 // the run in front
		switch i {
		case 0:
			cell, place = " _VALIDITY_FIELDS ", first
		case 1:
			cell = "---"
		}
		lines[i] = strings.Join(slices.Insert(row, place, cell), "|")
	}
	return block, strings.Join(lines, "\n")
}

// TestSemanticsOptionsCheckerFails shows the checker rows that are wrong, next to those that are right.
func TestSemanticsOptionsCheckerFails(t *testing.T) {
	for _, c := range []struct {
		option string
		change func(*optionRow)
		want   string // part of the error, empty for none
	}{
		{"ignore-delete", func(*optionRow) {}, ""},
		{"ignore-delete", func(o *optionRow) { o.engines = engineNames }, "are listed"},
		{"ignore-delete", func(o *optionRow) { o.engines = o.engines[1:] }, "are listed"},
		{"ignore-delete", func(o *optionRow) { o.value = "false" }, "is not read"},
		{"ignore-delete", func(o *optionRow) { o.preset = "true" }, "is not the default"},
		{"ignore-delete", func(o *optionRow) { o.key = "ignore-deletes" }, "is not read"},
		{"ignore-delete", func(o *optionRow) { o.value = "perhaps" }, "neither true nor false"},
		{"ignore-delete", func(o *optionRow) { o.today = "no effect" }, "are listed"},
		{"ignore-delete", func(o *optionRow) { o.today = "later" }, "today"},
		{"sequence.field", func(o *optionRow) {}, ""},
		{"sequence.field", func(o *optionRow) { o.engines = engineNames }, "are listed"},
		{"sequence.field", func(o *optionRow) { o.today = "no effect" }, "it has an effect"},
		{"fields.a.distinct", func(o *optionRow) {}, ""},
		{"fields.a.distinct", func(o *optionRow) { o.key = "fields.b.distinct" }, "no witness"},
	} {
		right := map[string]optionRow{
			"ignore-delete":     {"", "true", "false", []string{"deduplicate", "first-row", "partial-update", "partial-update-validity"}, "read"},
			"sequence.field":    {"", "a", "", []string{"deduplicate", "partial-update", "aggregation", "partial-update-validity"}, "read"},
			"fields.a.distinct": {"", "true", "false", engineNames[2:4], "read"},
		}
		o := right[c.option]
		o.key = c.option
		c.change(&o)
		err := o.check()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want one with %q", o, err, c.want)
		}
	}
}
