package fuzz

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/internal/rowmerge"
)

func TestCasePaths(t *testing.T) {
	paths, err := CasePaths(" testdata/cases/random-*.gz ,,testdata/cases/cases.json")
	if err != nil || len(paths) != 4 {
		t.Errorf("%q, %v", paths, err)
	}
	for _, globs := range []string{"testdata/cases/none-*.json", "testdata/cases/[.json"} {
		if _, err := CasePaths(globs); err == nil {
			t.Errorf("%s is no error", globs)
		}
	}
}

func TestLoadCasesRefuses(t *testing.T) {
	for name, content := range map[string]string{"text.json": "{", "zip.json.gz": "no zip", "kind.json": `{"cases": [{"runs": 1}]}`} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := LoadCases(path); err == nil {
			t.Errorf("%s is no error", name)
		}
	}
}

func TestParseField(t *testing.T) {
	for text, want := range map[string]string{
		"INT":                           "f: type=int32, nullable",
		"BIGINT NOT NULL":               "f: type=int64",
		"DECIMAL(10, 2)":                "f: type=decimal(10, 2), nullable",
		"TIMESTAMP(0)":                  "f: type=timestamp[s], nullable",
		"TIMESTAMP_LTZ(9)":              "f: type=timestamp[ns, tz=UTC], nullable",
		"ARRAY<ROW<a INT,b STRING>>":    "f: type=list<item: struct<a: int32, b: utf8>, nullable>, nullable",
		"MAP<STRING, ARRAY<INT>>":       "f: type=map<utf8, list<item: int32, nullable>, items_nullable>, nullable",
		"VARCHAR(10)":                   "f: type=utf8, nullable\n   metadata: [\"paimon.type\": \"VARCHAR(10)\"]",
		"ROW<x ROW<y BIGINT> NOT NULL>": "f: type=struct<x: struct<y: int64>>, nullable",
	} {
		f, err := parseField("f", text)
		if err != nil {
			t.Error(err)
		}
		if got := f.String(); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{"", "NUMBER", "INT x", "ARRAY<INT", "ARRAY<>", "MAP<INT>", "DECIMAL(10)", "CHAR(x)", "CHAR(4"} {
		if f, err := parseField("f", text); err == nil {
			t.Errorf("%q is %v", text, f)
		}
	}
}

func TestCaseValueRefuses(t *testing.T) {
	for _, c := range []struct {
		typ  string
		json string
	}{
		{"TINYINT", "128"}, {"INT", `"1"`}, {"BOOLEAN", "1"}, {"DOUBLE", `"x"`}, {"BYTES", `"0"`}, {"BYTES", "1"}, {"STRING", "1"},
		{"DECIMAL(4,2)", `"1.5"`}, {"DECIMAL(4,2)", "1"}, {"TIMESTAMP(3)", `"1:5"`}, {"TIMESTAMP(3)", `"1"`}, {"ARRAY<INT>", "1"},
		{"MAP<INT,INT>", "[[1]]"}, {"ROW<a INT>", "[1, 2]"},
	} {
		f, err := parseField("f", c.typ)
		if err != nil {
			t.Fatal(err)
		}
		if v, err := rawValue(f.Type, json.RawMessage(c.json)); err == nil {
			t.Errorf("%s as %s is %s", c.json, c.typ, rowmerge.Format(v))
		}
	}
}

func TestBuildRecordRefuses(t *testing.T) {
	schema := arrow.NewSchema([]arrow.Field{int32Value}, nil)
	for _, values := range [][]any{nil, {"text"}, {rowmerge.List{}}} {
		if rec, err := BuildRecord(memory.DefaultAllocator, schema, []rowmerge.Row{{Values: values}}); err == nil {
			rec.Release()
			t.Errorf("%v is a row of %s", values, schema)
		}
	}
}
