package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
)

// suggest says which column may have been meant by a name that no column has, and which there are.
func suggest(name string, fields []arrow.Field) string {
	names := make([]string, len(fields))
	for i, field := range fields {
		names[i] = field.Name
	}
	list := "its columns are " + strings.Join(names, ", ")
	if len(names) > 20 {
		list = fmt.Sprintf("it has %d columns: %s, ...", len(names), strings.Join(names[:20], ", "))
	}
	if len(names) == 0 {
		return "it has no columns"
	}
	best := slices.MinFunc(names, func(a, b string) int { return distance(name, a) - distance(name, b) })
	if distance(name, best) <= 1+len(name)/4 {
		return fmt.Sprintf("did you mean %q? (%s)", best, list)
	}
	return list
}

// distance is how many letters must be added, dropped or changed to make b of a; upper and lower case are the same.
func distance(a, b string) int {
	from, to := []rune(strings.ToLower(a)), []rune(strings.ToLower(b))
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i := range from {
		diagonal := row[0]
		row[0] = i + 1
		for j := range to {
			above := row[j+1]
			row[j+1] = min(above, row[j]) + 1
			if from[i] == to[j] {
				row[j+1] = min(row[j+1], diagonal)
			} else {
				row[j+1] = min(row[j+1], diagonal+1)
			}
			diagonal = above
		}
	}
	return row[len(to)]
}
