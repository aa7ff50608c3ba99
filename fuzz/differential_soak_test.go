package fuzz_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/internal/rungen"
)

// soakRows bounds the rows of one problem of TestSoak, and smallRows those of a problem that the slow reference answers.
const (
	soakRows  = 2_000_000
	smallRows = 20_000
)

// smallProblems is how many small problems TestSoak puts for each large one.
const smallProblems = 8

// soakOf returns how many rows a soak is to take, which BRAID_SOAK_ROWS says, a few if it does not, and the seed of its first problem.
func soakOf(t *testing.T, otherwise int) (rows int64, seed uint64) {
	t.Helper()
	few := 20_000 / number(t, "BRAID_SAMPLE", 1)
	return int64(number(t, "BRAID_SOAK_ROWS", few)), uint64(number(t, "BRAID_SEED", otherwise))
}

// TestSoak merges BRAID_SOAK_ROWS rows. Small problems of any kind go to the reference, large and simple ones to the oracle.
func TestSoak(t *testing.T) {
	rows, seed := soakOf(t, 1_000_000)
	var small, large soak
	for told := int64(0); small.rows+large.rows < rows; seed++ {
		for i := range uint64(smallProblems) {
			spec := rungen.Random(seed*smallProblems+i, smallRows)
			for _, w := range waysOf(spec, 2) {
				small.put(t, question{spec, w}, question.ask)
			}
		}
		spec := oracleSpec(seed, min(soakRows>>(seed%8), int(rows)))
		large.put(t, question{spec, oracleWay(spec)}, question.askOracle)
		if t.Failed() {
			break
		}
		if merged := small.rows + large.rows; merged > told+rows/10 {
			told = merged
			t.Logf("%d rows merged", merged)
		}
	}
	t.Logf("by the reference: %s\nby the oracle: %s\nnext seed: %d", &small, &large, seed)
}

// oracleWay draws a way to put a problem that leaves the answer complete.
func oracleWay(s rungen.Spec) way {
	w := waysOf(s, 2)[1]
	w.Projection, w.Narrow, w.Release, w.Cancel, w.Limit = nil, false, 0, 0, 0
	return w
}

// soak counts what has been merged.
type soak struct {
	rows, problems int64
	merging, all   time.Duration
}

// put asks a question and counts its rows and the time the kernel takes for them.
func (s *soak) put(t *testing.T, q question, ask func(question, merger) string) {
	start := time.Now()
	wrong := ask(q, func(ctx context.Context, p posed) (array.RecordReader, error) {
		s.rows += p.problem.Rows()
		s.problems++
		began := time.Now()
		reader, err := mergeByKernel(ctx, p)
		s.merging += time.Since(began)
		return timed{reader, &s.merging}, err
	})
	s.all += time.Since(start)
	if wrong != "" {
		t.Errorf("%s\nBRAID_QUESTION='%s'", wrong, q)
	}
}

func (s *soak) String() string {
	rows := float64(s.rows)
	return fmt.Sprintf("%d problems, %d rows in %v (%.0f rows/s), in the kernel %v (%.0f rows/s)", s.problems, s.rows,
		s.all.Round(time.Millisecond), rows/s.all.Seconds(), s.merging.Round(time.Millisecond), rows/s.merging.Seconds())
}

// timed is a reader that counts the time spent in Next.
type timed struct {
	array.RecordReader
	spent *time.Duration
}

func (r timed) Next() bool {
	began := time.Now()
	defer func() { *r.spent += time.Since(began) }()
	return r.RecordReader.Next()
}

// askOracle puts the question to merge and compares the answer with the oracle's.
func (q question) askOracle(merge merger) string {
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
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
	swapped, missing := 0, 0
	sample := number(t, "BRAID_SAMPLE", 1)
	for seed := uint64(0); seed < 400; seed += uint64(sample) {
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
	if swapped < 30/sample || missing < 80/sample {
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
