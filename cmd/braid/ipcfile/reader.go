package ipcfile

import (
	"fmt"
	"io"
	"slices"
	"sync/atomic"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// DefaultLimit is how many bytes one batch may take when nothing else is said.
const DefaultLimit = 8 << 30

// Options say how to read.
type Options struct {
	// Allocator holds what is not lent by the file; nil is the Go allocator.
	Allocator memory.Allocator
	// Limit is how many bytes of memory one batch may take: a batch that says it takes more is columnar.ErrTooLarge. What a
	// mapped file holds does not count. 0 is DefaultLimit.
	Limit int64
	// Columns names the columns to read, which come in the order of the file; none stands for all. The others are not
	// looked at.
	Columns []string
}

// complete fills in what is not said.
func (o Options) complete() Options {
	if o.Allocator == nil {
		o.Allocator = memory.DefaultAllocator
	}
	if o.Limit <= 0 {
		o.Limit = DefaultLimit
	}
	return o
}

// source gives the messages of a file or a stream one after another, and io.EOF after the last one. Whoever gets a message
// without an error releases the owner of its body.
type source interface {
	next() (message, error)
	close()
}

// message is a message of a file or a stream.
type message struct {
	metadata []byte
	header   header
	body     body
}

// Reader is an array.RecordReader of the batches of an IPC file or stream. A batch that is retained may outlive the reader,
// and the File it comes from. Err is nil at a clean end.
type Reader struct {
	references   atomic.Int64
	source       source
	schema       *arrow.Schema
	columns      []*column         // of the file
	skipped      []bool            // columns that are not read; nil if all are
	values       map[int64]*column // what the dictionaries hold, by their number
	dictionaries dictionaries
	unpack       *unpacker
	record       arrow.Record
	batch        int // batches read
	done         bool
	err          error
}

var _ array.RecordReader = (*Reader)(nil)

// newReader reads the schema from the source, which it closes if there is an error.
func newReader(src source, o Options) (*Reader, error) {
	r := &Reader{
		source:       src,
		values:       map[int64]*column{},
		dictionaries: dictionaries{},
		unpack:       &unpacker{memory: o.Allocator, limit: o.Limit},
	}
	r.references.Store(1)
	err := protect(r.readSchema)
	if err == nil && o.Columns != nil {
		err = r.choose(o.Columns)
	}
	if err != nil {
		r.Release()
		return nil, err
	}
	return r, nil
}

// choose leaves out the columns that are not named.
func (r *Reader) choose(names []string) error {
	var fields []arrow.Field
	r.skipped = make([]bool, len(r.columns))
	for i, field := range r.schema.Fields() {
		r.skipped[i] = !slices.Contains(names, field.Name)
		if !r.skipped[i] {
			fields = append(fields, field)
		}
	}
	for _, name := range names {
		if !r.schema.HasField(name) {
			return fmt.Errorf("%w: there is no column %q", columnar.ErrSchema, name)
		}
	}
	metadata := r.schema.Metadata()
	r.schema = arrow.NewSchema(fields, &metadata)
	return nil
}

// readSchema reads the first message.
func (r *Reader) readSchema() error {
	m, err := r.source.next()
	if err == io.EOF {
		return corrupt("there is no schema")
	}
	if err != nil {
		return err
	}
	defer m.body.owner.Release()
	if m.header.kind != kindSchema {
		return corrupt("it does not begin with a schema")
	}
	if r.schema, r.columns, err = parseSchema(m.metadata); err != nil {
		return err
	}
	for _, c := range r.columns {
		r.collect(c)
	}
	return nil
}

// collect notes what the dictionaries of a column hold.
func (r *Reader) collect(c *column) {
	if c.values != nil {
		r.values[c.dictionary] = c.values
		r.collect(c.values)
	}
	for _, child := range c.children {
		r.collect(child)
	}
}

// Schema returns the schema of the batches.
func (r *Reader) Schema() *arrow.Schema { return r.schema }

// Next reads the next batch, which is valid until the next call of Next.
func (r *Reader) Next() bool {
	r.drop()
	if r.done {
		return false
	}
	switch err := protect(r.read); {
	case err == io.EOF:
		r.done = true
	case err != nil:
		r.done, r.err = true, fmt.Errorf("batch %d: %w", r.batch, err)
	default:
		r.batch++
	}
	return r.record != nil
}

// read reads messages up to and including the next batch.
func (r *Reader) read() error {
	for r.record == nil {
		m, err := r.source.next()
		if err != nil {
			return err
		}
		if err := r.readMessage(m); err != nil {
			return err
		}
	}
	return nil
}

// readMessage makes a batch or a dictionary of the message.
func (r *Reader) readMessage(m message) (err error) {
	defer m.body.owner.Release()
	r.unpack.begin()
	l := &loader{header: m.header, body: m.body, unpack: r.unpack, dictionaries: r.dictionaries}
	switch m.header.kind {
	case kindBatch:
		r.record, err = l.record(r.schema, r.columns, r.skipped)
	case kindDictionary:
		err = r.readDictionary(l)
	default:
		err = corrupt("message of kind %d among the batches", m.header.kind)
	}
	return err
}

// readDictionary adds a dictionary, or replaces or extends the one of this number.
func (r *Reader) readDictionary(l *loader) error {
	values, ok := r.values[l.id]
	if !ok {
		return corrupt("no column has dictionary %d", l.id)
	}
	a, err := l.array(values, l.rows)
	if err != nil {
		return fmt.Errorf("dictionary %d: %w", l.id, err)
	}
	defer a.Release()
	old := r.dictionaries[l.id]
	if l.delta && old != nil {
		before := array.MakeFromData(old)
		defer before.Release()
		whole, err := array.Concatenate([]arrow.Array{before, a}, r.unpack.memory)
		if err != nil {
			return fmt.Errorf("%w: dictionary %d: %w", columnar.ErrCorrupt, l.id, err)
		}
		defer whole.Release()
		a = whole
	}
	a.Data().Retain()
	r.dictionaries[l.id] = a.Data()
	if old != nil {
		old.Release()
	}
	return nil
}

// drop releases the current batch.
func (r *Reader) drop() {
	if r.record != nil {
		r.record.Release()
		r.record = nil
	}
}

// Record returns the batch that Next has read.
func (r *Reader) Record() arrow.Record { return r.record }

// Err returns what ended the batches early, if anything did.
func (r *Reader) Err() error { return r.err }

// Retain adds a reference.
func (r *Reader) Retain() { r.references.Add(1) }

// Release drops a reference; with the last one the batch in hand is released and the input is closed.
func (r *Reader) Release() {
	if r.references.Add(-1) != 0 {
		return
	}
	r.drop()
	r.dictionaries.release()
	r.unpack.close()
	r.source.close()
}
