package aggfuncs

import (
	"errors"
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/columnar"
)

// nested is what the functions of lists of rows have in common. The rows in a list are called its items here; NULL items never
// come into a result that has been worked on.
type nested struct {
	lists
	key      []int           // fields that identify an item; none: items have no key
	sequence []sequenceField // fields that tell the newer of two items of a key
	nulls    NullStrategy
	exact    []*equality // by field of the key
}

func newNested(f arrow.Field, o Options) (nested, error) {
	n := nested{lists: lists{t: f.Type, options: o}, nulls: o.NestedKeyNullStrategy}
	t, ok := storage(f.Type).(arrow.ListLikeType)
	if !ok || root(tableType(f)) != "ARRAY" || t.ID() != arrow.LIST && t.ID() != arrow.LARGE_LIST {
		return n, errors.New("it works on arrays of rows only")
	}
	row, ok := storage(t.Elem()).(*arrow.StructType)
	if !ok {
		return n, errors.New("it works on arrays of rows only")
	}
	if len(o.NestedKey) == 0 && o.NestedKeyNullStrategy != NullDefault {
		return n, errors.New("nested-key-null-strategy needs nested-key")
	}
	if len(o.NestedKey) == 0 && len(o.NestedSequenceField) > 0 {
		return n, errors.New("nested-sequence-field needs nested-key")
	}
	var err error
	if n.key, err = fieldsOf(row, "nested-key", o.NestedKey); err != nil {
		return n, err
	}
	for _, at := range n.key {
		n.exact = append(n.exact, newEquality(row.Field(at).Type, true))
	}
	n.sequence, err = sequenceFields(row, o.NestedSequenceField)
	return n, err
}

// fieldsOf finds fields of a row type.
func fieldsOf(row *arrow.StructType, option string, names []string) ([]int, error) {
	fields := make([]int, len(names))
	for i, name := range names {
		at, ok := row.FieldIdx(name)
		if !ok {
			return nil, fmt.Errorf("%s: the rows have no field %q, only %s", option, name, fieldNames(row))
		}
		fields[i] = at
	}
	return fields, nil
}

// sequenceField is a field of the rows that is compared.
type sequenceField struct {
	at       int
	ordering columnar.Ordering
}

// sequenceFields finds the fields of nested-sequence-field, each of which must have an order.
func sequenceFields(row *arrow.StructType, names []string) ([]sequenceField, error) {
	places, err := fieldsOf(row, "nested-sequence-field", names)
	if err != nil {
		return nil, err
	}
	fields := make([]sequenceField, len(places))
	for i, at := range places {
		f := row.Field(at)
		ordering, ok := columnar.OrderingOf(f.Type)
		if !ok {
			return nil, fmt.Errorf("nested-sequence-field: field %q is of type %s, which has no order", f.Name, tableType(f))
		}
		fields[i] = sequenceField{at: at, ordering: ordering}
	}
	return fields, nil
}

// seeKeys makes the chain look at the keys of items, as their bits are.
func (n *nested) seeKeys() {
	n.chain.equalities = n.exact
	n.chain.columns = n.chain.columns[:0]
	if n.items.NumChildren() == 0 {
		return // a window without items
	}
	for _, at := range n.key {
		n.chain.columns = append(n.chain.columns, n.items.Child(at))
	}
}

// counts says whether an item takes part: it is not NULL, and there is no NULL in its key that says otherwise. row is the one
// to blame.
func (n *nested) counts(item uint32, row int) (bool, error) {
	if n.items.IsNull(int(item)) {
		return false, nil
	}
	if n.nulls != NullIgnore && n.nulls != NullError {
		return true, nil
	}
	null := slices.ContainsFunc(n.chain.columns, func(c *columnar.View) bool { return c.IsNull(int(item)) })
	if null && n.nulls == NullError {
		return false, fault(row, ErrNullNestedKey, "item %s", n.show(item))
	}
	return !null, nil
}

// show shows the key of an item.
func (n *nested) show(item uint32) string {
	text := ""
	for i, c := range n.chain.columns {
		if i > 0 {
			text += ", "
		}
		text += c.String(int(item))
	}
	return "(" + text + ")"
}

// newer says whether an item takes the place of another of its key: its sequence is not below.
func (n *nested) newer(item, other uint32) bool {
	for i := range n.sequence {
		f := &n.sequence[i]
		c := n.items.Child(f.at)
		if order := f.ordering.Compare(c, int(item), c, int(other)); order != 0 {
			return order > 0
		}
	}
	return true
}
