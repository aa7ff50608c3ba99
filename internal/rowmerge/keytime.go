package rowmerge

import (
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
)

// newMergeMapWithKeyTime makes merge_map_with_keytime: a map of rows of which the one with the greater time wins, key by
// key. Times are text and compare as text.
func newMergeMapWithKeyTime(c column, o *functionOptions) (*Function, *Error) {
	typ, ok := c.typ.(*arrow.MapType)
	if !ok {
		return nil, configf("Data type for field '%s' must be 'MAP' but was '%s'", c.name, c.sql)
	}
	row, ok := plainType(typ.ItemType()).(*arrow.StructType)
	if !ok {
		return nil, configf("Value type of MAP for field '%s' must be ROW but was '%s'", c.name, sqlType(plainType(typ.ItemType())))
	}
	if row.NumFields() < 2 {
		return nil, configf("ROW type for field '%s' must have at least 2 fields, but found %d", c.name, row.NumFields())
	}
	at := row.NumFields() - 1
	if name, ok := o.text("ts-field"); ok {
		if at, ok = row.FieldIdx(name); !ok {
			return nil, configf("Timestamp field '%s' not found in ROW type for field '%s'", name, c.name)
		}
	}
	if !isText(newColumn(row.Field(at)).root()) {
		return nil, configf("Timestamp field '%s' of field '%s' must be text", row.Field(at).Name, c.name)
	}
	return &Function{agg: withNulls(func(acc, in any) (any, *Error) {
		out := append(Map{}, acc.(Map)...)
		for _, e := range in.(Map) {
			out = putNewer(out, e, at)
		}
		return out, nil
	})}, nil
}

// putNewer takes an entry into a map: a NULL row removes the key, a NULL time is skipped, and a row whose time is not above
// that of the row in place is, too. The time is field at.
func putNewer(m Map, e Entry, at int) Map {
	row, ok := e.Value.(Struct)
	if !ok {
		return m.remove(e.Key)
	}
	time, ok := row[at].(string)
	if !ok {
		return m
	}
	if i := m.find(e.Key); i >= 0 && !olderThan(m[i].Value, at, time) {
		return m
	}
	return m.put(e)
}

// olderThan reports whether a row has a time below the one given; no row and no time are.
func olderThan(v any, at int, time string) bool {
	row, ok := v.(Struct)
	if !ok {
		return true
	}
	held, ok := row[at].(string)
	return !ok || strings.Compare(time, held) > 0
}
