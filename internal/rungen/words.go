package rungen

import (
	"fmt"
	"slices"
)

// Shape says how the keys of the runs lie to each other.
type Shape string

// The shapes.
const (
	Dealt       Shape = ""            // every key in one run only, runs interleaved at random
	Interleaved Shape = "interleaved" // each run a random choice of many keys: some keys in several runs
	Duplicates  Shape = "duplicates"  // few keys: most in several runs
	Same        Shape = "same"        // the longest run has every key, each other run a part of them
	Disjoint    Shape = "disjoint"    // runs one behind the other, not in the order in which they are given
	Touching    Shape = "touching"    // as disjoint, but neighbours overlap a little
	Stretches   Shape = "stretches"   // long stretches of one run alone, between stretches that all share
	Hot         Shape = "hot"         // half of the rows of every run have one key, the others are interleaved
)

// Share says how rows are shared out among runs.
type Share string

// The shares.
const (
	Even   Share = ""       // equal parts
	Uneven Share = "uneven" // random parts
	Skewed Share = "skewed" // one huge run, the others tiny
	Gaps   Share = "gaps"   // random parts, some runs without rows
)

// Style says how the values of a column lie in the domain of its type. The first group is for numbers, times and
// fixed-size bytes, the second for texts and bytes, the third for bytes in columns that are no keys; a style of the wrong
// group means the default.
type Style string

// The styles.
const (
	Spread   Style = ""         // anywhere in the domain, both ends included: hashed ids
	Dense    Style = "dense"    // consecutive
	Clusters Style = "clusters" // a few dense places far apart
	Steps    Style = "steps"    // ascending by small steps
	Small    Style = "small"    // integers from -3 to 4, or from 0 to 7, so that sums fit; decimals likewise
	Units    Style = "units"    // -1, 1 and, where there are 32 bits or more, 2, so that products and quotients fit

	Short  Style = "short"  // up to 12 bytes of a small alphabet, so that many are prefixes of others; default
	Hex    Style = "hex"    // 16 hexadecimal digits
	Prefix Style = "prefix" // a shared prefix of 20 to 120 bytes, then few bytes
	Late   Style = "late"   // a shared prefix, few bytes, a shared suffix
	Chain  Style = "chain"  // each the prefix of the next, up to hundreds of bytes
	Zeros  Style = "zeros"  // bytes 0 and few others, so that padding with zeros would confuse them
	Long   Style = "long"   // up to some thousand bytes
	Words  Style = "words"  // words, delimiters and white space of several kinds

	Bitmap32 Style = "rbm32"     // 32-bit roaring bitmaps, portable
	Bitmap64 Style = "rbm64"     // 64-bit roaring bitmaps, as radix trees
	Theta    Style = "theta"     // theta sketches
	HLL      Style = "hll"       // HLL sketches
	Marks    Style = "marks"     // which columns of the table a row supplies, as 32-bit roaring bitmaps of their positions
	RunMarks Style = "run-marks" // the same for all rows of a run
)

// Nulls says which values of a column are NULL. A key column holds NULLs with any word but the first two.
type Nulls string

// The choices of NULLs.
const (
	NoNulls   Nulls = ""       // none, and no validity buffer
	AllValid  Nulls = "valid"  // none, and a validity buffer that says so
	FewNulls  Nulls = "few"    // one in 64
	HalfNulls Nulls = "half"   //
	ManyNulls Nulls = "many"   // seven of eight
	AllNull   Nulls = "all"    //
	Blocks    Nulls = "blocks" // stretches all valid, stretches all NULL, stretches mixed, each of 64 rows or more
	ByRun     Nulls = "byrun"  // a run has no NULLs, or half, or nothing else
)

// Numbers says which sequence numbers rows have.
type Numbers string

// The choices of sequence numbers.
const (
	NoNumbers Numbers = ""
	Rising    Numbers = "rising"  // every run's above the last run's, ascending by row
	Shaken    Numbers = "shaken"  // every run's above the last run's, random with repeats inside
	Falling   Numbers = "falling" // every run's below the last run's
	Overlap   Numbers = "overlap" // random in one range for all
	Few       Numbers = "few"     // 0 to 3
	Equal     Numbers = "equal"   // all the same
	Unknown   Numbers = "unknown" // -1
	Extreme   Numbers = "extreme" // the least and the greatest among others
)

// Kinds says which row kinds rows have.
type Kinds string

// The choices of row kinds.
const (
	NoKinds  Kinds = ""
	Inserts  Kinds = "inserts"  // +I
	Adds     Kinds = "adds"     // +I and +U
	Some     Kinds = "some"     // one in eight a retract
	Many     Kinds = "many"     // two in three a retract
	Retracts Kinds = "retracts" // nothing else
)

// Words of Layout.Batch that are no number.
const (
	BatchTiny  = "tiny"
	BatchMixed = "mixed"
)

// Arrays says where the arrays of a batch begin.
type Arrays string

// The choices of array offsets.
const (
	Fresh  Arrays = ""       // each batch has its own buffers, array offset 0
	Padded Arrays = "padded" // each batch has its own buffers, with rows of others before and behind
	Shared Arrays = "shared" // the batches of a run are slices of one record
)

// Fault is what is wrong with a problem.
type Fault string

// The faults. A fault that finds no place (unsorted in a run of one key) leaves the problem sound.
const (
	NoFault     Fault = ""
	Unsorted    Fault = "unsorted"     // two neighbours of a run change places
	NullKey     Fault = "null-key"     // NULL keys stay although the table does not allow them
	BadKind     Fault = "bad-kind"     // a row kind that is none
	BadKindText Fault = "bad-text"     // a row kind text that is none
	NullKind    Fault = "null-text"    // a row kind text that is NULL
	NullValue   Fault = "null-value"   // a NULL in a NOT NULL value column
	MissingKey  Fault = "missing-key"  // a run without its first key column
	OtherType   Fault = "other-type"   // a run whose first value column has another type
	LostColumn  Fault = "lost-column"  // a run without its last value column
	Misnumbered Fault = "other-number" // a run whose sequence numbers are int32
)

var (
	shapes       = []Shape{Dealt, Interleaved, Duplicates, Same, Disjoint, Touching, Stretches, Hot}
	shares       = []Share{Even, Uneven, Skewed, Gaps}
	numberStyles = []Style{Spread, Dense, Clusters, Steps}
	textStyles   = []Style{Short, Hex, Prefix, Late, Chain, Zeros}
	styles       = slices.Concat([]Style{Long, Small, Units, Words, Bitmap32, Bitmap64, Theta, HLL, Marks, RunMarks}, numberStyles, textStyles)
	nullChoices  = []Nulls{NoNulls, AllValid, FewNulls, HalfNulls, ManyNulls, AllNull, Blocks, ByRun}
	numbers      = []Numbers{NoNumbers, Rising, Shaken, Falling, Overlap, Few, Equal, Unknown, Extreme}
	kinds        = []Kinds{NoKinds, Inserts, Adds, Some, Many, Retracts}
	arrayWords   = []Arrays{Fresh, Padded, Shared}
	faults       = []Fault{NoFault, Unsorted, NullKey, BadKind, BadKindText, NullKind, NullValue, MissingKey, OtherType, LostColumn, Misnumbered}
)

// Shapes lists the shapes.
func Shapes() []Shape { return slices.Clone(shapes) }

// validateWords checks every word of the spec against its list.
func (s Spec) validateWords() error {
	for _, err := range []error{
		known("shape", shapes, s.Shape), known("share", shares, s.Share), known("numbers", numbers, s.Numbers),
		known("kinds", kinds, s.Kinds), known("kindText", kinds, s.KindText), known("arrays", arrayWords, s.Arrays),
		known("fault", faults, s.Fault),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

func known[T ~string](field string, words []T, word T) error {
	if slices.Contains(words, word) {
		return nil
	}
	return fmt.Errorf("rungen: %s is not one of %q: %q", field, words, word)
}
