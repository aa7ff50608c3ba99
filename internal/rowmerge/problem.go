package rowmerge

import (
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
)

// Names of the system columns a record may have beside its value columns.
const (
	keyPrefix      = "_KEY_"
	sequenceColumn = "_SEQUENCE_NUMBER"
	kindColumn     = "_VALUE_KIND"
)

// Run is one sorted run: its records one after another. Sequence, if set, stands for the sequence number of every row.
type Run struct {
	Level    int
	Records  []arrow.Record
	Sequence *int64
}

// Problem is everything a merge depends on. Schema has the value columns. Runs are given oldest first; Options are the
// table's, with the engine under merge-engine.
type Problem struct {
	Schema                    *arrow.Schema
	PrimaryKey, PartitionKeys []string
	Options                   map[string]string
	Runs                      []Run
	KeepDeletes               bool     // give retract results, too
	NoLoneRecordRule          bool     // feed lone records to the engine, as strict mode does
	Projection                []string // value columns wanted, nil for all
	ExactProjection           bool     // give the engine no column beside the projection
}

// Row is a row of the answer. Sequence is -1 when the inputs have no sequence numbers.
type Row struct {
	Kind     int8
	Sequence int64
	Key      []any
	Values   []any
}

// Version is one row of a key group with the place it comes from.
type Version struct {
	Row
	Level      int
	Run, Index int // run, and row over all records of the run

	order []any // values of sequence.field
}

// The row kinds.
const (
	Insert       int8 = 0
	UpdateBefore int8 = 1
	UpdateAfter  int8 = 2
	Delete       int8 = 3
)

// isRetract reports whether a kind takes back rather than adds.
func isRetract(kind int8) bool { return kind == UpdateBefore || kind == Delete }

// Check finds the mistakes of schema and options that need no rows.
func (p Problem) Check() error {
	if _, err := p.compile(&faults{}); err != nil {
		return err
	}
	return nil
}

// ReadFields names the value columns the engine works on: the projection, then what the engine needs beside it.
func (p Problem) ReadFields() ([]string, error) {
	m, err := p.compile(&faults{})
	if err != nil {
		return nil, err
	}
	return m.columnNames(), nil
}

// Merge gives the rows of the answer in key order, or the first error.
func (p Problem) Merge() ([]Row, error) {
	rows, errs := p.Faults()
	if len(errs) > 0 {
		return nil, errs[0]
	}
	return rows, nil
}

// Faults merges and goes on past errors: it gives every error there is to find, the first one first. The rows are the
// answer only if there is no error.
func (p Problem) Faults() ([]Row, []*Error) {
	f := &faults{}
	m, err := p.compile(f)
	if err != nil {
		return nil, []*Error{err}
	}
	versions := p.readRuns(m.table, m.columns, f)
	versions = sortVersions(versions, m.table.options, p.numbered())
	rows := []Row{}
	for from := 0; from < len(versions); {
		to := from + 1
		for to < len(versions) && CompareRows(versions[from].Key, versions[to].Key, false) == 0 {
			to++
		}
		if row := m.reduce(versions[from:to]); row != nil && (p.KeepDeletes || !isRetract(row.Kind)) {
			row.Values = row.Values[:m.wanted]
			rows = append(rows, *row)
		}
		from = to
	}
	return rows, f.list
}

// MergeGroup feeds the versions of one key, oldest first, to the engine and gives its result, nil if there is none. Their
// values are those of ReadFields.
func (p Problem) MergeGroup(versions []Version) (*Row, error) {
	f := &faults{}
	m, err := p.compile(f)
	if err != nil {
		return nil, err
	}
	return m.reduceOrFail(f, versions)
}

// reduceOrFail gives the result of a key group, or the first error, of those that the merger notes in f.
func (m *merger) reduceOrFail(f *faults, versions []Version) (*Row, error) {
	row := m.reduce(versions)
	if err := f.first(); err != nil {
		return nil, err
	}
	return row, nil
}

// merger is a compiled problem.
type merger struct {
	table   *table
	columns []int // columns at hand: those wanted, then those only the engine needs
	wanted  int   // how many are wanted
	lone    bool  // lone records pass by the engine
	engine  engine
}

func (p Problem) compile(f *faults) (*merger, *Error) {
	t, err := newTable(p)
	if err != nil {
		return nil, err
	}
	m := &merger{table: t, lone: !p.NoLoneRecordRule && !t.options.strict}
	if err := m.setColumns(p.Projection, p.ExactProjection); err != nil {
		return nil, err
	}
	if m.engine, err = newEngine(t, m.columns, m.wanted, f); err != nil {
		return nil, err
	}
	return m, nil
}

// setColumns finds the columns at hand for a projection.
func (m *merger) setColumns(projection []string, exact bool) *Error {
	if projection == nil {
		for i := range m.table.columns {
			m.columns = append(m.columns, i)
		}
		m.wanted = len(m.columns)
		return nil
	}
	for _, name := range projection {
		i := m.table.find(name)
		if i < 0 {
			return configf("projected column %q is not in the schema", name)
		}
		m.columns = append(m.columns, i)
	}
	m.wanted = len(m.columns)
	if exact {
		return nil
	}
	needed, err := neededColumns(m.table, m.columns)
	if err != nil {
		return err
	}
	for _, i := range needed {
		if !slices.Contains(m.columns, i) {
			m.columns = append(m.columns, i)
		}
	}
	return nil
}

func (m *merger) columnNames() []string {
	var names []string
	for _, i := range m.columns {
		names = append(names, m.table.columns[i].name)
	}
	return names
}

// reduce gives the result of a key group: a lone record as it is unless it has to go through the engine.
func (m *merger) reduce(versions []Version) *Row {
	if m.lone && len(versions) == 1 {
		return m.engine.lone(versions[0])
	}
	m.engine.reset()
	for _, v := range versions {
		m.engine.add(v)
	}
	return m.engine.result()
}
