package ipcfile

import (
	"fmt"
	"math"

	"github.com/braidmerge/braid/columnar"
)

// Kinds of message, as the metadata says them.
const (
	kindSchema     = 1
	kindDictionary = 2
	kindBatch      = 3
)

// maxMetadata is how many bytes of metadata a message may have.
const maxMetadata = 256 << 20

// header is what the metadata of a message says. The buffers lie inside a body of the length it says; the counts are those
// the metadata has bytes for.
type header struct {
	kind  uint8
	body  int64 // bytes of the body
	old   bool  // written before version 1.0 of the format
	batch       // of a dictionary or a record batch
	id    int64 // of a dictionary
	delta bool  // a dictionary that is appended to the one there is
}

// batch is what the metadata says about the arrays in a body.
type batch struct {
	rows     int64
	nodes    []node
	buffers  []span
	variadic []int64 // for each array of views, how many data buffers it has
	codec    string  // "lz4", "zstd", empty if the buffers are not compressed
}

// node describes an array.
type node struct{ length, nulls int64 }

// span is a range of bytes in a body.
type span struct{ offset, length int64 }

// parseHeader reads the metadata of a message.
func parseHeader(metadata []byte) (header, error) {
	const v4, v5 = 3, 4 // numbers of the metadata versions that came with versions 0.8 and 1.0 of the format
	f := &flat{bytes: metadata}
	message := f.follow(0)
	version := f.short(message, 0)
	h := header{kind: f.byte(message, 1), body: f.long(message, 3), old: version < v5}
	table := f.table(message, 2)
	err := h.parse(f, table)
	switch {
	case f.bad || table == 0:
		return h, corrupt("metadata of a message points outside itself")
	case version < v4 || version > v5:
		return h, corrupt("metadata version %d is not read", version+1)
	case h.body < 0:
		return h, corrupt("body of %d bytes", h.body)
	}
	return h, err
}

// parse reads what the table of a message says about its body.
func (h *header) parse(f *flat, table int) error {
	switch h.kind {
	case kindSchema:
		return nil
	case kindDictionary:
		h.id, h.delta = f.long(table, 0), f.byte(table, 2) != 0
		return h.batch.parse(f, f.table(table, 1), h.body)
	case kindBatch:
		return h.batch.parse(f, table, h.body)
	}
	return corrupt("message of kind %d", h.kind)
}

// parse reads the record batch at table, whose body has size bytes.
func (b *batch) parse(f *flat, table int, size int64) error {
	if table == 0 {
		return corrupt("batch without data")
	}
	b.rows = f.long(table, 0)
	first, n := f.vector(table, 1, 16)
	b.nodes = make([]node, n)
	for i := range b.nodes {
		b.nodes[i] = node{f.int64(first + 16*i), f.int64(first + 16*i + 8)}
	}
	first, n = f.vector(table, 2, 16)
	b.buffers = make([]span, n)
	for i := range b.buffers {
		b.buffers[i] = span{f.int64(first + 16*i), f.int64(first + 16*i + 8)}
	}
	first, n = f.vector(table, 4, 8)
	b.variadic = make([]int64, n)
	for i := range b.variadic {
		b.variadic[i] = f.int64(first + 8*i)
	}
	if err := b.parseCodec(f, f.table(table, 3)); err != nil {
		return err
	}
	return b.check(size)
}

// parseCodec reads how the buffers are compressed.
func (b *batch) parseCodec(f *flat, compression int) error {
	if compression == 0 {
		return nil
	}
	switch codec := f.byte(compression, 0); codec {
	case 0:
		b.codec = "lz4"
	case 1:
		b.codec = "zstd"
	default:
		return corrupt("compression codec %d", codec)
	}
	return nil
}

// check holds the numbers against the size of the body and against what arrays can be.
func (b *batch) check(size int64) error {
	if b.rows < 0 || b.rows > math.MaxInt32 {
		return fmt.Errorf("%w: batch of %d rows", columnar.ErrTooLarge, b.rows)
	}
	for _, node := range b.nodes {
		if node.length < 0 || node.length > math.MaxInt32 {
			return fmt.Errorf("%w: array of %d values", columnar.ErrTooLarge, node.length)
		}
		if node.nulls < 0 || node.nulls > node.length {
			return corrupt("null count is %d of %d values", node.nulls, node.length)
		}
	}
	for i, buffer := range b.buffers {
		if buffer.offset < 0 || buffer.length < 0 || buffer.offset > size-buffer.length {
			return corrupt("buffer %d (%d bytes at %d) lies outside a body of %d bytes", i, buffer.length, buffer.offset, size)
		}
	}
	for _, count := range b.variadic {
		if count < 0 || count > int64(len(b.buffers)) {
			return corrupt("%d variadic buffers of %d buffers", count, len(b.buffers))
		}
	}
	return nil
}

// corrupt makes an error of bytes that are not what the format says.
func corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: %s", columnar.ErrCorrupt, fmt.Sprintf(format, args...))
}
