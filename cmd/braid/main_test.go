package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"go.uber.org/goleak"

	"github.com/braidmerge/braid/kernel"
)

// asMain makes the test program the command itself.
const asMain = "BRAID_TEST_AS_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(asMain) != "" {
		main()
		return
	}
	goleak.VerifyTestMain(m)
}

// result is what a command line did.
type result struct {
	code     int
	out, err string
}

// braid runs a command line without standard input.
func braid(args ...string) result {
	var out, err bytes.Buffer
	code := run(context.Background(), args, strings.NewReader(""), &out, &err)
	return result{code, out.String(), err.String()}
}

// mustBraid runs a command line that must succeed, and returns what it wrote to standard output.
func mustBraid(t *testing.T, args ...string) string {
	t.Helper()
	r := braid(args...)
	if r.code != exitDone {
		t.Fatalf("braid %s: exit %d: %s", strings.Join(args, " "), r.code, r.err)
	}
	return r.out
}

// fields makes a schema of "name:type" pairs; a type that ends with ! is NOT NULL.
func fields(t testing.TB, columns string) *arrow.Schema {
	t.Helper()
	types := map[string]arrow.DataType{
		"int": arrow.PrimitiveTypes.Int64, "int8": arrow.PrimitiveTypes.Int8, "int32": arrow.PrimitiveTypes.Int32,
		"text": arrow.BinaryTypes.String, "float": arrow.PrimitiveTypes.Float64, "list": arrow.ListOf(arrow.PrimitiveTypes.Int64),
		"word": &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String},
	}
	var list []arrow.Field
	for _, column := range strings.Fields(columns) {
		name, typ, _ := strings.Cut(column, ":")
		bare := strings.TrimSuffix(typ, "!")
		if types[bare] == nil {
			t.Fatalf("no type %q", typ)
		}
		list = append(list, arrow.Field{Name: name, Type: types[bare], Nullable: bare == typ})
	}
	return arrow.NewSchema(list, nil)
}

// writeRun writes rows, given as JSON objects without the brackets around them, as a file of the format its name says, in
// batches of at most batchRows.
func writeRun(t testing.TB, path, columns, rows string, batchRows ...int) string {
	t.Helper()
	record, _, err := array.RecordFromJSON(memory.DefaultAllocator, fields(t, columns), strings.NewReader("["+rows+"]"), array.WithUseNumber())
	if err != nil {
		t.Fatal(err)
	}
	defer record.Release()
	out, err := openOutput(target{path: path, format: extensions[filepath.Ext(path)], compression: "zstd", replace: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer out.abort()
	if err := out.begin(record.Schema()); err != nil {
		t.Fatal(err)
	}
	step := max(record.NumRows(), 1)
	if len(batchRows) > 0 {
		step = int64(batchRows[0])
	}
	for from := int64(0); from < record.NumRows(); from += step {
		slice := record.NewSlice(from, min(from+step, record.NumRows()))
		if err := out.write(slice); err != nil {
			t.Fatal(err)
		}
		slice.Release()
	}
	if err := out.commit(); err != nil {
		t.Fatal(err)
	}
	return path
}

// names lists what is in a directory.
func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, entry := range entries {
		list = append(list, entry.Name())
	}
	return strings.Join(list, " ")
}

// lines joins lines of output as they are compared.
func lines(text ...string) string { return strings.Join(text, "\n") + "\n" }

// system are the system columns in front of others.
const system = kernel.SequenceColumn + ":int! " + kernel.KindColumn + ":int8! "
