package fuzz_test

import (
	"encoding/json"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"github.com/braidmerge/braid/internal/rungen"
	"github.com/braidmerge/braid/internal/testscale"
)

// class is a number of problems of one size, each put in so many ways.
type class struct{ problems, rows, ways int }

// classes are the problems of TestDifferential: most are small, so that a fault shows in a small one first.
var classes = []class{{2000, 40, 4}, {700, 500, 4}, {120, 6000, 3}, {8, 100_000, 2}}

// TestDifferential compares the kernel with the reference on random problems, the same at every run.
func TestDifferential(t *testing.T) {
	seed := uint64(testscale.Number(t, "BRAID_SEED", 1))
	for k, c := range classes {
		var questions atomic.Int64
		putAll(t, c.problems, func(i uint64) bool {
			spec := rungen.Random(seed+i<<8+uint64(k), c.rows)
			for _, w := range waysOf(spec, c.ways) {
				questions.Add(1)
				if !ask(t, question{spec, w}) {
					return false
				}
			}
			return true
		})
		t.Logf("%d questions of up to %d rows", questions.Load(), c.rows)
	}
	goleak.VerifyNone(t)
}

// ask puts a question to the kernel. A question it fails is made smaller and printed.
func ask(t *testing.T, q question) bool {
	t.Helper()
	wrong := q.ask(mergeByKernel)
	if wrong == "" {
		return true
	}
	t.Logf("BRAID_QUESTION='%s'", q)
	small := shrink(q, func(q question) bool { return q.ask(mergeByKernel) != "" })
	t.Errorf("%s\n\nsmaller:\nBRAID_QUESTION='%s'\n%s\n%s\n%s", wrong, small, show(small.Spec), small.ask(mergeByKernel), small.asCase())
	return false
}

// TestQuestion asks the question of BRAID_QUESTION.
func TestQuestion(t *testing.T) {
	text := os.Getenv("BRAID_QUESTION")
	if text == "" {
		t.Skip("BRAID_QUESTION is not set")
	}
	ask(t, parseQuestion(t, text))
}

// TestQuestions asks the questions of testdata/fuzz/questions.txt: those that were answered wrongly once. A line is a
// question, or a remark on the ones below it if it begins with #.
func TestQuestions(t *testing.T) {
	text, err := os.ReadFile("testdata/fuzz/questions.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			ask(t, parseQuestion(t, line))
		}
	}
}

func parseQuestion(t *testing.T, text string) question {
	var q question
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&q); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return q
}
