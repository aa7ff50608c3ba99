// Package pictures draws lines of benchmarks: time by share and by number of runs for all systems, the stages of a merge, processor tiers,
// threads. A picture says what its figures are and needs no table beside it.
package pictures
