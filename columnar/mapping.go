package columnar

import (
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/validity"
)

// Names and field ids of the system columns a file may carry beside the value columns of its table.
const (
	keyPrefix      = "_KEY_"
	keyIDOffset    = 1073741823 // the id of a key column less that of its table column
	sequenceColumn = "_SEQUENCE_NUMBER"
	kindColumn     = "_VALUE_KIND"
)

// Mapping says how the columns of a table come out of those of a file that was written under another schema of the table.
//
//	file    0 _KEY_id int32 | 1 id int32 | 2 a int32 | 3 b utf8 (id 2) | 4 c double
//	table   key_id int32 <- 1, renamed
//	        a int64      <- 2, cast from int32
//	        b date32     <- NULL: the file's b has another id
//	        text utf8    <- 3, renamed
//	key     key_id       <- 0
//
// A column that the file lacks is NULL in every row; one that is NOT NULL and has no default is refused. A column of the
// file that no column of the table matches is not read. Fields of structs are matched like columns, wherever the struct lies; the items of a list, the keys
// and the values of a map have their own places and need no match.
//
// A Mapping is immutable and safe for use by many goroutines.
type Mapping struct {
	by       MatchBy
	file     *arrow.Schema
	columns  []*Column
	keys     map[string]*Column // by the name of the table's column
	sequence *Column
	kind     *Column
	supplied []int // Positions, if the table has a validity column
}

// Column is where one column of the table, or a system column, comes from.
type Column struct {
	source int // column of the file; -1 when it has none
	from   string
	step   *step
}

// NewMapping maps the columns of a file to the value columns of a table. A type that cannot become that of the table (type
// cast lists those that can) is ErrSchema naming the column, or the path inside it, and both types; so is a match that is
// not unique.
func NewMapping(file, table *arrow.Schema, by MatchBy) (*Mapping, error) {
	columns, err := newCandidates("", file.Fields(), by)
	if err != nil {
		return nil, err
	}
	sources, err := columns.match(table.Fields())
	if err != nil {
		return nil, err
	}
	m := &Mapping{by: by, file: file, keys: map[string]*Column{}}
	for i, field := range table.Fields() {
		column, err := m.column(sources[i], field.Name, field)
		if err != nil {
			return nil, err
		}
		m.columns = append(m.columns, column)
		if err := m.addKey(columns, field); err != nil {
			return nil, err
		}
	}
	if m.sequence, err = m.system(columns, sequenceColumn, arrow.PrimitiveTypes.Int64); err != nil {
		return nil, err
	}
	m.kind, err = m.system(columns, kindColumn, arrow.PrimitiveTypes.Int8)
	if err != nil {
		return nil, err
	}
	if table.HasField(validity.FieldsColumn) {
		if m.supplied, err = Positions(file, table, by); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// Positions returns what the function Positions does if the file's schema is complete, nil for a table without a validity
// column.
func (m *Mapping) Positions() []int { return m.supplied }

func (m *Mapping) column(source int, path string, table arrow.Field) (*Column, error) {
	if source < 0 {
		added, err := addedStep(path, table)
		return &Column{source: source, step: added}, err
	}
	s, err := newStep(path, m.file.Field(source), table, m.by)
	return &Column{source: source, from: m.file.Field(source).Name, step: s}, err
}

// addKey maps the key column of a column of the table, if the file has one: by its id, else by its name.
func (m *Mapping) addKey(columns *candidates, table arrow.Field) error {
	id := columns.idOf(table)
	if id != noID {
		id += keyIDOffset
	}
	key := table
	key.Name = keyPrefix + table.Name
	source, err := columns.find(key.Name, id)
	if err != nil || source < 0 {
		return err
	}
	m.keys[table.Name], err = m.column(source, key.Name, key)
	return err
}

// system maps a system column, which has a name of its own; nil if the file has none.
func (m *Mapping) system(columns *candidates, name string, t arrow.DataType) (*Column, error) {
	source, err := columns.withName(name, noID)
	if err != nil || source < 0 {
		return nil, err
	}
	return m.column(source, name, arrow.Field{Name: name, Type: t})
}

// Column returns where column i of the table comes from.
func (m *Mapping) Column(i int) *Column { return m.columns[i] }

// Key returns where the key column of the named column of the table comes from, as a column of the table column's type; nil
// if the file has no such key column.
func (m *Mapping) Key(name string) *Column { return m.keys[name] }

// Sequence returns where the sequence number (int64) comes from, nil if the file has none.
func (m *Mapping) Sequence() *Column { return m.sequence }

// Kind returns where the row kind (int8) comes from, nil if the file has none.
func (m *Mapping) Kind() *Column { return m.kind }

// Sources returns the columns of the file that are read for all columns of the table and the system columns, ascending.
func (m *Mapping) Sources() []int {
	sources := []int{}
	for _, c := range m.all() {
		if c.source >= 0 && !slices.Contains(sources, c.source) {
			sources = append(sources, c.source)
		}
	}
	slices.Sort(sources)
	return sources
}

// all lists the columns of the table and the system columns that the file has, in the order of the table.
func (m *Mapping) all() []*Column {
	all := slices.Clone(m.columns)
	for _, c := range m.columns {
		if key := m.keys[c.step.path]; key != nil {
			all = append(all, key)
		}
	}
	for _, c := range []*Column{m.sequence, m.kind} {
		if c != nil {
			all = append(all, c)
		}
	}
	return all
}

// Source returns the column of the file that is read, -1 for a column that the file lacks.
func (c *Column) Source() int { return c.source }

// Unchanged says whether Apply gives the file's own array.
func (c *Column) Unchanged() bool { return c.step.how == howKeep }

// Apply makes the column of a batch of the file, which must have all columns of the file's schema. The result has the
// table's type and the rows of the batch, and shares the buffers of all parts that need no cast; the caller releases it.
//
// A value that the table's type cannot hold is ErrTooLarge naming its row, unless the cast makes it NULL. A batch without
// the column, or with another type, is ErrSchema; buffers that do not hold what they promise are ErrCorrupt.
func (c *Column) Apply(file arrow.Record, mem memory.Allocator) (arrow.ArrayData, error) {
	if c.source < 0 {
		return c.step.nulls(int(file.NumRows()), mem)
	}
	if int64(c.source) >= file.NumCols() {
		return nil, fmt.Errorf("%w: column %q: batch of %d columns has no column %d", ErrSchema, c.step.path, file.NumCols(), c.source)
	}
	data := file.Column(c.source).Data()
	if !arrow.TypeEqual(data.DataType(), c.step.file) {
		return nil, fmt.Errorf("%w: column %q: batch has type %s, its file has %s", ErrSchema, c.step.path, data.DataType(), c.step.file)
	}
	return c.step.applyTop(data, mem)
}
