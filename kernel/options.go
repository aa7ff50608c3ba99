package kernel

import "fmt"

// Options are the options of a table that merging reads. ParseOptions fills them from the texts of a table's own options;
// the zero value is a table without options. Each field names its option and says what its zero value stands for.
//
// Options of one engine have no effect under another, and an option that the kernel cannot carry out yet is refused when
// the plan is compiled.
type Options struct {
	// Engine is the rule for the rows of one key: `merge-engine`, default deduplicate.
	Engine Engine

	// SequenceFields are the columns that order the versions of a key, the first counting most: `sequence.field`, a list
	// of columns with blanks around them cut off. Empty: versions are ordered by sequence number alone.
	SequenceFields []string
	// SequenceDescending makes the smallest value of the sequence fields the newest: `sequence.field.sort-order`,
	// ascending (default) or descending.
	SequenceDescending bool
	// SnapshotOrdering tells that files carry the number of their snapshot in place of sequence numbers:
	// `sequence.snapshot-ordering`, default false. It excludes SequenceFields.
	SnapshotOrdering bool

	// RowKindField is the text column that holds the kind of a row: `rowkind.field`. Empty: the kind column of a run, or
	// +I for every row.
	RowKindField string
	// IgnoreDelete passes over retracts (-U and -D): `ignore-delete`, or else the first of `first-row.ignore-delete`,
	// `deduplicate.ignore-delete` and `partial-update.ignore-delete` that is set, whatever the engine. Default false.
	IgnoreDelete bool
	// IgnoreUpdateBefore drops -U: `ignore-update-before`, default false. It is for the writer of a table; a merge of runs that
	// have been written does not look at it.
	IgnoreUpdateBefore bool
	// RemoveRecordOnDelete makes a -D remove the row: `partial-update.remove-record-on-delete` for the two engines that
	// update partially, `aggregation.remove-record-on-delete` for aggregation. Default false.
	RemoveRecordOnDelete bool
	// RemoveRecordOnSequenceGroup names the sequence columns whose group removes the row at a -D:
	// `partial-update.remove-record-on-sequence-group`, a list of columns taken as they stand. Default none.
	RemoveRecordOnSequenceGroup []string

	// SequenceGroups are the columns that are updated together: one group for each option
	// `fields.<column>[,<column>...].sequence-group`, in the order of these keys. Default none.
	SequenceGroups []SequenceGroup
	// DefaultAggregateFunction serves every column without a function of its own: `fields.default-aggregate-function`.
	// Empty: the engine's own rule.
	DefaultAggregateFunction string
	// Fields holds the options of single columns, `fields.<column>.<option>`, by column.
	Fields map[string]FieldOptions

	// Changelog is how the table makes its changelog: `changelog-producer`, default none. A merge for reading makes none
	// and passes over it.
	Changelog ChangelogProducer
	// ChangelogRowDeduplicate leaves out of the changelog what changes nothing: `changelog-producer.row-deduplicate`,
	// default false.
	ChangelogRowDeduplicate bool
	// ChangelogIgnoreFields names the columns whose change alone counts as none:
	// `changelog-producer.row-deduplicate-ignore-fields`, a list taken as it stands. Names the table lacks have no effect.
	ChangelogIgnoreFields []string

	// NullableKeys allows NULL in key columns: `primary-key.nullable`, default false.
	NullableKeys bool
	// Strict turns on the corrected semantics: `braid.strict`, default false.
	Strict bool
}

// SequenceGroup is one group of columns that move together: a row sets the protected columns only if its sequence columns
// are not below those of the rows before it.
type SequenceGroup struct {
	Sequence  []string // the columns of the option's key, the first counting most
	Protected []string // the columns of the option's value
}

// Engine is a merge engine: the rule for the rows of one key.
type Engine uint8

// The merge engines, under the names the option `merge-engine` has for them.
const (
	Deduplicate Engine = iota
	FirstRow
	PartialUpdate
	Aggregation
	PartialUpdateValidity
)

var engineNames = []string{"deduplicate", "first-row", "partial-update", "aggregation", "partial-update-validity"}

// String gives the engine's name in the option `merge-engine`.
func (e Engine) String() string { return enumName(engineNames, uint8(e)) }

// ParseEngine finds the engine of that name, in upper or lower case. Any other name is ErrOption.
func ParseEngine(name string) (Engine, error) {
	i, err := enumIndex(engineNames, name)
	if err != nil {
		return 0, optionError("merge-engine", "%v", err)
	}
	return Engine(i), nil
}

// ChangelogProducer is the way a table makes its changelog.
type ChangelogProducer uint8

// The ways to make a changelog, under the names the option `changelog-producer` has for them.
const (
	ChangelogNone ChangelogProducer = iota
	ChangelogInput
	ChangelogLookup
	ChangelogFullCompaction
)

var changelogNames = []string{"none", "input", "lookup", "full-compaction"}

// String gives the producer's name in the option `changelog-producer`.
func (c ChangelogProducer) String() string { return enumName(changelogNames, uint8(c)) }

// optionError is an ErrOption that names the option and says what is wrong with it.
func optionError(key, format string, args ...any) error {
	return fmt.Errorf("%w: %s: %s", ErrOption, key, fmt.Sprintf(format, args...))
}
