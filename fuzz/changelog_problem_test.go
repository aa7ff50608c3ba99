package fuzz_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"sort"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/fuzz"
	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/internal/rungen"
	"github.com/braidmerge/braid/kernel"
)

// changelogQuestion is a random problem whose runs have levels, as a compaction with a changelog.
type changelogQuestion struct {
	question
	producer string // none: a read by level
	levels   []int  // of the runs that are merged
	top      int
	higher   bool // run 0 is what the levels above have
	find     bool // a function looks it up

	rows     int64 // of the problem, once it has been put
	answered bool  // the kernel's answer was no error
}

func (q *changelogQuestion) String() string {
	return fmt.Sprintf("producer %s, levels %v, top %d, higher %v, find %v, %s", q.producer, q.levels, q.top, q.higher, q.find, q.question)
}

// largeRows is the size from which on problems have all the rows they may have.
const largeRows = 5_000

// newChangelogQuestion draws a problem of up to so many rows.
func newChangelogQuestion(seed uint64, rows int) *changelogQuestion {
	rng := rand.New(rand.NewPCG(seed, 0x510e527fade682d1))
	oneIn := func(n int) bool { return rng.IntN(n) == 0 }
	spec := rungen.Random(seed, rows)
	for i := uint64(1); !hasLevels(spec); i++ {
		spec = rungen.Random(seed+i<<40, rows)
	}
	if rows >= largeRows {
		spec.Rows, spec.Universe = rows, 0
	}
	if lists(spec) && spec.Shape == rungen.Hot {
		spec.Rows = min(spec.Rows, hotRows)
	}
	q := &changelogQuestion{question: question{Spec: spec}}
	q.producer = []string{"lookup", "lookup", "lookup", "full-compaction", "full-compaction", "input", "none"}[rng.IntN(7)]
	if spec.Options["merge-engine"] == "first-row" && q.producer != "none" {
		q.producer = "lookup"
	}
	if q.producer != "none" {
		spec.Options["changelog-producer"] = q.producer
	}
	if oneIn(2) {
		spec.Options["changelog-producer.row-deduplicate"] = "true"
		spec.Options["changelog-producer.row-deduplicate-ignore-fields"] = strings.Join(randomColumns(spec, rng), ",")
		if oneIn(2) {
			delete(spec.Options, "changelog-producer.row-deduplicate-ignore-fields")
		}
	}
	w := waysOf(spec, 2)[1]
	w.Projection, w.Narrow, w.Release, w.Cancel, w.System = nil, false, 0, 0, true
	w.Views = w.Views && q.producer == "none"
	q.Way = w
	q.higher = q.producer == "lookup" && spec.Runs > 1 && !oneIn(3)
	q.find = q.higher && oneIn(2) && spec.Fault == rungen.NoFault && !spec.Snapshots
	if q.find {
		q.Way.Layout.Batch = ""
	}
	q.drawLevels(spec, rng)
	return q
}

// hasLevels says whether a problem may be one of levels. Not that of an engine that has none, nor that of a default function which
// no column has, of which the two disagree whether it may be unknown.
func hasLevels(s rungen.Spec) bool {
	return s.Options["merge-engine"] != "partial-update-validity" &&
		(len(s.Values) > 0 || s.Options["fields.default-aggregate-function"] == "")
}

// drawLevels gives the runs levels, mostly such as a tree has them: the older, the higher, and one run each but for level 0.
func (q *changelogQuestion) drawLevels(spec rungen.Spec, rng *rand.Rand) {
	q.top = 1 + rng.IntN(5)
	for range spec.Runs {
		q.levels = append(q.levels, max(0, rng.IntN(q.top+4)-3))
	}
	sort.Sort(sort.Reverse(sort.IntSlice(q.levels)))
	if rng.IntN(4) == 0 {
		rng.Shuffle(len(q.levels), func(i, j int) { q.levels[i], q.levels[j] = q.levels[j], q.levels[i] })
		return
	}
	for i := 1; i < len(q.levels); i++ {
		if q.levels[i] >= q.levels[i-1] {
			q.levels[i] = max(0, q.levels[i-1]-1)
		}
	}
}

// ask puts the question to the kernel and compares the answer with the row merger's. It returns "" if all is well.
func (q *changelogQuestion) ask(spoil func(*rowmerge.Compaction)) (wrong string) {
	defer func() {
		if r := recover(); r != nil {
			wrong = fmt.Sprintf("panic: %v\n%s", r, places(string(debug.Stack())))
		}
	}()
	mem := fuzz.NewMemory()
	spec := q.Spec
	spec.Layout = q.Way.Layout
	problem, err := rungen.Generate(mem, spec)
	if err != nil {
		return err.Error()
	}
	q.rows = problem.Rows()
	wrong = q.askOf(posed{way: q.Way, problem: problem, mem: mem}, spoil)
	problem.Release()
	if wrong != "" {
		return wrong
	}
	return leftIn(mem)
}

func (q *changelogQuestion) askOf(p posed, spoil func(*rowmerge.Compaction)) string {
	var higher *rowmerge.Run
	reference := p.reference()
	for i := range reference.Runs {
		reference.Runs[i].Level = q.levels[i]
	}
	if q.higher = q.higher && len(p.problem.Runs) > 0 && p.problem.Runs[0].Unique; q.higher {
		higher, reference.Runs = &reference.Runs[0], reference.Runs[1:]
	}
	want, faults := q.reference(reference, higher)
	got, err := q.kernel(p)
	q.answered = err == nil
	if spoil != nil && err == nil && len(faults) == 0 {
		spoil(&want)
	}
	switch {
	case p.breaksOff(err):
		return ""
	case err != nil && len(faults) == 0:
		return err.Error()
	case err != nil:
		for _, fault := range faults {
			if p.sameKind(fault, err) {
				return ""
			}
		}
		return fmt.Sprintf("error: %v\nwant %v, or one of %d others", err, faults[0], len(faults)-1)
	case len(faults) > 0:
		return fmt.Sprintf("no error; want %v", faults[0])
	}
	c := p.comparison()
	if d := rowmerge.Diff(want.Changelog, got.Changelog, c); d != "" {
		return "changelog: " + d
	}
	return rowmerge.Diff(want.Rows, got.Rows, c)
}

// reference asks the row merger.
func (q *changelogQuestion) reference(p rowmerge.Problem, higher *rowmerge.Run) (rowmerge.Compaction, []*rowmerge.Error) {
	if q.producer != "none" {
		return p.Compact(q.top, higher)
	}
	rows, faults := p.ByLevel()
	return rowmerge.Compaction{Rows: rows}, faults
}

// kernel asks the kernel.
func (q *changelogQuestion) kernel(p posed) (got rowmerge.Compaction, err error) {
	plan, err := p.plan()
	if err != nil {
		return got, err
	}
	made, err := p.runs(plan)
	if err != nil {
		return got, err
	}
	defer release(made)
	runs := kernelRuns(made)
	for i := range runs {
		runs[i].Level = q.levels[i]
	}
	options := p.mergeOptions()
	if q.producer == "none" {
		options = append(options, kernel.ByLevel())
	} else {
		changelog := kernel.Changelog{TopLevel: q.top}
		switch {
		case q.find && q.higher:
			changelog.Find = p.finder(p.problem.Runs[0])
			runs = runs[1:]
		case q.higher:
			changelog.Higher = &runs[0]
			runs = runs[1:]
		}
		options = append(options, kernel.WithChangelog(changelog))
	}
	merged, err := plan.Merge(context.Background(), runs, options...)
	for i := range made {
		made[i].handOver()
	}
	if err != nil {
		return got, err
	}
	defer merged.Release()
	read := func(rows *[]rowmerge.Row, rec arrow.Record) error {
		if wrong := checkRecord(rec, rec.Schema(), 0); wrong != "" && rec.NumRows() > 0 {
			return fmt.Errorf("broken record: %s", wrong)
		}
		more, err := rowmerge.RowsOf(rec, p.columns(), p.trimmedKey())
		*rows = append(*rows, more...)
		return err
	}
	for merged.Next() {
		if err := read(&got.Rows, merged.Record()); err != nil {
			return got, err
		}
		if rec := merged.Changelog(); rec != nil {
			if err := read(&got.Changelog, rec); err != nil {
				return got, err
			}
		}
	}
	if stats := merged.Stats(); p.Limit > 0 && stats.MemoryHigh > p.Limit+limitSlack(p.Limit) {
		return got, fmt.Errorf("the merge has held %d bytes, %d were allowed", stats.MemoryHigh, p.Limit)
	}
	return got, merged.Err()
}

// finder looks keys up in a run of one record.
func (p posed) finder(run rungen.Run) func(context.Context, arrow.Record) (arrow.Record, error) {
	return func(_ context.Context, keys arrow.Record) (arrow.Record, error) {
		asked, err := rowmerge.RowsOf(keys, p.trimmedKey(), nil)
		if err != nil {
			return nil, err
		}
		if !slices.IsSortedFunc(asked, func(a, b rowmerge.Row) int { return rowmerge.CompareRows(a.Values, b.Values, false) }) {
			return nil, fmt.Errorf("the keys are not in order")
		}
		for _, rec := range run.Records {
			if rec.NumRows() == 0 {
				continue
			}
			there, err := rowmerge.RowsOf(rec, keysOf(rec, p.trimmedKey()), nil)
			if err != nil {
				return nil, err
			}
			from := sort.Search(len(there), func(i int) bool { return rowmerge.CompareRows(there[i].Values, asked[0].Values, false) >= 0 })
			to := sort.Search(len(there), func(i int) bool { return rowmerge.CompareRows(there[i].Values, asked[len(asked)-1].Values, false) > 0 })
			return rec.NewSlice(int64(from), int64(to)), nil
		}
		return nil, nil
	}
}

// keysOf names the columns that hold the key.
func keysOf(rec arrow.Record, key []string) []string {
	var names []string
	for _, name := range key {
		if rec.Schema().HasField("_KEY_" + name) {
			name = "_KEY_" + name
		}
		names = append(names, name)
	}
	return names
}
