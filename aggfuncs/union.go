package aggfuncs

import (
	"errors"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// union is a function of bytes that stand for sets: bitmaps and sketches. Bytes are read only where there is something to
// unite them with; a value that is alone in its group but for NULLs stays as it is.
type union struct {
	texts
	options Options
	in      *columnar.View
	masks   rowMasks
	codec   codec
	written []byte // scratch: the bytes of results
}

// codec holds what is accumulated in a group, read from bytes. Its methods are called once for a value that is united.
type codec interface {
	// begin reads the first value. Errors are ErrCorrupt.
	begin(value []byte) error
	// unite reads another value and unites it with what there is; before says that it comes first.
	unite(value []byte, before bool) error
	// appendTo appends the bytes of what is accumulated.
	appendTo(dst []byte) []byte
}

// newUnion makes a union for a column of bytes of no fixed length.
func newUnion(f arrow.Field, o Options, c codec) (Rule, error) {
	name, id := root(tableType(f)), storage(f.Type).ID()
	if name != "VARBINARY" && name != "BYTES" || id != arrow.BINARY && id != arrow.LARGE_BINARY {
		return Rule{}, errors.New("it works on VARBINARY and BYTES only")
	}
	return Rule{Function: &union{texts: texts{t: f.Type}, options: o, codec: c}}, nil
}

// Fold is Function.Fold.
func (u *union) Fold(g *Groups, in *columnar.View, mem memory.Allocator) (arrow.ArrayData, error) {
	if err := g.refuse(&u.options); err != nil {
		return nil, err
	}
	u.in, u.written = in, u.written[:0]
	u.clear()
	acc := accumulator{}
	for row, st := range u.masks.stepsOf(g, in, u.options.IgnoreRetract) {
		if st&stepReset != 0 {
			acc = accumulator{}
		}
		if st&stepSet != 0 {
			acc = accumulator{accRow, row}
			if st&stepNull != 0 {
				acc = accumulator{}
			}
		}
		if st&(stepSkip|stepNull) == 0 {
			var err error
			if acc, err = u.add(acc, row, st&stepLate != 0); err != nil {
				return nil, &Fault{Row: row, Err: err}
			}
		}
		if st&stepEnd != 0 {
			if st&stepDrop == 0 {
				u.emit(acc)
			}
			acc = accumulator{}
		}
	}
	data, err := u.build(mem)
	clear(u.pieces) // they are the window's
	return data, err
}

// add brings the value of a row into the accumulator.
func (u *union) add(acc accumulator, row int, late bool) (accumulator, error) {
	switch acc.state {
	case accNull:
		return accumulator{accRow, row}, nil
	case accRow:
		if err := u.codec.begin(u.in.Text(acc.row)); err != nil {
			return acc, err
		}
	}
	return accumulator{state: accChain}, u.codec.unite(u.in.Text(row), late)
}

// emit adds a result.
func (u *union) emit(acc accumulator) {
	switch acc.state {
	case accRow:
		u.pieces = append(u.pieces, u.in.Text(acc.row))
	case accChain:
		at := len(u.written)
		u.written = u.codec.appendTo(u.written)
		u.pieces = append(u.pieces, u.written[at:])
	}
	u.results = append(u.results, textResult{len(u.pieces), acc.state == accNull})
}
