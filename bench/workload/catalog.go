package workload

import "fmt"

// Catalog is the list of all cells that are measured when nothing else is said: the grid, then the named workloads.
func Catalog() []Name {
	cells := append(Grid(), variety()...)
	return append(append(cells, named()...), Flights()...)
}

// Grid is the grid that systems are compared on: three jobs, three keys, three numbers of runs, four shares.
func Grid() []Name {
	var cells []Name
	for _, job := range []string{"dedup", "partial", "agg"} {
		for _, key := range []string{"int64", "two-int", "uuid"} {
			for _, k := range []int{2, 8, 64} {
				for _, share := range []int{0, 10, 47, 87} {
					if share*k <= 100*(k-1) {
						cells = append(cells, Name{job, key, k, share, "uniform", "mixed"})
					}
				}
			}
		}
	}
	return cells
}

// Small is the grid by which a change is judged.
func Small() []Name {
	var cells []Name
	for _, key := range []string{"int64", "composite", "uuid"} {
		for _, k := range []int{2, 8, 64} {
			for _, share := range []int{0, 50} {
				cells = append(cells, Name{"dedup", key, k, share, "uniform", "mixed"})
			}
		}
	}
	return cells
}

// variety leaves the middle of the grid in one direction at a time.
func variety() []Name {
	var cells []Name
	for _, key := range []string{"hashed", "int-text", "url", "composite"} {
		cells = append(cells, Name{"dedup", key, 8, 10, "uniform", "mixed"})
	}
	for _, layout := range []string{"big", "skewed", "ordered", "stretches"} {
		cells = append(cells, Name{"dedup", "int64", 8, 10, layout, "mixed"})
	}
	cells = append(cells, Name{"dedup", "int64", 8, 0, "ordered", "mixed"}, Name{"first", "int64", 8, 10, "uniform", "mixed"})
	for _, k := range []int{4, 16} {
		cells = append(cells, Name{"dedup", "int64", k, 10, "uniform", "mixed"})
	}
	for _, columns := range []string{"int64", "bool", "decimal", "text8", "text24", "text100", "list"} {
		cells = append(cells, Name{"dedup", "int64", 8, 10, "uniform", columns})
	}
	return cells
}

// named are the cells of workloads that have a shape of their own.
func named() []Name {
	cells := []Name{
		{"dedup", "order-line", 8, 1, "refresh", "lineitem"},
		{"dedup", "order-line", 64, 10, "refresh", "lineitem"},
		{"dedup", "order", 8, 10, "refresh", "orders"},
		{"dedup", "user", 8, 40, "zipf", "ycsb"},
		{"dedup", "user", 64, 40, "zipf", "ycsb"},
		{"partial", "user", 8, 40, "zipf", "ycsb-f"},
		{"partial", "int64", 3, 60, "uniform", "streams3"},
		{"partial", "int64", 8, 80, "uniform", "wide100"},
		{"dedup", "customer", 8, 50, "big", "cdc"},
		{"groups", "customer", 8, 50, "big", "groups"},
		{"agg", "page", 8, 50, "uniform", "sketches"},
		{"validity", "int64", 8, 50, "big", "sets"},
		{"validity", "int64", 8, 50, "big", "random"},
	}
	for _, k := range []int{32, 64} {
		cells = append(cells, Name{"partial", "tags", k, 10, "uniform", "metrics"})
	}
	for _, cell := range cells {
		if err := cell.check(); err != nil {
			panic(fmt.Sprintf("%v: %v", cell, err))
		}
	}
	return cells
}

// Compared are the cells that peers are asked for when nothing else is said: one line through the grid in every direction. The whole grid
// takes them some hours.
func Compared() []Name {
	var cells []Name
	add := func(job, key string, k int, shares ...int) {
		for _, share := range shares {
			cells = append(cells, Name{job, key, k, share, "uniform", "mixed"})
		}
	}
	add("dedup", "int64", 8, 0, 10, 47, 87)
	add("partial", "int64", 8, 0, 10, 47, 87)
	add("agg", "int64", 8, 10, 87)
	add("dedup", "int64", 2, 10)
	add("dedup", "int64", 64, 10, 47)
	add("partial", "int64", 64, 10)
	add("dedup", "two-int", 8, 10)
	add("dedup", "uuid", 8, 10)
	add("partial", "uuid", 8, 47)
	return cells
}
