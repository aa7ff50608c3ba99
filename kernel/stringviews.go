package kernel

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/braidmerge/braid/columnar"
)

// WithStringViews puts columns of text, those of type utf8, large_utf8, binary and large_binary, out as utf8_view and binary_view:
// of every row 16 bytes are written, and texts of more than 12 bytes stay where the inputs have them.
//
//	run 0    "a text of the older file"       a record    view of run 0's buffer
//	run 1    "and one of the newer"                       view of run 1's buffer
//	         "inline"                                     "inline"
//
// A record retains the whole text buffer of every input record that its window had rows of, selected or not, if one of these has
// a text of more than 12 bytes. So long as it lives, they do: who holds many records holds the inputs. Memory limits and Stats
// count the views, and of the inputs only what the merge itself has in hand.
//
// Where an input is decoded, by a mapping, a deletion vector that leaves single rows, a column of views or a dictionary that is put
// out plain, that moves its texts once, into a buffer for each batch. What functions fold, and the column of
// partial-update-validity, come in a buffer of the record's own. The `_KEY_` columns of KeepSystemColumns are views too.
// Dictionaries, run-end encodings, extension types, and text within lists, maps and structs stay as they are.
//
// An input buffer of more than 2 GiB becomes several, and one text of more is ErrTooLarge. WithCopy, which wants records without a
// byte of the inputs, and WithChangelog, which compares results as text, do not go with it: ErrOption.
func WithStringViews() MergeOption { return func(c *config) { c.views = true } }

// viewBytes is how many bytes a view has.
const viewBytes = int64(arrow.ViewHeaderSizeBytes)

// viewTexts has the columns of text put out as views.
func (in *inputs) viewTexts() {
	for i := range in.keys {
		in.keys[i].views, _ = columnar.ViewType(in.keys[i].staged)
	}
	for i := range in.values {
		in.values[i].views, _ = columnar.ViewType(in.values[i].encoding.Output())
	}
}

// key returns the type of a key column in records.
func (i *input) key() arrow.DataType {
	if i.views != nil {
		return i.views
	}
	return i.staged
}

// output returns the type of a value column in records.
func (i *input) output() arrow.DataType {
	if i.views != nil {
		return i.views
	}
	return i.encoding.Output()
}

// asText returns the column as one that is not put out as views.
func (i *input) asText() *input {
	if i.views == nil {
		return i
	}
	text := *i
	text.views = nil
	return &text
}

// movedViews takes the selected rows of a column of text as views.
func (c *columns) movedViews(input *input, shape *columnar.Shape, sel []uint32, valid columnar.Validity) (arrow.ArrayData, error) {
	if err := c.staged.StageViews(shape); err != nil {
		return nil, err
	}
	data := c.staged.TakeViews(input.views, sel, valid, c.mem)
	for _, text := range data.Buffers()[2:] {
		c.borrowed += int64(text.Len())
	}
	return data, nil
}

// viewed makes views of a column that may have come out as text of its own. It takes data over.
func (m *merger) viewed(out *outputColumn, data arrow.ArrayData) (arrow.ArrayData, error) {
	input := m.in.at(out.place)
	if arrow.TypeEqual(data.DataType(), input.views) {
		return data, nil
	}
	defer data.Release()
	views, err := columnar.TextViews(data, input.views, m.columns.mem)
	if err != nil {
		return nil, fmt.Errorf("column %q: %w", out.field.Name, err)
	}
	return views, nil
}

// slicedViews makes a column of rows [from, to) of a batch, whose offsets have been checked.
func (m *merger) slicedViews(b *batch, place, from, to int) (arrow.ArrayData, error) {
	input := m.in.at(place)
	rows := array.NewSliceData(b.data[place], int64(from), int64(to))
	defer rows.Release()
	views, err := columnar.TextViews(rows, input.views, m.columns.mem)
	if err != nil {
		return nil, b.blame(-1, input.name, err)
	}
	return views, nil
}

// viewsOf returns how many bytes of views so many rows of output have.
func (m *merger) viewsOf(rows int) (bytes int64) {
	each := int64(rows) * viewBytes
	for i := range m.in.keys {
		if m.cfg.keepSystem && m.in.keys[i].views != nil {
			bytes += each
		}
	}
	for i := range m.output {
		if m.in.at(m.output[i].place).views != nil {
			bytes += each
		}
	}
	return bytes
}

// viewsNeed is about how many bytes views of the rows of a window need, staged and put out, beside what text would.
func (m *merger) viewsNeed(rows int) int64 {
	out := m.viewsOf(rows)
	if out == 0 {
		return 0
	}
	return out + 5*int64(rows)*viewBytes/4
}

// ownBytes returns the bytes of the buffers of the record just made, without those of the inputs.
func (m *merger) ownBytes(rec arrow.Record) int64 {
	if rec == nil {
		return 0
	}
	return bytesOf(rec) - m.columns.borrowed
}

// sliceBytes returns how many bytes rows [from, to) of a batch have in a slice, at a place among its views.
func (m *merger) sliceBytes(b *batch, place, from, to int) int64 {
	if m.in.at(place).views == nil {
		return b.views[place].BytesIn(from, to)
	}
	return int64(to-from) * viewBytes
}
