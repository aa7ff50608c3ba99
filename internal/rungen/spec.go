package rungen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"
)

// Spec describes a problem. The zero value of a field is the plain choice; words are listed with the constants below.
type Spec struct {
	// Seed and Tape feed the random choices: key ids, sequence numbers and row kinds read the tape first.
	Seed uint64 `json:"seed"`
	Tape []byte `json:"tape,omitempty"`

	// Rows of all runs together, about: a run that must not repeat a key may find fewer.
	Rows int `json:"rows"`
	Runs int `json:"runs"`
	// Shape says how the keys of the runs lie to each other, and Share how the rows are shared out among the runs.
	Shape Shape `json:"shape,omitempty"`
	Share Share `json:"share,omitempty"`
	// Repeats allows a key to come more than once in a run.
	Repeats bool `json:"repeats,omitempty"`
	// Universe is the number of keys to choose from; 0: what suits the shape.
	Universe int `json:"universe,omitempty"`

	// Keys are the columns of the trimmed primary key. A key column with Nulls holds NULLs.
	Keys []Column `json:"keys"`
	// Partitions is the number of partition columns, which belong to the primary key and to PartitionKeys.
	Partitions int      `json:"partitions,omitempty"`
	Values     []Column `json:"values,omitempty"`
	// Sequence are the columns of sequence.field.
	Sequence []Column `json:"sequence,omitempty"`
	// KindText adds a text column of row kinds and names it in rowkind.field.
	KindText Kinds `json:"kindText,omitempty"`
	// Shuffled puts the columns of the table in random order; otherwise keys come first.
	Shuffled bool `json:"shuffled,omitempty"`

	// KeyColumns stores the key a second time as _KEY_ columns. With Detached, the value columns of the key hold other
	// values than these.
	KeyColumns bool `json:"keyColumns,omitempty"`
	Detached   bool `json:"detached,omitempty"`
	// Numbers fills _SEQUENCE_NUMBER, Kinds fills _VALUE_KIND; empty: no such column.
	Numbers Numbers `json:"numbers,omitempty"`
	Kinds   Kinds   `json:"kinds,omitempty"`
	// Snapshots gives every run a sequence number that replaces the stored ones.
	Snapshots bool `json:"snapshots,omitempty"`

	Layout

	// Options of the table, beside those that follow from the columns (sequence.field, rowkind.field,
	// primary-key.nullable, sequence.snapshot-ordering), which they override.
	Options map[string]string `json:"options,omitempty"`
	// Fault spoils the problem in one place.
	Fault Fault `json:"fault,omitempty"`
	// Keep lists per run the half-open ranges of rows that stay, after everything else is done. A run whose entry is null
	// or missing is left out, one with an empty list stays without rows. A nil Keep keeps all.
	Keep [][][2]int `json:"keep,omitempty"`
}

// Column describes one column. Distinct is the number of values to choose from; 0: many. Of a Forged column, whose style is
// one of bitmaps or sketches, some values are bytes of which nearly all are no such thing.
type Column struct {
	Name     string `json:"name,omitempty"` // default: k0, v0, s0 and so on
	Type     string `json:"type,omitempty"` // as Arrow prints it; default int64
	Style    Style  `json:"style,omitempty"`
	Nulls    Nulls  `json:"nulls,omitempty"`
	NotNull  bool   `json:"notNull,omitempty"` // the field's nullable flag, turned round
	Distinct int    `json:"distinct,omitempty"`
	Forged   bool   `json:"forged,omitempty"`
}

// Layout says how a run's rows lie in memory.
type Layout struct {
	// Batch is the number of rows of a batch, or one of: "" (all rows), "tiny" (1 to 9), "mixed" (1 to some thousands).
	Batch string `json:"batch,omitempty"`
	// Arrays says where the arrays of a batch begin.
	Arrays Arrays `json:"arrays,omitempty"`
	// EmptyBatches strews batches without rows among the others.
	EmptyBatches bool `json:"emptyBatches,omitempty"`
}

// Limits of a spec: what a typing mistake in a text should not turn into a memory fault.
const (
	maxRows    = 1 << 30
	maxRuns    = 1 << 16
	maxColumns = 1 << 12
)

// String returns the spec as one line of JSON, which Parse reads.
func (s Spec) String() string {
	text, err := json.Marshal(s)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// Parse reads a spec from the text that String makes.
func Parse(text string) (Spec, error) {
	var s Spec
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return Spec{}, fmt.Errorf("rungen: spec: %w", err)
	}
	return s, s.validate()
}

// validate reports the first thing in the spec that Generate cannot make.
func (s Spec) validate() error {
	if s.Rows < 0 || s.Rows > maxRows || s.Universe < 0 || s.Runs < 0 || s.Runs > maxRuns {
		return fmt.Errorf("rungen: %d rows of %d keys in %d runs are out of range", s.Rows, s.Universe, s.Runs)
	}
	if len(s.Keys) == 0 || s.Partitions < 0 || s.Partitions > 8 || len(s.Keys)+len(s.Values)+len(s.Sequence) > maxColumns {
		return fmt.Errorf("rungen: %d key, %d partition, %d value and %d sequence columns are out of range",
			len(s.Keys), s.Partitions, len(s.Values), len(s.Sequence))
	}
	if _, err := s.batchRows(); err != nil {
		return err
	}
	if err := s.validateWords(); err != nil {
		return err
	}
	for _, columns := range [][]Column{s.Keys, s.Sequence, s.Values} {
		for _, c := range columns {
			if err := c.validate(); err != nil {
				return err
			}
		}
	}
	for _, c := range s.Keys {
		if dt, _ := typeNamed(c.Type); isNested(dt) || dt.ID() == arrow.NULL {
			return fmt.Errorf("rungen: key column of type %s", c.Type)
		}
	}
	return nil
}

func (c Column) validate() error {
	if _, err := typeNamed(c.Type); err != nil {
		return fmt.Errorf("rungen: %w", err)
	}
	if c.Distinct < 0 {
		return fmt.Errorf("rungen: %d distinct values", c.Distinct)
	}
	if err := known("style", styles, c.Style); err != nil {
		return err
	}
	return known("nulls", nullChoices, c.Nulls)
}

// batchRows returns the rows of a batch if Batch is a number, else 0.
func (l Layout) batchRows() (int, error) {
	switch l.Batch {
	case "", BatchTiny, BatchMixed:
		return 0, nil
	}
	n, err := strconv.Atoi(l.Batch)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("rungen: batch %q is neither a number of rows nor tiny nor mixed", l.Batch)
	}
	return n, nil
}
