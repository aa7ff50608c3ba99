package workload_test

import (
	"context"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/bench/rowhash"
	"github.com/braidmerge/braid/bench/workload"
	"github.com/braidmerge/braid/internal/rowmerge"
)

// TestReferenceAgrees holds the answers of the jobs that compute values against the reference merger.
func TestReferenceAgrees(t *testing.T) {
	for _, cell := range []string{
		"agg/int64/k8/dup50/uniform/mixed", "agg/page/k4/dup50/uniform/sketches", "groups/customer/k8/dup50/big/groups",
		"validity/int64/k8/dup50/big/sets", "validity/int64/k8/dup50/big/random",
	} {
		n := parse(t, cell)
		runs := make([]rowmerge.Run, n.Runs)
		m, err := workload.Generate(context.Background(), n, 3_000, 1, func(run int, rec arrow.Record) error {
			rec.Retain()
			runs[run].Records = append(runs[run].Records, rec)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		p := rowmerge.Problem{Schema: m.Table().Schema, PrimaryKey: m.Key, Options: m.Jobs[n.Job].Options, Runs: runs}
		rows, err := p.Merge()
		for _, run := range runs {
			for _, rec := range run.Records {
				rec.Release()
			}
		}
		if err != nil {
			t.Errorf("%s: %v", cell, err)
			continue
		}
		sum, err := rowhash.NewTable(m.ColumnNames(), m.Key)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			sum.AddRow(hashes(t, row.Values))
		}
		if d := sum.Sum().Differs(m.Jobs[n.Job].Answer, m.ColumnNames()); d != "" {
			t.Errorf("%s: %s", cell, d)
		}
	}
}

// hashes hashes values as the reference has them.
func hashes(t *testing.T, values []any) []uint64 {
	t.Helper()
	var out []uint64
	for _, v := range values {
		switch v := v.(type) {
		case nil:
			out = append(out, rowhash.Null)
		case int32:
			out = append(out, rowhash.Integer(int64(v)))
		case int64:
			out = append(out, rowhash.Integer(v))
		case string:
			out = append(out, rowhash.Bytes([]byte(v)))
		case []byte:
			out = append(out, rowhash.Bytes(v))
		case arrow.Timestamp:
			out = append(out, rowhash.Integer(int64(v)))
		default:
			t.Fatalf("a value of type %T", v)
		}
	}
	return out
}
