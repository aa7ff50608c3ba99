package arrow18

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/apache/arrow-go/v18/parquet/metadata"

	"github.com/braidmerge/braid/columnar"
)

// source is an open Parquet file as the decoder reads it. It stops reading when its context is done, and remembers the
// first read that failed, to tell a failing disk from a corrupt file.
type source struct {
	name   string
	r      io.ReaderAt
	size   int64
	ctx    context.Context
	failed error
	closer io.Closer // nil if r is the caller's to close

	footer *metadata.FileMetaData
	end    int64 // where the footer begins
	seek   int64
}

// openSource opens a file by its path. Its footer is not read yet.
func openSource(ctx context.Context, path string) (*source, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if info.IsDir() {
		return nil, errors.Join(fmt.Errorf("%s is a directory", path), f.Close())
	}
	return &source{name: path, r: f, size: info.Size(), ctx: ctx, closer: f}, nil
}

// readFooter reads the footer and checks it.
func (s *source) readFooter() error {
	return s.guard(place{}, func() (err error) {
		if s.footer, s.end, err = readFooter(s, s.size); err != nil {
			return err
		}
		if stored := s.footer.KeyValueMetadata().FindValue(storedSchemaKey); stored != nil {
			return checkStoredSchema(*stored)
		}
		return nil
	})
}

// ReadAt is part of io.ReaderAt.
func (s *source) ReadAt(b []byte, at int64) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, s.fail(err)
	}
	n, err := s.r.ReadAt(b, at)
	if err != nil && err != io.EOF {
		return n, s.fail(err)
	}
	return n, err
}

func (s *source) fail(err error) error {
	if s.failed == nil {
		s.failed = err
	}
	return err
}

// Seek is part of io.Seeker, which the decoder asks for. It does not touch the file.
func (s *source) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekStart:
		s.seek = offset
	case io.SeekCurrent:
		s.seek += offset
	case io.SeekEnd:
		s.seek = s.size + offset
	}
	return s.seek, nil
}

// close closes the file, if it is the source's to close.
func (s *source) close() error {
	if s.closer == nil {
		return nil
	}
	return s.closer.Close()
}

// place is what of a file is being read.
type place struct {
	group  int // row group from 1 on, 0 for the footer
	column string
}

// guard calls f and gives its error, or what it panicked with, as an error that names the file and the place.
//
// A failed read and a cancelled context come out as they are; what is unsupported, too large or of a type that cannot be
// had, as that; anything else is columnar.ErrCorrupt.
func (s *source) guard(at place, f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = s.wrap(at, recovered(r))
		}
	}()
	if err := f(); err != nil {
		return s.wrap(at, err)
	}
	return nil
}

// recovered makes an error of what a decoder panicked with.
func recovered(r any) error {
	switch r := r.(type) {
	case overLimit:
		return tooLarge(r.bytes, r.limit)
	case error:
		return fmt.Errorf("decoder failed: %w", r)
	}
	return fmt.Errorf("decoder failed: %v", r)
}

func (s *source) wrap(at place, err error) error {
	where := s.name
	if at.group > 0 {
		where += fmt.Sprintf(": row group %d", at.group-1)
	}
	if at.column != "" {
		where += fmt.Sprintf(": column %q", at.column)
	}
	if s.failed != nil {
		return fmt.Errorf("%s: %w", where, s.failed)
	}
	for _, kind := range []error{columnar.ErrTooLarge, columnar.ErrSchema, columnar.ErrCorrupt, errors.ErrUnsupported} {
		if errors.Is(err, kind) {
			return fmt.Errorf("%s: %w", where, err)
		}
	}
	return fmt.Errorf("%s: %w: %w", where, columnar.ErrCorrupt, err)
}
