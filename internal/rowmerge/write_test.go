package rowmerge_test

import (
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/internal/rowmerge"
)

func withDefault(name string, t arrow.DataType, text string) arrow.Field {
	return arrow.Field{Name: name, Type: t, Nullable: true, Metadata: arrow.MetadataFrom(map[string]string{"paimon.default": text})}
}

func writer(options map[string]string) rowmerge.Problem {
	return rowmerge.Problem{PrimaryKey: []string{"k"}, Options: options, Schema: arrow.NewSchema([]arrow.Field{
		field("k", int32s), withDefault("v", int32s, "7"), withDefault("op", texts, "+I"),
		{Name: "n", Type: int32s, Metadata: arrow.MetadataFrom(map[string]string{"paimon.default": "1"})}}, nil)}
}

func input(kind int8, values ...any) rowmerge.Row { return rowmerge.Row{Kind: kind, Values: values} }

func numbered(kind int8, number int64, values ...any) rowmerge.Row {
	return rowmerge.Row{Kind: kind, Sequence: number, Values: values}
}

func TestWrite(t *testing.T) {
	n := int32(1)
	for _, c := range []struct {
		name            string
		options         map[string]string
		rows            []rowmerge.Row
		file, changelog []rowmerge.Row
	}{
		{"defaults, numbers and order", nil,
			[]rowmerge.Row{input(rowmerge.Insert, int32(2), nil, nil, n), input(rowmerge.Delete, int32(1), nil, "x", n)},
			[]rowmerge.Row{numbered(rowmerge.Delete, 11, int32(1), int32(7), "x", n), numbered(rowmerge.Insert, 10, int32(2), int32(7), "+I", n)},
			[]rowmerge.Row{numbered(rowmerge.Delete, 11, int32(1), int32(7), "x", n), numbered(rowmerge.Insert, 10, int32(2), int32(7), "+I", n)}},
		{"one row per key", map[string]string{"merge-engine": "partial-update"},
			[]rowmerge.Row{input(rowmerge.UpdateAfter, int32(1), int32(3), "a", n), input(rowmerge.UpdateAfter, int32(1), nil, "b", n)},
			[]rowmerge.Row{numbered(rowmerge.Insert, 11, int32(1), int32(7), "b", n)},
			[]rowmerge.Row{numbered(rowmerge.UpdateAfter, 10, int32(1), int32(3), "a", n),
				numbered(rowmerge.UpdateAfter, 11, int32(1), int32(7), "b", n)}},
		{"ignored kinds have no number", map[string]string{"ignore-delete": "true"},
			[]rowmerge.Row{input(rowmerge.Delete, int32(1), int32(3), "a", n), input(rowmerge.UpdateBefore, int32(1), nil, "b", n),
				input(rowmerge.Insert, int32(1), int32(5), "c", n)},
			[]rowmerge.Row{numbered(rowmerge.Insert, 10, int32(1), int32(5), "c", n)},
			[]rowmerge.Row{numbered(rowmerge.Insert, 10, int32(1), int32(5), "c", n)}},
		{"ignored update-before", map[string]string{"ignore-update-before": "true"},
			[]rowmerge.Row{input(rowmerge.UpdateBefore, int32(1), nil, "b", n), input(rowmerge.Delete, int32(1), int32(5), "c", n)},
			[]rowmerge.Row{numbered(rowmerge.Delete, 10, int32(1), int32(5), "c", n)},
			[]rowmerge.Row{numbered(rowmerge.Delete, 10, int32(1), int32(5), "c", n)}},
		{"kind from a column, after its default", map[string]string{"rowkind.field": "op"},
			[]rowmerge.Row{input(rowmerge.Delete, int32(1), int32(3), nil, n), input(rowmerge.Insert, int32(2), int32(3), "-D", n)},
			[]rowmerge.Row{numbered(rowmerge.Insert, 10, int32(1), int32(3), "+I", n), numbered(rowmerge.Delete, 11, int32(2), int32(3), "-D", n)},
			[]rowmerge.Row{numbered(rowmerge.Insert, 10, int32(1), int32(3), "+I", n), numbered(rowmerge.Delete, 11, int32(2), int32(3), "-D", n)}},
		{"sequence field before number", map[string]string{"sequence.field": "v"},
			[]rowmerge.Row{input(rowmerge.Insert, int32(1), int32(9), "a", n), input(rowmerge.Insert, int32(1), int32(8), "b", n)},
			[]rowmerge.Row{numbered(rowmerge.Insert, 10, int32(1), int32(9), "a", n)},
			[]rowmerge.Row{numbered(rowmerge.Insert, 11, int32(1), int32(8), "b", n), numbered(rowmerge.Insert, 10, int32(1), int32(9), "a", n)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := writer(c.options).Write(c.rows, 10)
			if err != nil {
				t.Fatal(err)
			}
			all := rowmerge.Comparison{Kinds: true, Sequences: true}
			if d := rowmerge.Diff(c.file, got.File, all); d != "" {
				t.Error("file: ", d)
			}
			if d := rowmerge.Diff(c.changelog, got.Changelog, all); d != "" {
				t.Error("changelog: ", d)
			}
		})
	}
}

func TestWriteRefuses(t *testing.T) {
	_, err := writer(nil).Write([]rowmerge.Row{input(rowmerge.Insert, int32(1), nil, nil, nil)}, 0)
	wantKind(t, rowmerge.KindNotNull, err)
	_, err = writer(map[string]string{"rowkind.field": "op"}).Write([]rowmerge.Row{input(rowmerge.Insert, int32(1), nil, "?", int32(1))}, 0)
	wantKind(t, rowmerge.KindRowKind, err)
	bad := writer(nil)
	bad.Schema = arrow.NewSchema([]arrow.Field{field("k", int32s), withDefault("v", int8s, "300")}, nil)
	_, err = bad.Write(nil, 0)
	wantKind(t, rowmerge.KindConfig, err)
}
