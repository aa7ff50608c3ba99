package columnar_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// textDictionary makes an array of texts, "-" for NULL, by way of a dictionary of some.
func textDictionary(t testing.TB, mem memory.Allocator, index arrow.DataType, dictionary []string, indices ...int) arrow.ArrayData {
	t.Helper()
	b := array.NewStringBuilder(mem)
	defer b.Release()
	for _, s := range dictionary {
		if s == "-" {
			b.AppendNull()
		} else {
			b.Append(s)
		}
	}
	values := b.NewArray()
	defer values.Release()
	return indexed(mem, index, values.Data(), indices)
}

func indexed(mem memory.Allocator, index arrow.DataType, values arrow.ArrayData, indices []int) arrow.ArrayData {
	var bytes []byte
	for _, i := range indices {
		bytes = number(bytes, byteWidth(index), i)
	}
	buf := newBuffer(mem, bytes)
	defer buf.Release()
	dictionary, _ := values.(*array.Data)
	return array.NewDataWithDictionary(dictionaryOf(index, values.DataType()), len(indices), []*memory.Buffer{nil, buf}, 0, 0, dictionary)
}

// finishLoaded loads an array and finishes it at once.
func finishLoaded(t testing.TB, enc *columnar.Encoding, d arrow.ArrayData) (arrow.ArrayData, error) {
	t.Helper()
	loaded, err := enc.Load(d)
	if err != nil {
		return nil, err
	}
	defer loaded.Release()
	return enc.Finish(loaded)
}

// TestDictionaries states the one dictionary of a merge after each batch, and the rows.
func TestDictionaries(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	enc, err := columnar.NewEncoding(dictionaryOf(arrow.PrimitiveTypes.Int8, arrow.BinaryTypes.String), false, mem)
	if err != nil {
		t.Fatal(err)
	}
	defer enc.Release()
	for _, c := range []struct {
		dictionary []string
		indices    []int
		unified    string
		rows       string
	}{
		{nil, nil, "", ""},
		{[]string{"x", "-"}, []int{0, 1}, "x", "x NULL"},
		{[]string{"y", "x", "y", ""}, []int{2, 1, 0, 3}, "x y ", "y x y "},
		{[]string{"-"}, []int{0, 0}, "x y ", "NULL NULL"},
		{[]string{"z", "x"}, []int{1, 1}, "x y  z", "x x"},
	} {
		d := textDictionary(t, mem, arrow.PrimitiveTypes.Int8, c.dictionary, c.indices...)
		out, err := finishLoaded(t, enc, d)
		if err != nil {
			t.Fatal(err)
		}
		a := array.NewDictionaryData(out)
		var unified, rows []string
		for i := range a.Dictionary().Len() {
			unified = append(unified, a.Dictionary().(*array.String).Value(i))
		}
		for i := range a.Len() {
			rows = append(rows, strings.Trim(plainly(a, i), `"`))
		}
		if got := strings.Join(unified, " "); got != c.unified {
			t.Errorf("dictionary %q, want %q", got, c.unified)
		}
		if got := strings.Join(rows, " "); got != c.rows {
			t.Errorf("rows %q, want %q", got, c.rows)
		}
		a.Release()
		out.Release()
		d.Release()
	}
}

// TestDictionaryShared wants one dictionary for all outputs until a value comes, and outputs that outlive the encoding.
func TestDictionaryShared(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	enc, err := columnar.NewEncoding(dictionaryOf(arrow.PrimitiveTypes.Int16, arrow.BinaryTypes.String), false, mem)
	if err != nil {
		t.Fatal(err)
	}
	var outs []arrow.ArrayData
	for batch := range 40 {
		d := textDictionary(t, mem, arrow.PrimitiveTypes.Int16, []string{fmt.Sprint("value ", batch/2), "x"}, 0, 1, 0)
		out, err := finishLoaded(t, enc, d)
		if err != nil {
			t.Fatal(err)
		}
		d.Release()
		outs = append(outs, out)
		if batch%2 == 1 && outs[batch].Dictionary() != outs[batch-1].Dictionary() {
			t.Errorf("batch %d has a dictionary of its own without a new value", batch)
		}
	}
	if enc.Bytes() < 300 {
		t.Errorf("%d bytes held", enc.Bytes())
	}
	enc.Release()
	for batch, out := range outs {
		a := array.NewDictionaryData(out)
		if got, want := plainly(a, 2), fmt.Sprintf("%q", fmt.Sprint("value ", batch/2)); got != want || a.Dictionary().Len() != batch/2+2 {
			t.Errorf("batch %d: %s of %d values, want %s", batch, got, a.Dictionary().Len(), want)
		}
		a.Release()
		out.Release()
	}
}

// TestDictionaryRoom fills the indices of every width.
func TestDictionaryRoom(t *testing.T) {
	for _, c := range []struct {
		index arrow.DataType
		room  int
	}{
		{arrow.PrimitiveTypes.Int8, 128}, {arrow.PrimitiveTypes.Uint8, 256}, {arrow.PrimitiveTypes.Int16, 1 << 15}, {arrow.PrimitiveTypes.Uint16, 1 << 16},
		{arrow.PrimitiveTypes.Int32, 1 << 17}, {arrow.PrimitiveTypes.Uint64, 1 << 17},
	} {
		mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
		dt := dictionaryOf(c.index, arrow.PrimitiveTypes.Int32)
		enc, err := columnar.NewEncoding(dt, false, mem)
		if err != nil {
			t.Fatal(err)
		}
		load := func(from, to int) (arrow.ArrayData, error) {
			var bytes []byte
			var indices []int
			for i := from; i < to; i++ {
				bytes, indices = number(bytes, 4, i), append(indices, i-from)
			}
			values := array.NewData(arrow.PrimitiveTypes.Int32, to-from, []*memory.Buffer{nil, memory.NewBufferBytes(bytes)}, nil, 0, 0)
			d := indexed(mem, c.index, values, indices)
			defer d.Release()
			return finishLoaded(t, enc, d)
		}
		for from := 0; from < c.room; from += c.room / 2 {
			out, err := load(from, from+c.room/2)
			if err != nil {
				t.Fatal(err)
			}
			a := array.NewDictionaryData(out)
			for i := range a.Len() {
				if v := a.Dictionary().(*array.Int32).Value(a.GetValueIndex(i)); int(v) != from+i {
					t.Fatalf("%s: row %d is %d, want %d", dt, i, v, from+i)
				}
			}
			a.Release()
			out.Release()
		}
		out, err := load(c.room, c.room+1)
		if wide := byteWidth(c.index) > 2; wide != (err == nil) {
			t.Errorf("%s: error %v with %d values", dt, err, c.room+1)
		} else if !wide && (!errors.Is(err, columnar.ErrTooLarge) || !strings.Contains(err.Error(), dt.String())) {
			t.Errorf("%s: error %v, want ErrTooLarge that names it", dt, err)
		}
		if out != nil {
			out.Release()
		}
		enc.Release()
		mem.AssertSize(t, 0)
	}
}

// TestPlainDictionaryOfWideValues has a value of a megabyte before many NULLs and small values: they cost nothing.
func TestPlainDictionaryOfWideValues(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	enc, err := columnar.NewEncoding(dictionaryOf(arrow.PrimitiveTypes.Int32, arrow.BinaryTypes.String), true, mem)
	if err != nil {
		t.Fatal(err)
	}
	defer enc.Release()
	indices := make([]int, 1<<17)
	for i := range indices {
		indices[i] = 1
	}
	indices[5] = 0
	d := textDictionary(t, mem, arrow.PrimitiveTypes.Int32, []string{strings.Repeat("w", 1<<20), "y"}, indices...)
	defer d.Release()
	loaded, err := enc.Load(d)
	if err != nil {
		t.Fatal(err)
	}
	a := array.NewStringData(loaded)
	if len(a.Value(5)) != 1<<20 || a.Value(6) != "y" {
		t.Error("wrong rows")
	}
	a.Release()
	loaded.Release()
	clear(d.Buffers()[1].Bytes())
	if _, err := enc.Load(d); !errors.Is(err, columnar.ErrTooLarge) {
		t.Errorf("128 GiB: error %v, want ErrTooLarge", err)
	}
}

// TestEncodingConcurrent loads and finishes in several goroutines.
func TestEncodingConcurrent(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer mem.AssertSize(t, 0)
	for _, plain := range []bool{false, true} {
		enc, err := columnar.NewEncoding(arrow.ListOf(arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32,
			dictionaryOf(arrow.PrimitiveTypes.Int16, arrow.BinaryTypes.String))), plain, mem)
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for seed := range uint64(4) {
			all.Go(func() {
				e := newEncoder(seed, mem)
				for range 30 {
					a := e.array(arrow.ListOf(arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, dictionaryOf(arrow.PrimitiveTypes.Int16, arrow.BinaryTypes.String))), 50, true)
					out, err := finishLoaded(t, enc, a.Data())
					if err != nil {
						t.Error(err)
						return
					}
					got := array.MakeFromData(out)
					for row := range a.Len() {
						if g, w := plainly(got, row), plainly(a, row); g != w {
							t.Errorf("row %d is %s, want %s", row, g, w)
						}
					}
					got.Release()
					out.Release()
					a.Release()
				}
			})
		}
		all.Wait()
		enc.Release()
	}
}

// TestDictionaryWithoutValues has arrays without a dictionary: NULL is all they can hold.
func TestDictionaryWithoutValues(t *testing.T) {
	for _, plain := range []bool{false, true} {
		mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
		dt := dictionaryOf(arrow.PrimitiveTypes.Int8, arrow.BinaryTypes.String)
		enc, err := columnar.NewEncoding(dt, plain, mem)
		if err != nil {
			t.Fatal(err)
		}
		none := array.NewData(dt, 3, []*memory.Buffer{memory.NewBufferBytes([]byte{0}), memory.NewBufferBytes([]byte{9, 9, 9})}, nil, 3, 0)
		out, err := finishLoaded(t, enc, none)
		if err != nil {
			t.Fatal(err)
		}
		checkRows(t, out, []string{"NULL", "NULL", "NULL"})
		out.Release()
		some := array.NewData(dt, 3, []*memory.Buffer{memory.NewBufferBytes([]byte{2}), memory.NewBufferBytes([]byte{9, 0, 9})}, nil, 2, 0)
		if _, err := enc.Load(some); !errors.Is(err, columnar.ErrCorrupt) {
			t.Errorf("error %v, want ErrCorrupt", err)
		}
		enc.Release()
		mem.AssertSize(t, 0)
	}
}

// TestOrderedDictionaries has dictionaries whose order says something: they may only be more or fewer of the same values.
func TestOrderedDictionaries(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	for _, c := range []struct {
		first, second []string
		want          error
	}{
		{[]string{"low", "high"}, []string{"low", "high"}, nil},
		{[]string{"low", "high"}, []string{"low"}, nil},
		{[]string{"low", "-"}, []string{"-", "low", "high"}, nil},
		{[]string{"low", "high"}, []string{"low", "middle", "high"}, columnar.ErrSchema},
		{[]string{"low", "high"}, []string{"high", "low"}, columnar.ErrSchema},
		{[]string{"low", "high"}, []string{"low", "highest"}, columnar.ErrSchema},
	} {
		dt := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String, Ordered: true}
		enc := newEncoding(t, dt, mem)
		for i, dictionary := range [][]string{c.first, c.second} {
			d := textDictionary(t, mem, arrow.PrimitiveTypes.Int8, dictionary, 0)
			loaded, err := enc.Load(d)
			if want := []error{nil, c.want}[i]; !errors.Is(err, want) {
				t.Errorf("%v after %v: error %v, want %v", c.second, c.first, err, want)
			}
			if err == nil {
				loaded.Release()
			}
			d.Release()
		}
		enc.Release()
	}
}
