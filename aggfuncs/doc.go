// Package aggfuncs says what a column does with the rows of one key.
//
// # Terms
//
// The rows of a window stand in merged order, and the rows of a key are a group, oldest first. A function makes one value of
// the rows of a group in its column. Its accumulator holds what the rows so far have come to. A row is added, or, as a retract,
// taken back; a late row is older than what is accumulated and is added before it. NULL is no value, on either side.
//
// # Picks
//
// A pick chooses one row of every group and needs no typed code: it is a mask with one bit a group, made 64 rows at a time from
// the group ends and the mask of the rows that count. Masks are in merged order, see package validity.
//
//	row        0 1 2 3 4 5      key a: rows 0 to 2, key b: rows 3 to 5
//	ends       0 0 1 0 0 1
//	counts     1 1 1 0 1 1      row 3 is a delete that is passed over
//	valid      1 1 0 1 0 0      rows 2, 4 and 5 are NULL
//	last row           2 5
//	first row          0 4
//	last non-NULL      1 5      no row of b that counts has a value: the last that counts stands for NULL
//
// # Folds
//
// A fold computes a value of all rows of a group. Functions are Pickers or Functions, found by name (ByName), and share one
// contract (Groups). Those of numbers go through a window without a branch that depends on where groups end, and look for
// trouble, an overflow or a NaN, only once it is known that there is some: then they go through it again, row by row.
//
//	row        0 1 2 3 4
//	ends       0 1 1 0 1
//	value      1 2 5 3 4
//	sums       1 3 5 3 7
//	out        3 5 7            the sum so far is written where the sum of the group belongs, and the place moves on at an end
//
// In a window that has nothing but adds, in order, they need not have all rows brought together (RestFolder): the first value of every
// group is what it has come to, and the others are brought to that from where they lie.
//
//	value    1 2 5 3 4
//	first    1   5 3
//	rest       2     4      of groups 0 and 2      sums 3 5 7
//
// Functions of lists and maps make selections of the items that the rows have, in order of first appearance, and take these as
// columns. A row takes them the time of its own items, and of those that it takes out for good, however many are accumulated.
// Functions of bitmaps and sketches read bytes only where there are two values to unite, and check them to the end before they
// allocate anything.
package aggfuncs
