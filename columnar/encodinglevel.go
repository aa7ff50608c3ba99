package columnar

import (
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// level is one level of the type of a column, with its types before, between and after.
type level struct {
	in, staged, out arrow.DataType
	layout          Layout // of the staged type
	maxRows         int    // of one array of the output type
	codec           codec  // nil where the arrays of the level and all below are good as they are
}

// codec converts the arrays of a level. All methods return arrays that the caller releases.
type codec interface {
	// load takes an array of the level's own type, sliced anywhere, and trusts nothing in it but its type's ID.
	load(d arrow.ArrayData) (arrow.ArrayData, error)
	// finish takes an array of the staged type, sliced anywhere.
	finish(d arrow.ArrayData) (arrow.ArrayData, error)
	// encode takes an array of the key type, sliced anywhere, and makes one of the staged type.
	encode(d arrow.ArrayData) (arrow.ArrayData, error)
}

func (l *level) load(d arrow.ArrayData) (arrow.ArrayData, error) {
	if absent(d) {
		return nil, fmt.Errorf("%w: no array of type %s", ErrCorrupt, l.in)
	}
	if l.codec == nil {
		if !conforms(d, &l.layout) {
			return nil, fmt.Errorf("%w: an array of type %s, or one in it, has type %s", ErrCorrupt, l.in, d.DataType())
		}
		d.Retain()
		return d, nil
	}
	if d.DataType().ID() != l.in.ID() {
		return nil, fmt.Errorf("%w: an array of type %s where the column has type %s", ErrCorrupt, d.DataType(), l.in)
	}
	return l.codec.load(d)
}

func (l *level) finish(d arrow.ArrayData) (arrow.ArrayData, error) {
	if l.codec == nil {
		d.Retain()
		return d, nil
	}
	return l.codec.finish(d)
}

// absent says whether there is no array data behind d.
func absent(d arrow.ArrayData) bool {
	data, ok := d.(*array.Data)
	return !ok || data == nil
}

// conforms says whether array data and its children have the layouts of their types in the column, so that they can be
// moved by those.
func conforms(d arrow.ArrayData, want *Layout) bool {
	if absent(d) {
		return false
	}
	got, err := LayoutOf(d.DataType())
	if err != nil || got.Form != want.Form || got.Width != want.Width || len(got.Children) != len(want.Children) {
		return false
	}
	if d.Len() == 0 && len(d.Children()) == 0 {
		return true
	}
	if len(d.Children()) != len(want.Children) {
		return false
	}
	for i, child := range d.Children() {
		if !conforms(child, &want.Children[i]) {
			return false
		}
	}
	return true
}

// compiler makes the levels of a type.
type compiler struct {
	plain        bool // values in place of dictionaries
	keys         bool // nothing is put out
	mem          memory.Allocator
	dictionaries []*dictionary // made so far, to be released by the caller
}

func (c *compiler) level(t arrow.DataType) (*level, error) {
	switch t := t.(type) {
	case *arrow.DictionaryType:
		return c.dictionary(t)
	case *arrow.RunEndEncodedType:
		return c.runEnds(t)
	case *arrow.StringViewType:
		return c.textViews(t, arrow.BinaryTypes.LargeString)
	case *arrow.BinaryViewType:
		return c.textViews(t, arrow.BinaryTypes.LargeBinary)
	case *arrow.ListViewType, *arrow.LargeListViewType:
		return c.listViews(t.(arrow.ListLikeType))
	case *arrow.ListType, *arrow.LargeListType, *arrow.FixedSizeListType, *arrow.MapType, *arrow.StructType:
		return c.nested(t)
	case arrow.ExtensionType:
		return c.extension(t)
	}
	return c.identity(t)
}

// identity makes the level of a type that needs no work.
func (c *compiler) identity(t arrow.DataType) (*level, error) {
	if t == nil {
		return nil, fmt.Errorf("%w: no type", ErrSchema)
	}
	layout, err := LayoutOf(t)
	if err != nil {
		return nil, err
	}
	return &level{in: t, staged: t, out: t, layout: layout, maxRows: math.MaxInt}, nil
}

// converted makes the level of a type that needs the work of a codec.
func (c *compiler) converted(t, staged, out arrow.DataType, codec codec) (*level, error) {
	layout, err := LayoutOf(staged)
	if err != nil {
		return nil, err
	}
	return &level{in: t, staged: staged, out: out, layout: layout, maxRows: math.MaxInt, codec: codec}, nil
}
