package columnar

import (
	"fmt"
	"slices"
	"sort"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/bitutil"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// excerpt is rows [from, to) of an array of the file: row 0 of the view is row 0 of the data, which the view borrows.
type excerpt struct {
	data     arrow.ArrayData
	view     *View
	from, to int
}

func (p excerpt) rows() int { return p.to - p.from }

// misfits are the rows whose values the table's type cannot hold, counted from the first row of the excerpt: no row of them is
// NULL, at any level.
type misfits struct {
	rows []int
	leaf *step
}

// nulls makes a whole column that the file lacks.
func (s *step) nulls(rows int, mem memory.Allocator) (arrow.ArrayData, error) {
	out, err := nullData(s.table, rows, mem)
	if err != nil {
		return nil, fmt.Errorf("column %q: %w", s.path, err)
	}
	return out, nil
}

// applyTop makes a whole column.
func (s *step) applyTop(data arrow.ArrayData, mem memory.Allocator) (arrow.ArrayData, error) {
	if s.how <= howLabel {
		return s.label(data), nil
	}
	view, err := NewView(data)
	if err != nil {
		return nil, fmt.Errorf("column %q: %w", s.path, err)
	}
	out, lost, err := s.apply(excerpt{data: data, view: &view, to: view.Rows}, mem)
	if err != nil {
		return nil, fmt.Errorf("column %q: %w", s.path, err)
	}
	if len(lost.rows) > 0 {
		out.Release()
		return nil, fmt.Errorf("column %q: row %d: %w: a value of %s does not fit %s", lost.leaf.path, lost.rows[0], ErrTooLarge,
			lost.leaf.file, lost.leaf.table)
	}
	return out, nil
}

// apply makes the rows of an excerpt. The caller releases the result.
func (s *step) apply(p excerpt, mem memory.Allocator) (arrow.ArrayData, misfits, error) {
	if s.how == howNull || p.rows() == 0 {
		out, err := nullData(s.table, p.rows(), mem)
		return out, misfits{}, err
	}
	switch s.how {
	case howCast:
		c := casting{excerpt: p, table: s.table, mem: mem}
		out, err := s.cast(&c)
		return out, misfits{rows: c.misfits, leaf: s}, err
	case howStruct:
		return s.applyStruct(p, mem)
	case howList:
		return s.applyList(p, mem)
	}
	slice := array.NewSliceData(p.data, int64(p.from), int64(p.to))
	defer slice.Release()
	return s.label(slice), misfits{}, nil
}

// label gives array data the table's type. All buffers are shared.
func (s *step) label(data arrow.ArrayData) arrow.ArrayData {
	if s.how == howKeep {
		data.Retain()
		return data
	}
	children := make([]arrow.ArrayData, len(data.Children()))
	for i, child := range data.Children() {
		children[i] = s.steps[i].label(child)
		defer children[i].Release()
	}
	return array.NewData(s.table, data.Len(), data.Buffers(), children, data.NullN(), data.Offset())
}

func (s *step) applyStruct(p excerpt, mem memory.Allocator) (arrow.ArrayData, misfits, error) {
	fields := make([]arrow.ArrayData, 0, len(s.steps))
	lost := misfits{}
	for i, inner := range s.steps {
		field, fieldLost, err := inner.applyField(p, s.sources[i], mem)
		if err != nil {
			release(fields)
			return nil, misfits{}, err
		}
		if len(lost.rows) == 0 {
			fieldLost.rows = slices.DeleteFunc(fieldLost.rows, func(row int) bool { return p.view.IsNull(p.from + row) })
			lost = fieldLost
		}
		fields = append(fields, field)
	}
	valid := p.valid(mem)
	defer valid.Release()
	return newData(s.table, p.rows(), valid, fields), lost, nil
}

// applyField makes a field of a struct out of its field source.
func (s *step) applyField(p excerpt, source int, mem memory.Allocator) (arrow.ArrayData, misfits, error) {
	if s.how == howNull {
		return s.apply(p, mem)
	}
	at := int64(p.data.Offset())
	field := array.NewSliceData(p.data.Children()[source], at, at+int64(p.view.Rows))
	defer field.Release()
	return s.apply(excerpt{data: field, view: &p.view.children[source], from: p.from, to: p.to}, mem)
}

// applyList makes lists and maps. Offsets that count from item 0 are shared.
func (s *step) applyList(p excerpt, mem memory.Allocator) (arrow.ArrayData, misfits, error) {
	first, last := p.view.items(p.from, p.to)
	items, lost, err := s.steps[0].apply(excerpt{data: p.data.Children()[0], view: &p.view.children[0], from: first, to: last}, mem)
	if err != nil {
		return nil, misfits{}, err
	}
	lost.rows = p.listsOf(lost.rows)
	if first == 0 && s.file.ID() == s.table.ID() && p.view.Layout.Form != FormFixedList {
		defer items.Release()
		nulls := p.view.NullsIn(p.from, p.to)
		return array.NewData(s.table, p.rows(), p.data.Buffers(), []arrow.ArrayData{items}, nulls, p.data.Offset()+p.from), lost, nil
	}
	valid := p.valid(mem)
	defer valid.Release()
	if p.view.Layout.Form == FormFixedList {
		return newData(s.table, p.rows(), valid, []arrow.ArrayData{items}), lost, nil
	}
	offsets, err := p.offsets(s.table.ID() == arrow.LARGE_LIST, mem)
	if err != nil {
		items.Release()
		return nil, misfits{}, err
	}
	return newData(s.table, p.rows(), valid, []arrow.ArrayData{items}, offsets), lost, nil
}

// listsOf turns ascending rows of the items of an excerpt into the rows of their lists; those of NULL lists are left out.
func (p excerpt) listsOf(items []int) []int {
	if len(items) == 0 {
		return nil
	}
	first, _ := p.view.items(p.from, p.to)
	lists := items[:0]
	for _, item := range items {
		row := sort.Search(p.rows(), func(i int) bool {
			_, end := p.view.items(p.from+i, p.from+i+1)
			return end > first+item
		})
		if !p.view.IsNull(p.from + row) {
			lists = append(lists, row)
		}
	}
	return lists
}

// valid returns the validity of the rows, sharing the bitmap if they begin with a byte of it. The caller releases it.
func (p excerpt) valid(mem memory.Allocator) Validity {
	nulls := p.view.NullsIn(p.from, p.to)
	if nulls == 0 {
		return Validity{}
	}
	at := p.view.validAt + p.from
	if at&7 == 0 {
		return Validity{Bitmap: memory.SliceBuffer(p.data.Buffers()[0], at/8, (p.rows()+7)/8), Nulls: nulls}
	}
	return p.copyValid(mem)
}

// copyValid returns the validity of the rows as a bitmap of its own, also if no row is NULL.
func (p excerpt) copyValid(mem memory.Allocator) Validity {
	bitmap := NewBuffer(mem, (p.rows()+7)/8)
	if p.view.valid == nil {
		bitutil.SetBitsTo(bitmap.Bytes(), 0, int64(p.rows()), true)
	} else {
		bitutil.CopyBitmap(p.view.valid, p.view.validAt+p.from, p.rows(), bitmap.Bytes(), 0)
	}
	return Validity{Bitmap: bitmap, Nulls: p.view.NullsIn(p.from, p.to)}
}

func release(arrays []arrow.ArrayData) {
	for _, a := range arrays {
		a.Release()
	}
}
