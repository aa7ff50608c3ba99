package aggfuncs_test

import (
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/aggfuncs"
	"github.com/braidmerge/braid/internal/rowmerge"
)

func TestListAgg(t *testing.T) {
	f := column(arrow.BinaryTypes.String, "")
	large := column(arrow.BinaryTypes.LargeString, "VARCHAR(2147483647)")
	checkAll(t, 2000, with("listagg", f), with("listagg", f, ignoreRetract), with("listagg", large, delimiter(";;"), ignoreRetract),
		with("listagg", f, delimiter(""), ignoreRetract), with("listagg", f, distinct, ignoreRetract), with("listagg", f, distinct),
		with("listagg", large, distinct, delimiter(";;"), ignoreRetract), with("listagg", f, distinct, delimiter(""), ignoreRetract),
		with("listagg", f, distinct, delimiter("aba"), ignoreRetract), with("listagg", f, distinct, delimiter("ab"), ignoreRetract))
}

func TestCollect(t *testing.T) {
	var subjects []*subject
	for _, item := range []arrow.DataType{
		arrow.PrimitiveTypes.Int32, arrow.FixedWidthTypes.Boolean, arrow.PrimitiveTypes.Float64, arrow.PrimitiveTypes.Float32,
		arrow.BinaryTypes.String, arrow.BinaryTypes.Binary, &arrow.Decimal128Type{Precision: 38, Scale: 2},
		rowType, arrow.ListOf(arrow.PrimitiveTypes.Float64), arrow.MapOf(arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Float64),
		arrow.FixedSizeListOf(3, arrow.PrimitiveTypes.Int8), arrow.StructOf(arrow.Field{Name: "l", Type: arrow.ListOf(arrow.BinaryTypes.String), Nullable: true}),
	} {
		for _, list := range []arrow.DataType{arrow.ListOf(item), arrow.LargeListOf(item)} {
			f := column(list, "")
			subjects = append(subjects, with("collect", f), with("collect", f, ignoreRetract), with("collect", f, distinct),
				with("collect", f, distinct, ignoreRetract))
		}
	}
	checkAll(t, 200, subjects...)
}

func TestMergeMap(t *testing.T) {
	var subjects []*subject
	for _, dt := range []arrow.DataType{
		arrow.MapOf(arrow.PrimitiveTypes.Int32, arrow.BinaryTypes.String), arrow.MapOf(arrow.BinaryTypes.Binary, rowType),
		arrow.MapOf(arrow.PrimitiveTypes.Float64, arrow.ListOf(arrow.PrimitiveTypes.Int8)), arrow.MapOf(rowType, arrow.FixedWidthTypes.Boolean),
		arrow.MapOf(arrow.FixedWidthTypes.Boolean, arrow.PrimitiveTypes.Int64),
	} {
		subjects = append(subjects, with("merge_map", column(dt, "")), with("merge_map", column(dt, ""), ignoreRetract))
	}
	checkAll(t, 800, subjects...)
}

func TestMergeMapWithKeyTime(t *testing.T) {
	f := column(arrow.MapOf(arrow.PrimitiveTypes.Int32, rowType), "")
	last := column(arrow.MapOf(arrow.BinaryTypes.String, arrow.StructOf(
		arrow.Field{Name: "v", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		arrow.Field{Name: "time", Type: arrow.BinaryTypes.LargeString, Nullable: true})), "")
	time := option{"ts-field", "b", func(o *aggfuncs.Options) { o.TimestampField = "b" }}
	checkAll(t, 1500, with("merge_map_with_keytime", f, time), with("merge_map_with_keytime", f, time, ignoreRetract),
		with("merge_map_with_keytime", last, ignoreRetract))
}

func TestNestedUpdate(t *testing.T) {
	f := column(arrow.ListOf(rowType), "")
	large := column(arrow.LargeListOf(rowType), "")
	var subjects []*subject
	for _, options := range [][]option{
		{}, {limit(3)}, {limit(1)}, {limit(0)}, {limit(-1)}, {ignoreRetract}, {limit(2), ignoreRetract},
		{nestedKey("a")}, {nestedKey("a", "d")}, {nestedKey("d"), ignoreRetract}, {nestedKey("c")},
		{nestedKey("d"), limit(1)}, {nestedKey("a"), limit(3)}, {nestedKey("a"), limit(0)}, {nestedKey("a"), limit(2), ignoreRetract},
		{nestedKey("d"), nestedSequence("a")}, {nestedKey("d"), nestedSequence("c"), limit(2)}, {nestedKey("a"), nestedSequence("b"), ignoreRetract},
		{nestedKey("a"), nullStrategy("ignore", aggfuncs.NullIgnore)}, {nestedKey("a"), nullStrategy("error", aggfuncs.NullError)},
		{nestedKey("a", "b"), nullStrategy("merge", aggfuncs.NullMerge)},
		{nestedKey("d", "a"), nestedSequence("b"), nullStrategy("ignore", aggfuncs.NullIgnore), limit(2)},
	} {
		subjects = append(subjects, with("nested_update", f, options...), with("nested_update", large, options...))
	}
	for _, dt := range []arrow.DataType{
		arrow.ListOf(arrow.PrimitiveTypes.Float64), rowType, arrow.MapOf(arrow.PrimitiveTypes.Int32, arrow.BinaryTypes.String),
		arrow.FixedSizeListOf(2, arrow.ListOf(arrow.PrimitiveTypes.Int8)),
	} {
		rows := column(arrow.ListOf(arrow.StructOf(arrow.Field{Name: "k", Type: arrow.PrimitiveTypes.Int8, Nullable: true},
			arrow.Field{Name: "s", Type: dt, Nullable: true}, arrow.Field{Name: "v", Type: arrow.PrimitiveTypes.Int32, Nullable: true})), "")
		subjects = append(subjects, with("nested_update", rows, nestedKey("k"), nestedSequence("s")))
	}
	for _, options := range [][]option{{limit(2)}, {limit(4)}, {limit(7)}, {limit(30)}} {
		s := with("nested_update", f, options...)
		s.value = fewRows
		subjects = append(subjects, s)
	}
	checkAll(t, 300, subjects...)
}

// fewRows draws a list of rows that are often equal.
func fewRows(rng *rand.Rand) any {
	list := rowmerge.List{}
	for range rng.IntN(5) {
		row := rowmerge.Struct{}
		for range rowType.NumFields() {
			row = append(row, nil)
		}
		if rng.IntN(3) > 0 {
			row[0] = randomValue(rand.New(rand.NewPCG(1, 1)), rowType.Field(0).Type)
		}
		list = append(list, row)
	}
	return list
}

func TestNestedPartialUpdate(t *testing.T) {
	f := column(arrow.ListOf(rowType), "")
	deep := column(arrow.LargeListOf(arrow.StructOf(
		arrow.Field{Name: "k", Type: arrow.PrimitiveTypes.Int8, Nullable: true},
		arrow.Field{Name: "l", Type: arrow.ListOf(arrow.PrimitiveTypes.Int32), Nullable: true},
		arrow.Field{Name: "r", Type: rowType, Nullable: true})), "")
	checkAll(t, 1000, with("nested_partial_update", f, nestedKey("a")), with("nested_partial_update", f, nestedKey("d"), ignoreRetract),
		with("nested_partial_update", f, nestedKey("a", "c"), nullStrategy("ignore", aggfuncs.NullIgnore), ignoreRetract),
		with("nested_partial_update", f, nestedKey("d"), nullStrategy("error", aggfuncs.NullError), ignoreRetract),
		with("nested_partial_update", deep, nestedKey("k"), ignoreRetract))
}
