package rungen_test

import (
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/internal/rungen"
)

// FuzzSpec wants an error or a problem, and no panic, of any text.
func FuzzSpec(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(rungen.Random(seed, 100).String())
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := rungen.Parse(text)
		if err != nil || s.Rows > 1000 || s.Runs > 100 || s.Universe > 1000 {
			return
		}
		for _, columns := range [][]rungen.Column{s.Keys, s.Values, s.Sequence} {
			for _, c := range columns {
				if c.Distinct > 1000 {
					return
				}
			}
		}
		generate(t, s)
	})
}

func BenchmarkGenerate(b *testing.B) {
	for name, s := range map[string]rungen.Spec{
		"int": {Shape: rungen.Dealt, Keys: []rungen.Column{{}}, Values: []rungen.Column{{}, {Type: "utf8", Style: rungen.Hex}, {Nulls: rungen.HalfNulls}}},
		"text": {Shape: rungen.Interleaved, Keys: []rungen.Column{{Type: "utf8", Style: rungen.Hex}},
			Values: []rungen.Column{{}, {Type: "float64", Nulls: rungen.HalfNulls}}, Numbers: rungen.Rising, Kinds: rungen.Some},
	} {
		s.Rows, s.Runs, s.Batch = 1_000_000, 8, "8192"
		b.Run(name, func(b *testing.B) {
			rows := int64(0)
			for b.Loop() {
				p, err := rungen.Generate(memory.NewGoAllocator(), s)
				if err != nil {
					b.Fatal(err)
				}
				rows += p.Rows()
				p.Release()
			}
			b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
