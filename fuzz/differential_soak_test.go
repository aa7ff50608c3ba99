package fuzz_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/fuzz"
	"github.com/braidmerge/braid/internal/rungen"
	"github.com/braidmerge/braid/internal/testscale"
	"github.com/braidmerge/braid/kernel"
)

// soakRows bounds the rows of one problem of TestSoak that the oracle answers.
const soakRows = 2_000_000

// smallProblems is how many small problems TestSoak puts for each large one.
const smallProblems = 8

// TestSoak merges BRAID_SOAK_ROWS rows. Problems of any kind go to the reference, large and simple ones to the oracle, which has
// most of the rows.
func TestSoak(t *testing.T) {
	going := startSoak(t, 1_000_000)
	small, large := soak{going: going}, soak{going: going}
	for seed, ok := going.next(); ok; seed, ok = going.next() {
		for i := range uint64(smallProblems) {
			spec := soakSpec(seed*smallProblems+i, going)
			for _, w := range waysOf(spec, 2) {
				small.put(t, question{spec, w}, question.ask)
			}
		}
		spec := oracleSpec(seed, going.most(soakRows>>(seed%8)))
		large.put(t, question{spec, oracleWay(spec)}, question.askOracle)
	}
	t.Logf("%s\nby the reference: %s\nby the oracle: %s", going, &small, &large)
}

// oracleWay draws a way to put a problem that leaves the answer complete.
func oracleWay(s rungen.Spec) way {
	w := waysOf(s, 2)[1]
	w.Projection, w.Narrow, w.Release, w.Cancel, w.Limit = nil, false, 0, 0, 0
	return w
}

// soak counts what has been merged.
type soak struct {
	going          *soaking
	rows, problems int64
	answered       int64 // rows of those with an answer that is complete and no error
	merging, all   time.Duration
	shares         tally
}

// put asks a question and counts its rows and the time the kernel takes for them.
func (s *soak) put(t *testing.T, q question, ask func(question, merger) string) {
	start := time.Now()
	var put timed
	rows := int64(0)
	wrong := ask(q, func(ctx context.Context, p posed) (array.RecordReader, error) {
		rows = p.problem.Rows()
		began := time.Now()
		reader, err := mergeByKernel(ctx, p)
		put = timed{RecordReader: reader, spent: time.Since(began), failed: err != nil}
		return &put, err
	})
	s.rows += rows
	s.problems++
	s.merging += put.spent
	s.all += time.Since(start)
	if s.shares == nil {
		s.shares = tally{}
	}
	s.shares.note(q.Spec, rows)
	answered := !put.failed && q.Way.Release == 0 && q.Way.Cancel == 0
	s.going.add(rows, answered)
	if answered {
		s.answered += rows
	}
	if wrong != "" {
		t.Errorf("%s\nBRAID_QUESTION='%s'", wrong, q)
	}
}

func (s *soak) String() string {
	rows := float64(s.rows)
	return fmt.Sprintf("%d problems, %d rows, %d of them in answers without an error, in %v (%.0f rows/s), in the kernel %v (%.0f rows/s)%s",
		s.problems, s.rows, s.answered, s.all.Round(time.Millisecond), rows/s.all.Seconds(), s.merging.Round(time.Millisecond),
		rows/s.merging.Seconds(), s.shares)
}

// timed is a reader that counts the time spent in Next and notes an error.
type timed struct {
	array.RecordReader
	spent  time.Duration
	failed bool
}

func (r *timed) Next() bool {
	began := time.Now()
	defer func() { r.spent += time.Since(began) }()
	return r.RecordReader.Next()
}

func (r *timed) Err() error {
	err := r.RecordReader.Err()
	r.failed = r.failed || err != nil
	return err
}

// Stats are those of the kernel, which has made the reader.
func (r *timed) Stats() kernel.Stats { return r.RecordReader.(kernelAnswer).Stats() }

// askOracle puts the question to merge and compares the answer with the oracle's.
func (q question) askOracle(merge merger) string {
	mem := fuzz.NewMemory()
	spec := q.Spec
	spec.Layout = q.Way.Layout
	inputs, err := rungen.Generate(mem, spec)
	if err != nil {
		return err.Error()
	}
	spec.Layout = rungen.Layout{} // the oracle reads one record a run
	p := posed{way: q.Way, mem: mem}
	if p.problem, err = rungen.Generate(memory.NewGoAllocator(), spec); err != nil {
		return err.Error()
	}
	o := newOracle(p)
	p.problem = inputs
	wrong := func() string {
		defer inputs.Release()
		reader, err := merge(context.Background(), p)
		if err != nil {
			return err.Error()
		}
		defer reader.Release()
		return o.check(reader)
	}()
	if wrong != "" {
		return wrong
	}
	return leftIn(mem)
}

// TestOracle compares the two references with each other, and wants the oracle to see what is wrong.
func TestOracle(t *testing.T) {
	t.Parallel()
	swapped, missing := 0, 0
	for seed := range testscale.Seeds(t, 400) {
		spec := oracleSpec(seed, 300)
		for i := range spec.Values {
			spec.Values[i].Type = []string{"int64", "utf8", "float64", "bool"}[i%4]
		}
		q := question{spec, oracleWay(spec)}
		if wrong := q.askOracle(mergeByReference); wrong != "" {
			t.Fatalf("the references differ: %s\n%s", wrong, q)
		}
		q.Way.BatchRows = 10
		if q.askOracle(reversedRuns(mergeByReference)) != "" {
			swapped++
		}
		if q.askOracle(keepsFirst(mergeByReference)) != "" {
			missing++
		}
	}
	if sample := testscale.Sample(t); swapped < 30/sample || missing < 80/sample {
		t.Errorf("swapped ties were noticed in %d problems, missing rows in %d", swapped, missing)
	}
}

// keepsFirst drops all records but the first.
func keepsFirst(merge merger) merger {
	return func(ctx context.Context, p posed) (array.RecordReader, error) {
		reader, err := merge(ctx, p)
		return &firstOnly{RecordReader: reader}, err
	}
}

type firstOnly struct {
	array.RecordReader
	seen bool
}

func (r *firstOnly) Next() bool {
	if r.seen {
		return false
	}
	r.seen = true
	return r.RecordReader.Next()
}
