package columnar

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
)

// how is what a step does with the array of the file.
type how uint8

const (
	howKeep   how = iota // it is the table's as it is
	howLabel             // its buffers are the table's, only the type has other names, flags or metadata
	howNull              // there is none: every value is NULL
	howCast              // every value is cast
	howList              // the items change, or the width of the offsets
	howStruct            // fields change, move, go or come
)

// step is what happens to one array of a column: to the column itself, or to a field, the items, the keys or the values
// inside it.
//
//	table  list<struct<name utf8, size int64>>
//	file   list<struct<size int32, name utf8>>     howList
//	                                                └ howStruct, sources 1 0
//	                                                   ├ howKeep
//	                                                   └ howCast
type step struct {
	path    string // of the column or field of the table, for errors
	how     how
	file    arrow.DataType // nil for howNull
	table   arrow.DataType
	cast    cast
	steps   []*step // one for lists and maps, one a field of the table for structs
	sources []int   // of a struct: the field of the file for every field of the table, -1 for none
}

// newStep plans how a column or field of the file becomes that of the table. Types for which there is no way are ErrSchema
// naming both.
func newStep(path string, file, table arrow.Field, by MatchBy) (*step, error) {
	s := &step{path: path, file: file.Type, table: table.Type}
	var err error
	switch {
	case !nestedAlike(file.Type, table.Type):
		err = s.planCast(file, table)
	case arrow.TypeEqual(file.Type, table.Type, arrow.CheckMetadata()):
		s.how = howKeep
	case table.Type.ID() == arrow.STRUCT:
		err = s.planStruct(by)
	case table.Type.ID() == arrow.MAP:
		err = s.planMap(by)
	default:
		err = s.planList(by)
	}
	return s, err
}

// addedStep plans a column or field that the file lacks: NULLs. One that is NOT NULL and has no default is ErrSchema.
func addedStep(path string, table arrow.Field) (*step, error) {
	if _, hasDefault := table.Metadata.GetValue("paimon.default"); !table.Nullable && !hasDefault {
		return nil, fmt.Errorf("%w: column %q is NOT NULL, has no default, and the file lacks it", ErrSchema, path)
	}
	if _, err := nullLayout(table.Type); err != nil {
		return nil, fmt.Errorf("column %q: %w", path, err)
	}
	return &step{path: path, how: howNull, table: table.Type}, nil
}

// nestedAlike says whether two types are nested and of the same kind, the width of offsets aside.
func nestedAlike(file, table arrow.DataType) bool {
	switch t := table.(type) {
	case *arrow.StructType, *arrow.MapType:
		return file.ID() == table.ID()
	case *arrow.ListType, *arrow.LargeListType:
		return file.ID() == arrow.LIST || file.ID() == arrow.LARGE_LIST
	case *arrow.FixedSizeListType:
		f, ok := file.(*arrow.FixedSizeListType)
		return ok && f.Len() == t.Len()
	}
	return false
}

// planCast plans values that are not nested, or are of two kinds that nothing turns into each other.
func (s *step) planCast(file, table arrow.Field) error {
	c, changes, err := castOf(file, table)
	if err != nil {
		return fmt.Errorf("%w: column %q: %s of the file cannot become %s", err, s.path, typeText(file), typeText(table))
	}
	switch {
	case changes:
		s.how, s.cast = howCast, c
	case arrow.TypeEqual(file.Type, table.Type):
		s.how = howKeep
	default:
		s.how = howLabel
	}
	return nil
}

// planStruct matches the fields. A struct that has the file's fields in the file's order, all unchanged, is only labelled.
func (s *step) planStruct(by MatchBy) error {
	file, table := s.file.(*arrow.StructType).Fields(), s.table.(*arrow.StructType).Fields()
	fields, err := newCandidates(s.path, file, by)
	if err != nil {
		return err
	}
	if s.sources, err = fields.match(table); err != nil {
		return err
	}
	for i, field := range table {
		path, inner := join(s.path, field.Name), (*step)(nil)
		if source := s.sources[i]; source < 0 {
			inner, err = addedStep(path, field)
		} else {
			inner, err = newStep(path, file[source], field, by)
		}
		if err != nil {
			return err
		}
		s.steps = append(s.steps, inner)
	}
	s.chooseStruct(len(file))
	return nil
}

func (s *step) chooseStruct(fileFields int) {
	s.how = howStruct
	if len(s.steps) != fileFields {
		return
	}
	for i, inner := range s.steps {
		if s.sources[i] != i || inner.how > howLabel {
			return
		}
	}
	s.how = howLabel
}

func (s *step) planList(by MatchBy) error {
	file, table := s.file.(arrow.ListLikeType).ElemField(), s.table.(arrow.ListLikeType).ElemField()
	items, err := newStep(join(s.path, "element"), file, table, by)
	if err != nil {
		return err
	}
	s.steps = []*step{items}
	s.how = howLabel
	if items.how > howLabel || s.file.ID() != s.table.ID() {
		s.how = howList
	}
	return nil
}

// planMap plans keys and values by their places. Keys may only change how they lie in memory: two keys that differ must not
// become the same.
func (s *step) planMap(by MatchBy) error {
	file, table := s.file.(*arrow.MapType), s.table.(*arrow.MapType)
	keys, err := newStep(join(s.path, "key"), file.KeyField(), table.KeyField(), by)
	if err != nil {
		return err
	}
	if keys.how > howLabel && !sameValues(file.KeyField(), table.KeyField()) {
		return fmt.Errorf("%w: column %q: %s of the file cannot become %s in a map's key", ErrSchema, keys.path,
			typeText(file.KeyField()), typeText(table.KeyField()))
	}
	values, err := newStep(join(s.path, "value"), file.ItemField(), table.ItemField(), by)
	if err != nil {
		return err
	}
	entries := &step{path: s.path, file: file.Elem(), table: table.Elem(), steps: []*step{keys, values}, sources: []int{0, 1}}
	entries.chooseStruct(2)
	s.steps = []*step{entries}
	s.how = howLabel
	if entries.how > howLabel {
		s.how = howList
	}
	return nil
}

// typeText shows a type for errors, with the one declared for the table where there is one.
func typeText(f arrow.Field) string {
	if text, ok := f.Metadata.GetValue(declaredTypeKey); ok {
		return fmt.Sprintf("%s (%s)", f.Type, text)
	}
	return f.Type.String()
}
