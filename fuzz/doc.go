// Package fuzz holds the evidence that merges are right: random problems and files of cases, put to the kernel and to the
// reference, and compared to the bit.
//
// # Terms
//
// A problem is a table, its options and sorted runs of it. Random problems are made by internal/rungen from a spec, a line
// of JSON that makes the same problem again. The reference is internal/rowmerge, which merges row by row; large problems of
// simple tables have a second one, the oracle, which keeps the versions of each key in a hash map.
//
// A way says how a problem is put to the kernel: in batches of which size, whole or sliced, each run in how many files or
// behind a reader, with which merge options. No way changes an answer, beyond leaving out what it asks to leave out.
// A question is a problem and a way.
//
//	spec --rungen--> problem --reference----------------> rows, or faults
//	                    |                                    |  compared: kind, number, key, values, or kinds of error
//	                    +---- way ----> kernel --records--> rows, or an error
//	                                              |
//	                                              +-- schema, lengths, null counts, offsets, unchanged while retained,
//	                                                  nothing left in the allocator
//
// Where the kernel says that it does not support what a problem is about (aggregation, sequence groups, validity, nested columns),
// the reference is checked against itself instead: the runs cut into other batches, a run made of every batch, and, where
// merging in two steps makes no difference, half of the runs merged before the others. From the day the kernel takes such a
// problem on, its answer is compared like any other.
//
// A case is a question with a known answer, written in a file (cases.go).
//
// # What to run
//
// TestDifferential asks a fixed number of questions, the same every time; BRAID_SAMPLE=20 asks every twentieth, as it
// does with the problems of all other tests and with the cases that are made at random, and BRAID_SEED=1000000 moves on to other seeds. A question that is answered wrongly is made smaller and printed:
//
//	BRAID_QUESTION='{"Spec":...,"Way":...}' go test -run 'TestQuestion$' ./fuzz
//
// asks it again. Beside it stands the problem as a case file with the reference's answer, to be named by BRAID_CASES for
// TestCases, or the reason why it cannot be a case: types that tables have no name for, partition keys. Questions that were
// answered wrongly once are kept in testdata/fuzz/questions.txt, for TestQuestions. TestLargeProblems has those that need
// many rows. TestSoak goes on until BRAID_SOAK_ROWS rows (for example 100000000; 20,000 if it is not set) were in answers without
// an error, in problems of all sizes; it tells apart what the reference and what the oracle has answered. TestFunctionSoak does so with
// problems of every engine and function, all answered by the reference, TestSuppliedSoak, TestUpdateSoak and TestChangelogSoak
// with those of one kind. Under -v they tell now and then how far they have come. With GOGC=400 less of their time is the
// collector's. FuzzMerge is for
// go test -fuzz. TestProblemsAreValid merges BRAID_PROBLEMS problems by the reference alone and tells how many end in an
// error, engine by engine. TestUpdateDifferential, TestUpdateSoak and FuzzUpdate do for updates by row id, with
// rowmerge.SelfMerge and a second evaluation of expressions, what the tests of like names do for merges. TestSuppliedDifferential,
// TestSuppliedSoak and FuzzSupplied do it for the engine partial-update-validity, with files of other schemas that writers
// fill in part. TestComparisonFails, TestSelfCheckFails, TestUpdateComparisonFails and TestSuppliedComparisonFails tamper with
// right answers, or with what the kernel is told, and want that noticed.
package fuzz
