package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/braidmerge/braid/kernel"
)

// report is what a merge has done, as --json and --report give it. Times are in seconds.
type report struct {
	Engine        string      `json:"engine"`
	Key           []string    `json:"key"`
	Runs          []runReport `json:"runs"`
	Output        outReport   `json:"output"`
	RowsIn        int64       `json:"rows_in"`
	RowsMerged    int64       `json:"rows_merged"`
	Keys          int64       `json:"keys_in_windows"`
	BytesIn       int64       `json:"bytes_in"`
	BytesOut      int64       `json:"bytes_out"`
	Windows       int64       `json:"windows"`
	Slices        int64       `json:"slices"`
	SlicedRows    int64       `json:"sliced_rows"`
	MemoryHigh    int64       `json:"memory_high_bytes"`
	PeakResident  int64       `json:"peak_resident_bytes,omitempty"`
	RowsPerSecond float64     `json:"rows_per_second"`
	Seconds       timeReport  `json:"seconds"`
	Limited       bool        `json:"limited,omitempty"`
}

// runReport is a run of the report.
type runReport struct {
	Files []fileReport `json:"files"`
}

// fileReport is a file of a run; rows and bytes are absent where they are not known, supplied where it does not count.
type fileReport struct {
	Name     string          `json:"name"`
	Format   format          `json:"format"`
	Rows     *int64          `json:"rows,omitempty"`
	Bytes    *int64          `json:"bytes,omitempty"`
	Supplied *suppliedReport `json:"supplied,omitempty"` // by the rows that were read
}

// outReport is where the rows went.
type outReport struct {
	Name   string `json:"name"`
	Format format `json:"format"`
	Rows   int64  `json:"rows"`
	Bytes  int64  `json:"bytes"`
}

// timeReport is the time of every stage of a merge, in seconds. What is not in a stage is in Total alone.
type timeReport struct {
	Open     float64 `json:"open"`
	Read     float64 `json:"read"`
	Cut      float64 `json:"cut"`
	Order    float64 `json:"order"`
	Groups   float64 `json:"groups"`
	Masks    float64 `json:"masks"`
	Columns  float64 `json:"columns"`
	Assemble float64 `json:"assemble"`
	Write    float64 `json:"write"`
	Total    float64 `json:"total"`
}

// setStats takes over what the merge counted.
func (r *report) setStats(s kernel.Stats) {
	r.RowsIn, r.RowsMerged, r.Keys = s.RowsIn, s.RowsOut, s.Groups
	r.BytesIn, r.BytesOut = s.BytesIn, s.BytesOut
	r.Windows, r.Slices, r.SlicedRows = s.Windows, s.Slices, s.SlicedRows
	r.MemoryHigh = s.MemoryHigh
	t := s.Times
	r.Seconds.Read, r.Seconds.Cut, r.Seconds.Order, r.Seconds.Groups = t.Read.Seconds(), t.Cut.Seconds(), t.Order.Seconds(), t.Groups.Seconds()
	r.Seconds.Masks, r.Seconds.Columns, r.Seconds.Assemble = t.Masks.Seconds(), t.Columns.Seconds(), t.Assemble.Seconds()
}

// setInputs takes over the files.
func (r *report) setInputs(runs *inputRuns) {
	for _, run := range runs.runs {
		var files []fileReport
		for _, in := range run {
			file := fileReport{Name: in.name, Format: in.format, Rows: known(in.rows), Bytes: known(in.bytes)}
			if in.counted != nil {
				file.Supplied = &in.counted.report
			}
			files = append(files, file)
		}
		r.Runs = append(r.Runs, runReport{Files: files})
	}
}

// known is nil for a number that is not known.
func known(n int64) *int64 {
	if n < 0 {
		return nil
	}
	return &n
}

// finish closes the account.
func (r *report) finish(started time.Time) {
	r.PeakResident = peakResident()
	r.Seconds.Total = time.Since(started).Seconds()
	if r.Seconds.Total > 0 {
		r.RowsPerSecond = float64(r.RowsIn) / r.Seconds.Total
	}
}

// writeJSON writes the report as JSON.
func (r *report) writeJSON(out io.Writer) error {
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(r)
}

// line is the report for people.
func (r *report) line() string {
	var b strings.Builder
	fmt.Fprintf(&b, "merged %s: %s rows in, %s out", plural(len(r.Runs), "run"), grouped(r.RowsIn), grouped(r.Output.Rows))
	if r.Limited {
		b.WriteString(" (stopped at the limit)")
	}
	fmt.Fprintf(&b, ", %.2fs, %s rows/s", r.Seconds.Total, grouped(int64(r.RowsPerSecond)))
	if r.PeakResident > 0 {
		fmt.Fprintf(&b, ", %s of memory", bytesText(r.PeakResident))
	}
	if r.Output.Name != standardInput {
		fmt.Fprintf(&b, ", %s (%s)", r.Output.Name, bytesText(r.Output.Bytes))
	}
	return b.String()
}

// plural is a number and a noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// grouped is a number with commas between its thousands.
func grouped(n int64) string {
	digits := fmt.Sprint(max(n, -n))
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	if n < 0 {
		return "-" + digits
	}
	return digits
}
