package fuzz_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/maphash"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/bitutil"
)

// checkSchema compares the schema of an answer with the columns asked for: the table's fields, behind system columns if
// those are wanted.
func (p posed) checkSchema(got *arrow.Schema) string {
	fields := got.Fields()
	wanted := p.columns()
	system := len(fields) - len(wanted)
	if system < 0 || system > 0 && !p.System {
		return fmt.Sprintf("schema of the answer: %s\nwant columns %q", got, wanted)
	}
	for i, f := range fields[:system] {
		if !p.isSystem(f.Name) {
			return fmt.Sprintf("column %d of the answer, %q, is no system column", i, f.Name)
		}
		if p.Views && !arrow.TypeEqual(f.Type, viewsOf(f.Type)) {
			return fmt.Sprintf("system column %q has type %s, not views", f.Name, f.Type)
		}
	}
	for i, name := range wanted {
		of, _ := p.problem.Schema.FieldsByName(name)
		want := of[0]
		if p.Views {
			want.Type = viewsOf(want.Type)
		}
		if f := fields[system+i]; !f.Equal(want) {
			return fmt.Sprintf("column %d of the answer is %v, want %v", system+i, f, want)
		}
	}
	return ""
}

// viewsOf returns the type that a column has in an answer with views of text.
func viewsOf(t arrow.DataType) arrow.DataType {
	switch t.ID() {
	case arrow.STRING, arrow.LARGE_STRING:
		return arrow.BinaryTypes.StringView
	case arrow.BINARY, arrow.LARGE_BINARY:
		return arrow.BinaryTypes.BinaryView
	}
	return t
}

func (p posed) isSystem(name string) bool {
	for _, key := range p.trimmedKey() {
		if name == "_KEY_"+key {
			return true
		}
	}
	return name == "_SEQUENCE_NUMBER" || name == "_VALUE_KIND"
}

// checkRecord returns what is wrong with a record as such: its schema, lengths, null counts, offsets, buffer sizes.
func checkRecord(rec arrow.Record, schema *arrow.Schema, most int) string {
	switch {
	case !rec.Schema().Equal(schema):
		return fmt.Sprintf("schema of the record: %s\nof the reader: %s", rec.Schema(), schema)
	case int(rec.NumCols()) != schema.NumFields():
		return fmt.Sprintf("%d columns for %d fields", rec.NumCols(), schema.NumFields())
	case rec.NumRows() == 0:
		return "a record without rows"
	case most > 0 && rec.NumRows() > int64(most):
		return fmt.Sprintf("%d rows in a record, at most %d were asked for", rec.NumRows(), most)
	}
	for i, column := range rec.Columns() {
		if wrong := checkArray(column, schema.Field(i), int(rec.NumRows())); wrong != "" {
			return fmt.Sprintf("column %q: %s", schema.Field(i).Name, wrong)
		}
	}
	return ""
}

func checkArray(a arrow.Array, f arrow.Field, rows int) string {
	switch {
	case !arrow.TypeEqual(a.DataType(), f.Type):
		return fmt.Sprintf("type %s, want %s", a.DataType(), f.Type)
	case a.Len() != rows || a.Data().Len() != rows:
		return fmt.Sprintf("%d values in a record of %d rows", a.Len(), rows)
	}
	if f.Type.ID() == arrow.NULL || rows == 0 {
		return ""
	}
	if wrong := checkNulls(a); wrong != "" {
		return wrong
	}
	switch width := fixedBits(f.Type); {
	case isNested(f.Type):
		return checkNested(a)
	case width > 0:
		return checkFixed(a.Data(), width)
	case f.Type.ID() == arrow.BINARY_VIEW || f.Type.ID() == arrow.STRING_VIEW:
		return checkViews(a.Data())
	case arrow.IsLargeBinaryLike(f.Type.ID()):
		return checkOffsets(a.Data(), 8, valueBytes(a.Data()))
	default:
		return checkOffsets(a.Data(), 4, valueBytes(a.Data()))
	}
}

// checkViews checks that the headers of the rows lead to bytes that are there and begin as the headers say, or are padded with
// zeros.
func checkViews(d arrow.ArrayData) string {
	headers := arrow.ViewHeaderTraits.CastFromBytes(d.Buffers()[1].Bytes())
	if len(headers) < d.Offset()+d.Len() {
		return fmt.Sprintf("%d views for rows %d to %d", len(headers), d.Offset(), d.Offset()+d.Len())
	}
	for row, h := range headers[d.Offset() : d.Offset()+d.Len()] {
		if h.IsInline() {
			var want arrow.ViewHeader
			if want.SetBytes(h.InlineBytes()); h != want {
				return fmt.Sprintf("row %d is the view %v, want %v", row, h, want)
			}
			continue
		}
		at, from, end := int(h.BufferIndex())+2, int(h.BufferOffset()), int(h.BufferOffset())+h.Len()
		if at < 2 || at >= len(d.Buffers()) || from < 0 || end > d.Buffers()[at].Len() {
			return fmt.Sprintf("row %d is a view of bytes up to %d of buffer %d", row, end, at)
		}
		if prefix := h.Prefix(); !bytes.HasPrefix(d.Buffers()[at].Bytes()[from:end], prefix[:]) {
			return fmt.Sprintf("row %d is a view of another text than one that begins with %q", row, prefix)
		}
	}
	return ""
}

func isNested(dt arrow.DataType) bool {
	_, nested := dt.(arrow.NestedType)
	return nested
}

// checkNested checks the offsets of a list or map, and the arrays inside.
func checkNested(a arrow.Array) string {
	switch a := a.(type) {
	case *array.Struct:
		for i, f := range a.DataType().(*arrow.StructType).Fields() {
			if wrong := checkArray(a.Field(i), f, a.Len()); wrong != "" {
				return fmt.Sprintf("field %q: %s", f.Name, wrong)
			}
		}
	case array.ListLike:
		values := a.ListValues()
		if wrong := checkOffsets(a.Data(), 4, values.Len()); wrong != "" {
			return wrong
		}
		return checkArray(values, arrow.Field{Type: values.DataType()}, values.Len())
	}
	return ""
}

// checkNulls counts the zeros in the validity buffer and compares them with what the array says.
func checkNulls(a arrow.Array) string {
	data := a.Data()
	nulls := 0
	if valid := data.Buffers()[0]; valid != nil {
		if valid.Len() < int(bitutil.BytesForBits(int64(data.Offset()+data.Len()))) {
			return fmt.Sprintf("%d bytes of validity for %d values at array offset %d", valid.Len(), data.Len(), data.Offset())
		}
		nulls = data.Len() - bitutil.CountSetBits(valid.Bytes(), data.Offset(), data.Len())
	}
	if a.NullN() != nulls {
		return fmt.Sprintf("null count %d, %d zeros in the validity buffer", a.NullN(), nulls)
	}
	return ""
}

// fixedBits is the width of a value in bits, 0 if it varies.
func fixedBits(t arrow.DataType) int {
	if fixed, ok := t.(arrow.FixedWidthDataType); ok {
		return fixed.BitWidth()
	}
	return 0
}

func checkFixed(data arrow.ArrayData, width int) string {
	if len(data.Buffers()) != 2 || data.Buffers()[1] == nil {
		return "no buffer of values"
	}
	if need := bitutil.BytesForBits(int64(data.Offset()+data.Len()) * int64(width)); data.Buffers()[1].Len() < int(need) {
		return fmt.Sprintf("%d bytes of values, %d are needed", data.Buffers()[1].Len(), need)
	}
	return ""
}

// checkOffsets wants ascending offsets of the given width into so many bytes, or elements, of values.
func checkOffsets(data arrow.ArrayData, width, values int) string {
	if len(data.Buffers()) < 2 || data.Buffers()[1] == nil {
		return "no buffer of offsets"
	}
	if have, need := data.Buffers()[1].Len(), (data.Offset()+data.Len()+1)*width; have < need {
		return fmt.Sprintf("%d bytes of offsets, %d are needed", have, need)
	}
	last := offsetAt(data, 0, width)
	for i := 1; i <= data.Len(); i++ {
		next := offsetAt(data, i, width)
		if next < last {
			return fmt.Sprintf("offset %d is %d, behind %d", i, next, last)
		}
		last = next
	}
	if first := offsetAt(data, 0, width); first < 0 || last > int64(values) {
		return fmt.Sprintf("offsets from %d to %d in %d bytes or elements of values", first, last, values)
	}
	return ""
}

func valueBytes(data arrow.ArrayData) int {
	if len(data.Buffers()) < 3 || data.Buffers()[2] == nil {
		return 0
	}
	return data.Buffers()[2].Len()
}

// offsetAt reads the i-th offset of the array.
func offsetAt(data arrow.ArrayData, i, width int) int64 {
	b := data.Buffers()[1].Bytes()[(data.Offset()+i)*width:]
	if width == 8 {
		return int64(binary.LittleEndian.Uint64(b))
	}
	return int64(int32(binary.LittleEndian.Uint32(b)))
}

var printSeed = maphash.MakeSeed()

// fingerprint reads every bit that belongs to the record's rows, those under NULLs included.
func fingerprint(rec arrow.Record) uint64 {
	var h maphash.Hash
	h.SetSeed(printSeed)
	for _, column := range rec.Columns() {
		writeData(&h, column.Data())
	}
	return h.Sum64()
}

// writeData reads an array; of a nested one, all there is inside, whether or not it belongs to a row.
func writeData(h *maphash.Hash, data arrow.ArrayData) {
	if data.Len() == 0 || data.DataType().ID() == arrow.NULL {
		return
	}
	if valid := data.Buffers()[0]; valid != nil {
		writeBits(h, valid.Bytes(), data.Offset(), data.Len())
	}
	if !isNested(data.DataType()) {
		writeValues(h, data)
		return
	}
	if len(data.Buffers()) > 1 {
		h.Write(data.Buffers()[1].Bytes()[4*data.Offset() : 4*(data.Offset()+data.Len()+1)])
	}
	for _, inside := range data.Children() {
		writeData(h, inside)
	}
}

func writeValues(h *maphash.Hash, data arrow.ArrayData) {
	values := data.Buffers()[1].Bytes()
	switch width := fixedBits(data.DataType()); {
	case width == 1:
		writeBits(h, values, data.Offset(), data.Len())
	case width > 0:
		h.Write(values[data.Offset()*width/8 : (data.Offset()+data.Len())*width/8])
	case data.DataType().ID() == arrow.STRING_VIEW || data.DataType().ID() == arrow.BINARY_VIEW:
		writeViews(h, data)
	default:
		width = 4
		if arrow.IsLargeBinaryLike(data.DataType().ID()) {
			width = 8
		}
		h.Write(values[data.Offset()*width : (data.Offset()+data.Len()+1)*width])
		if data.Buffers()[2] != nil {
			h.Write(data.Buffers()[2].Bytes()[offsetAt(data, 0, width):offsetAt(data, data.Len(), width)])
		}
	}
}

// writeViews reads views and the texts they point to.
func writeViews(h *maphash.Hash, data arrow.ArrayData) {
	headers := arrow.ViewHeaderTraits.CastFromBytes(data.Buffers()[1].Bytes())[data.Offset() : data.Offset()+data.Len()]
	h.Write(arrow.ViewHeaderTraits.CastToBytes(headers))
	for i := range headers {
		if v := &headers[i]; !v.IsInline() {
			h.Write(viewAt(data, v))
		}
	}
}

// viewAt returns the text of a view of a column.
func viewAt(data arrow.ArrayData, v *arrow.ViewHeader) []byte {
	if v.IsInline() {
		return v.InlineBytes()
	}
	return data.Buffers()[2+v.BufferIndex()].Bytes()[v.BufferOffset():][:v.Len()]
}

// writeBits reads n bits from bit from on, those behind the last in its byte as zeros.
func writeBits(h *maphash.Hash, b []byte, from, n int) {
	shift := uint(from % 8)
	for b = b[from/8:]; n > 0; b, n = b[1:], n-8 {
		bits := b[0] >> shift
		if shift > 0 && n > 8-int(shift) {
			bits |= b[1] << (8 - shift)
		}
		if n < 8 {
			bits &= 1<<n - 1
		}
		h.WriteByte(bits)
	}
}
