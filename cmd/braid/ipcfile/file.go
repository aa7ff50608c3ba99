package ipcfile

import (
	"io"
	"os"
	"sync/atomic"

	"github.com/apache/arrow/go/v17/arrow"
)

// File is an IPC file whose footer and batch headers have been read. Several readers may read it, at the same time too.
type File struct {
	references atomic.Int64
	content    content
	schema     *arrow.Schema
	blocks     []block // the schema, the dictionaries, the batches
	batches    []Batch
	rows       int64
}

// Batch describes a record batch of a file.
type Batch struct {
	Rows        int64
	Bytes       int64  // of the body as it is stored
	Compression string // "lz4", "zstd" or empty
}

// content is the bytes of a file. A range of them is valid until close.
type content interface {
	at(offset, length int64) ([]byte, error)
	size() int64
	close() error
}

// Open opens the IPC file at path and reads its footer and headers; the caller releases it. The error of a file that is no
// IPC file, is truncated, or does not hold together is columnar.ErrCorrupt.
func Open(path string, o Options) (*File, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	content, err := mapFile(in)
	if err != nil {
		return nil, err
	}
	return newFile(content, o)
}

// OpenReaderAt is Open for size bytes of r, which are read piece by piece.
func OpenReaderAt(r io.ReaderAt, size int64, o Options) (*File, error) {
	return newFile(&pieces{file: r, bytes: size}, o)
}

// newFile takes over the content, also when it fails.
func newFile(content content, o Options) (*File, error) {
	f := &File{content: content}
	f.references.Store(1)
	err := protect(func() error {
		if err := f.readFooter(); err != nil {
			return err
		}
		return f.readHeaders()
	})
	if err == nil {
		err = f.readSchema(o)
	}
	if err != nil {
		f.Release()
		return nil, err
	}
	return f, nil
}

// Schema returns the schema of the batches.
func (f *File) Schema() *arrow.Schema { return f.schema }

// Rows returns the number of rows of all batches.
func (f *File) Rows() int64 { return f.rows }

// Size returns the number of bytes of the file.
func (f *File) Size() int64 { return f.content.size() }

// Batches describes the batches in their order.
func (f *File) Batches() []Batch { return f.batches }

// Dictionaries returns the number of dictionary messages.
func (f *File) Dictionaries() int { return len(f.blocks) - 1 - len(f.batches) }

// Retain adds a reference to the file.
func (f *File) Retain() { f.references.Add(1) }

// Release drops a reference; with the last one, those of readers and of batches included, the file is closed.
func (f *File) Release() {
	if f.references.Add(-1) == 0 {
		f.content.close()
	}
}

// Reader returns a reader of all batches from the first one.
func (f *File) Reader(o Options) (*Reader, error) {
	f.Retain()
	return newReader(&fileSource{file: f}, o.complete())
}

// readSchema reads the schema as a reader does.
func (f *File) readSchema(o Options) error {
	r, err := f.Reader(o)
	if err != nil {
		return err
	}
	f.schema = r.Schema()
	r.Release()
	return nil
}
