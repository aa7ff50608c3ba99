// Package rowhash makes one number of each column of a table, so that two systems can be seen to give the same answer whatever
// the order of their rows and the Arrow types they chose.
//
// The hash of a cell is a hash of its value: integers, dates, times and booleans hash as 64-bit integers, floats as float64,
// text and bytes by their bytes, decimals by their unscaled 128 bits, lists by their items. The hash of a row's key is made of
// the cells of its key columns. The sum of a column is the sum, modulo 2^64, over all rows, of the cell's hash mixed with that
// of the row's key:
//
//	key 1, v 10        sum of v = mix(cell(10), key(1)) + mix(cell(20), key(2))
//	key 2, v 20
//
// So a value that is wrong, lost, doubled or in another row changes the sum of its column.
package rowhash
