package workload

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/bench/rowhash"
	"github.com/braidmerge/braid/kernel"
)

// ManifestFile is the name of a manifest beside the files it describes.
const ManifestFile = "workload.json"

// Manifest describes a workload that was made, for whoever merges its files.
type Manifest struct {
	Workload   string         `json:"workload"`
	Seed       uint64         `json:"seed"`
	Rows       int64          `json:"rows"`
	Keys       int64          `json:"keys"`
	Runs       []RunManifest  `json:"runs"`
	Superseded float64        `json:"superseded_share"` // of the rows that have another version of their key behind them
	Key        []string       `json:"key"`
	Sequence   string         `json:"sequence,omitempty"` // the column that rises with the recency of rows, if there is one
	Kind       string         `json:"kind,omitempty"`     // the column of row kinds in the files, if there is one
	Columns    []Column       `json:"columns"`            // of a result, in order
	Jobs       map[string]Job `json:"jobs"`

	schema *arrow.Schema
	name   Name
}

// RunManifest is one run, oldest first.
type RunManifest struct {
	Rows  int64             `json:"rows"`
	Files map[string]string `json:"files,omitempty"` // names beside the manifest, by format
}

// Column is a column of a result.
type Column struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Nullable bool   `json:"nullable"`
	Function string `json:"function,omitempty"` // in the job agg
}

// Job is what a merge is to do, and what is right.
type Job struct {
	Options map[string]string `json:"options"`
	Answer  rowhash.Sum       `json:"answer"`
}

func (g *generator) manifest() (*Manifest, error) {
	m := &Manifest{Workload: g.name.Data(), Seed: g.seed, Rows: g.rows, Keys: g.keys, Jobs: map[string]Job{}}
	m.Superseded = 1 - float64(g.keys)/float64(g.rows)
	if err := m.attach(); err != nil {
		return nil, err
	}
	for _, r := range g.runs {
		m.Runs = append(m.Runs, RunManifest{Rows: r.rows})
	}
	for i, job := range g.jobs {
		m.Jobs[job] = Job{Options: g.set.options(job), Answer: g.sums[i].Sum()}
	}
	return m, nil
}

// attach fills what follows from the name.
func (m *Manifest) attach() error {
	name, err := parse("/" + m.Workload)
	if err != nil {
		return err
	}
	set, key := columnSets[name.Columns], keyKinds[name.Key]
	m.name, m.schema = name, set.schema(key)
	m.Key, m.Columns, m.Sequence, m.Kind = namesOf(arrow.NewSchema(key.fields, nil)), nil, "", ""
	functions := map[string]string{}
	for _, c := range set.columns {
		functions[c.name] = c.function
		if c.name == sequenceColumn.name {
			m.Sequence = c.name
		}
	}
	if set.kind != nil {
		m.Kind = kernel.KindColumn
	}
	for _, f := range m.schema.Fields() {
		m.Columns = append(m.Columns, Column{Name: f.Name, Type: f.Type.String(), Nullable: f.Nullable, Function: functions[f.Name]})
	}
	return nil
}

// Name is the name of the workload.
func (m *Manifest) Name() Name { return m.name }

// ColumnNames are the names of a result's columns.
func (m *Manifest) ColumnNames() []string { return namesOf(m.schema) }

// Table is the table whose runs these are.
func (m *Manifest) Table() kernel.Table { return kernel.Table{Schema: m.schema, PrimaryKey: m.Key} }

// Plan compiles a job of the workload.
func (m *Manifest) Plan(job string) (*kernel.Plan, error) {
	j, ok := m.Jobs[job]
	if !ok {
		return nil, fmt.Errorf("%w: %s has no job %q", ErrName, m.Workload, job)
	}
	options, err := kernel.ParseOptions(j.Options)
	if err != nil {
		return nil, err
	}
	return kernel.Compile(m.Table(), options)
}

// Write writes the manifest into a directory.
func (m *Manifest) Write(dir string) error {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, ManifestFile), append(text, '\n'), 0o666)
}

// ReadManifest reads the manifest of a directory.
func ReadManifest(dir string) (*Manifest, error) {
	path := filepath.Join(dir, ManifestFile)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m := &Manifest{}
	if err := json.Unmarshal(text, m); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := m.attach(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(m.Runs) != m.name.Runs {
		return nil, fmt.Errorf("%s: %w", path, errors.New("the runs are not those of the name"))
	}
	return m, nil
}

// engines are the merge engines of the jobs.
var engines = map[string]string{
	"dedup": "deduplicate", "first": "first-row", "partial": "partial-update", "agg": "aggregation",
	"groups": "partial-update", "validity": "partial-update-validity",
}

// options are the table's options for a job.
func (s *columnSet) options(job string) map[string]string {
	options := map[string]string{"merge-engine": engines[job]}
	switch job {
	case "agg":
		for _, c := range s.columns {
			options["fields."+c.name+".aggregate-function"] = c.function
		}
	case "groups":
		maps.Copy(options, s.groupOptions())
	}
	return options
}

// groupOptions are the options of sequence groups.
func (s *columnSet) groupOptions() map[string]string {
	options := map[string]string{}
	for _, orders := range s.columns {
		if !orders.orders {
			continue
		}
		var protected []string
		for _, c := range s.columns {
			if c.group == orders.group && !c.orders {
				protected = append(protected, c.name)
			}
		}
		options["fields."+orders.name+".sequence-group"] = strings.Join(protected, ",")
	}
	return options
}
