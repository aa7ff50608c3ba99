package kernel

import (
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// inputs says which columns a merge reads of every batch, and where their views stand in a batch.
type inputs struct {
	keys    []input // the key columns, in key order: _KEY_ columns where a file has them, else value columns
	values  []input // the value columns that the output or the merge needs
	kindCol int     // rowkind.field as an index of values, or -1

	supplies int     // columns that may have been supplied, where the engine has a validity column, else 0
	own      int     // that column, of the plan
	arranged [][]int // the bits of its columns in the bitmaps of the files opened so far; guarded by the feed's mu

	nullKeys bool // keys may be NULL
	mem      memory.Allocator

	opened    bool // a file has been opened,
	sequenced bool // and has sequence numbers: then all must
}

// input is a column as a merge reads it.
type input struct {
	name string
	typ  arrow.DataType // of the table
	col  int            // of the plan

	kindOnly bool // read for the row kind alone: files with a kind column need not have it
	compared bool // read for its order, so that its values are wanted and not what stands for them

	encoding *columnar.Encoding
	staged   arrow.DataType // what its rows are moved as
	layout   columnar.Layout
	views    arrow.DataType // of text that is put out as views: their type, else nil
	keyPlace int            // of the key column whose values it has, as they are moved, -1 if there is none
}

// inFull says whether the column is written down as its values are, so that they compare as they stand.
func (i *input) inFull() bool {
	plain, err := columnar.PlainType(i.typ)
	return err == nil && arrow.TypeEqual(plain, i.typ)
}

// prepare makes the encoding of the column.
func (i *input) prepare(plainDictionaries bool, mem memory.Allocator) (err error) {
	if i.encoding, err = columnar.NewEncoding(i.typ, plainDictionaries, mem); err != nil {
		return fmt.Errorf("column %q: %w", i.name, err)
	}
	i.staged = i.encoding.Staged()
	if i.compared {
		i.staged = i.encoding.KeyType()
	}
	i.layout, err = columnar.LayoutOf(i.staged)
	return err
}

// load makes array data of the staged type. The caller releases it.
func (i *input) load(d arrow.ArrayData) (arrow.ArrayData, error) {
	if i.compared {
		return i.encoding.LoadKey(d)
	}
	return i.encoding.Load(d)
}

// prepare makes the encodings of all columns; release gives them back.
func (in *inputs) prepare(plainDictionaries bool, mem memory.Allocator) error {
	in.mem = mem
	for _, list := range [][]input{in.keys, in.values} {
		for i := range list {
			if err := list[i].prepare(plainDictionaries, mem); err != nil {
				return err
			}
		}
	}
	for _, list := range [][]input{in.keys, in.values} {
		for i := range list {
			list[i].keyPlace = in.keyOf(&list[i])
		}
	}
	return nil
}

// keyOf returns the place of the key column whose values a column has, or -1.
func (in *inputs) keyOf(column *input) int {
	if !column.compared && !column.encoding.Identity() {
		return -1
	}
	return slices.IndexFunc(in.keys, func(key input) bool {
		return key.col == column.col && arrow.TypeEqual(key.staged, column.staged)
	})
}

func (in *inputs) release() {
	for _, list := range [][]input{in.keys, in.values} {
		for i := range list {
			if list[i].encoding != nil {
				list[i].encoding.Release()
				list[i].encoding = nil
			}
		}
	}
}

// sequenceAt and kindAt are the places of the sequence numbers and the row kinds behind the keys and the values.
func (in *inputs) sequenceAt() int { return len(in.keys) + len(in.values) }
func (in *inputs) kindAt() int     { return in.sequenceAt() + 1 }

// at returns the input at a place among the views, nil for the system columns.
func (in *inputs) at(place int) *input {
	switch {
	case place < len(in.keys):
		return &in.keys[place]
	case place < in.sequenceAt():
		return &in.values[place-len(in.keys)]
	}
	return nil
}

// binding says where a file has the columns of inputs: keys, values, sequence numbers, row kinds.
type binding struct {
	columns   []boundColumn
	positions []int // the bit that every column of the table has in the bitmaps of the validity column
	inPlace   bool  // and these are their places in the table
}

// boundColumn takes a column out of the records of a file.
type boundColumn struct {
	name   string
	source int              // column of the records; -1 if they have none
	mapped *columnar.Column // how it comes out of the records of a file of another schema, nil if as it is
}

// there says whether the file has the column, be it as NULLs.
func (c boundColumn) there() bool { return c.source >= 0 || c.mapped != nil }

// take returns the column of a record. The caller releases it.
func (c boundColumn) take(rec arrow.Record, mem memory.Allocator) (arrow.ArrayData, error) {
	if c.mapped != nil {
		return c.mapped.Apply(rec, mem)
	}
	d := rec.Column(c.source).Data()
	if int64(d.Len()) != rec.NumRows() {
		return nil, fmt.Errorf("%w: %d rows in a batch of %d", ErrCorrupt, d.Len(), rec.NumRows())
	}
	d.Retain()
	return d, nil
}

// bind finds the columns in the schema of a file.
func (in *inputs) bind(f *File, s *arrow.Schema) (binding, error) {
	if f.Mapping != nil {
		b, err := in.bindMapped(f, s)
		if err != nil {
			return b, err
		}
		return b, in.bindSupplied(&b, f, f.Mapping.Positions())
	}
	sequence, err := find(s, SequenceColumn, arrow.PrimitiveTypes.Int64)
	if err != nil {
		return binding{}, err
	}
	kind, err := find(s, KindColumn, arrow.PrimitiveTypes.Int8)
	if err != nil {
		return binding{}, err
	}
	b := binding{columns: make([]boundColumn, 0, in.kindAt()+1)}
	add := func(name string, at int) { b.columns = append(b.columns, boundColumn{name: name, source: at}) }
	for _, key := range in.keys {
		at, err := findKey(s, key)
		if err != nil {
			return b, err
		}
		add(key.name, at)
	}
	for _, value := range in.values {
		at, err := find(s, value.name, value.typ)
		if err != nil {
			return b, err
		}
		if at < 0 && !(value.kindOnly && kind >= 0) {
			return b, fmt.Errorf("%w: column %q is missing", ErrSchema, value.name)
		}
		add(value.name, at)
	}
	add(SequenceColumn, sequence)
	add(KindColumn, kind)
	if err := in.bindSupplied(&b, f, nil); err != nil {
		return b, err
	}
	return b, in.agree(f.Sequence != nil || sequence >= 0)
}

// bindSupplied finds where the bitmaps of a file have the bits of the table's columns. Positions that are nil are the places of
// the columns in the table.
func (in *inputs) bindSupplied(b *binding, f *File, positions []int) error {
	if in.supplies == 0 {
		return nil
	}
	places := make([]int, in.supplies)
	for i := range places {
		places[i] = i
	}
	places[in.own] = -1
	if f.Positions != nil {
		positions = f.Positions
	}
	if positions == nil {
		positions = places
	}
	if len(positions) != len(places) {
		return fmt.Errorf("%w: %d positions for the %d columns of the table", ErrSchema, len(positions), len(places))
	}
	positions = slices.Clone(positions)
	positions[in.own] = -1
	columns := make(map[int]int, len(positions))
	for i, at := range positions {
		if at < -1 || at > mostPosition {
			return fmt.Errorf("%w: position %d of column %d, from -1 to %d are possible", ErrSchema, at, i, mostPosition)
		}
		if other, twice := columns[at]; twice && at >= 0 {
			return fmt.Errorf("%w: columns %d and %d both have the position %d", ErrSchema, other, i, at)
		}
		columns[at] = i
	}
	b.inPlace = slices.Equal(positions, places)
	if at := slices.IndexFunc(in.arranged, func(a []int) bool { return slices.Equal(a, positions) }); at >= 0 {
		positions = in.arranged[at]
	} else {
		in.arranged = append(in.arranged, positions)
	}
	b.positions = positions
	return nil
}

// mostPosition is the largest position a column of a file can have.
const mostPosition = 1 << 16

// bindMapped finds the columns by the mapping of a file.
func (in *inputs) bindMapped(f *File, s *arrow.Schema) (binding, error) {
	if err := f.Mapping.Fits(s); err != nil {
		return binding{}, err
	}
	b := binding{}
	add := func(name string, c *columnar.Column) {
		b.columns = append(b.columns, boundColumn{name: name, source: -1, mapped: c})
	}
	for _, key := range in.keys {
		c := f.Mapping.Key(key.name)
		if c == nil {
			c = f.Mapping.Column(key.col)
		}
		add(key.name, c)
	}
	for _, value := range in.values {
		add(value.name, f.Mapping.Column(value.col))
	}
	add(SequenceColumn, f.Mapping.Sequence())
	add(KindColumn, f.Mapping.Kind())
	return b, in.agree(f.Sequence != nil || f.Mapping.Sequence() != nil)
}

// findKey returns the index of a key column, which is called as in the table or has the prefix of key columns.
func findKey(s *arrow.Schema, key input) (int, error) {
	at, err := find(s, KeyPrefix+key.name, key.typ)
	if err == nil && at < 0 {
		at, err = find(s, key.name, key.typ)
	}
	if err == nil && at < 0 {
		err = fmt.Errorf("%w: key column %q is missing", ErrSchema, key.name)
	}
	return at, err
}

// agree holds that either every file has sequence numbers or none: versions could not be put in one order otherwise.
func (in *inputs) agree(sequenced bool) error {
	switch {
	case !in.opened: // no window is there yet, and nobody reads this at the same time
		in.opened, in.sequenced = true, sequenced
	case in.sequenced != sequenced:
		return fmt.Errorf("%w: some files have sequence numbers (column %q) and some have none", ErrSchema, SequenceColumn)
	}
	return nil
}

// find returns the index of a column, or -1.
func find(s *arrow.Schema, name string, want arrow.DataType) (int, error) {
	at := s.FieldIndices(name)
	if len(at) == 0 {
		return -1, nil
	}
	if len(at) > 1 {
		return 0, fmt.Errorf("%w: column %q is there %d times", ErrSchema, name, len(at))
	}
	if got := s.Field(at[0]).Type; !arrow.TypeEqual(got, want) {
		return 0, fmt.Errorf("%w: column %q has type %s, the table has %s", ErrSchema, name, got, want)
	}
	return at[0], nil
}
