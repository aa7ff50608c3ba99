package ipcfile

import (
	"encoding/binary"
	"fmt"
	"io"
)

// block is where a message lies in a file.
type block struct{ offset, metadata, body int64 }

// readFooter finds the blocks of the file.
func (f *File) readFooter() error {
	const tail = 4 + int64(len(Magic)) // the footer's length and the magic after it
	size := f.content.size()
	if size < 8+tail {
		return corrupt("%d bytes are too few for an Arrow file", size)
	}
	head, err := f.content.at(0, 8)
	if err != nil {
		return err
	}
	if string(head[:len(Magic)]) != Magic {
		if binary.LittleEndian.Uint32(head) == continuation {
			return corrupt("it is an Arrow stream, not an Arrow file")
		}
		return corrupt("it is not an Arrow file: it does not begin with %s", Magic)
	}
	end, err := f.content.at(size-tail, tail)
	if err != nil {
		return err
	}
	if string(end[4:]) != Magic {
		return corrupt("it does not end with %s: the file is truncated", Magic)
	}
	length := int64(binary.LittleEndian.Uint32(end))
	if length > size-tail-8 {
		return corrupt("footer of %d bytes in a file of %d", length, size)
	}
	footer, err := f.content.at(size-tail-length, length)
	if err != nil {
		return err
	}
	return f.parseFooter(footer)
}

// parseFooter reads the blocks out of the footer. The schema message stands after the magic.
func (f *File) parseFooter(footer []byte) error {
	flat := &flat{bytes: footer}
	table := flat.follow(0)
	f.blocks = []block{{offset: 8}}
	for number := 2; number <= 3; number++ {
		const width = 24
		first, n := flat.vector(table, number, width)
		for i := range n {
			at := first + width*i
			f.blocks = append(f.blocks, block{flat.int64(at), int64(flat.int32(at + 8)), flat.int64(at + 16)})
		}
		if number == 3 {
			f.batches = make([]Batch, n)
		}
	}
	if flat.bad {
		return corrupt("footer points outside itself")
	}
	return nil
}

// readHeaders reads what every block says about itself.
func (f *File) readHeaders() error {
	for i := range f.blocks {
		_, h, err := f.metadata(i)
		if err != nil {
			return fmt.Errorf("message %d: %w", i, err)
		}
		want := uint8(kindSchema)
		if i > 0 {
			want = kindDictionary
		}
		batch := i - 1 - f.Dictionaries()
		if batch >= 0 {
			want = kindBatch
			f.batches[batch] = Batch{Rows: h.rows, Bytes: h.body, Compression: h.codec}
			f.rows += h.rows
		}
		if h.kind != want {
			return corrupt("message %d is of kind %d, not %d", i, h.kind, want)
		}
	}
	return nil
}

// metadata returns the metadata of block i, without the length before it, and what it says.
func (f *File) metadata(i int) ([]byte, header, error) {
	b := &f.blocks[i]
	prefix, err := f.content.at(b.offset, 8)
	if err != nil {
		return nil, header{}, err
	}
	skip, length := int64(4), int64(binary.LittleEndian.Uint32(prefix))
	if length == continuation {
		skip, length = 8, int64(binary.LittleEndian.Uint32(prefix[4:]))
	}
	if b.metadata == 0 {
		b.metadata = skip + length
	}
	if length <= 0 || length > maxMetadata || skip+length > b.metadata {
		return nil, header{}, corrupt("%d bytes of metadata in a block of %d", length, b.metadata)
	}
	bytes, err := f.content.at(b.offset+skip, length)
	if err != nil {
		return nil, header{}, err
	}
	h, err := parseHeader(bytes)
	return bytes, h, err
}

// fileSource is the source of a file.
type fileSource struct {
	file *File
	read int // blocks read
}

func (s *fileSource) next() (m message, err error) {
	if s.read == len(s.file.blocks) {
		return m, io.EOF
	}
	if m.metadata, m.header, err = s.file.metadata(s.read); err != nil {
		return m, err
	}
	b := s.file.blocks[s.read]
	s.read++
	if m.body.bytes, err = s.file.content.at(b.offset+b.metadata, m.header.body); err != nil {
		return m, err
	}
	s.file.Retain()
	m.body.owner = s.file
	return m, nil
}

func (s *fileSource) close() { s.file.Release() }
