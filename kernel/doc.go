// Package kernel merges sorted runs of Arrow record batches into one sorted stream, column at a time.
//
// # Terms
//
// A run is a sorted stream of batches: the files of one level of an LSM tree, or one fresh file. Rows of equal key, in one run
// or in several, are versions of one row of the table, and a merge engine makes one row of them. A window is a stretch of keys
// cut out of all runs; its rows are put in order, grouped by key, and turned into the columns of an output record.
//
// # Use
//
// Compile checks a table and its options once and gives a Plan, which any number of merges share. Plan.Merge gives a Reader,
// which is an array.RecordReader.
//
//	run 0 (oldest)   (1, "a", 10)  (2, "b", 20)
//	run 1            (2, NULL, 21) (3, "c", 30)
//	deduplicate      (1, "a", 10)  (2, NULL, 21) (3, "c", 30)     the last version
//	first-row        (1, "a", 10)  (2, "b", 20)  (3, "c", 30)     the first version
//	partial-update   (1, "a", 10)  (2, "b", 21)  (3, "c", 30)     the last value of each column
//
// A compaction is a merge whose result is written: WithChangelog makes the changes that go with it, ByLevel merges by the levels of runs, and
// Plan.Partition divides files into what can be merged by itself.
//
// What equal keys give is specified in docs/semantics.md, how a window is worked on in docs/design.md.
//
// # Ownership
//
// A merge owns what it opens and releases it exactly once, also when it fails or is released early. A record of the Reader is
// valid until the next call of Next unless it is retained. Stretches that only one run has come out as slices of its input
// records, which keep those alive; see WithCopy. With WithStringViews all records keep the texts of their inputs alive.
package kernel
