package rungen

import (
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
)

// spoil puts the spec's fault into one of the runs, if it belongs there and finds a place.
func (m *maker) spoil(runs []run) {
	src := stream(m.Seed, "fault", -1)
	for _, r := range src.permutation(len(runs)) {
		if runs[r].rows > 0 && m.spoilRun(&runs[r], src) {
			return
		}
	}
}

// spoilRun puts the fault into a run that has rows and reports whether it could.
func (m *maker) spoilRun(r *run, src *source) bool {
	row := src.intn(r.rows)
	switch m.Fault {
	case BadKind:
		return r.replace("_VALUE_KIND", row, int32(noKind+src.intn(kindBytes.size-noKind)))
	case BadKindText:
		return r.replace("rk", row, int32(2*noKind+src.intn(kindTexts.size-2*noKind)))
	case NullKind:
		return r.clear("rk", row)
	case NullValue:
		at := slices.IndexFunc(m.columns, func(c tableColumn) bool {
			return c.role == valueRole && c.NotNull && c.dt.ID() != arrow.NULL
		})
		return at >= 0 && r.clear(m.columns[at].Name, row)
	case MissingKey:
		r.drop("_KEY_" + m.keyField(0).Name)
		return r.drop(m.keyField(0).Name)
	case OtherType:
		at := slices.IndexFunc(m.columns, func(c tableColumn) bool { return c.role == valueRole })
		return at >= 0 && r.retype(m.columns[at].Name, otherType(m.columns[at].dt), src)
	case LostColumn:
		last := len(r.cells) - 1
		return m.columns[len(m.columns)-1].role == valueRole && r.drop(r.schema.Field(last).Name)
	case Misnumbered:
		return r.retype("_SEQUENCE_NUMBER", arrow.PrimitiveTypes.Int32, src)
	default:
		return true
	}
}

func otherType(dt arrow.DataType) arrow.DataType {
	if dt.ID() == arrow.INT32 {
		return arrow.BinaryTypes.String
	}
	return arrow.PrimitiveTypes.Int32
}

// find returns the position of the named column, or -1.
func (r *run) find(name string) int {
	return slices.IndexFunc(r.schema.Fields(), func(f arrow.Field) bool { return f.Name == name })
}

// replace gives a cell another position in its pool. It returns false if there is no such column.
func (r *run) replace(name string, row int, position int32) bool {
	i := r.find(name)
	if i < 0 {
		return false
	}
	r.cells[i].at[row] = position
	return true
}

// clear makes a cell NULL.
func (r *run) clear(name string, row int) bool {
	i := r.find(name)
	if i < 0 {
		return false
	}
	if r.cells[i].valid == nil {
		r.cells[i].valid = validMask(AllValid, r.rows, nil)
	}
	r.cells[i].valid.clear(row)
	return true
}

// drop leaves a column out.
func (r *run) drop(name string) bool {
	i := r.find(name)
	if i < 0 {
		return false
	}
	r.cells = slices.Delete(slices.Clone(r.cells), i, i+1)
	r.schema = arrow.NewSchema(slices.Delete(slices.Clone(r.schema.Fields()), i, i+1), nil)
	return true
}

// retype gives a column another type and other values.
func (r *run) retype(name string, dt arrow.DataType, src *source) bool {
	i := r.find(name)
	if i < 0 {
		return false
	}
	fields := slices.Clone(r.schema.Fields())
	fields[i].Type = dt
	r.schema = arrow.NewSchema(fields, nil)
	r.cells[i] = randomCells(newPool(dt, "", 16, src), NoNulls, r.rows, src)
	return true
}
