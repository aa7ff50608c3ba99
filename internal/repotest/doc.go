// Package repotest holds the rules that keep the repository in one piece, as
// tests: who may import whom, which packages nobody may import, and what no
// file may say.
//
// An entry is a row of the import table: a directory, and with it all the
// directories below that have no row of their own. It lists the other entries
// and the modules of others that its packages may import. Every package needs
// an entry. Packages of one entry may import each other, and every package may
// import the standard library.
//
// Tests may import more. A test inside a package may also import the reference
// merger, the generator of runs, the switches for tests and the libraries for
// testing. A test from outside a package (its package name ends in _test) may
// import anything, as a user of the package may. A sealed entry gives its tests
// from outside no more than those inside, because its worth is that it knows
// nothing of what it judges.
//
// What the rules say is a function of a file tree, so that the same check runs
// over the repository and over made-up trees that break one rule each:
//
//	kernel/order.go      package kernel; import ".../columnar"      allowed
//	columnar/view.go     package columnar; import ".../kernel"      "columnar may not import kernel"
//	extras/extras.go     package extras                             "package extras is in no entry of the import table"
package repotest
