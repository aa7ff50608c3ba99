package fuzz

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// CaseFile is a file of cases: questions about merging and their answers, as JSON, plain or gzipped.
type CaseFile struct {
	Name         string            `json:"-"`
	Title        string            `json:"title,omitempty"`
	Cases        []Case            `json:"cases"`
	NotConverted map[string]string `json:"not_converted,omitempty"` // entries kept as prose, by id
}

// Case is one question and its answer. Type says which fields matter; values are as JSON has them, with json.Number for
// numbers, and mean what the types of Schema or FieldType say.
type Case struct {
	Name       string            `json:"name"`
	Type       string            `json:"type"`
	Engine     string            `json:"engine,omitempty"`
	Options    map[string]string `json:"options,omitempty"`
	Schema     [][2]string       `json:"schema,omitempty"` // name and type of every column
	PrimaryKey []string          `json:"primary_key,omitempty"`

	Runs       [][]CaseRow     `json:"runs,omitempty"`
	Rows       json.RawMessage `json:"rows,omitempty"` // []CaseRow, for self_merge_update lists of values
	DropDelete bool            `json:"drop_delete,omitempty"`
	Reducer    bool            `json:"reducer,omitempty"`
	Unordered  json.RawMessage `json:"unordered,omitempty"` // true or column names

	ReadFields []string `json:"read_fields,omitempty"`
	NoAdjust   bool     `json:"no_adjust,omitempty"`

	Function  string            `json:"function,omitempty"`
	FieldType string            `json:"field_type,omitempty"`
	Acc       json.RawMessage   `json:"acc,omitempty"`
	Ops       []json.RawMessage `json:"ops,omitempty"` // [op, input]

	Producer string          `json:"producer,omitempty"`
	Lookup   *CaseRow        `json:"lookup,omitempty"`
	MaxLevel int             `json:"max_level,omitempty"`
	A        json.RawMessage `json:"a,omitempty"`
	B        json.RawMessage `json:"b,omitempty"`

	Descending bool     `json:"descending,omitempty"`
	Intervals  [][2]int `json:"intervals,omitempty"`
	Mapping    []int    `json:"mapping,omitempty"`
	Valid      []int    `json:"valid,omitempty"`

	Ints    []json.Number `json:"ints,omitempty"`
	Range   []int64       `json:"range,omitempty"`
	LgK     int           `json:"lg_k,omitempty"`
	HllType string        `json:"hll_type,omitempty"`
	Nominal int           `json:"nominal,omitempty"`

	Columns []string     `json:"columns,omitempty"`
	Where   *string      `json:"where,omitempty"`
	Set     assignments  `json:"set,omitempty"`
	Actions []CaseAction `json:"actions,omitempty"`

	Expect CaseExpect `json:"expect"`
}

// CaseRow is a row of a case. Valid is the field list of a validity case, null there for a NULL validity column.
type CaseRow struct {
	Kind   string          `json:"kind"`
	Seq    int64           `json:"seq"`
	Values json.RawMessage `json:"values"`
	Level  int             `json:"level,omitempty"`
	Valid  *[]int          `json:"valid,omitempty"`
}

// CaseAction is an action of a self-merge: the first whose condition holds applies.
type CaseAction struct {
	When string      `json:"when"`
	Set  assignments `json:"set"`
}

// assignments are SET clauses: column to expression.
type assignments map[string]string

// CaseExpect is the answer of a case.
type CaseExpect struct {
	Kind      string          `json:"kind,omitempty"`
	Seq       int64           `json:"seq,omitempty"`
	Values    json.RawMessage `json:"values,omitempty"`
	None      bool            `json:"none,omitempty"`
	Valid     []int           `json:"valid,omitempty"`
	Value     json.RawMessage `json:"value,omitempty"`
	Rows      json.RawMessage `json:"rows,omitempty"`
	Result    *CaseRow        `json:"result,omitempty"`
	Changelog []CaseRow       `json:"changelog,omitempty"`
	Adjusted  []string        `json:"adjusted,omitempty"`
	Sections  [][][][2]int    `json:"sections,omitempty"`
	OK        bool            `json:"ok,omitempty"`
	Estimate  float64         `json:"estimate,omitempty"`
	Error     *string         `json:"error,omitempty"`
	ErrorKind string          `json:"error_kind,omitempty"`
}

// LoadCases reads a case file. Its size when unpacked is bounded.
func LoadCases(path string) (*CaseFile, error) {
	data, err := readCaseFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	file := &CaseFile{Name: filepath.Base(path)}
	if err := json.Unmarshal(data, file); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return file, nil
}

// maxCaseFile bounds a case file when unpacked, in bytes.
const maxCaseFile = 1 << 30

func readCaseFile(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil || !strings.HasSuffix(path, ".gz") {
		return data, err
	}
	zip, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	data, err = io.ReadAll(io.LimitReader(zip, maxCaseFile+1))
	if len(data) > maxCaseFile {
		return nil, fmt.Errorf("more than %d bytes", maxCaseFile)
	}
	return data, err
}

// CasePaths gives the files that a comma-separated list of globs names.
func CasePaths(globs string) ([]string, error) {
	var paths []string
	for _, glob := range strings.Split(globs, ",") {
		glob = strings.TrimSpace(glob)
		if glob == "" {
			continue
		}
		found, err := filepath.Glob(glob)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", glob, err)
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("%s: no such file", glob)
		}
		paths = append(paths, found...)
	}
	return paths, nil
}

// decodeJSON decodes JSON and keeps numbers as they are written.
func decodeJSON(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return d.Decode(v)
}
