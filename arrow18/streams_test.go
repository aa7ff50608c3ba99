package arrow18_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	v18arrow "github.com/apache/arrow-go/v18/arrow"
	v18array "github.com/apache/arrow-go/v18/arrow/array"

	"github.com/braidmerge/braid/arrow18"
	"github.com/braidmerge/braid/columnar"
)

// ending is a v17 reader that reports err when its records are at their end.
type ending struct {
	array.RecordReader
	err error
}

func (e ending) Err() error { return e.err }

// ending18 is ending for v18.
type ending18 struct {
	v18array.RecordReader
	err error
}

func (e ending18) Err() error { return e.err }

// numbers18 is a v18 reader of three records of two, one and no rows.
func numbers18(t *testing.T) v18array.RecordReader {
	_, mem18 := checked(t)
	schema := v18arrow.NewSchema([]v18arrow.Field{{Name: "n", Type: v18arrow.PrimitiveTypes.Int64}}, nil)
	var recs []v18arrow.RecordBatch
	for _, rows := range []string{`[{"n": 1}, {"n": 2}]`, `[{"n": 3}]`, `[]`} {
		rec, _, err := v18array.RecordFromJSON(mem18, schema, strings.NewReader(rows))
		if err != nil {
			t.Fatal(err)
		}
		defer rec.Release()
		recs = append(recs, rec)
	}
	r, err := v18array.NewRecordReader(schema, recs)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// numbers17 is numbers18 as a v17 reader of its own.
func numbers17(t *testing.T) array.RecordReader {
	mem17, _ := checked(t)
	schema := arrow.NewSchema([]arrow.Field{{Name: "n", Type: arrow.PrimitiveTypes.Int64}}, nil)
	var recs []arrow.Record
	for _, rows := range []string{`[{"n": 1}, {"n": 2}]`, `[{"n": 3}]`, `[]`} {
		rec, _, err := array.RecordFromJSON(mem17, schema, strings.NewReader(rows))
		if err != nil {
			t.Fatal(err)
		}
		defer rec.Release()
		recs = append(recs, rec)
	}
	r, err := array.NewRecordReader(schema, recs)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestReader(t *testing.T) {
	in := numbers17(t)
	out := arrow18.Reader(in)
	in.Release()
	defer out.Release()
	if out.Schema().Field(0).Type.ID() != v18arrow.INT64 {
		t.Errorf("schema %v", out.Schema())
	}
	var got []int64
	var kept v18arrow.RecordBatch
	for out.Next() {
		rec := out.RecordBatch()
		if kept == nil {
			kept = rec
			kept.Retain()
		}
		got = append(got, rec.Column(0).(*v18array.Int64).Int64Values()...)
	}
	if len(got) != 3 || got[0] != 1 || got[1] != 2 || got[2] != 3 || out.Err() != nil {
		t.Errorf("read %v, error %v", got, out.Err())
	}
	if kept.Column(0).(*v18array.Int64).Value(1) != 2 {
		t.Error("a retained record changed")
	}
	kept.Release()
	if out.Next() || out.RecordBatch() != nil {
		t.Error("a record after the end")
	}
}

func TestReaderTo17(t *testing.T) {
	in := numbers18(t)
	out, err := arrow18.ReaderTo17(in)
	if err != nil {
		t.Fatal(err)
	}
	in.Release()
	defer out.Release()
	var got []int64
	var kept arrow.Record
	for out.Next() {
		if kept == nil {
			kept = out.Record()
			kept.Retain()
		}
		got = append(got, out.Record().Column(0).(*array.Int64).Int64Values()...)
	}
	if len(got) != 3 || got[0] != 1 || got[1] != 2 || got[2] != 3 || out.Err() != nil {
		t.Errorf("read %v, error %v", got, out.Err())
	}
	if kept.Column(0).(*array.Int64).Value(1) != 2 {
		t.Error("a retained record changed")
	}
	kept.Release()
	if out.Next() || out.Record() != nil {
		t.Error("a record after the end")
	}
}

// TestEarlyRelease leaves a record in hand in both directions; the allocators say whether it is let go.
func TestEarlyRelease(t *testing.T) {
	in17, in18 := numbers17(t), numbers18(t)
	out18 := arrow18.Reader(in17)
	out17, err := arrow18.ReaderTo17(in18)
	if err != nil {
		t.Fatal(err)
	}
	in17.Release()
	in18.Release()
	if !out17.Next() || !out18.Next() {
		t.Fatal("no record")
	}
	out17.Retain()
	out18.Retain()
	out17.Release()
	out18.Release()
	if out17.Record().Column(0).(*array.Int64).Value(0) != 1 || out18.RecordBatch().Column(0).(*v18array.Int64).Value(0) != 1 {
		t.Error("the record in hand is gone while the reader is held")
	}
	out17.Release()
	out18.Release()
}

func TestReaderErrors(t *testing.T) {
	broken := errors.New("disk on fire")
	wrapped := errors.Join(errors.New("page 3"), io.EOF)
	cases := []struct{ in, want error }{{nil, nil}, {io.EOF, nil}, {broken, broken}, {wrapped, wrapped}}
	for _, c := range cases {
		in17 := numbers17(t)
		out18 := arrow18.Reader(ending{in17, c.in})
		for out18.Next() {
		}
		if got := out18.Err(); got != c.want {
			t.Errorf("v18 reader over %v: error %v, want %v", c.in, got, c.want)
		}
		out18.Release()
		in17.Release()

		in18 := numbers18(t)
		out17, err := arrow18.ReaderTo17(ending18{in18, c.in})
		if err != nil {
			t.Fatal(err)
		}
		for out17.Next() {
		}
		if got := out17.Err(); got != c.want {
			t.Errorf("v17 reader over %v: error %v, want %v", c.in, got, c.want)
		}
		out17.Release()
		in18.Release()
	}
}

// lying announces another schema than its records have.
type lying struct {
	array.RecordReader
	schema *arrow.Schema
}

func (l lying) Schema() *arrow.Schema { return l.schema }

// lying18 is lying for v18.
type lying18 struct {
	v18array.RecordReader
	schema *v18arrow.Schema
}

func (l lying18) Schema() *v18arrow.Schema { return l.schema }

func TestReaderOfOtherColumns(t *testing.T) {
	for _, names := range [][]string{{}, {"n"}, {"n", "m"}} {
		var fields []arrow.Field
		var fields18 []v18arrow.Field
		for _, name := range names {
			fields = append(fields, arrow.Field{Name: name, Type: arrow.PrimitiveTypes.Int32})
			fields18 = append(fields18, v18arrow.Field{Name: name, Type: v18arrow.PrimitiveTypes.Int32})
		}
		in17, in18 := numbers17(t), numbers18(t)
		out18 := arrow18.Reader(lying{in17, arrow.NewSchema(fields, nil)})
		out17, err := arrow18.ReaderTo17(lying18{in18, v18arrow.NewSchema(fields18, nil)})
		if err != nil {
			t.Fatal(err)
		}
		if out18.Next() || !errors.Is(out18.Err(), columnar.ErrSchema) {
			t.Errorf("v18 reader of %v: error %v", names, out18.Err())
		}
		if out17.Next() || !errors.Is(out17.Err(), columnar.ErrSchema) {
			t.Errorf("v17 reader of %v: error %v", names, out17.Err())
		}
		for _, r := range []interface{ Release() }{in17, in18, out17, out18} {
			r.Release()
		}
	}
}

// TestReaderThatCannotCross: Reader has no error to return, so the reader it gives has.
func TestReaderThatCannotCross(t *testing.T) {
	in := numbers17(t)
	defer in.Release()
	out := arrow18.Reader(lying{in, arrow.NewSchema([]arrow.Field{{Name: "d", Type: &arrow.DictionaryType{
		IndexType: arrow.PrimitiveTypes.Int8, ValueType: newLabel("fr")}}}, nil)})
	defer out.Release()
	if out.Schema().NumFields() != 0 || out.Next() || !errors.Is(out.Err(), columnar.ErrSchema) {
		t.Errorf("schema %v, error %v", out.Schema(), out.Err())
	}
}

func TestRun(t *testing.T) {
	in := numbers18(t)
	run := arrow18.Run(in)
	if len(run.Files) != 1 {
		t.Fatalf("%d files", len(run.Files))
	}
	opened, err := run.Files[0].Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	in.Release()
	rows := int64(0)
	for opened.Next() {
		rows += opened.Record().NumRows()
	}
	if rows != 3 || opened.Err() != nil {
		t.Errorf("%d rows, error %v", rows, opened.Err())
	}
	opened.Release()
}

func TestRunOnlyV18(t *testing.T) {
	schema := v18arrow.NewSchema([]v18arrow.Field{{Name: "price", Type: &v18arrow.Decimal32Type{Precision: 5, Scale: 2}}}, nil)
	in, err := v18array.NewRecordReader(schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Release()
	_, err = arrow18.Run(in).Files[0].Open(context.Background())
	if !errors.Is(err, columnar.ErrSchema) || !strings.Contains(err.Error(), `column "price"`) {
		t.Errorf("error %v", err)
	}
}
