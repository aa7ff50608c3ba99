package aggfuncs

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/validity"
)

// lists is what the functions of lists and maps have in common. Their results are selections of the items that the rows of
// the window have: sel for all results one after another, ends with where each of them ends.
//
//	rows      [a b]  [b c]  [d]        group ends after the second and the third
//	items      0 1    2 3    4
//	sel        0 1 3 4                 collect, distinct
//	ends       3 4
type lists struct {
	t       arrow.DataType
	options Options
	in      *columnar.View
	items   *columnar.View
	span    span
	masks   rowMasks
	acc     accumulator
	chain   chain

	sel    []uint32
	paired bool     // keys and values are taken from items of their own
	values []uint32 // then: the items whose values stand beside the keys of sel
	ends   []int
	has    []uint64 // by result
	taker  taker
}

// accumulator says what is accumulated: NULL, the items of one row as they are, or the chain.
type accumulator struct {
	state accState
	row   int
}

type accState uint8

const (
	accNull accState = iota
	accRow
	accChain
	accSelected // the rule has put the items into sel itself
)

// rowOrNull is the accumulator that a row gives which nothing has been done with.
func (l *lists) rowOrNull(row int) accumulator {
	if l.in.IsNull(row) {
		return accumulator{}
	}
	return accumulator{state: accRow, row: row}
}

// listRule folds one group. It is called once for each, and leaves the outcome in l.acc and l.chain.
type listRule interface {
	group(steps []step, from int) error
}

// fold gives every group of more than a single row to the rule.
func (l *lists) fold(g *Groups, in *columnar.View, rule listRule) error {
	l.in, l.sel, l.values, l.ends = in, l.sel[:0], l.values[:0], l.ends[:0]
	if in.Rows == 0 {
		return nil
	}
	var err error
	if l.span, err = itemsOf(in); err != nil {
		return err
	}
	l.items = in.Child(0)
	l.has = words(l.has, g.Count)
	clear(l.has)
	steps := l.masks.stepsOf(g, in, l.options.IgnoreRetract)
	for from := 0; from < len(steps); {
		end, start := from, len(l.sel)
		for steps[end]&stepEnd == 0 {
			end++
		}
		if steps[from]&(stepEnd|stepSet|stepSkip) == stepEnd|stepSet|stepSkip {
			l.acc = l.rowOrNull(from) // alone in its group
		} else {
			l.acc = accumulator{}
			if err := rule.group(steps[from:end+1], from); err != nil {
				return err
			}
		}
		if steps[end]&stepDrop == 0 {
			l.emit()
		} else {
			l.sel = l.sel[:start]
		}
		from = end + 1
	}
	return nil
}

// itemsOf returns the items of a row.
func (l *lists) itemsOf(row int) (first, last uint32) {
	a, b := l.in.Items(row, row+1)
	return uint32(a), uint32(b)
}

// emit adds the accumulator to the results.
func (l *lists) emit() {
	switch l.acc.state {
	case accRow:
		l.selectRow(l.acc.row)
	case accChain:
		for n := l.chain.head; n != none; n = l.chain.nodes[n].next {
			l.sel = append(l.sel, l.chain.nodes[n].key)
			if l.paired {
				l.values = append(l.values, l.chain.nodes[n].value)
			}
		}
	}
	l.close(l.acc.state != accNull)
}

// selectRow selects the items of a row.
func (l *lists) selectRow(row int) {
	first, last := l.itemsOf(row)
	for i := first; i < last; i++ {
		l.sel = append(l.sel, i)
	}
	if l.paired {
		l.values = append(l.values, l.sel[len(l.sel)-int(last-first):]...)
	}
}

// close ends a result.
func (l *lists) close(has bool) {
	if has {
		validity.Set(l.has, len(l.ends))
	}
	l.ends = append(l.ends, len(l.sel))
}

// list makes an array of the results whose items are the selected ones.
func (l *lists) list(in *columnar.View, mem memory.Allocator) (arrow.ArrayData, error) {
	if in.Rows == 0 {
		return l.taker.rows(l.t, in, nil, columnar.Validity{}, mem)
	}
	items, err := l.taker.items(itemType(l.t), l.items, l.span, l.sel, mem)
	if err != nil {
		return nil, err
	}
	return l.around(items, mem)
}

// itemType is the type of the child of a list or map.
func itemType(t arrow.DataType) arrow.DataType { return storage(t).(arrow.ListLikeType).Elem() }

// around makes lists of taken items, which it releases.
func (l *lists) around(items arrow.ArrayData, mem memory.Allocator) (arrow.ArrayData, error) {
	defer items.Release()
	offsets, err := l.offsets(mem)
	if err != nil {
		return nil, err
	}
	defer offsets.Release()
	n := len(l.ends)
	all := words(l.masks.pick, n)
	l.masks.pick = all
	validity.Fill(all, n)
	valid := validityOf(l.has, all, n, mem)
	defer valid.Release()
	return array.NewData(l.t, n, []*memory.Buffer{valid.Bitmap, offsets}, []arrow.ArrayData{items}, valid.Nulls, 0), nil
}

func (l *lists) offsets(mem memory.Allocator) (*memory.Buffer, error) {
	if l.in.Layout.Form == columnar.FormList64 {
		return offsetBuffer[int64](l.ends, mem), nil
	}
	if n := len(l.ends); n > 0 && l.ends[n-1] > math.MaxInt32 {
		return nil, fmt.Errorf("%w: %d list items in one output batch of type %s", ErrTooLarge, l.ends[n-1], l.t)
	}
	return offsetBuffer[int32](l.ends, mem), nil
}

// offsetBuffer makes Arrow offsets of where values end.
func offsetBuffer[O int32 | int64](ends []int, mem memory.Allocator) *memory.Buffer {
	b, offsets := newOffsets[O](len(ends), mem)
	for i, end := range ends {
		offsets[i+1] = O(end)
	}
	return b
}

// newOffsets makes a buffer for the offsets of n values, of which the first is 0.
func newOffsets[O int32 | int64](n int, mem memory.Allocator) (*memory.Buffer, []O) {
	b := columnar.NewBuffer(mem, (n+1)*int(unsafe.Sizeof(O(0))))
	offsets := unsafe.Slice((*O)(unsafe.Pointer(unsafe.SliceData(b.Bytes()))), n+1)
	offsets[0] = 0
	return b, offsets
}
