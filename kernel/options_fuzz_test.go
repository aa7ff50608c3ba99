package kernel

import (
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/validity"
)

// FuzzParseOptions reads options from lines `key=value`, and checks those it accepts against a random table whose columns
// are likely to be the ones they name.
func FuzzParseOptions(f *testing.F) {
	for _, file := range []string{"read", "versions", "fields", "partial_update", "validity"} {
		for i, c := range readOptionCases(f, "testdata/options/"+file+".txt") {
			var text strings.Builder
			for _, key := range slices.Sorted(maps.Keys(c.options)) {
				text.WriteString(key + "=" + c.options[key] + "\n")
			}
			f.Add(text.String(), uint64(i))
		}
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		options := map[string]string{}
		for _, line := range strings.Split(text, "\n") {
			key, value, _ := strings.Cut(line, "=")
			options[key] = value
		}
		o, err := ParseOptions(options)
		again, errAgain := ParseOptions(options)
		if !reflect.DeepEqual(o, again) || errorText(err) != errorText(errAgain) {
			t.Fatalf("read twice: %+v, %v\nand %+v, %v", o, err, again, errAgain)
		}
		if err != nil {
			checkKind(t, err, ErrOption)
			return
		}
		table := randomTable(seed, columnsOf(o))
		if err := table.check(); err != nil {
			checkKind(t, err, ErrSchema)
			return
		}
		checkAccepted(t, o, table)
	})
}

// checkAccepted wants check to answer with its kinds of error, and what it accepts to be sound.
func checkAccepted(t *testing.T, o Options, table Table) {
	err := o.check(table, functions{})
	if again := o.check(table, functions{}); errorText(err) != errorText(again) {
		t.Fatalf("checked twice: %v\nand %v", err, again)
	}
	if err != nil {
		checkKind(t, err, ErrOption, ErrSchema)
		return
	}
	for _, name := range o.SequenceFields {
		if !table.Schema.HasField(name) {
			t.Errorf("accepted sequence field %q is no column", name)
		}
	}
	for name := range o.Fields {
		if !table.Schema.HasField(name) {
			t.Errorf("options of %q are accepted, which is no column", name)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// columnsOf are the columns that options name.
func columnsOf(o Options) []string {
	names := slices.Concat(o.SequenceFields, o.RemoveRecordOnSequenceGroup, []string{o.RowKindField})
	for _, group := range o.SequenceGroups {
		names = slices.Concat(names, group.Sequence, group.Protected)
	}
	for name := range o.Fields {
		first, _, _ := strings.Cut(name, ".")
		names = append(names, name, first)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// randomTable makes a table of some columns beside k and the validity column, with types, keys and, rarely, mistakes at
// random.
func randomTable(seed uint64, names []string) Table {
	random := rand.New(rand.NewPCG(seed, 1))
	types := make([]string, 0, len(columnTypes))
	for name := range columnTypes {
		types = append(types, name)
	}
	slices.Sort(types)
	fields := []arrow.Field{{Name: "k", Type: arrow.PrimitiveTypes.Int64}}
	if random.IntN(2) == 0 {
		fields = append(fields, arrow.Field{Name: validity.FieldsColumn, Type: arrow.BinaryTypes.Binary, Nullable: true})
	}
	for _, name := range names {
		if random.IntN(16) == 0 || name == "k" && random.IntN(16) > 0 {
			continue
		}
		field := arrow.Field{Name: name, Type: columnTypes[types[random.IntN(len(types))]], Nullable: random.IntN(2) == 0}
		if random.IntN(8) == 0 {
			field.Metadata = arrow.NewMetadata([]string{declaredTypeKey}, []string{"BLOB"})
		}
		fields = append(fields, field)
	}
	t := Table{Schema: arrow.NewSchema(fields, nil), PrimaryKey: []string{"k"}}
	if other := fields[random.IntN(len(fields))].Name; random.IntN(4) == 0 {
		t.PrimaryKey = append(t.PrimaryKey, other)
	}
	if other := fields[random.IntN(len(fields))].Name; random.IntN(4) == 0 {
		t.PartitionKeys = []string{other}
	}
	return t
}
