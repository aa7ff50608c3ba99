package columnar

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// listViews is the codec of views of lists, staged as lists with offsets of the same width.
//
//	views [4,6) [0,1) [0,1)     offsets 0 2 3 4 into the items 4 5 0 0
type listViews struct {
	staged, out arrow.DataType
	wide        bool // 64 bits
	items       *level
	mem         memory.Allocator
}

func (c *compiler) listViews(t arrow.ListLikeType) (*level, error) {
	items, err := c.level(t.Elem())
	if err != nil {
		return nil, fmt.Errorf("in %s: %w", t.Name(), err)
	}
	field := ofType(t.ElemField(), items.staged)
	v := &listViews{out: retyped(t, []arrow.DataType{items.out}), items: items, mem: c.mem}
	if v.wide = t.ID() == arrow.LARGE_LIST_VIEW; v.wide {
		v.staged = arrow.LargeListOfField(field)
	} else {
		v.staged = arrow.ListOfField(field)
	}
	return c.converted(t, v.staged, v.out, v)
}

func (l *listViews) load(d arrow.ArrayData) (arrow.ArrayData, error) {
	if l.wide {
		return loadListViews[int64](l, d)
	}
	return loadListViews[int32](l, d)
}

// spans are views of lists that have been checked.
type spans[O int32 | int64] struct {
	frame
	off, size []O
	lo, hi    int  // the items from the first of any row to the last
	total     int  // items of all rows
	inOrder   bool // the items of the rows follow each other
}

func spansOf[O int32 | int64](d, items arrow.ArrayData) (s spans[O], err error) {
	if s.frame, err = frameOf(d); err != nil {
		return s, err
	}
	if s.off, err = valuesIn[O](&s.frame, "offsets", bytesOf(d.Buffers(), 1)); err != nil {
		return s, err
	}
	if s.size, err = valuesIn[O](&s.frame, "sizes", bytesOf(d.Buffers(), 2)); err != nil {
		return s, err
	}
	return s, s.measure(items.Len())
}

// measure checks that the views lie among n items.
func (s *spans[O]) measure(n int) error {
	s.lo, s.inOrder = n, true
	next := -1
	for row, size := range s.size {
		if size == 0 || s.isNull(row) {
			continue
		}
		from, to := int(s.off[row]), int(s.off[row])+int(size)
		if from < 0 || size < 0 || to < 0 || to > n {
			return fmt.Errorf("%w: row %d has %d items from %d of %d", ErrCorrupt, row, size, from, n)
		}
		s.inOrder = s.inOrder && (from == next || next < 0)
		next = to
		s.lo, s.hi = min(s.lo, from), max(s.hi, to)
		if s.total += to - from; s.total < 0 {
			return fmt.Errorf("%w: more list items than can be counted", ErrTooLarge)
		}
	}
	s.lo = min(s.lo, s.hi)
	return nil
}

// offsets returns the offsets of the rows, were their items one after another. The caller releases them.
func (s *spans[O]) offsets(mem memory.Allocator) *memory.Buffer {
	buf := NewBuffer(mem, (s.rows+1)*int(unsafe.Sizeof(O(0))))
	out := castSlice[O](buf.Bytes())
	out[0] = 0
	for row, size := range s.size {
		if s.isNull(row) {
			size = 0
		}
		out[row+1] = out[row] + size
	}
	return buf
}

func loadListViews[O int32 | int64](l *listViews, d arrow.ArrayData) (arrow.ArrayData, error) {
	children, err := childrenOf(d, 1)
	if err != nil {
		return nil, err
	}
	s, err := spansOf[O](d, children[0])
	if err != nil {
		return nil, err
	}
	if !l.wide && s.total > math.MaxInt32 {
		return nil, fmt.Errorf("%w: %d list items in one array of type %s", ErrTooLarge, s.total, d.DataType())
	}
	used := rowsOf(children[0], s.lo, s.hi)
	defer used.Release()
	items, err := l.items.load(used)
	if err != nil {
		return nil, fmt.Errorf("items: %w", err)
	}
	if !s.inOrder {
		loaded := items
		items, err = gatherItems(l, &s, loaded)
		loaded.Release()
		if err != nil {
			return nil, fmt.Errorf("items: %w", err)
		}
	}
	valid := s.validity(l.mem)
	defer valid.Release()
	return newData(l.staged, s.rows, valid, []arrow.ArrayData{items}, s.offsets(l.mem)), nil
}

// gatherItems returns the items of all rows one after another.
func gatherItems[O int32 | int64](l *listViews, s *spans[O], loaded arrow.ArrayData) (arrow.ArrayData, error) {
	v, err := NewView(loaded)
	if err != nil {
		return nil, err
	}
	g := gatherers.Get().(*gatherer)
	defer g.free()
	if err := checkLoaded(int64(min(s.total, maxLoaded))*rowWeight, l.staged); err != nil {
		return nil, err
	}
	g.sel = grow(g.sel, s.total)[:s.total]
	at, bytes := 0, int64(0)
	for row, size := range s.size {
		if size == 0 || s.isNull(row) {
			continue
		}
		from := int(s.off[row]) - s.lo
		if bytes += weight(&v, from, from+int(size)); bytes > maxLoaded {
			return nil, checkLoaded(bytes, l.staged)
		}
		for i := range int(size) {
			g.sel[at+i] = uint32(from + i)
		}
		at += int(size)
	}
	g.add(&v)
	if err := g.stage(l.staged, l.items.layout); err != nil {
		return nil, err
	}
	return g.take(l.items.staged, l.mem)
}

func (l *listViews) finish(d arrow.ArrayData) (arrow.ArrayData, error) {
	if l.wide {
		return finishListViews[int64](l, d)
	}
	return finishListViews[int32](l, d)
}

func finishListViews[O int32 | int64](v *listViews, d arrow.ArrayData) (arrow.ArrayData, error) {
	l, err := listsOf[O](d)
	if err != nil {
		return nil, err
	}
	used := l.used()
	defer used.Release()
	items, err := v.items.finish(used)
	if err != nil {
		return nil, fmt.Errorf("items: %w", err)
	}
	sizes := NewBuffer(v.mem, l.rows*int(unsafe.Sizeof(O(0))))
	for row := range castSlice[O](sizes.Bytes()) {
		castSlice[O](sizes.Bytes())[row] = l.off[row+1] - l.off[row]
	}
	valid := l.validity(v.mem)
	defer valid.Release()
	return newData(v.out, l.rows, valid, []arrow.ArrayData{items}, l.offsets(v.mem), sizes), nil
}
