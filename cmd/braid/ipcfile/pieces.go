package ipcfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// pieces is the content of a file that is read piece by piece.
type pieces struct {
	file  io.ReaderAt
	end   io.Closer // closed with it; may be nil
	bytes int64
}

// unmapped takes over the file, to be read piece by piece.
func unmapped(in *os.File, info fs.FileInfo) (content, error) {
	if !info.Mode().IsRegular() {
		in.Close()
		return nil, errors.New("it is not a regular file: only an Arrow stream can come from elsewhere")
	}
	return &pieces{file: in, end: in, bytes: info.Size()}, nil
}

func (p *pieces) at(offset, length int64) ([]byte, error) {
	if err := inside(offset, length, p.bytes); err != nil {
		return nil, err
	}
	buffer := make([]byte, length)
	n, err := p.file.ReadAt(buffer, offset)
	switch {
	case n == len(buffer):
		return buffer, nil
	case err == io.EOF:
		return nil, corrupt("file ends before byte %d", offset+length)
	}
	return nil, err
}

func (p *pieces) size() int64 { return p.bytes }

func (p *pieces) close() error {
	if p.end == nil {
		return nil
	}
	return p.end.Close()
}

// inside checks that a range lies in a file of size bytes.
func inside(offset, length, size int64) error {
	if offset < 0 || length < 0 || offset > size-length {
		return corrupt("%d bytes at %d lie outside a file of %d", length, offset, size)
	}
	return nil
}
