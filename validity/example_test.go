package validity_test

import (
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/validity"
)

// Three writers fill different columns of one row of a table. Each writes complete rows; the validity column keeps apart what
// it supplied, the explicit NULL of the third writer too, and what it left out.
func ExampleWriter() {
	text := func(name string, meta ...string) arrow.Field {
		f := arrow.Field{Name: name, Type: arrow.BinaryTypes.String, Nullable: true}
		if len(meta) == 1 {
			f.Metadata = arrow.MetadataFrom(map[string]string{"paimon.default": meta[0]})
		}
		return f
	}
	fields := arrow.Field{Name: validity.FieldsColumn, Type: arrow.BinaryTypes.Binary, Nullable: true}
	table := arrow.NewSchema([]arrow.Field{fields, text("id"), text("city"), text("plan", "free"), text("phone")}, nil)
	w, err := validity.NewWriter(table, memory.DefaultAllocator)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, writer := range []struct {
		columns []arrow.Field
		row     string
	}{
		{[]arrow.Field{text("id"), text("city")}, `[{"id": "ann", "city": "Oslo"}]`},
		{[]arrow.Field{text("id"), text("plan")}, `[{"id": "ann", "plan": "gold"}]`},
		{[]arrow.Field{text("id"), text("city"), text("phone")}, `[{"id": "ann", "city": null, "phone": "555"}]`},
	} {
		rec, _, err := array.RecordFromJSON(memory.DefaultAllocator, arrow.NewSchema(writer.columns, nil), strings.NewReader(writer.row))
		if err != nil {
			fmt.Println(err)
			return
		}
		complete, err := w.Write(rec)
		rec.Release()
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%x", complete.Column(0).(*array.Binary).Value(0))
		for i := 1; i < int(complete.NumCols()); i++ {
			fmt.Print(" ", complete.Column(i).ValueStr(0))
		}
		fmt.Println()
		complete.Release()
	}
	// Output:
	// 3a30000001000000000001001000000001000200 ann Oslo free (null)
	// 3a30000001000000000001001000000001000300 ann (null) gold (null)
	// 3a300000010000000000020010000000010002000400 ann (null) free 555
}
