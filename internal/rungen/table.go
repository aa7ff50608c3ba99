package rungen

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"
)

// role is what a column of the table is for.
type role int

const (
	keyRole role = iota
	partitionRole
	sequenceRole
	kindRole
	valueRole
)

// tableColumn is a column of the table.
type tableColumn struct {
	Column
	dt    arrow.DataType
	role  role
	index int // among the columns of its role
}

func keyName(c Column, i int) string { return cmp.Or(c.Name, "k"+strconv.Itoa(i)) }

// tableColumns lists the columns of the table in its order.
func (s Spec) tableColumns() []tableColumn {
	var columns []tableColumn
	add := func(role role, prefix string, list []Column) {
		for i, c := range list {
			c.Name = cmp.Or(c.Name, prefix+strconv.Itoa(i))
			dt, _ := typeNamed(c.Type)
			columns = append(columns, tableColumn{Column: c, dt: dt, role: role, index: i})
		}
	}
	add(keyRole, "k", s.Keys)
	add(partitionRole, "p", slices.Repeat([]Column{{Type: "utf8", Distinct: 2, NotNull: true}}, s.Partitions))
	add(sequenceRole, "s", s.Sequence)
	if s.KindText != NoKinds {
		add(kindRole, "rk", []Column{{Name: "rk", Type: "utf8", NotNull: s.Fault != NullKind}})
	}
	add(valueRole, "v", s.Values)
	if s.Shuffled {
		slices.SortStableFunc(columns, func(a, b tableColumn) int {
			return cmp.Compare(stream(s.Seed, "place of "+a.Name, -1).uint64(), stream(s.Seed, "place of "+b.Name, -1).uint64())
		})
	}
	return columns
}

func (c tableColumn) field() arrow.Field {
	return arrow.Field{Name: c.Name, Type: c.dt, Nullable: !c.NotNull}
}

// tableSchema returns the schema of the table: value columns only.
func tableSchema(columns []tableColumn) *arrow.Schema {
	fields := make([]arrow.Field, len(columns))
	for i, c := range columns {
		fields[i] = c.field()
	}
	return arrow.NewSchema(fields, nil)
}

// ColumnNames lists the columns of the spec's table, in its order.
func (s Spec) ColumnNames() []string {
	var names []string
	for _, c := range s.tableColumns() {
		names = append(names, c.Name)
	}
	return names
}

// primaryKey lists the primary key, partition columns first, and the partition columns alone.
func primaryKey(columns []tableColumn) (primary, partition []string) {
	byIndex := slices.SortedStableFunc(slices.Values(columns), func(a, b tableColumn) int { return cmp.Compare(a.index, b.index) })
	for _, c := range byIndex {
		if c.role == partitionRole {
			partition = append(partition, c.Name)
		}
	}
	primary = slices.Clone(partition)
	for _, c := range byIndex {
		if c.role == keyRole {
			primary = append(primary, c.Name)
		}
	}
	return primary, partition
}

// tableOptions returns the options of the table.
func (s Spec) tableOptions(columns []tableColumn) map[string]string {
	options := map[string]string{}
	sequence := make([]string, len(s.Sequence))
	for _, c := range columns {
		switch c.role {
		case sequenceRole:
			sequence[c.index] = c.Name
		case kindRole:
			options["rowkind.field"] = c.Name
		case keyRole:
			if c.holdsNulls() && s.Fault != NullKey {
				options["primary-key.nullable"] = "true"
			}
		}
	}
	if len(sequence) > 0 {
		options["sequence.field"] = join(sequence)
	}
	if s.Snapshots {
		options["sequence.snapshot-ordering"] = "true"
		options["write-only"] = "true"
	}
	maps.Copy(options, s.Options)
	return options
}

func join(names []string) string {
	text := names[0]
	for _, name := range names[1:] {
		text += "," + name
	}
	return text
}
