package fuzz_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/internal/rungen"
)

// shrinkTime is how long a failing question is made smaller.
const shrinkTime = 5 * time.Second

// shrinker makes a question smaller while it still fails.
type shrinker struct {
	question
	fails func(question) bool
	until time.Time
}

// shrink returns a question of fewer runs, rows and columns that fails as well.
func shrink(q question, fails func(question) bool) question {
	s := shrinker{question: q, fails: fails, until: time.Now().Add(shrinkTime)}
	s.nameColumns()
	s.keepAll()
	for s.dropRuns() || s.dropRows() || s.dropColumns() {
		continue
	}
	for n := len(s.Spec.Keep); n > 1 && s.Spec.Keep[n-1] == nil; n-- {
		s.Spec.Keep = s.Spec.Keep[:n-1]
	}
	return s.question
}

// try takes the changed question if it fails.
func (s *shrinker) try(change func(q *question)) bool {
	if time.Now().After(s.until) {
		return false
	}
	q := s.question
	q.Spec.Keep = slices.Clone(q.Spec.Keep)
	change(&q)
	if !s.fails(q) {
		return false
	}
	s.question = q
	return true
}

// nameColumns writes the names of the value columns out, so that they stay when others go.
func (s *shrinker) nameColumns() {
	s.Spec.Values = slices.Clone(s.Spec.Values)
	for i := range s.Spec.Values {
		if s.Spec.Values[i].Name == "" {
			s.Spec.Values[i].Name = fmt.Sprintf("v%d", i)
		}
	}
}

// keepAll writes out which rows stay: all of them.
func (s *shrinker) keepAll() {
	if s.Spec.Keep != nil {
		return
	}
	p, err := rungen.Generate(memory.NewGoAllocator(), s.Spec)
	if err != nil {
		return
	}
	for _, r := range p.Runs {
		s.Spec.Keep = append(s.Spec.Keep, [][2]int{{0, int(rowsIn(r.Records))}})
	}
	p.Release()
}

func (s *shrinker) dropRuns() (smaller bool) {
	for r := range s.Spec.Keep {
		if s.Spec.Keep[r] != nil && s.try(func(q *question) { q.Spec.Keep[r] = nil }) {
			smaller = true
		}
	}
	return smaller
}

// dropRows leaves out parts of each run, large parts first.
func (s *shrinker) dropRows() (smaller bool) {
	for r := range s.Spec.Keep {
		for size := countRows(s.Spec.Keep[r]); size > 0; size /= 2 {
			for from := 0; from < countRows(s.Spec.Keep[r]); {
				if s.try(func(q *question) { q.Spec.Keep[r] = without(q.Spec.Keep[r], from, from+size) }) {
					smaller = true
					continue
				}
				from += size
			}
		}
	}
	return smaller
}

// countRows counts the rows of ranges.
func countRows(ranges [][2]int) int {
	n := 0
	for _, r := range ranges {
		n += r[1] - r[0]
	}
	return n
}

// without leaves the rows [from, to) out of ranges, counting only the rows in them.
func without(ranges [][2]int, from, to int) [][2]int {
	left := [][2]int{}
	before := 0
	for _, r := range ranges {
		n := r[1] - r[0]
		lo, hi := min(max(from-before, 0), n), min(max(to-before, 0), n)
		for _, part := range [][2]int{{r[0], r[0] + lo}, {r[0] + hi, r[1]}} {
			if part[0] < part[1] {
				left = append(left, part)
			}
		}
		before += n
	}
	return left
}

func (s *shrinker) dropColumns() (smaller bool) {
	for i := len(s.Spec.Values) - 1; i >= 0; i-- {
		name := s.Spec.Values[i].Name
		if len(s.Way.Projection) == 1 && s.Way.Projection[0] == name {
			continue
		}
		smaller = s.try(func(q *question) {
			q.Spec.Values = slices.Delete(slices.Clone(q.Spec.Values), i, i+1)
			q.Spec.Options = optionsWithout(q.Spec.Options, name)
			q.Way.Projection = slices.DeleteFunc(slices.Clone(q.Way.Projection), func(s string) bool { return s == name })
		}) || smaller
	}
	return smaller
}

// optionsWithout leaves out what options say about a value column: its own options, its place in sequence groups, and groups
// that are not complete without it.
func optionsWithout(options map[string]string, column string) map[string]string {
	left := map[string]string{}
	for key, value := range options {
		sequence, isGroup := strings.CutSuffix(strings.TrimPrefix(key, "fields."), ".sequence-group")
		if isGroup {
			names := slices.DeleteFunc(strings.Split(value, ","), func(s string) bool { return s == column })
			value = strings.Join(names, ",")
		}
		own := strings.HasPrefix(key, "fields."+column+".")
		if !own && (!isGroup || value != "" && !slices.Contains(strings.Split(sequence, ","), column)) {
			left[key] = value
		}
	}
	return left
}

// show writes the rows of a small problem out.
func show(s rungen.Spec) string {
	p, err := rungen.Generate(memory.NewGoAllocator(), s)
	if err != nil {
		return err.Error()
	}
	defer p.Release()
	if p.Rows() > 40 {
		return fmt.Sprintf("%d rows in %d runs", p.Rows(), len(p.Runs))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "key %v, partitions %v, options %v\n", p.PrimaryKey, p.PartitionKeys, p.Options)
	for i, r := range p.Runs {
		fmt.Fprintf(&b, "run %d:", i)
		for _, f := range r.Schema.Fields() {
			fmt.Fprintf(&b, " %s %s", f.Name, f.Type)
		}
		b.WriteString("\n")
		for _, rec := range r.Records {
			showRecord(&b, rec)
		}
	}
	return b.String()
}

func showRecord(b *strings.Builder, rec arrow.Record) {
	var names []string
	for _, f := range rec.Schema().Fields() {
		names = append(names, f.Name)
	}
	rows, err := rowmerge.RowsOf(rec, names, nil)
	if err != nil {
		fmt.Fprintf(b, "  %v\n", err)
	}
	for _, row := range rows {
		for _, value := range row.Values {
			fmt.Fprintf(b, "  %.40s", rowmerge.Format(value))
		}
		b.WriteString("\n")
	}
}
