package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
)

// inspection is what inspect finds in a file, as --json gives it. What is not known is absent.
type inspection struct {
	Name      string            `json:"name"`
	Format    format            `json:"format"`
	Rows      *int64            `json:"rows"`
	Bytes     *int64            `json:"bytes,omitempty"`
	CreatedBy string            `json:"created_by,omitempty"`
	Schema    []fieldReport     `json:"schema"`
	Metadata  map[string]string `json:"metadata,omitempty"`
	Batches   []batchReport     `json:"batches"` // or row groups
	Columns   []columnReport    `json:"columns,omitempty"`
	Kinds     map[string]int64  `json:"kinds,omitempty"`
	Sequence  *sequenceReport   `json:"sequence,omitempty"`
	Order     *orderReport      `json:"order,omitempty"`
}

// fieldReport is a column of the schema.
type fieldReport struct {
	Name     string            `json:"name"`
	Type     string            `json:"type"`
	Nullable bool              `json:"nullable"`
	Metadata map[string]string `json:"metadata,omitempty"`
}

// batchReport is a row group of a Parquet file or a batch of an Arrow file.
type batchReport struct {
	Rows         int64  `json:"rows"`
	Bytes        int64  `json:"bytes,omitempty"`
	Uncompressed int64  `json:"uncompressed_bytes,omitempty"`
	Compression  string `json:"compression,omitempty"`
}

// columnReport is how a Parquet file stores a column.
type columnReport struct {
	Name         string   `json:"name"`
	Type         string   `json:"type"`
	Compression  []string `json:"compression"`
	Encodings    []string `json:"encodings"`
	Bytes        int64    `json:"bytes"`
	Uncompressed int64    `json:"uncompressed_bytes"`
	Nulls        int64    `json:"nulls"`
}

// sequenceReport is the range of sequence numbers.
type sequenceReport struct {
	Min int64 `json:"min"`
	Max int64 `json:"max"`
}

// orderReport says whether rows are sorted by a key. Unique is false where it is not known because they are not.
type orderReport struct {
	Key    []string     `json:"key"`
	Sorted bool         `json:"sorted"`
	Unique bool         `json:"unique"`
	Min    string       `json:"min,omitempty"`
	Max    string       `json:"max,omitempty"`
	Fault  *faultReport `json:"fault,omitempty"`
}

// faultReport is the first row that is below the one before it. Rows and batches count from 0.
type faultReport struct {
	Row        int64  `json:"row"`
	Batch      int    `json:"batch"`
	RowInBatch int    `json:"row_in_batch"`
	Key        string `json:"key"`
	After      string `json:"after"`
}

// Where a Parquet file has no field ids, its columns say so.
const (
	fieldID   = "PARQUET:field_id"
	noFieldID = "-1"
)

// formatNames are the formats as people call them.
var formatNames = map[format]string{parquetFormat: "Parquet", arrowFormat: "Arrow file", arrowsFormat: "Arrow stream"}

// trailing is white space at the end of a line.
var trailing = regexp.MustCompile(`(?m)[ \t]+$`)

// text is the inspection for people.
func (found *inspection) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, %s rows", found.Name, formatNames[found.Format], grouped(*found.Rows))
	if found.Bytes != nil {
		fmt.Fprintf(&b, ", %s", bytesText(*found.Bytes))
	}
	if found.CreatedBy != "" {
		fmt.Fprintf(&b, ", written by %s", found.CreatedBy)
	}
	b.WriteString("\n")
	found.schemaText(&b)
	found.batchText(&b)
	found.columnText(&b)
	found.metadataText(&b)
	found.rowText(&b)
	return trailing.ReplaceAllString(b.String(), "")
}

func (found *inspection) schemaText(b *strings.Builder) {
	b.WriteString("  schema\n")
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, field := range found.Schema {
		null := "not null"
		if field.Nullable {
			null = ""
		}
		var metadata []string
		for _, name := range slices.Sorted(maps.Keys(field.Metadata)) {
			if name == fieldID && field.Metadata[name] == noFieldID {
				continue
			}
			metadata = append(metadata, name+"="+field.Metadata[name])
		}
		fmt.Fprintf(w, "    %s\t%s\t%s\t%s\n", field.Name, field.Type, null, strings.Join(metadata, " "))
	}
	w.Flush()
}

// batchText shows the row groups or batches, the middle left out where there are many.
func (found *inspection) batchText(b *strings.Builder) {
	const shown = 8
	name := "batch"
	if found.Format == parquetFormat {
		name = "row group"
	}
	for i, batch := range found.Batches {
		if left := len(found.Batches) - shown; left > 1 && i >= shown-1 && i < len(found.Batches)-1 {
			if i == shown-1 {
				fmt.Fprintf(b, "  ... %d more ...\n", left)
			}
			continue
		}
		fmt.Fprintf(b, "  %s %d: %s rows", name, i, grouped(batch.Rows))
		if batch.Bytes > 0 {
			fmt.Fprintf(b, ", %s", bytesText(batch.Bytes))
		}
		if batch.Uncompressed > 0 {
			fmt.Fprintf(b, " (%s uncompressed)", bytesText(batch.Uncompressed))
		}
		if batch.Compression != "" {
			fmt.Fprintf(b, ", %s", batch.Compression)
		}
		b.WriteString("\n")
	}
}

func (found *inspection) columnText(b *strings.Builder) {
	if len(found.Columns) == 0 {
		return
	}
	b.WriteString("  stored columns\n")
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, c := range found.Columns {
		physical, _, _ := strings.Cut(c.Type, " ")
		fmt.Fprintf(w, "    %s\t%s\t%s\t%s\t%s of %s\t%s NULL\n", c.Name, physical, strings.Join(c.Compression, "+"),
			strings.Join(c.Encodings, "+"), bytesText(c.Bytes), bytesText(c.Uncompressed), grouped(c.Nulls))
	}
	w.Flush()
}

func (found *inspection) metadataText(b *strings.Builder) {
	const shown = 60 // characters of a value
	for _, name := range slices.Sorted(maps.Keys(found.Metadata)) {
		value := []rune(strings.Join(strings.Fields(found.Metadata[name]), " "))
		if len(value) > shown {
			value = append(value[:shown], []rune("...")...)
		}
		fmt.Fprintf(b, "  metadata %s = %s\n", name, string(value))
	}
}

func (found *inspection) rowText(b *strings.Builder) {
	if found.Kinds != nil {
		var kinds []string
		for _, name := range slices.Sorted(maps.Keys(found.Kinds)) {
			kinds = append(kinds, name+" "+grouped(found.Kinds[name]))
		}
		fmt.Fprintf(b, "  row kinds: %s\n", strings.Join(kinds, ", "))
	}
	if found.Sequence != nil {
		fmt.Fprintf(b, "  sequence numbers: %d to %d\n", found.Sequence.Min, found.Sequence.Max)
	}
	if found.Order == nil {
		return
	}
	fmt.Fprintf(b, "  key %s: %s\n", strings.Join(found.Order.Key, ", "), found.Order.verdict())
	if found.Order.Min != "" {
		fmt.Fprintf(b, "    smallest %s\n    largest  %s\n", found.Order.Min, found.Order.Max)
	}
}

// verdict says in words whether the rows are sorted.
func (o *orderReport) verdict() string {
	switch {
	case o.Fault != nil:
		f := o.Fault
		return fmt.Sprintf("NOT sorted: row %d (batch %d, row %d) has %s after %s", f.Row, f.Batch, f.RowInBatch, f.Key, f.After)
	case o.Unique:
		return "sorted, no key twice"
	}
	return "sorted, some keys more than once"
}
