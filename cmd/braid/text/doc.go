// Package text writes record batches as text: as lines of JSON, as CSV and as a table for people.
//
// A writer chooses once per batch and column how values are shown, by the type of the column; then it goes row by row.
// Values look the same in all three forms, but for the quotes and escapes of JSON and CSV:
//
//	integers, floats   10   -0.5   1e+21   "NaN"   "+Inf"     (the last two quoted in JSON)
//	decimals           "12.50"                                 (quoted in JSON, so that no digit is lost)
//	dates, times       2001-02-03   04:05:06.007
//	timestamps         2001-02-03T04:05:06.000007              (with a zone: Z or +02:00 at the end)
//	durations          15ms
//	binary             base64
//	lists, structs     [1,null,3]   {"a":1}                    (JSON everywhere)
//	maps               [{"key":"k","value":1}]
//	dictionaries, run-end encoded   the values they stand for
//
// NULL is null in JSON, nothing at all in CSV (an empty string is ""), and an empty place in a table.
package text
