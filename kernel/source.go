package kernel

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/braidmerge/braid/columnar"
)

// source reads the files of a run one after another. Before a file whose least key is known it sleeps until it is woken, as
// nothing needs to be read to know that no row of it comes earlier.
type source struct {
	files  []File
	ranges []keyRange // of files
	in     *inputs
	turns  chan struct{} // of reading ahead; nil if records are read when they are wanted

	file   *File // the last one opened
	keys   keyRange
	reader array.RecordReader // of file; nil between files
	bound  *binding
	rows   int64 // read of file
	opened int   // files so far
	loaded int   // batches so far, those without rows too
	woken  bool

	parts   []part
	scratch columnar.Staged
}

// asleep says whether the next file is to be opened only when the merge gets to its keys.
func (s *source) asleep() bool {
	return s.reader == nil && !s.woken && s.opened < len(s.files) && !s.ranges[s.opened].least.none()
}

// next reads a record and says which rows of it are there. Where a file begins or ends there is no record; more is false
// behind the last file.
func (s *source) next(ctx context.Context) (rec arrow.Record, parts []part, more bool, err error) {
	if s.reader == nil {
		if s.opened == len(s.files) {
			return nil, nil, false, nil
		}
		return nil, nil, true, s.open(ctx)
	}
	if !s.reader.Next() {
		return nil, nil, true, s.closeFile()
	}
	rec = s.reader.Record()
	if err := agrees(rec, s.reader.Schema()); err != nil {
		return nil, nil, true, err
	}
	s.loaded++
	parts = s.survivors(s.rows, int(rec.NumRows()))
	s.rows += rec.NumRows()
	return rec, parts, true, nil
}

func (s *source) open(ctx context.Context) error {
	s.file, s.keys = &s.files[s.opened], s.ranges[s.opened]
	s.opened++
	s.rows, s.woken = 0, false
	reader, err := s.file.Open(ctx)
	if err != nil {
		return fmt.Errorf("open: %w", err)
	}
	bound, err := s.in.bind(s.file, reader.Schema())
	if err != nil {
		reader.Release()
		return err
	}
	s.bound = &bound
	if s.reader = reader; s.turns != nil {
		s.reader = newAhead(reader, s.turns)
	}
	return nil
}

// agrees holds a record to the schema of its reader.
func agrees(rec arrow.Record, schema *arrow.Schema) error {
	if rec == nil {
		return fmt.Errorf("%w: a reader that has a next record gives none", ErrCorrupt)
	}
	if got, want := int(rec.NumCols()), schema.NumFields(); got != want {
		return fmt.Errorf("%w: a record of %d columns, its reader has %d", ErrSchema, got, want)
	}
	for i := range schema.NumFields() {
		f := schema.Field(i)
		if got := rec.Column(i).DataType(); got != f.Type && !arrow.TypeEqual(got, f.Type) {
			return fmt.Errorf("%w: column %q of a record has type %s, its reader has %s", ErrSchema, f.Name, got, f.Type)
		}
	}
	return nil
}

// closeFile ends a file: io.EOF is how some readers say that all went well.
func (s *source) closeFile() error {
	err := s.reader.Err()
	s.reader.Release()
	s.reader = nil
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if want := s.file.Rows; want != 0 && want != s.rows {
		return fmt.Errorf("%w: %d rows in a file of %d", ErrCorrupt, s.rows, want)
	}
	if d := s.file.Deleted; d != nil && !d.IsEmpty() && int64(d.Maximum()) >= s.rows {
		return fmt.Errorf("%w: the deletion vector has position %d, the file %d rows", ErrCorrupt, d.Maximum(), s.rows)
	}
	return nil
}

// close releases everything. It may be called again.
func (s *source) close() {
	if s.reader != nil {
		s.reader.Release()
		s.reader = nil
	}
	for i := range s.ranges {
		s.ranges[i].release()
	}
	s.ranges, s.files = nil, nil
}

// keyRange is the least and the greatest key of a file, where they are known.
type keyRange struct {
	least, most key
	data        []arrow.ArrayData // of the keys; retained
}

// newKeyRange looks at MinKey and MaxKey of a file.
func (in *inputs) newKeyRange(f *File) (r keyRange, err error) {
	if r.least, err = r.key(in, f.MinKey); err != nil {
		r.release()
		return keyRange{}, fmt.Errorf("MinKey: %w", err)
	}
	if r.most, err = r.key(in, f.MaxKey); err != nil {
		r.release()
		return keyRange{}, fmt.Errorf("MaxKey: %w", err)
	}
	return r, nil
}

// key makes a key of a record of one row, none of no record.
func (r *keyRange) key(in *inputs, rec arrow.Record) (key, error) {
	if rec == nil {
		return key{}, nil
	}
	if rec.NumRows() != 1 {
		return key{}, fmt.Errorf("%w: a key of %d rows", ErrSchema, rec.NumRows())
	}
	k := key{keys: make([]columnar.View, len(in.keys))}
	for i := range in.keys {
		at, err := findKey(rec.Schema(), in.keys[i])
		if err != nil {
			return key{}, err
		}
		d, err := in.keys[i].load(rec.Column(at).Data())
		if err != nil {
			return key{}, err
		}
		r.data = append(r.data, d)
		if k.keys[i], err = columnar.NewView(d); err != nil {
			return key{}, err
		}
	}
	return newKey(k.keys, 0), nil
}

func (r *keyRange) release() {
	for _, d := range r.data {
		d.Release()
	}
	*r = keyRange{}
}

// inRange checks the keys of a batch, which is in order, against those its file says it has.
func (s *source) inRange(b *batch) error {
	keys := b.keyViews(s.in)
	if !s.keys.least.none() && s.keys.least.compare(newKey(keys, 0)) > 0 {
		return b.blame(0, "", fmt.Errorf("%w: its key is below the file's MinKey", ErrCorrupt))
	}
	if !s.keys.most.none() && s.keys.most.compare(newKey(keys, b.rows-1)) < 0 {
		return b.blame(b.rows-1, "", fmt.Errorf("%w: its key is above the file's MaxKey", ErrCorrupt))
	}
	return nil
}
