// Package aggfuncs says what a column does with the rows of one key.
//
// A pick chooses one row of every key group and needs no typed code: it is a mask with one bit a group, made 64 rows at a
// time from the group ends and the mask of the rows that count. Masks are in merged order, see package validity.
//
//	row        0 1 2 3 4 5      key a: rows 0 to 2, key b: rows 3 to 5
//	ends       0 0 1 0 0 1
//	counts     1 1 1 0 1 1      row 3 is a delete that is passed over
//	valid      1 1 0 1 0 0      rows 2, 4 and 5 are NULL
//	last row           2 5
//	first row          0 4
//	last non-NULL      1 5      no row of b that counts has a value: the last that counts stands for NULL
package aggfuncs
