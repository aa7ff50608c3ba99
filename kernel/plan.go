package kernel

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/aggfuncs"
	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/internal/hooks"
	"github.com/braidmerge/braid/validity"
)

// Plan says how the runs of a table merge. It is immutable and serves any number of merges, also at once.
type Plan struct {
	table   Table
	options Options
	columns []column
	keys    []int // the trimmed primary key as indices of columns
	order   []int // sequence.field as indices of columns
	groups  []groupRule
	kind    int  // rowkind.field as an index of columns, or -1
	lone    bool // a record that is alone with its key passes unchanged
	merges  bool // the engine makes one row out of several

	supplied int // the validity column of partial-update-validity as an index of columns, or -1
}

// column is the rule of one value column.
type column struct {
	field    arrow.Field
	pick     aggfuncs.Pick      // where no function is
	function *function          // nil: none
	notNull  bool               // an add with NULL here is an error when it merges with other rows of its key
	primary  bool               // a column of the primary key
	group    int                // its sequence group as an index of groups, or -1
	orders   bool               // it orders its group
	ordering *columnar.Ordering // how its values compare, if they order rows or its group
	whole    bool               // a changelog is made, which compares values
}

// plain says whether the column is read as plain values, whatever it is written down as, because a function works on them or
// because they are compared.
func (c *column) plain() bool {
	return c.whole || c.function != nil && c.function.folds && c.function.encoded
}

// groupRule is a sequence group.
type groupRule struct {
	sequence []int // its sequence columns as indices of columns, the first counting most
	removes  bool  // a -D that is in order for it removes the row
}

// Compile checks a table and its options and makes the plan of its merges. Every mistake in either is found here: ErrSchema
// or ErrOption, which name the column, the option and what would be right.
func Compile(t Table, o Options, opts ...CompileOption) (*Plan, error) {
	known := functions{}
	for _, opt := range opts {
		opt(known)
	}
	if err := known.check(); err != nil {
		return nil, err
	}
	if err := t.check(); err != nil {
		return nil, err
	}
	if err := o.check(t, known); err != nil {
		return nil, err
	}
	t.PrimaryKey, t.PartitionKeys = slices.Clone(t.PrimaryKey), slices.Clone(t.PartitionKeys)
	p := &Plan{table: t, options: o, kind: -1, supplied: -1, lone: !o.Strict && !hooks.MergeLoneRecords.Load()}
	p.merges = o.Engine != Deduplicate && o.Engine != FirstRow
	if o.Engine == PartialUpdateValidity {
		p.supplied = t.index(validity.FieldsColumn)
	}
	for _, field := range t.Schema.Fields() {
		if err := columnar.Mergeable(field.Type); err != nil {
			return nil, fmt.Errorf("column %q: %w", field.Name, err)
		}
		p.columns = append(p.columns, column{field: field, primary: slices.Contains(t.PrimaryKey, field.Name), group: -1})
	}
	for _, find := range []func() error{p.findKeys, p.findOrder, p.findKind, p.findGroups} {
		if err := find(); err != nil {
			return nil, err
		}
	}
	for i := range p.columns {
		if err := p.compileColumn(&p.columns[i], known); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Changelog returns how the table makes its changelog.
func (p *Plan) Changelog() ChangelogProducer { return p.options.Changelog }

func (p *Plan) findKeys() error {
	for _, name := range p.table.keyNames() {
		i := p.table.index(name)
		if orderOf(p.columns[i].field.Type) == columnar.OrderNone {
			return fmt.Errorf("%w: primary-key column %q has type %s, which cannot be a key", ErrSchema, name, p.columns[i].field.Type)
		}
		p.keys = append(p.keys, i)
	}
	return nil
}

func (p *Plan) findOrder() error {
	for _, name := range p.options.SequenceFields {
		i := p.table.index(name)
		if err := p.columns[i].compileOrdering("sequence.field"); err != nil {
			return err
		}
		p.order = append(p.order, i)
	}
	return nil
}

// compileOrdering finds how the values of a column compare that an option names for their order.
func (c *column) compileOrdering(option string) error {
	plain, err := columnar.PlainType(c.field.Type)
	if err != nil {
		return fmt.Errorf("column %q: %w", c.field.Name, err)
	}
	ordering, ok := columnar.OrderingOf(plain)
	if !ok {
		return fmt.Errorf("%w: %s column %q has type %s, which has no order", ErrSchema, option, c.field.Name, c.field.Type)
	}
	c.ordering = &ordering
	return nil
}

func (p *Plan) findKind() error {
	if p.options.RowKindField == "" {
		return nil
	}
	p.kind = p.table.index(p.options.RowKindField)
	if t := p.columns[p.kind].field.Type; orderOf(t) != columnar.OrderText {
		return fmt.Errorf("%w: rowkind.field column %q has type %s, not text", ErrSchema, p.options.RowKindField, t)
	}
	return nil
}

// findGroups finds the sequence groups of partial-update, whose columns check has found to be there, and not in two groups.
func (p *Plan) findGroups() error {
	if p.options.Engine != PartialUpdate {
		return nil
	}
	for i, g := range p.options.SequenceGroups {
		var rule groupRule
		for _, name := range g.Protected {
			p.columns[p.table.index(name)].group = i
		}
		for _, name := range g.Sequence {
			at := p.table.index(name)
			if err := p.columns[at].compileOrdering(g.key()); err != nil {
				return err
			}
			p.columns[at].group, p.columns[at].orders = i, true
			rule.sequence = append(rule.sequence, at)
			rule.removes = rule.removes || slices.Contains(p.options.RemoveRecordOnSequenceGroup, name)
		}
		p.groups = append(p.groups, rule)
	}
	return nil
}

// compileColumn makes the rule of a column.
func (p *Plan) compileColumn(c *column, known functions) (err error) {
	c.notNull = p.merges && !c.field.Nullable && !slices.Contains(p.table.keyNames(), c.field.Name)
	switch p.options.Engine {
	case FirstRow:
		c.pick = aggfuncs.FirstRow
	case PartialUpdate:
		c.pick = aggfuncs.LastNonNull
		name, _ := p.options.function(c.field.Name)
		if name == "" || c.primary || c.orders {
			return nil
		}
		f, err := newFunction(name, c.field, &p.options, known)
		if err != nil {
			return err
		}
		if c.group >= 0 { // outside of groups only last_non_null_value is allowed, which is what the column does anyway
			c.function = f
		}
	case Aggregation:
		c.function, err = newFunction(p.aggregateFunction(c), c.field, &p.options, known)
		return err
	default:
		c.pick = aggfuncs.LastRow
	}
	return nil
}

// aggregateFunction names the function that a column has under the engine aggregation.
func (p *Plan) aggregateFunction(c *column) string {
	own, _ := p.options.function(c.field.Name)
	switch {
	case slices.Contains(p.options.SequenceFields, c.field.Name):
		return "last_value"
	case c.primary:
		return "primary-key"
	case own == "":
		return lastNonNullValue
	}
	return own
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
	for _, i := range needed {
		if g := p.columns[i].group; g >= 0 {
			needed = append(needed, p.groups[g].sequence...)
		}
	}
	if p.supplied >= 0 {
		needed = append(needed, p.supplied)
	}
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
		fmt.Fprintf(&b, "column %s %s: %s\n", c.field.Name, c.field.Type, p.rule(c))
	}
	return b.String()
}

// rule says in words what becomes of a column.
func (p *Plan) rule(c column) string {
	var group string
	if c.group >= 0 {
		group = " of the group " + strings.Join(p.options.SequenceGroups[c.group].Sequence, ", ")
	}
	switch {
	case c.field.Name == validity.FieldsColumn && p.supplied >= 0:
		return "which columns have been supplied"
	case p.supplied >= 0 && c.notNull:
		return "last value supplied, NULL refused"
	case p.supplied >= 0:
		return "last value supplied"
	case c.orders:
		return "sequence" + group
	case c.function != nil && group != "":
		return c.function.name + group
	case c.function != nil:
		return c.function.name
	case group != "":
		return "row of the greatest sequence" + group
	case c.notNull && len(p.groups) == 0:
		return c.pick.String() + ", NULL refused"
	}
	return c.pick.String()
}

func direction(descending bool) string {
	if descending {
		return "descending"
	}
	return "ascending"
}

func (p *Plan) retractRule() string {
	switch {
	case p.options.IgnoreDelete && p.options.Engine != Aggregation:
		return "passed over"
	case p.options.Engine == Deduplicate:
		return "the last row of a key decides, a retract removes it"
	case (p.options.Engine == PartialUpdate || p.supplied >= 0) && p.options.RemoveRecordOnDelete:
		return "-D removes the row, -U is passed over"
	case p.options.Engine == PartialUpdate && len(p.options.RemoveRecordOnSequenceGroup) > 0:
		return "-D removes the row by the sequence groups of " + strings.Join(p.options.RemoveRecordOnSequenceGroup, ", ") +
			"; the columns of a group take it back"
	case p.options.Engine == PartialUpdate && len(p.groups) > 0:
		return "the columns of a group take them back"
	case p.options.Engine == Aggregation && p.options.RemoveRecordOnDelete:
		return "-D removes the row, functions take -U back"
	case p.options.Engine == Aggregation:
		return "functions take them back"
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
