// Package columnar sees Arrow arrays as plain slices and moves their rows.
//
// # Terms
//
// A layout is how a type lies in memory, whatever it means: rows are moved and tested for equality by layout, and only
// ordered by type. layout.go has the one table of them. A view is an array as the slices of its layout. A piece is a range
// of rows of a view. A staged column is the pieces of one column copied one after another, so that a single 32-bit staged
// row addresses any of them; taking a selection of staged rows makes an output array.
//
//	run 0   rows 5..7  of batch A      piece A[5,8)   staged rows 0 1 2
//	        rows 0..1  of batch B      piece B[0,2)   staged rows 3 4
//	run 1   rows 9..9  of batch C      piece C[9,10)  staged row  13 (runs start a few rows apart)
//
//	selection 13 0 4   ->   C[9] A[5] B[1]
//
// Order is docs/semantics.md, "Order of keys": one comparison for keys and sequence fields (compare.go), and the same order
// as unsigned integers (normal.go).
package columnar
