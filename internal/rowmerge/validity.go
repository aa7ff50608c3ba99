package rowmerge

import (
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
)

// validityColumn names the column that says which columns of a row its writer supplied.
const validityColumn = "_VALIDITY_FIELDS"

// validityMerge is partial-update with explicit NULLs: of each column the last value that was supplied, or the last value if
// none was. The validity column holds the positions, in the table, of the supplied columns; it never marks itself. NULL
// there means that what is not NULL is supplied. In a result the positions are those among the columns wanted.
type validityMerge struct {
	table   *table
	columns []int
	wanted  int // columns at hand that the result has
	own     int // position of the validity column in the table
	faults  *faults

	row      []any
	valid    []bool // by column at hand
	last     Version
	sequence int64
	sawAdd   bool
	deleted  bool
}

func newValidityMerge(t *table, columns []int, wanted int, f *faults) (engine, *Error) {
	e := &validityMerge{table: t, columns: columns, wanted: wanted, own: t.find(validityColumn), faults: f}
	if e.own < 0 {
		return nil, configf("partial-update-validity needs a column %s", validityColumn)
	}
	c, o := t.columns[e.own], t.options
	if root := c.root(); root != "VARBINARY" && root != "BYTES" || c.notNull {
		return nil, configf("column %s must be a nullable BYTES, not %s", c.name, c.sql)
	}
	switch {
	case slices.Contains(o.sequence, e.own), t.isPrimary(c.name):
		return nil, configf("column %s can be neither a sequence field nor a key", c.name)
	case o.ignoreDelete && o.removeOnDelete:
		return nil, configf("ignore-delete and partial-update.remove-record-on-delete have conflicting behavior so should not " +
			"be enabled at the same time.")
	case o.removeOnGroup != nil:
		return nil, configf("partial-update-validity takes no sequence groups")
	}
	for key := range o.all {
		if key == "fields.default-aggregate-function" ||
			strings.HasPrefix(key, "fields.") && (strings.HasSuffix(key, groupSuffix) || strings.HasSuffix(key, ".aggregate-function")) {
			return nil, configf("partial-update-validity takes neither sequence groups nor aggregate functions: %s", key)
		}
	}
	return e, nil
}

func (e *validityMerge) reset() {
	e.row, e.valid = make([]any, len(e.columns)), make([]bool, len(e.columns))
	e.sequence, e.sawAdd, e.deleted = 0, false, false
}

func (e *validityMerge) add(v Version) {
	e.last = v
	supplied, ok := e.supplied(v)
	if !ok {
		return
	}
	o := &e.table.options
	switch {
	case !isRetract(v.Kind):
		e.take(v, supplied)
	case o.ignoreDelete:
	case !o.removeOnDelete:
		e.faults.at(v, "", failf(KindDeleteNotAccepted, "By default, Partial update can not accept delete records"))
	case v.Kind == Delete:
		e.row, e.valid = clone(v.Values), make([]bool, len(e.columns))
		e.deleted, e.sequence = true, v.Sequence
	default:
		e.sequence = v.Sequence
	}
}

// take is an add: supplied columns, and columns never supplied, take the value.
func (e *validityMerge) take(v Version, supplied []bool) {
	e.sequence, e.sawAdd, e.deleted = v.Sequence, true, false
	for i, c := range e.columns {
		if supplied[i] && v.Values[i] == nil && e.table.columns[c].notNull && !e.table.isKey(c) {
			e.faults.at(v, e.table.columns[c].name, failf(KindNotNull, "Field %d can not be null", i))
		}
		if supplied[i] || !e.valid[i] {
			e.row[i] = v.Values[i]
		}
		e.valid[i] = e.valid[i] || supplied[i]
	}
}

// supplied tells for each column at hand whether the version supplies it. ok is false if its bytes are no bitmap.
func (e *validityMerge) supplied(v Version) (supplied []bool, ok bool) {
	supplied = make([]bool, len(e.columns))
	data, marked := v.Values[slices.Index(e.columns, e.own)].([]byte)
	if !marked {
		for i, c := range e.columns {
			supplied[i] = c != e.own && v.Values[i] != nil
		}
		return supplied, true
	}
	marks, err := readBitmap(data)
	if err != nil {
		e.faults.at(v, validityColumn, err)
		return nil, false
	}
	for i, c := range e.columns {
		supplied[i] = c != e.own && marks.Contains(uint32(c))
	}
	return supplied, true
}

func (e *validityMerge) result() *Row {
	if e.sawAdd {
		kind := Insert
		if e.deleted {
			kind = Delete
		}
		return &Row{kind, e.sequence, e.last.Key, e.marked(e.row, e.valid)}
	}
	if e.table.options.strict && e.table.options.ignoreDelete {
		return nil
	}
	return &Row{Delete, e.last.Sequence, e.last.Key, e.marked(e.last.Values, make([]bool, len(e.columns)))}
}

// marked gives values with validity bytes for the columns that are valid.
func (e *validityMerge) marked(values []any, valid []bool) []any {
	b := roaring.New()
	for i := range e.wanted {
		if valid[i] {
			b.Add(uint32(i))
		}
	}
	out := clone(values)
	out[slices.Index(e.columns, e.own)] = writeBitmap(b)
	return out
}

// lone checks the bytes, and leaves them as they are unless the result has other columns than the table, or another order.
func (e *validityMerge) lone(v Version) *Row {
	supplied, ok := e.supplied(v)
	row := &Row{v.Kind, v.Sequence, v.Key, clone(v.Values)}
	inPlace := e.wanted == len(e.table.columns) && slices.IsSorted(e.columns)
	if ok && !inPlace && v.Values[slices.Index(e.columns, e.own)] != nil {
		row.Values = e.marked(v.Values, supplied)
	}
	return row
}

// ProjectValidity moves validity marks to another set of columns: mapping gives for each new position the old one, -1 for
// none.
func ProjectValidity(mapping, valid []int) []int {
	out := []int{}
	for position, old := range mapping {
		if old >= 0 && slices.Contains(valid, old) {
			out = append(out, position)
		}
	}
	return out
}
