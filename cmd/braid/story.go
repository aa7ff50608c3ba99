package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/braidmerge/braid/cmd/braid/text"
)

// story tells what the demo has merged and what became of a few flights.
func (d *demo) story() string {
	var b strings.Builder
	base := d.runs[0]
	fmt.Fprintf(&b, "%s real flights of January 2001 and %s of corrections to them, merged by %s.\n\n",
		grouped(base.rows), plural(len(d.runs)-1, "run"), demoEngine)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "run\tfile\tbytes\trows\t+I\t-D\t\n")
	for i, run := range d.runs {
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\t\n", i, run.name, grouped(int64(len(run.content))),
			grouped(run.rows), grouped(run.rows-run.deletes), grouped(run.deletes))
	}
	w.Flush()
	fmt.Fprintf(&b, "\nbefore: %s flights and %s corrections\nafter:  %s flights\n",
		grouped(base.rows), grouped(d.stats.RowsIn-base.rows), grouped(d.rows))
	fmt.Fprintf(&b, "%s rows merged in %.1f ms from Parquet bytes to Arrow records: %s rows/s\n",
		grouped(d.stats.RowsIn), float64(d.took.Microseconds())/1000, grouped(int64(float64(d.stats.RowsIn)/d.took.Seconds())))
	for _, c := range d.examples() {
		d.tell(&b, c)
	}
	fmt.Fprintf(&b, "\nThe same on the command line:\n\n  braid demo --write flights\n  %s\n", demoMerge("flights"))
	return b.String()
}

// example is a flight that stands for others.
type example struct {
	what   string
	flight int64
}

// examples finds a flight that was corrected once, one that was corrected twice and one that was deleted.
func (d *demo) examples() []example {
	corrected, deleted := map[int64]int{}, map[int64]bool{}
	var order []int64
	for _, run := range d.runs[1:] {
		for _, record := range run.records {
			for row, flight := range flightsOf(record) {
				if isDelete(record, row) {
					deleted[flight] = true
				} else {
					corrected[flight]++
				}
				order = append(order, flight)
			}
		}
	}
	find := func(what string, fits func(flight int64) bool) []example {
		for _, flight := range order {
			if fits(flight) {
				return []example{{what, flight}}
			}
		}
		return nil
	}
	found := find("corrected once", func(f int64) bool { return corrected[f] == 1 && !deleted[f] })
	found = append(found, find("corrected twice", func(f int64) bool { return corrected[f] == 2 && !deleted[f] })...)
	return append(found, find("corrected and then deleted", func(f int64) bool { return corrected[f] > 0 && deleted[f] })...)
}

// flightsOf returns the keys of a record.
func flightsOf(record arrow.Record) []int64 {
	return record.Column(columnOf(record.Schema(), demoKey, arrow.INT64)).(*array.Int64).Int64Values()
}

// tell shows every version of a flight, and what is left of it.
func (d *demo) tell(b *strings.Builder, c example) {
	fmt.Fprintf(b, "\nflight %d, %s\n", c.flight, c.what)
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	columns := d.runs[0].records[0].Schema().Fields()[1:]
	fmt.Fprint(w, "  ")
	for _, field := range columns {
		fmt.Fprintf(w, "\t%s", field.Name)
	}
	fmt.Fprintln(w)
	for i, run := range d.runs {
		name := "as it was"
		if i > 0 {
			name = fmt.Sprintf("run %d", i)
		}
		tellRow(w, name, run.records, columns, c.flight)
	}
	if !tellRow(w, "as it is", d.result, columns, c.flight) {
		fmt.Fprintln(w, "  as it is\tgone")
	}
	w.Flush()
}

// tellRow shows the row of a flight, if one of the records has it.
func tellRow(w *tabwriter.Writer, name string, records []arrow.Record, columns []arrow.Field, flight int64) bool {
	for _, record := range records {
		for row, f := range flightsOf(record) {
			if f != flight {
				continue
			}
			fmt.Fprintf(w, "  %s", name)
			if isDelete(record, row) {
				fmt.Fprintln(w, "\tdelete")
				return true
			}
			for _, field := range columns {
				fmt.Fprintf(w, "\t%s", text.Value(record.Column(record.Schema().FieldIndices(field.Name)[0]), row))
			}
			fmt.Fprintln(w)
			return true
		}
	}
	return false
}
