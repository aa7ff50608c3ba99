package columnar

import (
	"cmp"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal256"
)

// Ordering compares the values of one type, nested to any depth (docs/semantics.md, "Order of keys"). It is made once, so
// that comparing rows looks at views only:
//
//	array   item by item, then the shorter first     [1, NULL] < [1, 2] < [1, 2, 0]
//	row     field by field                           (1, b) < (2, a)
//	map     the smaller first; then the keys as an   {z: 9} < {a: 2, b: 1} < {a: 2, c: 0} < {a: 3, c: 0}
//	        array, then the values as one
//
// NULL is below every value wherever it stands. The entries of a map are in the order in which they are stored.
type Ordering struct {
	kind  orderingKind
	order Order      // of orderedValue
	parts []Ordering // the items of orderedItems, the fields of orderedFields, key and value of orderedEntries
}

type orderingKind uint8

const (
	orderedValue   orderingKind = iota // as the order says
	orderedWide                        // decimals of 256 bits, by number
	orderedItems                       // lists of any layout
	orderedFields                      // structs
	orderedEntries                     // maps
)

// OrderingOf returns how the values of a type compare, which must be one that PlainType gives. ok is false if it, or a type in
// it, has no order.
func OrderingOf(t arrow.DataType) (o Ordering, ok bool) {
	switch t := t.(type) {
	case arrow.ExtensionType:
		return OrderingOf(t.StorageType())
	case *arrow.Decimal256Type:
		return Ordering{kind: orderedWide}, true
	case *arrow.MapType:
		return orderingOf(orderedEntries, t.KeyType(), t.ItemType())
	case *arrow.StructType:
		return orderingOf(orderedFields, childTypes(t)...)
	case *arrow.ListType, *arrow.LargeListType, *arrow.FixedSizeListType:
		return orderingOf(orderedItems, childTypes(t)...)
	}
	order := OrderOf(t)
	return Ordering{order: order}, order != OrderNone
}

func orderingOf(kind orderingKind, parts ...arrow.DataType) (o Ordering, ok bool) {
	o.kind = kind
	for _, t := range parts {
		part, ok := OrderingOf(t)
		if !ok {
			return Ordering{}, false
		}
		o.parts = append(o.parts, part)
	}
	return o, true
}

// Numeric says whether StageNormals makes integers of the values that have their order.
func (o *Ordering) Numeric() bool {
	return o.kind == orderedValue && o.order != OrderText && o.order != OrderDecimal128
}

// Compare compares a value of a with a value of b: negative, 0 or positive. Both are views of the type of the ordering, with
// text that has been checked.
func (o *Ordering) Compare(a *View, i int, b *View, j int) int {
	if o.kind == orderedValue {
		return o.order.compare(a, i, b, j)
	}
	if a.Nulls > 0 || b.Nulls > 0 {
		if c, decided := compareNulls(a, i, b, j); decided {
			return c
		}
	}
	switch o.kind {
	case orderedWide:
		return Fixed[decimal256.Num](a)[i].Cmp(Fixed[decimal256.Num](b)[j])
	case orderedItems:
		return o.compareItems(a, i, b, j)
	case orderedFields:
		return o.compareFields(a, i, b, j)
	}
	return o.compareEntries(a, i, b, j)
}

func (o *Ordering) compareFields(a *View, i int, b *View, j int) int {
	for k := range o.parts {
		if c := o.parts[k].Compare(&a.children[k], i, &b.children[k], j); c != 0 {
			return c
		}
	}
	return 0
}

func (o *Ordering) compareItems(a *View, i int, b *View, j int) int {
	x, xEnd := a.items(i, i+1)
	y, yEnd := b.items(j, j+1)
	if c := o.parts[0].compareRows(&a.children[0], x, &b.children[0], y, min(xEnd-x, yEnd-y)); c != 0 {
		return c
	}
	return cmp.Compare(xEnd-x, yEnd-y)
}

func (o *Ordering) compareEntries(a *View, i int, b *View, j int) int {
	x, xEnd := a.items(i, i+1)
	y, yEnd := b.items(j, j+1)
	n := xEnd - x
	if n != yEnd-y || n == 0 { // without rows, entries have no children
		return cmp.Compare(n, yEnd-y)
	}
	entries, others := &a.children[0], &b.children[0]
	for k := range o.parts {
		if c := o.parts[k].compareRows(&entries.children[k], x, &others.children[k], y, n); c != 0 {
			return c
		}
	}
	return 0
}

// compareRows compares n rows of a from row i on with those of b from row j on, the first counting most.
func (o *Ordering) compareRows(a *View, i int, b *View, j, n int) int {
	for k := range n {
		if c := o.Compare(a, i+k, b, j+k); c != 0 {
			return c
		}
	}
	return 0
}
