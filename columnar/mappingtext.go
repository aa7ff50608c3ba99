package columnar

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
)

// String explains the mapping: a line for every column of the table and every system column, one for every field and item
// inside that changes, and the columns of the file that are not read.
//
//	2 columns of the table from 4 of the file, by field id
//	  place: file column 3
//	    place.east: file's x
//	    place.z: NULL
//	  amount: file column 2 "price", cast from int16 to decimal(12, 2)
//	  _KEY_id: file column 0
//	  not read: column 1 "note"
func (m *Mapping) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d columns of the table from %d of the file, by %s\n", len(m.columns), m.file.NumFields(), m.by)
	for _, c := range m.all() {
		c.write(&b)
	}
	sources := m.Sources()
	for i, field := range m.file.Fields() {
		if !slices.Contains(sources, i) {
			fmt.Fprintf(&b, "  not read: column %d %q\n", i, field.Name)
		}
	}
	return b.String()
}

// String explains where the column comes from, as its lines in that of the mapping.
func (c *Column) String() string {
	var b strings.Builder
	c.write(&b)
	return strings.TrimSpace(b.String())
}

func (c *Column) write(b *strings.Builder) {
	fmt.Fprintf(b, "  %s: ", c.step.path)
	if c.source >= 0 {
		fmt.Fprintf(b, "file column %d", c.source)
		if c.from != c.step.path {
			fmt.Fprintf(b, " %q", c.from)
		}
	}
	c.step.write(b, 2)
}

// write ends the line of a step and writes those of the steps inside that are not just kept.
func (s *step) write(b *strings.Builder, depth int) {
	switch s.how {
	case howNull:
		b.WriteString("NULL")
	case howCast:
		fmt.Fprintf(b, ", cast from %s to %s", s.file, s.table)
	}
	b.WriteString("\n")
	for i, inner := range s.steps {
		from, to := s.fieldNames(i)
		if inner.how == howKeep && from == to {
			continue
		}
		fmt.Fprintf(b, "%s%s: ", strings.Repeat("  ", depth), inner.path)
		if inner.how != howNull {
			fmt.Fprintf(b, "file's %s", from)
		}
		inner.write(b, depth+1)
	}
}

// fieldNames names what the step inside is made of in the file and in the table: fields of structs, else its place.
func (s *step) fieldNames(i int) (file, table string) {
	t, ok := s.table.(*arrow.StructType)
	if !ok {
		return "items", "items"
	}
	if source := s.sources[i]; source >= 0 {
		file = s.file.(*arrow.StructType).Field(source).Name
	}
	return file, t.Field(i).Name
}
