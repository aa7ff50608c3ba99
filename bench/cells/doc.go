// Package cells measures merges and keeps what was measured as lines of JSON, one a merge, that later programs compare, tabulate and draw.
//
// A cell is a job on a workload (package workload). It is measured on one of two tracks, which are never compared with each other:
//
//	A   from records in memory to records in memory
//	B   from files to records in memory
//
// Before a cell is timed its result is summed up and held against the answer of the workload; a cell with another answer has no figures.
package cells
