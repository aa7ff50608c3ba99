// Package rowmerge is the reference for what a merge must answer: it merges sorted runs one row at a time, in the plainest
// way, and is slow. Tests compare faster code with it.
//
// Terms. A run is a list of Arrow records in key order. All rows of one key, from all runs, form a key group; the rows of a
// group are its versions, oldest first. A merge engine turns the versions of a group into at most one row. A row kind is +I
// or +U (an add) or -U or -D (a retract). A row whose key comes only once is a lone record.
//
// The idea is that of the words above and nothing more:
//
//	decode every row of every run            records.go, decode.go
//	sort them by key and age                 order.go, compare.go
//	per key, feed the versions to an engine  engine.go, deduplicate.go, firstrow.go, ...
//	an engine feeds columns to functions     function.go, sum.go, collect.go, ...
//
// Around it stand what happens before and after: what a writer does to rows (write.go), which versions count by their level
// (levels.go), the changelog of a compaction (changelog.go), how files form runs (partition.go), and updates by row id
// (selfmerge.go).
//
// For example, two runs with key k under deduplicate and under partial-update:
//
//	run 0      run 1      deduplicate   partial-update
//	k  a  b    k  a  b    k  a  b       k  a  b
//	1  x  y    1  z  -    1  z  -       1  z  y
//	2  p  q               2  p  q       2  p  q
//
// Values are Go values: value.go lists their types. A problem's mistakes are *Error values, of a Kind; a merge goes on past the first, so
// that Faults can list every row to blame.
package rowmerge
