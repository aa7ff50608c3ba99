package fuzz_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/fuzz"
	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/kernel"
)

// updateProblem is a random update: rows in ranges, column files, actions, perhaps a source.
type updateProblem struct {
	rng     *rand.Rand
	table   *arrow.Schema
	source  *arrow.Schema // nil for none
	ranges  []*updateRange
	joined  [][]any // rows of the source, by row id
	actions []drawnAction
	inFile  int // rows of a batch
	window  int // rows of a window, 0 for the default

	answered bool // the kernel's answer was no error
}

// updateRange is a range and its rows as they are in the end, column files merged: row id, first row id, then the columns.
type updateRange struct {
	first   int64
	rows    [][]any
	deleted []bool
	files   []updateColumns
	stats   bool
}

// updateColumns is a column file: the columns it has, by place in the table, and the rows that it has.
type updateColumns struct {
	columns []int
	rows    []int // positions; nil for all, without row ids
	values  [][]any
}

// drawnAction is an action as formulas.
type drawnAction struct {
	when *formula // nil: always
	set  map[int]*formula
}

// updateTypes are the columns of the tables.
var updateTypes = []arrow.Field{
	{Name: "id", Type: arrow.PrimitiveTypes.Int64},
	{Name: "a", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
	{Name: "tiny", Type: arrow.PrimitiveTypes.Int8, Nullable: true},
	{Name: "i", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
	{Name: "f", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
	{Name: "d", Type: &arrow.Decimal128Type{Precision: 12, Scale: 2}, Nullable: true},
	{Name: "t", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "b", Type: arrow.FixedWidthTypes.Boolean, Nullable: true},
	{Name: "day", Type: arrow.FixedWidthTypes.Date32, Nullable: true},
	{Name: "l", Type: arrow.ListOf(arrow.PrimitiveTypes.Int64), Nullable: true},
}

// values of a row before its columns.
const systemValues = 2

// newUpdateProblem draws a problem of up to so many rows.
func newUpdateProblem(seed uint64, rows int) *updateProblem {
	rng := rand.New(rand.NewPCG(seed, 7))
	p := &updateProblem{rng: rng, table: arrow.NewSchema(updateTypes, nil), inFile: 1 + rng.IntN(1+rows/2)}
	if rng.IntN(3) > 0 {
		p.window = 1 + rng.IntN(200)
	}
	next := int64(rng.IntN(5))
	for range 1 + rng.IntN(4) {
		n := 1 + rng.IntN(max(1, rows/3))
		p.ranges = append(p.ranges, p.drawRange(next, n))
		next += int64(n + rng.IntN(3))
	}
	if rng.IntN(3) == 0 {
		p.drawSource()
	}
	p.drawActions()
	return p
}

// drawValue draws a value of a column.
func (p *updateProblem) drawValue(f arrow.Field, row int) any {
	if f.Nullable && p.rng.IntN(6) == 0 {
		return nil
	}
	small := p.rng.IntN(21) - 10
	wide := p.rng.IntN(500) == 0
	switch f.Name {
	case "id":
		return int64(row)
	case "tiny":
		return int8(p.rng.IntN(256) - 128)
	case "i":
		return int32(small)
	case "f":
		return []float64{0, math.Copysign(0, -1), 0.5, float64(small), math.NaN(), math.Inf(1), -1.5}[p.rng.IntN(7)]
	case "d":
		return decimal128.FromI64(int64(small * 37))
	case "t", "y":
		return []string{"", "a", "b", "ab", "abc", "zz", "it's"}[p.rng.IntN(7)]
	case "b":
		return p.rng.IntN(2) == 0
	case "day":
		return arrow.Date32(small)
	case "l":
		list := rowmerge.List{}
		for i := range p.rng.IntN(3) {
			list = append(list, int64(i))
		}
		return list
	}
	if wide {
		return []int64{math.MaxInt64, math.MinInt64, math.MaxInt64 - 1}[p.rng.IntN(3)]
	}
	return int64(small)
}

// drawRange draws a range of n rows and its files.
func (p *updateProblem) drawRange(first int64, n int) *updateRange {
	r := &updateRange{first: first, deleted: make([]bool, n), stats: p.rng.IntN(2) == 0}
	fields := p.table.Fields()
	columns := len(fields)
	for row := range n {
		values := append(make([]any, 0, systemValues+columns), first+int64(row), first)
		for _, f := range fields {
			values = append(values, p.drawValue(f, row+int(first)))
		}
		r.rows = append(r.rows, values)
	}
	if p.rng.IntN(3) == 0 {
		for row := range r.deleted {
			r.deleted[row] = p.rng.IntN(4) == 0
		}
	}
	base := updateColumns{values: r.copyRows()}
	for c := range columns {
		base.columns = append(base.columns, c)
	}
	if slices.Contains(r.deleted, true) && p.rng.IntN(2) == 0 {
		base.rows = []int{}
		for row, gone := range r.deleted {
			if !gone {
				base.rows = append(base.rows, row)
			}
		}
	}
	r.files = append(r.files, base)
	for range p.rng.IntN(3) {
		r.files = append(r.files, p.drawColumnFile(r, base))
	}
	return r
}

func (r *updateRange) copyRows() [][]any {
	var rows [][]any
	for _, row := range r.rows {
		rows = append(rows, slices.Clone(row))
	}
	return rows
}

// drawColumnFile draws a newer file of some columns, whose values become those of the rows it has.
func (p *updateProblem) drawColumnFile(r *updateRange, base updateColumns) updateColumns {
	f := updateColumns{}
	for c := 1; c < p.table.NumFields(); c++ {
		if p.rng.IntN(3) == 0 {
			f.columns = append(f.columns, c)
		}
	}
	if len(f.columns) == 0 {
		f.columns = []int{1}
	}
	if p.rng.IntN(2) == 0 || base.rows != nil {
		f.rows = []int{}
		for row := range r.rows {
			if p.rng.IntN(3) > 0 && !(base.rows != nil && r.deleted[row]) {
				f.rows = append(f.rows, row)
			}
		}
	}
	there := slices.Clone(f.rows) // ascending
	for row := range r.rows {
		if has := f.rows == nil || len(there) > 0 && there[0] == row; has {
			there = there[min(1, len(there)):]
			for _, c := range f.columns {
				r.rows[row][systemValues+c] = p.drawValue(p.table.Field(c), row)
			}
		}
	}
	f.values = r.copyRows()
	return f
}

// drawSource draws rows to join: an id may come several times.
func (p *updateProblem) drawSource() {
	p.source = arrow.NewSchema([]arrow.Field{{Name: "_ROW_ID", Type: arrow.PrimitiveTypes.Int64}, {Name: "x", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		{Name: "y", Type: arrow.BinaryTypes.String, Nullable: true}}, nil)
	for _, r := range p.ranges {
		if p.rng.IntN(4) == 0 {
			continue
		}
		for _, row := range r.rows {
			for p.rng.IntN(5) < 2 {
				p.joined = append(p.joined, []any{row[0], p.drawValue(arrow.Field{Name: "x", Nullable: true}, 0), p.drawValue(arrow.Field{Name: "y", Nullable: true}, 0)})
			}
		}
	}
}

// drawActions draws actions over the columns there are.
func (p *updateProblem) drawActions() {
	d := &drawer{rng: p.rng, columns: []drawn{{"_ROW_ID", 0, arrow.PrimitiveTypes.Int64}, {"_FIRST_ROW_ID", 1, arrow.PrimitiveTypes.Int64}}}
	for c, f := range p.table.Fields() {
		d.columns = append(d.columns, drawn{f.Name, systemValues + c, f.Type})
	}
	if p.source != nil {
		behind := systemValues + p.table.NumFields()
		d.columns = append(d.columns, drawn{"s.x", behind, arrow.PrimitiveTypes.Int64}, drawn{"s.y", behind + 1, arrow.BinaryTypes.String})
	}
	for range 1 + p.rng.IntN(3) {
		a := drawnAction{set: map[int]*formula{}}
		if p.rng.IntN(8) > 0 {
			a.when = d.condition(1 + p.rng.IntN(3))
		}
		for range p.rng.IntN(4) {
			c := p.rng.IntN(p.table.NumFields())
			a.set[c] = p.drawSet(d, c)
		}
		p.actions = append(p.actions, a)
	}
}

func (p *updateProblem) drawSet(d *drawer, c int) *formula {
	f := p.table.Field(c)
	kind := kindOf(f.Type)
	switch {
	case kind == "list" && p.rng.IntN(2) == 0:
		return &formula{op: "constant", text: "NULL"}
	case kind == "list":
		return &formula{op: "column", name: f.Name, at: systemValues + c}
	case kind == "float" && p.rng.IntN(3) == 0:
		kind = []string{"int", "decimal"}[p.rng.IntN(2)]
	case kind == "decimal" && p.rng.IntN(3) == 0:
		kind = "int"
	}
	return d.value(kind, p.rng.IntN(3))
}

// compile makes the kernel's update.
func (p *updateProblem) compile() (*kernel.Update, error) {
	var actions []kernel.Action
	for _, a := range p.actions {
		var action kernel.Action
		var err error
		if a.when != nil {
			if action.When, err = kernel.ParseCondition(a.when.String(), p.table, p.source); err != nil {
				return nil, err
			}
		}
		for c, f := range a.set {
			set, err := kernel.ParseAssignment(p.table.Field(c).Name+" = "+f.String(), p.table, p.source)
			if err != nil {
				return nil, err
			}
			action.Set = append(action.Set, set)
		}
		actions = append(actions, action)
	}
	return kernel.CompileUpdate(kernel.Table{Schema: p.table}, p.source, actions...)
}

// String shows the update.
func (p *updateProblem) String() string {
	var b strings.Builder
	for _, a := range p.actions {
		fmt.Fprintf(&b, "WHEN %v SET", a.when)
		for c, f := range a.set {
			fmt.Fprintf(&b, " %s = %v;", p.table.Field(c).Name, f)
		}
		b.WriteString("\n")
	}
	for _, r := range p.ranges {
		fmt.Fprintf(&b, "range %d, %d rows, %d files, statistics %v\n", r.first, len(r.rows), len(r.files), r.stats)
		if len(r.rows) > 20 {
			continue
		}
		for i, row := range r.rows {
			fmt.Fprintf(&b, "  %v deleted %v\n", rowmerge.Format(rowmerge.List(row)), r.deleted[i])
		}
	}
	return b.String()
}

// rows counts the rows.
func (p *updateProblem) rows() (n int64) {
	for _, r := range p.ranges {
		n += int64(len(r.rows))
	}
	return n
}

// rowRanges makes the kernel's ranges.
func (p *updateProblem) rowRanges(mem memory.Allocator) ([]kernel.RowRange, error) {
	var ranges []kernel.RowRange
	for _, r := range p.ranges {
		out := kernel.RowRange{FirstRowID: r.first, Rows: int64(len(r.rows)), Deleted: roaring.New()}
		for row, gone := range r.deleted {
			if gone {
				out.Deleted.Add(uint32(row))
			}
		}
		for i := range r.files {
			f, err := p.columnFile(mem, r, &r.files[i])
			if err != nil {
				return nil, err
			}
			out.Files = append(out.Files, f)
		}
		if r.stats {
			out.Stats = p.statistics(r)
		}
		ranges = append(ranges, out)
	}
	return ranges, nil
}

// columnFile makes a file of some columns and rows.
func (p *updateProblem) columnFile(mem memory.Allocator, r *updateRange, f *updateColumns) (kernel.ColumnFile, error) {
	var fields []arrow.Field
	if f.rows != nil {
		fields = append(fields, arrow.Field{Name: "_ROW_ID", Type: arrow.PrimitiveTypes.Int64})
	}
	out := kernel.ColumnFile{}
	for _, c := range f.columns {
		fields = append(fields, p.table.Field(c))
		out.Columns = append(out.Columns, p.table.Field(c).Name)
	}
	var rows []rowmerge.Row
	add := func(row int) {
		values := make([]any, 0, len(fields))
		if f.rows != nil {
			values = append(values, r.first+int64(row))
		}
		for _, c := range f.columns {
			values = append(values, f.values[row][systemValues+c])
		}
		rows = append(rows, rowmerge.Row{Values: values})
	}
	if f.rows == nil {
		for row := range r.rows {
			add(row)
		}
	} else {
		for _, row := range f.rows {
			add(row)
		}
	}
	schema := arrow.NewSchema(fields, nil)
	out.Open = func(context.Context) (array.RecordReader, error) { return batches(mem, schema, rows, p.inFile) }
	return out, nil
}

// batches reads rows as records of n rows, every other one a slice.
func batches(mem memory.Allocator, schema *arrow.Schema, rows []rowmerge.Row, n int) (array.RecordReader, error) {
	var records []arrow.Record
	defer func() {
		for _, rec := range records {
			rec.Release()
		}
	}()
	for from := 0; from < len(rows); from += n {
		to := min(from+n, len(rows))
		lead := from / n % 2 * min(from, 3)
		rec, err := fuzz.BuildRecord(mem, schema, rows[from-lead:to])
		if err != nil {
			return nil, err
		}
		records = append(records, rec.NewSlice(int64(lead), rec.NumRows()))
		rec.Release()
	}
	return array.NewRecordReader(schema, records)
}

// statistics are those of what all files of the range have, so that they hold for its rows whichever file has them.
func (p *updateProblem) statistics(r *updateRange) kernel.FileStats {
	stats := kernel.FileStats{Columns: map[string]kernel.ColumnStats{}}
	for c, f := range p.table.Fields() {
		if kindOf(f.Type) == "list" {
			continue
		}
		var least, most any
		nulls := 0
		for _, row := range r.rows {
			switch v := row[systemValues+c]; {
			case v == nil:
				nulls++
			case v == v && (f.Name != "f" || !math.IsNaN(v.(float64))):
				if least == nil || ordered(plain(v), plain(least)) < 0 {
					least = v
				}
				if most == nil || ordered(plain(v), plain(most)) > 0 {
					most = v
				}
			}
		}
		known := kernel.ColumnStats{NoNulls: nulls == 0, AllNulls: nulls == len(r.rows)}
		schema := arrow.NewSchema([]arrow.Field{{Name: f.Name, Type: f.Type, Nullable: true}}, nil)
		for i, v := range []any{least, most} {
			rec, err := fuzz.BuildRecord(memory.DefaultAllocator, schema, []rowmerge.Row{{Values: []any{v}}})
			if err != nil {
				panic(err)
			}
			if i == 0 {
				known.Min = rec.Column(0)
			} else {
				known.Max = rec.Column(0)
			}
		}
		stats.Columns[f.Name] = known
	}
	return stats
}

// ask puts the update to the kernel and to the row merger, and says what is wrong; "" for nothing.
func (p *updateProblem) ask() string { return p.askWith(func(row []any) {}) }

// askWith is ask with the kernel's rows changed first, for tests of the comparison.
func (p *updateProblem) askWith(tamper func(row []any)) string {
	mem := fuzz.NewMemory()
	u, err := p.compile()
	if err != nil {
		if errors.Is(err, kernel.ErrOverflow) || errors.Is(err, kernel.ErrDivideByZero) {
			return "" // of constants, which are computed whether or not a row comes to them
		}
		return fmt.Sprintf("compile: %v", err)
	}
	got, err := p.run(mem, u)
	p.answered = err == nil
	if left := mem.CurrentAlloc(); left != 0 {
		return fmt.Sprintf("%d bytes are left in the allocator", left)
	}
	for _, rows := range got {
		for _, row := range rows {
			tamper(row)
		}
	}
	return p.judge(u, got, err)
}

// run gives the rows of the new column files, by first row id.
func (p *updateProblem) run(mem memory.Allocator, u *kernel.Update) (map[int64][][]any, error) {
	ranges, err := p.rowRanges(mem)
	if err != nil {
		return nil, err
	}
	var source array.RecordReader
	if p.source != nil {
		var rows []rowmerge.Row
		for _, row := range p.joined {
			rows = append(rows, rowmerge.Row{Values: row})
		}
		if source, err = batches(mem, p.source, rows, p.inFile); err != nil {
			return nil, err
		}
		defer source.Release()
	}
	got := map[int64][][]any{}
	_, err = u.Run(context.Background(), ranges, source, func(r *kernel.RowRange, columns *kernel.UpdateReader) error {
		rows := [][]any{}
		for columns.Next() {
			list, err := rowmerge.RowsOf(columns.Record(), u.Columns(), nil)
			if err != nil {
				return err
			}
			for _, row := range list {
				rows = append(rows, row.Values)
			}
		}
		got[r.FirstRowID] = rows
		return nil
	}, kernel.UpdateOptions{Allocator: mem, BatchRows: p.window})
	return got, err
}
