// Package expression is the language of conditions and assignments of an update: texts such as `id > 4 AND name IS NULL` or
// `v + 1`, checked against a schema and evaluated over Arrow columns, many rows at a time.
//
// # Terms
//
// An expression is parsed into syntax, and the syntax checked into a tree of terms, each with a type; what is constant in it
// is folded into one value. A frame is the rows an expression is evaluated over. A step is a term while it is evaluated: it
// has the memory its values are written to, one vector of them a frame. Logic has three values: true, false and NULL.
//
//	v + 1 > 10 AND s IS NOT NULL      and(greater(add(column v, 1), 10), not(null(column s)))
//
//	row     0     1     2             bits   of greater   0 1 0     which rows are true
//	v       3    10  NULL             valid  of greater   1 1 0     which rows are not NULL
//
// A row that a part of an expression does not count for cannot fail there: in `d <> 0 AND n / d > 1` no row with d = 0 is
// divided. Active is the mask of the rows that count.
//
// # Grammar
//
//	or        and { OR and }
//	and       not { AND not }
//	not       [NOT] predicate
//	predicate text [ (= | <> | != | < | <= | > | >=) text | IS [NOT] NULL | [NOT] IN ( or {, or} ) ]
//	text      sum { || sum }
//	sum       product { (+ | -) product }
//	product   sign { (* | /) sign }
//	sign      [-] primary
//	primary   number | 'text' | TRUE | FALSE | NULL | column | alias.column | CONCAT ( or {, or} ) | ( or )
//
// Words of the language are read in any case; names of columns as they are written, in "double quotes" or `back quotes` where
// they are no words or are words of the language. docs/semantics.md, "Expressions", says what operators do.
package expression
