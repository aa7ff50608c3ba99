// Package workload makes the tables that benchmarks merge: sorted runs of made-up rows, and what the right answer is for each
// merge of them.
//
// # Terms
//
// A cell names one merge: a job, and the data it works on, as `job/key/k8/dup50/layout/columns`. A workload is the data alone,
// so that several jobs share its files. The share is the part of the rows that another version of their key supersedes.
//
//	job       what equal keys do: dedup, first, partial, agg, groups, validity
//	key       the type of the key: int64, hashed, two-int, uuid, ...
//	k8        the number of runs
//	dup50     the share, in percent
//	layout    how keys are dealt to runs: uniform, big, skewed, ordered, stretches, refresh, zipf
//	columns   the value columns: mixed, text24, lineitem, ycsb, ...
//
// # The idea
//
// A generator goes once through the keys in order. Everything about a key, how many versions it has, which runs they are in
// and what values they have, comes from a hash of the seed and of what is chosen, so the same name gives the same rows, and
// memory holds one batch a run. While the versions of a key are at hand, the answer of every job is computed from them row at
// a time and added to a sum (package rowhash). Nothing of this is shared with the code that is measured.
package workload
