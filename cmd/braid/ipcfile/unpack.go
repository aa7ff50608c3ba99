package ipcfile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"github.com/braidmerge/braid/columnar"
)

// maxRatio is how many bytes a compressed byte can stand for: a block of Zstandard that repeats one byte takes 4 bytes and
// is 128 KiB long at most.
const maxRatio = 128 << 10 / 4

// unpacker makes buffers of the stored bytes of a message: decompressed where they are compressed, copied where they are
// not aligned, lent where they are neither.
type unpacker struct {
	memory memory.Allocator
	limit  int64 // bytes that the buffers of one message may take
	left   int64 // bytes of the limit that this message has left
	zstd   *zstd.Decoder
	lz4    *lz4.Reader
}

// begin makes ready for the next message.
func (u *unpacker) begin() { u.left = u.limit }

func (u *unpacker) close() {
	if u.zstd != nil {
		u.zstd.Close()
	}
}

// buffer makes a buffer, which the caller owns, of stored bytes that the owner holds.
func (u *unpacker) buffer(codec string, stored []byte, o owner) (*memory.Buffer, error) {
	if codec == "" || len(stored) == 0 {
		return u.plain(stored, o)
	}
	if len(stored) < 8 {
		return nil, corrupt("compressed buffer of %d bytes", len(stored))
	}
	size := int64(binary.LittleEndian.Uint64(stored))
	stored = stored[8:]
	if size == -1 {
		return u.plain(stored, o)
	}
	if size < 0 || size/maxRatio > int64(len(stored)) {
		return nil, corrupt("%d bytes decompress to %d", len(stored), size)
	}
	buffer, err := u.allocate(size)
	if err != nil {
		return nil, err
	}
	if err := u.decompress(codec, buffer.Bytes(), stored); err != nil {
		buffer.Release()
		return nil, corrupt("%s: %v", codec, err)
	}
	return buffer, nil
}

// plain makes a buffer of bytes that are not compressed.
func (u *unpacker) plain(stored []byte, o owner) (*memory.Buffer, error) {
	const alignment = 8
	if uintptr(unsafe.Pointer(unsafe.SliceData(stored)))%alignment == 0 {
		return lend(o, stored), nil
	}
	buffer, err := u.allocate(int64(len(stored)))
	if err == nil {
		copy(buffer.Bytes(), stored)
	}
	return buffer, err
}

// allocate makes a buffer of size bytes, inside the limit.
func (u *unpacker) allocate(size int64) (*memory.Buffer, error) {
	if u.left -= size; u.left < 0 {
		return nil, fmt.Errorf("%w: batch takes more than %d bytes", columnar.ErrTooLarge, u.limit)
	}
	buffer := memory.NewResizableBuffer(u.memory)
	buffer.Resize(int(size))
	return buffer, nil
}

// decompress fills dst.
func (u *unpacker) decompress(codec string, dst, src []byte) error {
	if codec == "lz4" {
		if u.lz4 == nil {
			u.lz4 = lz4.NewReader(nil)
		}
		u.lz4.Reset(bytes.NewReader(src))
		_, err := io.ReadFull(u.lz4, dst)
		return err
	}
	if u.zstd == nil {
		var err error
		if u.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true)); err != nil {
			return err
		}
	}
	out, err := u.zstd.DecodeAll(src, dst[:0:len(dst)])
	if err == nil && len(out) != len(dst) {
		err = fmt.Errorf("%d bytes where there should be %d", len(out), len(dst))
	}
	return err
}
