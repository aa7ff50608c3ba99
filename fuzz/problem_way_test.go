package fuzz_test

import (
	"math/rand/v2"

	"github.com/braidmerge/braid/internal/rungen"
)

// way says how a problem is put to the kernel.
type way struct {
	rungen.Layout `json:"layout"` // of the inputs, in place of the spec's

	Files   int  `json:"files,omitempty"`   // a run is split into up to that many files; 0: one
	Readers bool `json:"readers,omitempty"` // a run is one reader and no file
	Records bool `json:"records,omitempty"` // a run is a list of records and no file
	Promise bool `json:"promise,omitempty"` // runs without repeats say so

	BatchRows  int   `json:"batchRows,omitempty"`  // of the output; 0: the default
	BatchBytes int64 `json:"batchBytes,omitempty"` // of the output, about; 0: the default
	Copy       bool  `json:"copy,omitempty"`
	Limit      int64 `json:"limit,omitempty"` // memory limit in bytes; 0: none

	Workers int  `json:"workers,omitempty"` // of the merge; 0: one
	Views   bool `json:"views,omitempty"`   // text is put out as views

	Deletes    bool     `json:"deletes,omitempty"`    // keep deletes
	System     bool     `json:"system,omitempty"`     // keep system columns
	Projection []string `json:"projection,omitempty"` // value columns wanted; nil: all
	Narrow     bool     `json:"narrow,omitempty"`     // inputs have no columns but those the projection needs

	Release int `json:"release,omitempty"` // release after that many records; 0: at the end
	Cancel  int `json:"cancel,omitempty"`  // cancel the context before that record, -1: before the merge; 0: never
}

// layouts are the ways inputs lie in memory: small batches, odd sizes, all in one, sliced.
var layouts = []rungen.Layout{
	{Batch: "1"},
	{Batch: "2", Arrays: rungen.Padded},
	{Batch: "7", Arrays: rungen.Shared, EmptyBatches: true},
	{Batch: "1024"},
	{Batch: "1024", Arrays: rungen.Padded},
	{},
	{Arrays: rungen.Padded},
	{Batch: rungen.BatchTiny, Arrays: rungen.Padded, EmptyBatches: true},
	{Batch: rungen.BatchMixed, Arrays: rungen.Shared},
}

// waysOf returns n ways to put the problem of the spec. The first asks for all there is to see in the answer, as the spec
// lays the inputs out.
func waysOf(s rungen.Spec, n int) []way {
	rng := rand.New(rand.NewPCG(s.Seed, 0x6a09e667f3bcc908))
	ways := []way{{Layout: s.Layout, Deletes: true, System: true}}
	for len(ways) < n {
		ways = append(ways, randomWay(s, rng))
	}
	return ways[:n]
}

func randomWay(s rungen.Spec, rng *rand.Rand) way {
	oneIn := func(n int) bool { return rng.IntN(n) == 0 }
	w := way{Layout: layouts[rng.IntN(len(layouts))]}
	if s.Rows > 5000 {
		w.Layout = layouts[3+rng.IntN(4)]
	}
	w.Deletes, w.System = oneIn(2), oneIn(2)
	w.Copy, w.Promise, w.Readers, w.Records = oneIn(4), oneIn(2), oneIn(4), oneIn(4)
	if oneIn(3) {
		w.Files = 1 + rng.IntN(4)
	}
	if oneIn(2) {
		w.BatchRows = []int{1, 2, 3, 64, 1000}[rng.IntN(5)]
	}
	if s.Rows > 2000 && w.BatchRows > 0 {
		w.BatchRows = 1000
	}
	if oneIn(6) {
		w.BatchBytes = int64(s.Rows) << rng.IntN(6)
	}
	if oneIn(2) {
		w.Workers = 2 + rng.IntN(3)
	}
	if oneIn(3) {
		w.Projection = randomColumns(s, rng)
		w.Narrow = oneIn(2)
	}
	switch rng.IntN(12) {
	case 0:
		w.Release = 1 + rng.IntN(4)
	case 1:
		w.Cancel = []int{-1, 1, 2, 3}[rng.IntN(4)]
	case 2:
		w.Limit = 1 << (10 + rng.IntN(16))
	}
	w.Views = !w.Copy && oneIn(3)
	return w
}

// randomColumns draws some columns of the table, in any order.
func randomColumns(s rungen.Spec, rng *rand.Rand) []string {
	names := s.ColumnNames()
	rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	return names[:1+rng.IntN(len(names))]
}
