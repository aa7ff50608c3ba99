// Package validity works on bitmaps over the rows of a window, 64 rows at a time, and with the column in which a row says
// which of its columns its writer supplied.
//
// # Terms
//
// A mask has one bit a row, in merged order, row 0 in bit 0 of the first word. Bits past the last row are 0. Ends is the
// mask of the rows that are the last of their key group. A pick is a mask with at most one bit in each group:
//
//	row      0 1 2 3 4 5 6 7
//	key      a a a b c c c c
//	ends     0 0 1 1 0 0 0 1
//	valid    1 1 0 0 0 1 0 0
//	last     0 1 0 0 0 1 0 0     LastValid: the last valid row of every group
//	first    1 0 0 0 0 1 0 0     FirstValid
//
// A group without a valid row, b here, has no bit; OrEnds gives it the bit of its last row.
//
// # The validity column
//
// A value of the column `_VALIDITY_FIELDS` is a roaring bitmap of the positions, in the table, of the columns supplied. A
// Decoder makes masks of a column of such values, an Encoder makes a column of masks.
package validity
