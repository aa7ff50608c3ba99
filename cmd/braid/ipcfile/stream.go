package ipcfile

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// Magic begins and ends an IPC file.
const Magic = "ARROW1"

// continuation stands before the length of a message.
const continuation = 0xFFFFFFFF

// stream is the source of a stream.
type stream struct {
	in     *bufio.Reader
	end    io.Closer // closed with the reader; may be nil
	memory memory.Allocator
	limit  int64
}

// OpenStream opens the file at path and reads it as a stream. The reader closes the file.
func OpenStream(path string, o Options) (*Reader, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r, err := newStream(file, file, o)
	if err != nil {
		file.Close()
		return nil, err
	}
	return r, nil
}

// NewStream reads the schema of a stream and returns a reader of its batches. A stream ends at its end mark, or at the end
// of the input between two messages.
func NewStream(in io.Reader, o Options) (*Reader, error) { return newStream(in, nil, o) }

// newStream closes end with the reader it returns, not if it fails.
func newStream(in io.Reader, end io.Closer, o Options) (*Reader, error) {
	buffered := bufio.NewReaderSize(in, 256<<10)
	switch head, err := buffered.Peek(len(Magic)); {
	case string(head) == Magic:
		return nil, corrupt("it is an Arrow file, not a stream")
	case len(head) == 0 && err == io.EOF:
		return nil, corrupt("it is empty")
	case err != nil && err != io.EOF:
		return nil, err
	}
	o = o.complete()
	s := &stream{in: buffered, memory: o.Allocator, limit: o.Limit}
	r, err := newReader(s, o)
	s.end = end
	return r, err
}

func (s *stream) close() {
	if s.end != nil {
		s.end.Close()
	}
}

func (s *stream) next() (m message, err error) {
	length, err := s.length()
	if err != nil {
		return m, err
	}
	if m.metadata, err = s.read(nil, int64(length)); err != nil {
		return m, err
	}
	if m.header, err = parseHeader(m.metadata); err != nil {
		return m, err
	}
	if m.header.body > s.limit {
		return m, fmt.Errorf("%w: message takes %d bytes, more than %d", columnar.ErrTooLarge, m.header.body, s.limit)
	}
	buffer := memory.NewResizableBuffer(s.memory)
	m.body.owner = buffer
	if m.body.bytes, err = s.read(buffer, m.header.body); err != nil {
		buffer.Release()
	}
	return m, err
}

// length reads the length of the next message's metadata; io.EOF is the end of the stream.
func (s *stream) length() (uint32, error) {
	length, err := s.uint32()
	if err == nil && length == continuation {
		if length, err = s.uint32(); err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return 0, corrupt("stream ends inside a message")
	case err != nil:
		return 0, err
	case length == 0:
		return 0, io.EOF
	case length > maxMetadata:
		return 0, corrupt("message with %d bytes of metadata", length)
	}
	return length, nil
}

func (s *stream) uint32() (uint32, error) {
	var word [4]byte
	_, err := io.ReadFull(s.in, word[:])
	return binary.LittleEndian.Uint32(word[:]), err
}

// read reads the next n bytes into the buffer, or into memory of the Go heap. The memory grows as the bytes come, so that a
// length that lies costs no more than a few times what is there.
func (s *stream) read(buffer *memory.Buffer, n int64) ([]byte, error) {
	const first = 4 << 20
	if buffer == nil {
		buffer = memory.NewResizableBuffer(memory.NewGoAllocator())
	}
	for have := int64(0); have < n; {
		want := min(n, max(first, 4*have))
		buffer.Resize(int(want))
		if _, err := io.ReadFull(s.in, buffer.Bytes()[have:]); err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil, corrupt("stream ends inside a message")
		} else if err != nil {
			return nil, err
		}
		have = want
	}
	return buffer.Bytes(), nil
}
