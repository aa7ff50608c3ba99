package rungen_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/internal/rungen"
	"github.com/braidmerge/braid/internal/testscale"
)

// spoilt is a spec in which every fault finds a place.
func spoilt(f rungen.Fault) rungen.Spec {
	return rungen.Spec{Seed: 9, Rows: 60, Runs: 3, Shape: rungen.Interleaved, Keys: []rungen.Column{{Nulls: rungen.HalfNulls}},
		Values: []rungen.Column{{NotNull: true}, {Type: "utf8"}}, Kinds: rungen.Some, KindText: rungen.Some,
		Numbers: rungen.Rising, KeyColumns: true, Fault: f}
}

func column(rec arrow.Record, name string) arrow.Array {
	return rec.Column(rec.Schema().FieldIndices(name)[0])
}

// count counts the rows of all records for which f is true.
func count(p *rungen.Problem, f func(rec arrow.Record, i int) bool) int {
	n := 0
	for _, run := range p.Runs {
		for _, rec := range run.Records {
			for i := range int(rec.NumRows()) {
				if f(rec, i) {
					n++
				}
			}
		}
	}
	return n
}

func TestCellFaults(t *testing.T) {
	texts := []string{"+I", "+i", "-U", "-u", "+U", "+u", "-D", "-d"}
	for fault, wrong := range map[rungen.Fault]func(rec arrow.Record, i int) bool{
		rungen.BadKind: func(rec arrow.Record, i int) bool {
			kind := column(rec, "_VALUE_KIND").(*array.Int8).Value(i)
			return kind < 0 || kind > 3
		},
		rungen.BadKindText: func(rec arrow.Record, i int) bool {
			return !slices.Contains(texts, column(rec, "rk").(*array.String).Value(i))
		},
		rungen.NullKind:  func(rec arrow.Record, i int) bool { return column(rec, "rk").IsNull(i) },
		rungen.NullValue: func(rec arrow.Record, i int) bool { return column(rec, "v0").IsNull(i) },
	} {
		if n := count(generate(t, spoilt(rungen.NoFault)), wrong); n != 0 {
			t.Errorf("%s: %d faults without being asked for", fault, n)
		}
		if n := count(generate(t, spoilt(fault)), wrong); n != 1 {
			t.Errorf("%s: %d faults, want 1", fault, n)
		}
	}
}

func TestUnsorted(t *testing.T) {
	p := generate(t, spoilt(rungen.Unsorted))
	n := 0
	for _, run := range p.Runs {
		rows := keyCells(p, run)
		for i := 1; i < len(rows); i++ {
			if compareKeys(rows[i-1], rows[i]) > 0 {
				n++
			}
		}
	}
	if n == 0 || n > 3 {
		t.Errorf("%d rows below the one before, want 1 to 3", n)
	}
}

func TestNullKey(t *testing.T) {
	const option = "primary-key.nullable"
	if p := generate(t, spoilt(rungen.NoFault)); p.Options[option] != "true" {
		t.Errorf("options %v of a table with NULL keys", p.Options)
	}
	if p := generate(t, spoilt(rungen.NullKey)); p.Options[option] != "" {
		t.Errorf("options %v", p.Options)
	}
}

func TestSchemaFaults(t *testing.T) {
	sound := generate(t, spoilt(rungen.NoFault)).Runs[0].Schema
	for _, fault := range []rungen.Fault{rungen.MissingKey, rungen.OtherType, rungen.LostColumn, rungen.Misnumbered} {
		differ := 0
		for _, run := range generate(t, spoilt(fault)).Runs {
			if !run.Schema.Equal(sound) {
				differ++
			}
			for _, rec := range run.Records {
				if !rec.Schema().Equal(run.Schema) {
					t.Errorf("%s: record and run differ", fault)
				}
			}
		}
		if differ != 1 {
			t.Errorf("%s: %d runs have another schema, want 1", fault, differ)
		}
	}
}

func TestBadSpecs(t *testing.T) {
	for _, text := range []string{
		``, `{`, `{"rows":1}`, `{"keys":[{}],"rows":-1}`, `{"keys":[{}],"runs":1000000}`, `{"keys":[{"type":"null"}]}`,
		`{"keys":[{"type":"int63"}]}`, `{"keys":[{}],"shape":"round"}`, `{"keys":[{}],"batch":"0"}`, `{"keys":[{}],"batch":"x"}`,
		`{"keys":[{}],"values":[{"nulls":"sometimes"}]}`, `{"keys":[{}],"color":1}`, `{"keys":[{}],"partitions":-1}`,
		`{"keys":[{"style":"baroque"}]}`, `{"keys":[{"distinct":-1}]}`, `{"keys":[{}],"fault":"x"}`, `{"keys":[{}],"numbers":"x"}`,
	} {
		if _, err := rungen.Parse(text); err == nil {
			t.Errorf("no error: %s", text)
		}
	}
	if _, err := rungen.Generate(memory.NewGoAllocator(), rungen.Spec{}); err == nil {
		t.Error("no error without a key")
	}
}

func TestEmptyProblems(t *testing.T) {
	for _, s := range []rungen.Spec{
		{Keys: []rungen.Column{{}}},
		{Keys: []rungen.Column{{}}, Runs: 3},
		{Keys: []rungen.Column{{}}, Runs: 3, Layout: rungen.Layout{EmptyBatches: true, Arrays: rungen.Padded}},
		{Keys: []rungen.Column{{}}, Rows: 5},
	} {
		for _, shape := range rungen.Shapes() {
			s.Shape = shape
			p := generate(t, s)
			if p.Rows() != 0 || len(p.Runs) != s.Runs {
				t.Errorf("%s: %d rows in %d runs", s, p.Rows(), len(p.Runs))
			}
		}
	}
}

func TestFromBytes(t *testing.T) {
	shapes := map[rungen.Shape]bool{}
	for i := range testscale.Seeds(t, 500) {
		data := []byte(fmt.Sprintf("%d some bytes %d", i*i, i))
		s := rungen.FromBytes(data[:i%uint64(len(data))], 200)
		shapes[s.Shape] = true
		if s.Rows > 200 {
			t.Errorf("%d rows", s.Rows)
		}
		p, q := generate(t, s), generate(t, rungen.FromBytes(data[:i%uint64(len(data))], 200))
		if p.Description != q.Description || p.Rows() != q.Rows() {
			t.Errorf("%s and %s are of the same bytes", p.Description, q.Description)
		}
	}
	if len(shapes) < len(rungen.Shapes())-1 && testscale.Sample(t) == 1 {
		t.Errorf("only the shapes %v", shapes)
	}
}
