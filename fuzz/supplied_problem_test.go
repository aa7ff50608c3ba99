package fuzz_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/fuzz"
	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/kernel"
	"github.com/braidmerge/braid/validity"
)

// suppliedProblem is a table of the engine partial-update-validity and runs of files. Every file was written under a schema of
// its own, by writers that supplied some of its columns.
type suppliedProblem struct {
	rng     *rand.Rand
	mem     memory.Allocator
	by      columnar.MatchBy
	table   *arrow.Schema
	options map[string]string
	plan    *kernel.Plan

	numbered, kinds bool     // files have sequence numbers, row kinds
	system, deletes bool     // what the merge is asked for
	projection      []string // nil for all columns
	ways            []kernel.MergeOption
	limit           int64 // of memory; 0: none

	runs   [][]*suppliedFile
	spoils bool // files may have positions that cannot be
	forges bool // rows may have bytes that are no bitmap
	spoilt bool // a file has positions that cannot be
}

// suppliedFile is a file as it was written and as it is read.
type suppliedFile struct {
	schema  *arrow.Schema // complete, system columns too
	records []arrow.Record
	mapped  bool
	reads   []int // columns that the reader gives
	given   bool  // the positions are told
	places  []int // by column of the table: the column of the file, -1 for none
	bits    []int // by column of the table: the bit in the file's bitmaps, -1 for none
	own     int   // the validity column among those of the table
	ownBit  int   // what the positions say of it, which counts for nothing
	spoil   func([]int) []int

	read map[string]suppliedValue // values of the validity column, by their bytes
}

// suppliedColumn is a column that tables and files may have.
type suppliedColumn struct {
	id       int
	fallback bool // it has a default
}

// suppliedTypes are the types of columns, by their id.
var suppliedTypes = []arrow.DataType{arrow.PrimitiveTypes.Int64, arrow.BinaryTypes.String, arrow.PrimitiveTypes.Float64, arrow.FixedWidthTypes.Boolean,
	arrow.PrimitiveTypes.Int64}

var ownTypes = []arrow.DataType{arrow.BinaryTypes.Binary, arrow.BinaryTypes.LargeBinary, arrow.BinaryTypes.BinaryView}

// suppliedKey is the id of the key, and ownID that of the validity column.
const (
	suppliedKey = 0
	ownID       = 9999
)

// keyID is what ids of key columns are larger by.
const keyID = 1073741823

func idMetadata(id int, fallback bool) arrow.Metadata {
	entries := map[string]string{"PARQUET:field_id": fmt.Sprint(id)}
	if fallback {
		entries["paimon.default"] = map[arrow.Type]string{arrow.INT64: "7", arrow.STRING: "D", arrow.FLOAT64: "0.5", arrow.BOOL: "true"}[suppliedTypes[id%len(suppliedTypes)].ID()]
	}
	return arrow.MetadataFrom(entries)
}

// field is a column of the table.
func (c suppliedColumn) field(own arrow.DataType) arrow.Field {
	switch c.id {
	case ownID:
		return arrow.Field{Name: validity.FieldsColumn, Type: own, Nullable: true, Metadata: idMetadata(ownID, false)}
	case suppliedKey:
		return arrow.Field{Name: "id", Type: arrow.PrimitiveTypes.Int64, Metadata: idMetadata(c.id, false)}
	}
	return arrow.Field{Name: fmt.Sprintf("c%d", c.id), Type: suppliedTypes[c.id%len(suppliedTypes)], Nullable: true, Metadata: idMetadata(c.id, c.fallback)}
}

// wideRows is the size up to which problems of many columns have as many rows as others.
const wideRows = 60

// newSuppliedProblem draws a problem of about so many rows. Its files have memory of mem, and are released with it.
func newSuppliedProblem(seed uint64, rows int, mem memory.Allocator) *suppliedProblem {
	p := &suppliedProblem{rng: rand.New(rand.NewPCG(seed, 71)), mem: mem, options: map[string]string{"merge-engine": "partial-update-validity"}}
	p.by = []columnar.MatchBy{columnar.MatchFieldID, columnar.MatchName}[p.rng.IntN(2)]
	columns := 1 + p.rng.IntN(7)
	if p.oneIn(8) {
		columns = 50 + p.rng.IntN(150)
		rows = max(min(rows, wideRows), rows/8)
	}
	var all []suppliedColumn
	for id := range columns {
		all = append(all, suppliedColumn{id + 1, p.oneIn(5)})
	}
	p.spoils, p.forges = p.oneIn(8), p.oneIn(6)
	p.drawTable(all)
	p.numbered, p.kinds = p.oneIn(2), p.oneIn(4)
	p.drawOptions()
	p.drawWay()
	universe := max(1, rows/(1+p.rng.IntN(5)))
	runs := 1 + p.rng.IntN(6)
	for run := range runs {
		base := 0
		if p.oneIn(3) {
			base = run * universe
		}
		p.runs = append(p.runs, p.drawRun(all, base, universe, 1+p.rng.IntN(max(1, 2*rows/runs))))
	}
	return p
}

func (p *suppliedProblem) oneIn(n int) bool { return p.rng.IntN(n) == 0 }

// some draws columns, in an order of their own.
func (p *suppliedProblem) some(all []suppliedColumn, most int) []suppliedColumn {
	part := slices.Clone(all)
	p.rng.Shuffle(len(part), func(i, j int) { part[i], part[j] = part[j], part[i] })
	return part[:p.rng.IntN(most+1)]
}

// drawTable draws the columns of the table: the key, the validity column and some of all.
func (p *suppliedProblem) drawTable(all []suppliedColumn) {
	columns := append(p.some(all, len(all)), suppliedColumn{id: suppliedKey}, suppliedColumn{id: ownID})
	p.rng.Shuffle(len(columns), func(i, j int) { columns[i], columns[j] = columns[j], columns[i] })
	own := ownTypes[p.rng.IntN(len(ownTypes))]
	demands := p.oneIn(4) // columns may be NOT NULL
	var fields []arrow.Field
	for _, c := range columns {
		f := c.field(own)
		if c.id != suppliedKey && c.id != ownID && demands && p.oneIn(3) {
			f.Nullable = false
		}
		fields = append(fields, f)
	}
	p.table = arrow.NewSchema(fields, nil)
}

// drawOptions draws the options of the table and compiles the plan.
func (p *suppliedProblem) drawOptions() {
	switch {
	case p.kinds && p.oneIn(2), p.oneIn(5):
		p.options["ignore-delete"] = "true"
	case p.kinds && !p.oneIn(4):
		p.options["partial-update.remove-record-on-delete"] = "true"
	}
	if p.oneIn(3) {
		p.options["braid.strict"] = "true"
	}
	if at := p.rng.IntN(p.table.NumFields()); p.oneIn(5) && p.table.Field(at).Name[0] == 'c' {
		p.options["sequence.field"] = p.table.Field(at).Name
	}
	options, err := kernel.ParseOptions(p.options)
	if err != nil {
		panic(err)
	}
	if p.plan, err = kernel.Compile(kernel.Table{Schema: p.table, PrimaryKey: []string{"id"}}, options); err != nil {
		panic(err)
	}
}

// drawWay draws what the merge is asked for.
func (p *suppliedProblem) drawWay() {
	if p.system = p.oneIn(2); p.system {
		p.ways = append(p.ways, kernel.KeepSystemColumns())
	}
	if p.deletes = p.oneIn(2); p.deletes {
		p.ways = append(p.ways, kernel.KeepDeletes())
	}
	if p.oneIn(3) {
		var names []string
		for _, f := range p.table.Fields() {
			if !p.oneIn(3) {
				names = append(names, f.Name)
			}
		}
		p.rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		if len(names) > 0 {
			p.projection = names
			p.ways = append(p.ways, kernel.WithProjection(names...))
		}
	}
	if p.oneIn(3) {
		p.ways = append(p.ways, kernel.WithCopy())
	} else if p.oneIn(3) {
		p.ways = append(p.ways, kernel.WithStringViews())
	}
	if p.oneIn(2) {
		p.ways = append(p.ways, kernel.WithBatchRows(1+p.rng.IntN(300)))
	}
	if p.oneIn(2) {
		p.ways = append(p.ways, kernel.WithParallelism(2+p.rng.IntN(3)))
	}
	if p.oneIn(6) {
		p.limit = 1 << (16 + p.rng.IntN(10))
		p.ways = append(p.ways, kernel.WithMemoryLimit(p.limit))
	}
}

// drawRun draws a run of about n rows, whose keys are base and so many after it.
func (p *suppliedProblem) drawRun(all []suppliedColumn, base, keys, n int) []*suppliedFile {
	ids := make([]int64, n)
	for i := range ids {
		ids[i] = int64(base + p.rng.IntN(keys))
	}
	slices.Sort(ids)
	var files []*suppliedFile
	for parts := 1 + p.rng.IntN(3); parts > 0; parts-- {
		of := ids[:len(ids)/parts]
		ids = ids[len(of):]
		f := p.drawFile(all)
		for len(of) > 0 {
			rows := of[:1+p.rng.IntN(len(of))]
			of = of[len(rows):]
			f.records = append(f.records, p.drawRecord(f, rows))
		}
		files = append(files, f)
	}
	return files
}

// drawFile draws the schema of a file and how it is read.
func (p *suppliedProblem) drawFile(all []suppliedColumn) *suppliedFile {
	f := &suppliedFile{mapped: !p.oneIn(4)}
	var fields []arrow.Field
	if f.mapped {
		fields = p.olderFields(all)
	} else {
		fields = slices.Clone(p.table.Fields())
		for i := range fields {
			fields[i].Nullable = true
		}
	}
	ordered := !f.mapped && p.oneIn(2)
	if !ordered {
		p.rng.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	}
	f.find(fields, p)
	f.schema = arrow.NewSchema(p.withSystem(fields, f.mapped), nil)
	for i, at := range f.places {
		if at >= 0 {
			f.places[i] = f.schema.FieldIndices(fields[at].Name)[0]
		}
	}
	f.given = !f.mapped && !ordered || p.oneIn(4)
	p.drawReads(f)
	if p.spoils && p.oneIn(6) {
		f.given, p.spoilt = true, true
		f.spoil = []func([]int) []int{
			func(s []int) []int { return s[:len(s)-1] },
			func(s []int) []int { return append(slices.Clone(s), -1) },
			func(s []int) []int { s[(f.own+1)%len(s)] = -2; return s },
			func(s []int) []int { s[(f.own+1)%len(s)] = 1 << 40; return s },
			func(s []int) []int { s[(f.own+1)%len(s)], s[(f.own+2)%len(s)] = 3, 3; return s },
		}[p.rng.IntN(4+min(1, len(f.bits)-2))]
	}
	return f
}

// olderFields are value columns of a schema that the table had once: some are not there yet, some have been dropped since,
// some have another name or a narrower type.
func (p *suppliedProblem) olderFields(all []suppliedColumn) []arrow.Field {
	columns := append(p.some(all, len(all)), suppliedColumn{id: suppliedKey})
	for _, f := range p.table.Fields() { // the table cannot do without these
		if _, fallback := f.Metadata.GetValue("paimon.default"); f.Nullable || fallback || f.Name == "id" {
			continue
		}
		var id int
		fmt.Sscanf(f.Name, "c%d", &id)
		if !slices.ContainsFunc(columns, func(c suppliedColumn) bool { return c.id == id }) {
			columns = append(columns, suppliedColumn{id: id})
		}
	}
	if !p.oneIn(6) {
		columns = append(columns, suppliedColumn{id: ownID})
	}
	at, _ := p.table.FieldsByName(validity.FieldsColumn)
	own := at[0].Type
	if own.ID() != arrow.BINARY_VIEW && p.oneIn(3) {
		own = ownTypes[p.rng.IntN(2)] // offsets may have another width
	}
	var fields []arrow.Field
	for _, c := range columns {
		field := c.field(own)
		field.Nullable = true
		if p.by == columnar.MatchFieldID && c.id != ownID && p.oneIn(3) {
			field.Name = fmt.Sprintf("old%d", c.id)
		}
		if field.Type.ID() == arrow.INT64 && p.oneIn(3) {
			field.Type = arrow.PrimitiveTypes.Int32
		}
		fields = append(fields, field)
	}
	return fields
}

// find says where a file with these value columns has those of the table.
func (f *suppliedFile) find(fields []arrow.Field, p *suppliedProblem) {
	key := func(f arrow.Field) string {
		if p.by == columnar.MatchName {
			return f.Name
		}
		id, _ := f.Metadata.GetValue("PARQUET:field_id")
		return id
	}
	for _, want := range p.table.Fields() {
		at := slices.IndexFunc(fields, func(f arrow.Field) bool { return key(f) == key(want) })
		f.places, f.bits = append(f.places, at), append(f.bits, at)
		if want.Name == validity.FieldsColumn {
			f.own, f.ownBit = len(f.bits)-1, -1
			if p.oneIn(3) {
				f.ownBit = at
			}
			f.bits[f.own] = -1
		}
	}
}

// withSystem puts system columns between others.
func (p *suppliedProblem) withSystem(fields []arrow.Field, mapped bool) []arrow.Field {
	fields = slices.Clone(fields)
	add := func(f arrow.Field) { fields = slices.Insert(fields, p.rng.IntN(len(fields)+1), f) }
	if p.numbered {
		add(arrow.Field{Name: kernel.SequenceColumn, Type: arrow.PrimitiveTypes.Int64})
	}
	if p.kinds {
		add(arrow.Field{Name: kernel.KindColumn, Type: arrow.PrimitiveTypes.Int8})
	}
	if p.oneIn(2) {
		key := fields[slices.IndexFunc(fields, func(f arrow.Field) bool { return strings.HasSuffix(f.Name, "id") || f.Name == "old0" })]
		id := suppliedKey + keyID
		if !mapped {
			key.Name = "id"
		}
		add(arrow.Field{Name: kernel.KeyPrefix + key.Name, Type: key.Type, Metadata: idMetadata(id, false)})
	}
	return fields
}

// drawReads draws which columns the reader of a file gives: at least those that the merge needs.
func (p *suppliedProblem) drawReads(f *suppliedFile) {
	needed, err := p.plan.InputFields(p.projection...)
	if err != nil {
		panic(err)
	}
	narrow := p.oneIn(2)
	for at, field := range f.schema.Fields() {
		i := slices.Index(f.places, at)
		system := strings.HasPrefix(field.Name, "_") && field.Name != validity.FieldsColumn
		if must := system || i >= 0 && (slices.Contains(needed, p.table.Field(i).Name) || p.table.Field(i).Name == "id" || !p.table.Field(i).Nullable); must || !narrow {
			f.reads = append(f.reads, at)
		}
	}
	if f.mapped && len(f.reads) < f.schema.NumFields() {
		f.given = true
	}
}

// positions are those the kernel is told, nil if none.
func (f *suppliedFile) positions() []int {
	if !f.given {
		return nil
	}
	positions := slices.Clone(f.bits)
	positions[f.own] = f.ownBit
	if f.spoil != nil {
		positions = f.spoil(positions)
	}
	return positions
}

// file is the file as the kernel gets it.
func (f *suppliedFile) file(p *suppliedProblem, name string) (kernel.File, error) {
	var fields []arrow.Field
	for _, at := range f.reads {
		fields = append(fields, f.schema.Field(at))
	}
	schema := arrow.NewSchema(fields, nil)
	file := kernel.File{Name: name, Positions: f.positions()}
	if f.mapped {
		positions, err := columnar.Positions(f.schema, p.table, p.by)
		if err != nil {
			return file, err
		}
		if !slices.Equal(positions, f.bits) {
			return file, fmt.Errorf("positions are %v, want %v", positions, f.bits)
		}
		if file.Mapping, err = columnar.NewMapping(schema, p.table, p.by); err != nil {
			return file, err
		}
	}
	file.Open = f.opener(schema)
	return file, nil
}

// release gives the files back.
func (p *suppliedProblem) release() {
	for _, run := range p.runs {
		for _, f := range run {
			releaseAll(f.records)
		}
	}
}

// rows counts the rows of all files.
func (p *suppliedProblem) rows() (n int64) {
	for _, run := range p.runs {
		for _, f := range run {
			n += rowsIn(f.records)
		}
	}
	return n
}

// record of the rows of a file with these keys.
func (p *suppliedProblem) drawRecord(f *suppliedFile, ids []int64) arrow.Record {
	var values []arrow.Field
	for _, field := range f.schema.Fields() {
		if !strings.HasPrefix(field.Name, "_") || field.Name == validity.FieldsColumn {
			values = append(values, field)
		}
	}
	table := arrow.NewSchema(values, nil)
	system := p.drawSystem(f, ids)
	defer system.Release()
	complete := p.written(table, ids)
	defer complete.Release()
	columns := make([]arrow.Array, f.schema.NumFields())
	for i, field := range f.schema.Fields() {
		from := complete
		if system.Schema().HasField(field.Name) {
			from = system
		}
		columns[i] = from.Column(from.Schema().FieldIndices(field.Name)[0])
	}
	return array.NewRecord(f.schema, columns, int64(len(ids)))
}

// drawSystem draws the system columns.
func (p *suppliedProblem) drawSystem(f *suppliedFile, ids []int64) arrow.Record {
	var fields []arrow.Field
	for _, field := range f.schema.Fields() {
		if strings.HasPrefix(field.Name, "_") && field.Name != validity.FieldsColumn {
			fields = append(fields, field)
		}
	}
	rows := make([]rowmerge.Row, len(ids))
	for i, id := range ids {
		rows[i] = rowmerge.Row{Sequence: int64(p.rng.IntN(100)), Kind: []int8{0, 0, 0, 2, 1, 3}[p.rng.IntN(6)], Key: []any{p.keyCell(f, id)}}
	}
	rec, err := fuzz.BuildRecord(p.mem, arrow.NewSchema(fields, nil), rows)
	if err != nil {
		panic(err)
	}
	if len(fields) == 0 {
		rec.Release()
		return array.NewRecord(arrow.NewSchema(nil, nil), nil, int64(len(ids)))
	}
	return rec
}

// keyCell is a key as the file's key column has it.
func (p *suppliedProblem) keyCell(f *suppliedFile, id int64) any {
	for _, field := range f.schema.Fields() {
		if strings.HasPrefix(field.Name, kernel.KeyPrefix) && field.Type.ID() == arrow.INT32 {
			return int32(id)
		}
	}
	return id
}
