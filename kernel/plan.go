package kernel

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/aggfuncs"
	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/internal/hooks"
)

// Plan says how the runs of a table merge. It is immutable and serves any number of merges, also at once.
type Plan struct {
	table   Table
	options Options
	columns []column
	keys    []int // the trimmed primary key as indices of columns
	order   []int // sequence.field as indices of columns
	kind    int   // rowkind.field as an index of columns, or -1
	lone    bool  // a record that is alone with its key passes unchanged
}

// column is the rule of one value column.
type column struct {
	field   arrow.Field
	pick    aggfuncs.Pick
	notNull bool // an add with NULL here is an error when it merges with other rows of its key
}

// Compile checks a table and its options and makes the plan of its merges. Every mistake in either is found here: ErrSchema
// or ErrOption, which name the column, the option and what would be right. Options that are right but that the kernel cannot
// carry out match ErrNotSupported too.
func Compile(t Table, o Options) (*Plan, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	if err := o.check(t); err != nil {
		return nil, err
	}
	if err := o.unsupported(); err != nil {
		return nil, err
	}
	t.PrimaryKey, t.PartitionKeys = slices.Clone(t.PrimaryKey), slices.Clone(t.PartitionKeys)
	p := &Plan{table: t, options: o, kind: -1, lone: !o.Strict && !hooks.MergeLoneRecords.Load()}
	for _, field := range t.Schema.Fields() {
		c, err := compileColumn(field, o)
		if err != nil {
			return nil, err
		}
		if o.NullableKeys && slices.Contains(t.PrimaryKey, field.Name) {
			c.notNull = false
		}
		p.columns = append(p.columns, c)
	}
	for _, name := range t.keyNames() {
		i := t.index(name)
		if orderOf(p.columns[i].field.Type) == columnar.OrderNone {
			return nil, fmt.Errorf("%w: primary-key column %q has type %s, which cannot be a key", ErrSchema, name, p.columns[i].field.Type)
		}
		p.keys = append(p.keys, i)
	}
	for _, name := range o.SequenceFields {
		i := t.index(name)
		if orderOf(p.columns[i].field.Type) == columnar.OrderNone {
			return nil, fmt.Errorf("%w: sequence.field column %q has type %s, which has no order", ErrSchema, name, p.columns[i].field.Type)
		}
		p.order = append(p.order, i)
	}
	if o.RowKindField != "" {
		p.kind = t.index(o.RowKindField)
		if orderOf(p.columns[p.kind].field.Type) != columnar.OrderText {
			return nil, fmt.Errorf("%w: rowkind.field column %q has type %s, not text", ErrSchema, o.RowKindField, p.columns[p.kind].field.Type)
		}
	}
	return p, nil
}

// orderOf returns how the values of a column compare, be they written down as dictionaries, runs or views.
func orderOf(t arrow.DataType) columnar.Order {
	switch t := t.(type) {
	case *arrow.DictionaryType:
		return orderOf(t.ValueType)
	case *arrow.RunEndEncodedType:
		return orderOf(t.Encoded())
	case *arrow.StringViewType, *arrow.BinaryViewType:
		return columnar.OrderText
	case arrow.ExtensionType:
		return orderOf(t.StorageType())
	}
	return columnar.OrderOf(t)
}

// index returns the place of a column that check has found to exist.
func (t Table) index(name string) int { return t.Schema.FieldIndices(name)[0] }

func compileColumn(field arrow.Field, o Options) (column, error) {
	if err := columnar.Mergeable(field.Type); err != nil {
		return column{}, fmt.Errorf("column %q: %w", field.Name, err)
	}
	c := column{field: field}
	switch o.Engine {
	case FirstRow:
		c.pick = aggfuncs.FirstRow
	case PartialUpdate:
		c.pick = aggfuncs.LastNonNull
		c.notNull = !field.Nullable
	default:
		c.pick = aggfuncs.LastRow
	}
	return c, nil
}

// InputFields returns the value columns a merge must be given for a projection, in the order they are best read: the
// projection itself, then what merging needs beside it. Without a name it is about all columns. A name that is no column
// is ErrSchema. Keys may come as value columns or as `_KEY_` columns and are left to the caller; a rowkind.field is listed
// although files with a `_VALUE_KIND` column need not have it.
func (p *Plan) InputFields(projection ...string) ([]string, error) {
	output, err := p.project(projection)
	if err != nil {
		return nil, err
	}
	needed := append(slices.Clone(output), p.order...)
	if p.kind >= 0 {
		needed = append(needed, p.kind)
	}
	var names []string
	for _, i := range needed {
		if name := p.columns[i].field.Name; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, nil
}

// project returns the columns a projection names.
func (p *Plan) project(projection []string) ([]int, error) {
	if len(projection) == 0 {
		all := make([]int, len(p.columns))
		for i := range all {
			all[i] = i
		}
		return all, nil
	}
	output := make([]int, 0, len(projection))
	for _, name := range projection {
		at := p.table.Schema.FieldIndices(name)
		if len(at) == 0 {
			return nil, fmt.Errorf("%w: projected column %q is not a column of the table", ErrSchema, name)
		}
		if slices.Contains(output, at[0]) {
			return nil, fmt.Errorf("%w: column %q is projected twice", ErrSchema, name)
		}
		output = append(output, at[0])
	}
	return output, nil
}

// String explains what a merge will do, column by column.
func (p *Plan) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "merge engine %s", p.options.Engine)
	if p.options.Strict {
		b.WriteString(", strict")
	}
	fmt.Fprintf(&b, "\nkey: %s", strings.Join(p.table.keyNames(), ", "))
	b.WriteString("\nversions of a key, oldest first: ")
	for _, i := range p.order {
		fmt.Fprintf(&b, "%s %s, ", p.columns[i].field.Name, direction(p.options.SequenceDescending))
	}
	b.WriteString("sequence number if the runs have one, run, row\n")
	fmt.Fprintf(&b, "retracts: %s\n", p.retractRule())
	if p.lone {
		b.WriteString("a record alone with its key passes unchanged\n")
	}
	for _, c := range p.columns {
		fmt.Fprintf(&b, "column %s %s: %s", c.field.Name, c.field.Type, c.pick)
		if c.notNull {
			b.WriteString(", NULL refused")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func direction(descending bool) string {
	if descending {
		return "descending"
	}
	return "ascending"
}

func (p *Plan) retractRule() string {
	switch {
	case p.options.IgnoreDelete:
		return "passed over"
	case p.options.Engine == Deduplicate:
		return "the last row of a key decides, a retract removes it"
	case p.options.Engine == PartialUpdate && p.options.RemoveRecordOnDelete:
		return "-D removes the row, -U is passed over"
	}
	return "refused"
}

// rows returns the pick of columns without a NULL: the row of a key that stands for it.
func (p *Plan) rows() aggfuncs.Pick {
	if p.options.Engine == FirstRow {
		return aggfuncs.FirstRow
	}
	return aggfuncs.LastRow
}
