// Package rungen makes random merge problems: a table, its options, and sorted runs of Arrow records in every shape a merge
// may meet. The same spec always gives the same problem.
//
// # Terms
//
// A spec (type Spec) says everything about a problem in a few words and numbers; its text form, one line of JSON, is what a
// failing test prints. A spec is written by hand, drawn from a seed (Random), or read off bytes that a fuzzer made
// (FromBytes). Generate turns a spec into a problem.
//
// The universe is the list of all keys a problem may use, in key order. A key id is a position in that list, so ids are in
// order exactly when keys are, and a run is made by choosing ids in ascending order: nothing is ever sorted by key.
//
// A pool is a short ascending list of values of one type. Values of a nested type, which no key has, are in no order. A key
// column's pool is one digit of the key id, the last key column being the lowest digit; the other columns take values from
// their pools at random.
//
//	key columns k0 (pool: NULL 3 8) and k1 (pool: a b)     universe   0        1        2     3     4     5
//	                                                                  (NULL,a) (NULL,b) (3,a) (3,b) (8,a) (8,b)
//	run 0 takes ids 1 2 5        ->  k0: NULL 3 8     k1: b a b
//	run 1 takes ids 2 2 3        ->  k0: 3 3 3        k1: a a b       key (3,a) comes twice in it
//
// Values that stand for bitmaps, sketches, or the columns a row supplies are bytes in the formats of those, every kind of
// container, node and mode among them. Where a spec asks for it, some are forged: nearly all of these are no such thing any more.
//
// A layout says how the rows lie in memory: batches of which sizes, array offsets, validity buffers. It has no influence on
// the rows themselves.
package rungen
