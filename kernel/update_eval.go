package kernel

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/internal/expression"
	"github.com/braidmerge/braid/validity"
)

// evaluation evaluates the actions of an update over the rows of one frame after another: the rows of a window, or, where there is
// a source, the rows of the window that the source's rows meet, as often as they do.
type evaluation struct {
	update *Update
	frame  *expression.Frame
	rows   *RowRange
	id     func(row int) int64 // the row id of a row of the frame

	conditions []*expression.Evaluator // by action; nil for those without a parsed condition
	values     [][]*expression.Evaluator

	taken [][]uint64 // by action: mask of the rows it is taken for
	open  []uint64   // rows that no action has been taken for
}

func newEvaluation(u *Update, frame *expression.Frame, r *RowRange) *evaluation {
	e := &evaluation{update: u, frame: frame, rows: r, taken: make([][]uint64, len(u.actions))}
	for i := range u.actions {
		a := &u.actions[i]
		var condition *expression.Evaluator
		if a.when != nil && a.when.parsed != nil {
			condition = a.when.parsed.NewEvaluator(u.place)
		}
		e.conditions = append(e.conditions, condition)
		values := make([]*expression.Evaluator, len(a.set))
		for j := range a.set {
			if p := a.set[j].parsed; p != nil {
				values[j] = p.NewEvaluator(u.place)
			}
		}
		e.values = append(e.values, values)
	}
	return e
}

// match finds out which action is taken for which of the rows that are there, nil for all, and says whether any is.
func (e *evaluation) match(here []uint64) (any bool, err error) {
	n := e.frame.Rows()
	e.open = zeroed(e.open, n)
	if here == nil {
		validity.Fill(e.open, n)
	} else {
		copy(e.open, here)
	}
	for i := range e.update.actions {
		taken := zeroed(e.taken[i], n)
		e.taken[i] = taken
		if !validity.Any(e.open) {
			continue
		}
		if err := e.take(i, taken); err != nil {
			return false, err
		}
		for k, mask := range taken {
			e.open[k] &^= mask
		}
		any = any || len(e.update.actions[i].set) > 0 && validity.Any(taken)
	}
	return any, nil
}

// take sets the rows, of those that are open, that an action is taken for.
func (e *evaluation) take(i int, taken []uint64) error {
	copy(taken, e.open)
	when := e.update.actions[i].when
	switch {
	case when == nil:
		return nil
	case e.conditions[i] != nil:
		mask, err := e.conditions[i].True(e.frame, e.open)
		copy(taken, mask)
		return blameRow(e.rows, "", err, e.id)
	}
	return e.ask(when, taken)
}

// ask clears the rows for which a condition of the caller's is not true.
func (e *evaluation) ask(when *Condition, taken []uint64) error {
	rec, err := e.record(when.Columns, when.SourceColumns)
	if err != nil {
		return err
	}
	defer rec.Release()
	answer, err := when.Eval(rec)
	if err != nil {
		return fmt.Errorf("%scondition: %w", e.rows.prefix(), err)
	}
	defer answer.Release()
	v, err := columnar.NewView(answer.Data())
	if err != nil {
		return err
	}
	if v.Rows != e.frame.Rows() {
		return fmt.Errorf("%w: %scondition: %d answers for %d rows", ErrSchema, e.rows.prefix(), v.Rows, e.frame.Rows())
	}
	if v.Rows == 0 {
		return nil
	}
	mask := make([]uint64, len(taken))
	v.BoolMask(mask)
	for i := range taken {
		taken[i] &= mask[i]
	}
	v.ValidMask(mask)
	for i := range taken {
		taken[i] &= mask[i]
	}
	return nil
}

// record makes a record of columns of the frame.
func (e *evaluation) record(table, source []string) (arrow.Record, error) {
	var fields []arrow.Field
	var columns []arrow.Array
	for _, r := range refs(table, source) {
		field, err := e.update.scope().Field(r)
		if err != nil {
			return nil, err
		}
		d := e.frame.Data(e.update.place(r))
		a := array.MakeFromData(d)
		defer a.Release()
		fields = append(fields, arrow.Field{Name: r.Name, Type: d.DataType(), Nullable: field.Nullable})
		columns = append(columns, a)
	}
	return array.NewRecord(arrow.NewSchema(fields, nil), columns, int64(e.frame.Rows())), nil
}

// value returns the values of an assignment of an action, in the staged type of the column. Only those of the rows it is taken
// for count, and they are good until the next. They may be written to place, which is nil or has room for those of all rows. The
// caller releases them.
func (e *evaluation) value(i, j int, place []byte) (arrow.ArrayData, error) {
	set := &e.update.actions[i].set[j]
	if e.values[i][j] != nil {
		d, err := e.values[i][j].Values(e.frame, e.taken[i], place)
		return d, blameRow(e.rows, set.Column, err, e.id)
	}
	rec, err := e.record(set.Columns, set.SourceColumns)
	if err != nil {
		return nil, err
	}
	defer rec.Release()
	a, err := set.Eval(rec)
	if err != nil {
		return nil, fmt.Errorf("%scolumn %q: %w", e.rows.prefix(), set.Column, err)
	}
	defer a.Release()
	encoding := e.frame.Encoding(set.target)
	field := e.update.table.Field(e.update.targets[set.target])
	switch d := a.Data(); {
	case d.Len() != e.frame.Rows():
		return nil, fmt.Errorf("%w: %scolumn %q: %d values for %d rows", ErrSchema, e.rows.prefix(), set.Column, d.Len(), e.frame.Rows())
	case arrow.TypeEqual(d.DataType(), field.Type):
		return encoding.Load(d)
	case arrow.TypeEqual(d.DataType(), encoding.Staged()):
		d.Retain()
		return d, nil
	default:
		return nil, fmt.Errorf("%w: %scolumn %q: values of type %s, not %s", ErrSchema, e.rows.prefix(), set.Column, d.DataType(), field.Type)
	}
}

// int64Data sees numbers as a column without copying them.
func int64Data(numbers []int64) arrow.ArrayData {
	b := memory.NewBufferBytes(arrow.Int64Traits.CastToBytes(numbers))
	return array.NewData(arrow.PrimitiveTypes.Int64, len(numbers), []*memory.Buffer{nil, b}, nil, 0, 0)
}
