package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/kernel"
	"github.com/braidmerge/braid/validity"
)

// runPaths are the files of one run as the command line names them.
type runPaths struct {
	paths []string
	// matched says that the run is one of several matches of a pattern, whose order nobody gave.
	matched bool
}

// runOrder puts operands and --run flags in the order they were written in, oldest run first. written says for each of them
// whether it was a flag.
func runOrder(operands, flags []string, written []bool) ([]runPaths, error) {
	var runs []runPaths
	for _, isFlag := range written {
		var more []runPaths
		var err error
		if isFlag {
			more, err = runOfFiles(flags[0])
			flags = flags[1:]
		} else {
			more, err = runsOfOperand(operands[0])
			operands = operands[1:]
		}
		if err != nil {
			return nil, err
		}
		runs = append(runs, more...)
	}
	if len(runs) == 0 {
		return nil, usagef("no runs: name files, oldest run first")
	}
	return runs, checkStandardInput(runs)
}

// checkStandardInput refuses to read standard input twice.
func checkStandardInput(runs []runPaths) error {
	times := 0
	for _, run := range runs {
		for _, path := range run.paths {
			if path == standardInput {
				times++
			}
		}
	}
	if times > 1 {
		return usagef("standard input can be read once, not %d times", times)
	}
	return nil
}

// runOfFiles is the one run of a list "a,b,c" of files in key order; a pattern in it stands for its matches by name.
func runOfFiles(list string) ([]runPaths, error) {
	var run runPaths
	for _, item := range strings.Split(list, ",") {
		if item == "" {
			return nil, usagef("--run %q names a file without a name", list)
		}
		paths, err := expand(item)
		if err != nil {
			return nil, err
		}
		run.paths = append(run.paths, paths...)
	}
	return []runPaths{run}, nil
}

// runsOfOperand is the run of a file, or the runs of the matches of a pattern.
func runsOfOperand(operand string) ([]runPaths, error) {
	paths, err := expand(operand)
	if err != nil {
		return nil, err
	}
	runs := make([]runPaths, len(paths))
	for i, path := range paths {
		runs[i] = runPaths{paths: []string{path}, matched: len(paths) > 1}
	}
	return runs, nil
}

// expand returns the files that a name or a pattern stands for, by name. A file of exactly that name goes before a pattern.
func expand(name string) ([]string, error) {
	if name == standardInput || !strings.ContainsAny(name, "*?[") {
		return []string{name}, nil
	}
	if _, err := os.Lstat(name); err == nil {
		return []string{name}, nil
	}
	paths, err := filepath.Glob(name)
	if err != nil {
		return nil, usagef("%s: %v", name, err)
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("no file matches %s", name)
	}
	return paths, nil
}

// inputRuns are the runs of a merge, with their schemas known and their rows not read.
type inputRuns struct {
	runs [][]*input
}

// openRuns looks at all files. The caller closes the result.
func openRuns(ctx context.Context, runs []runPaths, said format, std *streams) (*inputRuns, error) {
	opened := &inputRuns{}
	for _, run := range runs {
		opened.runs = append(opened.runs, nil)
		last := &opened.runs[len(opened.runs)-1]
		for _, path := range run.paths {
			in, err := openInput(ctx, path, said, std)
			if err != nil {
				opened.close()
				return nil, err
			}
			*last = append(*last, in)
		}
	}
	return opened, nil
}

func (r *inputRuns) close() {
	for _, in := range r.inputs() {
		in.close()
	}
}

// inputs lists the files of all runs.
func (r *inputRuns) inputs() []*input { return slices.Concat(r.runs...) }

// rows returns the number of rows of all files, -1 if only reading tells.
func (r *inputRuns) rows() int64 {
	total := int64(0)
	for _, in := range r.inputs() {
		if in.rows < 0 {
			return -1
		}
		total += in.rows
	}
	return total
}

// checkOrder refuses runs whose order nobody gave, unless sequence numbers settle which version of a key is the newer one.
func (r *inputRuns) checkOrder(runs []runPaths) error {
	if !slices.ContainsFunc(runs, func(run runPaths) bool { return run.matched }) {
		return nil
	}
	for _, in := range r.inputs() {
		if !in.schema.HasField(kernel.SequenceColumn) {
			return usagef("the order of the files that match a pattern decides which rows are newer, as %s has no column %s: "+
				"name the files one by one, oldest first, or say --order given if their names are in that order", in.name, kernel.SequenceColumn)
		}
	}
	return nil
}

// table describes the table of the runs: the value columns of the first file. A column is NOT NULL if all files say so.
func (r *inputRuns) table(key []string) (kernel.Table, error) {
	all := r.inputs()
	first := all[0]
	fields := valueFields(first.schema)
	for _, in := range all[1:] {
		if err := sameFields(first, in, fields); err != nil {
			return kernel.Table{}, err
		}
		for i, field := range fields {
			other, _ := in.schema.FieldsByName(field.Name)
			fields[i].Nullable = field.Nullable || other[0].Nullable
		}
	}
	for i, name := range key {
		if slices.Contains(key[:i], name) {
			return kernel.Table{}, usagef("key column %q is named twice", name)
		}
		if !slices.ContainsFunc(fields, func(f arrow.Field) bool { return f.Name == name }) {
			return kernel.Table{}, usagef("key column %q is not in %s; %s", name, first.name, suggest(name, fields))
		}
	}
	metadata := first.schema.Metadata()
	return kernel.Table{Schema: arrow.NewSchema(fields, &metadata), PrimaryKey: key}, nil
}

// isSystem says whether a column of a file is none of its table's.
func isSystem(name string) bool {
	return strings.HasPrefix(name, kernel.KeyPrefix) || name == kernel.SequenceColumn || name == kernel.KindColumn
}

// valueFields returns the columns of a file that are its table's.
func valueFields(schema *arrow.Schema) []arrow.Field {
	return slices.DeleteFunc(slices.Clone(schema.Fields()), func(f arrow.Field) bool { return isSystem(f.Name) })
}

// sameFields checks that a file has the columns of the first one, by name and type. Order, nullability and metadata may
// differ.
func sameFields(first, other *input, fields []arrow.Field) error {
	var faults []string
	for _, field := range fields {
		found, _ := other.schema.FieldsByName(field.Name)
		switch {
		case len(found) == 0:
			faults = append(faults, fmt.Sprintf("column %q is missing", field.Name))
		case len(found) > 1:
			faults = append(faults, fmt.Sprintf("column %q is there %d times", field.Name, len(found)))
		case !arrow.TypeEqual(field.Type, found[0].Type):
			faults = append(faults, fmt.Sprintf("column %q is %s, not %s", field.Name, found[0].Type, field.Type))
		}
	}
	for _, field := range valueFields(other.schema) {
		if !slices.ContainsFunc(fields, func(f arrow.Field) bool { return f.Name == field.Name }) {
			faults = append(faults, fmt.Sprintf("column %q (%s) is not in the first file", field.Name, field.Type))
		}
	}
	if len(faults) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %s does not have the columns of %s: %s", kernel.ErrSchema, other.name, first.name, strings.Join(faults, "; "))
}

// count has the rows of all files counted by what they supplied when they are read.
func (r *inputRuns) count() error {
	for _, in := range r.inputs() {
		reader, err := newSuppliedReader(in)
		if err != nil {
			return err
		}
		in.counted = newSuppliedCount(in.name, reader.suppliedColumn)
	}
	return nil
}

// merge makes the runs of a merge, of which the key, these value columns and the system columns are read.
func (r *inputRuns) merge(table kernel.Table, columns []string) ([]kernel.Run, error) {
	runs := make([]kernel.Run, len(r.runs))
	for i, inputs := range r.runs {
		for _, in := range inputs {
			file, err := in.file(table, columns)
			if err != nil {
				return nil, named(in.name, err)
			}
			runs[i].Files = append(runs[i].Files, file)
		}
	}
	return runs, nil
}

// file makes the file of a run. A column of the key is read as such where the file has it twice. Bits of a validity column
// count the columns of the file, which may have an order of its own.
func (in *input) file(table kernel.Table, columns []string) (kernel.File, error) {
	key := table.PrimaryKey
	var read []string
	for _, field := range in.schema.Fields() {
		isKey := slices.Contains(key, field.Name) && !in.schema.HasField(kernel.KeyPrefix+field.Name)
		if isKey || isSystem(field.Name) || slices.Contains(columns, field.Name) {
			read = append(read, field.Name)
		}
	}
	file := kernel.File{
		Name: in.name,
		Rows: max(in.rows, 0),
		Open: func(ctx context.Context) (array.RecordReader, error) { return in.open(ctx, read) },
	}
	if !table.Schema.HasField(validity.FieldsColumn) {
		return file, nil
	}
	if in.counted != nil {
		file.Open = func(ctx context.Context) (array.RecordReader, error) {
			r, err := in.open(ctx, read)
			if err != nil {
				return nil, err
			}
			return in.counted.reader(r), nil
		}
	}
	var err error
	file.Positions, err = columnar.Positions(in.schema, table.Schema, columnar.MatchName)
	return file, err
}

// fieldNames lists the columns of a schema.
func fieldNames(schema *arrow.Schema) []string {
	var names []string
	for _, field := range schema.Fields() {
		names = append(names, field.Name)
	}
	return names
}
