package fuzz_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/braidmerge/braid/internal/rungen"
	"github.com/braidmerge/braid/kernel"
)

// kernelAnswer is the kernel's reader together with the records its files are made of.
type kernelAnswer struct {
	*kernel.Reader
	runs []inputRun
}

// Release gives the reader back, then the records.
func (a kernelAnswer) Release() {
	a.Reader.Release()
	release(a.runs)
}

// mergeByKernel puts the problem to the kernel.
func mergeByKernel(ctx context.Context, p posed) (array.RecordReader, error) {
	plan, err := p.plan()
	if err != nil {
		return nil, err
	}
	runs, err := p.runs(plan)
	if err != nil {
		return nil, err
	}
	merged, err := plan.Merge(ctx, kernelRuns(runs), p.mergeOptions()...)
	for i := range runs {
		runs[i].handOver()
	}
	if err != nil {
		release(runs)
		return nil, err
	}
	return kernelAnswer{merged, runs}, nil
}

func (p posed) plan() (*kernel.Plan, error) {
	options, err := kernel.ParseOptions(p.problem.Options)
	if err != nil {
		return nil, err
	}
	return kernel.Compile(kernel.Table{Schema: p.problem.Schema, PrimaryKey: p.problem.PrimaryKey,
		PartitionKeys: p.problem.PartitionKeys}, options)
}

func (p posed) mergeOptions() []kernel.MergeOption {
	options := []kernel.MergeOption{kernel.WithAllocator(p.mem)}
	if p.BatchRows > 0 {
		options = append(options, kernel.WithBatchRows(p.BatchRows))
	}
	if p.BatchBytes > 0 {
		options = append(options, kernel.WithBatchBytes(p.BatchBytes))
	}
	if p.Copy {
		options = append(options, kernel.WithCopy())
	}
	if p.Workers > 0 {
		options = append(options, kernel.WithParallelism(p.Workers))
	}
	if p.Views {
		options = append(options, kernel.WithStringViews())
	}
	if p.Limit > 0 {
		options = append(options, kernel.WithMemoryLimit(p.Limit))
	}
	if p.Deletes {
		options = append(options, kernel.KeepDeletes())
	}
	if p.System {
		options = append(options, kernel.KeepSystemColumns())
	}
	if p.Projection != nil {
		options = append(options, kernel.WithProjection(p.Projection...))
	}
	return options
}

// inputRun is a run as it goes to the kernel, with what is the caller's to release.
type inputRun struct {
	kernel.Run
	reader  array.RecordReader // nil if the run is none
	list    bool               // the run is a list of records
	records []arrow.Record
}

// handOver releases what the kernel has to hold by itself once Merge has returned: a reader, or a list of records. The
// records of files stay until the merge is over, as a file may be opened at any time.
func (r *inputRun) handOver() {
	if r.reader != nil {
		r.reader.Release()
	}
	if r.list {
		releaseAll(r.records)
		r.records = nil
	}
}

func release(runs []inputRun) {
	for _, r := range runs {
		releaseAll(r.records)
	}
}

func kernelRuns(runs []inputRun) []kernel.Run {
	list := make([]kernel.Run, len(runs))
	for i, r := range runs {
		list[i] = r.Run
	}
	return list
}

// runs makes the kernel's inputs of the problem's runs.
func (p posed) runs(plan *kernel.Plan) ([]inputRun, error) {
	var runs []inputRun
	for i, r := range p.problem.Runs {
		schema, records, err := p.narrow(plan, r)
		if err != nil {
			release(runs)
			return nil, err
		}
		made := inputRun{records: records}
		switch {
		case p.Readers && r.Sequence == nil:
			made.reader = newReader(schema, records)
			made.Run = kernel.FromReader(made.reader)
		case p.Records && r.Sequence == nil:
			made.list = true
			made.Run = kernel.FromRecords(records...)
		default:
			made.Files = p.files(i, schema, records)
		}
		made.UniqueKeys = p.Promise && r.Unique
		runs = append(runs, made)
	}
	return runs, nil
}

// newReader makes a reader of records that have the given schema.
func newReader(schema *arrow.Schema, records []arrow.Record) array.RecordReader {
	reader, err := array.NewRecordReader(schema, records)
	if err != nil {
		panic(err)
	}
	return reader
}

// files splits run i between batches.
func (p posed) files(i int, schema *arrow.Schema, records []arrow.Record) []kernel.File {
	var files []kernel.File
	parts := max(p.Files, 1)
	for part := range parts {
		of := records[len(records)*part/parts : len(records)*(part+1)/parts]
		files = append(files, kernel.File{
			Name:     fmt.Sprintf("run %d, file %d", i, part),
			Rows:     rowsIn(of),
			Sequence: p.problem.Runs[i].Sequence,
			Open:     func(context.Context) (array.RecordReader, error) { return newReader(schema, of), nil },
		})
	}
	return files
}

func rowsIn(records []arrow.Record) int64 {
	rows := int64(0)
	for _, rec := range records {
		rows += rec.NumRows()
	}
	return rows
}

// narrow returns the run's records, retained, without the value columns that the projection does not need.
func (p posed) narrow(plan *kernel.Plan, r rungen.Run) (*arrow.Schema, []arrow.Record, error) {
	keep := r.Schema.Fields()
	if p.Narrow {
		needed, err := plan.InputFields(p.Projection...)
		if err != nil {
			return nil, nil, err
		}
		keep = slices.DeleteFunc(slices.Clone(keep), func(f arrow.Field) bool {
			return !slices.Contains(needed, f.Name) && !p.isSystem(f.Name) && !slices.Contains(p.trimmedKey(), f.Name)
		})
	}
	schema := arrow.NewSchema(keep, nil)
	var records []arrow.Record
	for _, rec := range r.Records {
		columns := make([]arrow.Array, len(keep))
		for i, f := range keep {
			columns[i] = rec.Column(rec.Schema().FieldIndices(f.Name)[0])
		}
		records = append(records, array.NewRecord(schema, columns, rec.NumRows()))
	}
	return schema, records, nil
}
