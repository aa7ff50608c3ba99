package columnar

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// TestTextViewBlocks has outputs whose buffers of text may have few bytes each.
func TestTextViewBlocks(t *testing.T) {
	for _, block := range []int{20, 21, 39, 40, 41, 1 << 30} {
		mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
		b := array.NewLargeStringBuilder(mem)
		var want []string
		for i := range 100 {
			text := strings.Repeat(fmt.Sprint(i%10), i*5%21)
			want = append(want, text)
			b.Append(text)
			if i%9 == 0 {
				b.AppendNull()
				want = append(want, "NULL")
			}
		}
		whole := b.NewArray()
		b.Release()
		in := array.NewSlice(whole, 3, int64(len(want)-2))
		want = want[3 : len(want)-2]
		views := &textViews{arrow.BinaryTypes.StringView, arrow.BinaryTypes.LargeString, mem}
		restore := SetMaxOffset(block)
		out, err := views.finish(in.Data())
		restore()
		if err != nil {
			t.Fatal(err)
		}
		for i, buf := range out.Buffers()[2:] {
			if buf.Len() > block || buf.Len() <= inlineText {
				t.Errorf("buffer %d of text has %d bytes, may have %d", i, buf.Len(), block)
			}
		}
		if n := len(out.Buffers()); block == 1<<30 && n != 3 || block == 20 && n < 40 {
			t.Errorf("%d buffers of text of %d bytes", n-2, block)
		}
		a := array.NewStringViewData(out)
		for row, text := range want {
			if got := a.ValueStr(row); got != text && (text != "NULL" || a.IsValid(row)) {
				t.Errorf("row %d is %q, want %q", row, got, text)
			}
		}
		a.Release()
		out.Release()
		restore = SetMaxOffset(19)
		if out, err := views.finish(in.Data()); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%v, error %v, want ErrTooLarge", out, err)
		}
		restore()
		in.Release()
		whole.Release()
		mem.AssertSize(t, 0)
	}
}

// TestTextViewsShare wants the bytes of long texts shared with the staged array.
func TestTextViewsShare(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	b := array.NewLargeStringBuilder(mem)
	defer b.Release()
	b.AppendValues([]string{"short", "as long as it needs to be"}, nil)
	in := b.NewArray()
	defer in.Release()
	views := &textViews{arrow.BinaryTypes.StringView, arrow.BinaryTypes.LargeString, mem}
	out, err := views.finish(in.Data())
	if err != nil {
		t.Fatal(err)
	}
	defer out.Release()
	if out.Buffers()[2] != in.Data().Buffers()[2] {
		t.Error("the text was copied")
	}
}
