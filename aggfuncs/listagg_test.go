package aggfuncs_test

import (
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
)

// TestListAggOverlaps joins texts that are full of pieces of the delimiter, so that delimiters begin in one text and end in
// another, by delimiters that overlap themselves in every way, that are blank, or empty.
func TestListAggOverlaps(t *testing.T) {
	f := column(arrow.BinaryTypes.String, "")
	var subjects []*subject
	for _, d := range []string{"", "aa", "aba", "aaa", "aaaa", "abab", "aabaa", "abcab", "aabaabaa", "abaababaab", "  ", " a ", "\t\t", "\t \t",
		"éé", "éaé", ",", "ab", " "} {
		s := with("listagg", f, distinct, delimiter(d), ignoreRetract)
		s.value = func(rng *rand.Rand) any { return delimiterText(rng, d) }
		subjects = append(subjects, s)
	}
	checkAll(t, 2500, subjects...)
}

// delimiterText draws a text of pieces of a delimiter, and others.
func delimiterText(rng *rand.Rand, delimiter string) string {
	text := ""
	for range rng.IntN(1 + 1<<rng.IntN(5)) {
		from := rng.IntN(len(delimiter) + 1)
		to := from + rng.IntN(len(delimiter)-from+1)
		switch rng.IntN(8) {
		case 0, 1:
			text += delimiter
		case 2, 3, 4:
			text += delimiter[from:to]
		default:
			text += []string{"x", "y", "a", "b", " ", "\t", "long text without any of it", "é", "zz"}[rng.IntN(9)]
		}
	}
	return text
}
