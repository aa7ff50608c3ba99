// Package peerrun asks other systems for the merges that cells are about, through small programs of their own language (the folder peers),
// and tabulates what they took beside what this library takes.
//
// A peer runs in a process of its own, one a cell. It says in which ways it can be asked (forms). The result of every form is written down
// once, untimed, and held against the answer of the workload; only a form with the right answer is timed. Of those the fastest is measured
// in rounds, and a faster one whose rows are in no order beside it.
package peerrun
