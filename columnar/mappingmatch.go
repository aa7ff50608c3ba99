package columnar

import (
	"fmt"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"
)

// MatchBy is how a column or field of a file is found for one of the table.
type MatchBy uint8

const (
	// MatchFieldID matches columns of the same field id, the field metadata `PARQUET:field_id`; missing or negative means
	// no id. If one of two columns has no id they match by name, but a column of the file that an id has matched is taken.
	// Two columns with different ids never match: a name that was dropped and used again is another column.
	MatchFieldID MatchBy = iota
	// MatchName matches columns of the same name, whatever their ids. Case counts.
	MatchName
)

// String names the way of matching.
func (by MatchBy) String() string {
	if by == MatchName {
		return "name"
	}
	return "field id"
}

// noID is the field id of a column that has none.
const noID = int64(-1)

// fieldID returns the field id of a column, noID if it has none.
func fieldID(f arrow.Field) int64 {
	text, _ := f.Metadata.GetValue("PARQUET:field_id")
	id, err := strconv.ParseInt(text, 10, 32)
	if err != nil || id < 0 {
		return noID
	}
	return id
}

// candidates are the columns of a file, or the fields of one of its structs, among which those of the table are found.
type candidates struct {
	by     MatchBy
	path   string // of the struct, empty for columns
	fields []arrow.Field
	ids    []int64
	byID   map[int64]int
	byName map[string]int
	taken  map[int]string // by which field of the table
}

// ambiguous marks a name that two fields have.
const ambiguous = -2

// newCandidates refuses a file with one field id twice, if ids count.
func newCandidates(path string, fields []arrow.Field, by MatchBy) (*candidates, error) {
	c := &candidates{by: by, path: path, fields: fields, byID: map[int64]int{}, byName: map[string]int{}, taken: map[int]string{}}
	for i, field := range fields {
		if _, twice := c.byName[field.Name]; twice {
			c.byName[field.Name] = ambiguous
		} else {
			c.byName[field.Name] = i
		}
		id := noID
		if by == MatchFieldID {
			id = fieldID(field)
		}
		c.ids = append(c.ids, id)
		if id == noID {
			continue
		}
		if first, twice := c.byID[id]; twice {
			return nil, fmt.Errorf("%w: columns %q and %q of the file both have field id %d", ErrSchema,
				join(path, fields[first].Name), join(path, field.Name), id)
		}
		c.byID[id] = i
	}
	return c, nil
}

// match returns for every field of the table the field of the file that it comes from, -1 for none. Ids are matched before
// names. Two fields of the table for one of the file are ErrSchema.
func (c *candidates) match(table []arrow.Field) ([]int, error) {
	sources := make([]int, len(table))
	for i, field := range table {
		sources[i] = c.withID(c.idOf(field))
		if sources[i] < 0 {
			continue
		}
		if other, twice := c.taken[sources[i]]; twice {
			return nil, fmt.Errorf("%w: columns %q and %q both have field id %d", ErrSchema, join(c.path, other), join(c.path, field.Name), c.idOf(field))
		}
		c.taken[sources[i]] = field.Name
	}
	for i, field := range table {
		if sources[i] >= 0 {
			continue
		}
		source, err := c.withName(field.Name, c.idOf(field))
		if err != nil {
			return nil, err
		}
		if _, twice := c.taken[source]; source < 0 || twice {
			continue
		}
		sources[i], c.taken[source] = source, field.Name
	}
	return sources, nil
}

// idOf returns the id that a field of the table is matched by.
func (c *candidates) idOf(table arrow.Field) int64 {
	if c.by == MatchName {
		return noID
	}
	return fieldID(table)
}

// find returns the field with an id, else the one with a name; -1 for none.
func (c *candidates) find(name string, id int64) (int, error) {
	if source := c.withID(id); source >= 0 {
		return source, nil
	}
	return c.withName(name, id)
}

func (c *candidates) withID(id int64) int {
	if source, ok := c.byID[id]; ok {
		return source
	}
	return -1
}

// withName returns the field with a name, -1 if there is none or it has another id.
func (c *candidates) withName(name string, id int64) (int, error) {
	source, ok := c.byName[name]
	switch {
	case !ok:
		return -1, nil
	case source == ambiguous:
		return -1, fmt.Errorf("%w: two columns of the file have the name %q", ErrSchema, join(c.path, name))
	case id != noID && c.ids[source] != noID && c.ids[source] != id:
		return -1, nil
	}
	return source, nil
}

// join puts a field's name behind the path of its struct.
func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
