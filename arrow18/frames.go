package arrow18

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/parquet/compress"
)

// frame is the compressed part of a page body. Snappy and zstd reserve what the compressed bytes say of their own length,
// whatever the page header says; the other codecs stay within the page.
type frame struct {
	in      *window
	at, end int64 // the bytes in the file, half open
	size    int64 // bytes uncompressed, by the page header
	limit   int64
}

// check refuses a frame that claims another length than its page.
func (f *frame) check(codec compress.Compression) error {
	switch codec {
	case compress.Codecs.Snappy:
		return f.snappy()
	case compress.Codecs.Zstd:
		return f.zstd()
	}
	return nil
}

// snappy begins with the uncompressed length as a varint.
func (f *frame) snappy() error {
	b, err := f.peek(binary.MaxVarintLen64)
	if err != nil || len(b) == 0 {
		return err
	}
	if n, used := binary.Uvarint(b); used <= 0 || n != uint64(f.size) {
		return fmt.Errorf("snappy block of %d bytes, its page has %d", n, f.size)
	}
	return nil
}

// Parts of the zstd format. A frame is
//
//	magic, descriptor, [window], [dictionary id], [content size], blocks, [checksum]
//
// and a block a header of three bytes (last: 1 bit, kind: 2 bits, size: 21 bits) and its content. A skippable frame is
// a magic number and a size before that many bytes.
const (
	zstdMagic        = 0xfd2fb528
	zstdSkippable    = 0x184d2a50 // and the 15 after it
	zstdMagicBytes   = 4
	zstdHeaderBytes  = 18
	zstdBlockHeader  = 3
	zstdBlockMax     = 128 << 10
	zstdChecksum     = 4
	zstdBlockRaw     = 0
	zstdBlockRun     = 1
	zstdBlockPacked  = 2
	zstdNoFrameBytes = 3 // fewer bytes than begin a frame
)

// zstd follows the frames and blocks of a page. What they are sure to unpack to must not pass the page's size, and what they
// may unpack to must not pass the limit.
func (f *frame) zstd() error {
	var sure, may int64
	for f.at < f.end {
		b, err := f.peek(zstdHeaderBytes)
		if err != nil {
			return err
		}
		if len(b) <= zstdNoFrameBytes {
			return io.ErrUnexpectedEOF
		}
		magic := binary.LittleEndian.Uint32(b)
		if magic&^15 == zstdSkippable {
			if len(b) < 8 {
				return io.ErrUnexpectedEOF
			}
			f.at += 8 + int64(binary.LittleEndian.Uint32(b[4:]))
			continue
		}
		if magic != zstdMagic {
			return errors.New("no zstd frame")
		}
		h, err := readZstdHeader(b)
		if err != nil {
			return err
		}
		f.at += int64(h.length)
		low, high, err := f.zstdBlocks()
		if err != nil {
			return err
		}
		if h.sized {
			low, high = h.content, h.content
		}
		if h.checksum {
			f.at += zstdChecksum
		}
		sure, may = sure+low, may+high
		if low < 0 || sure > f.size {
			return fmt.Errorf("zstd frames of %d bytes or more, their page has %d", sure, f.size)
		}
		if may > max(f.limit, f.size) {
			return tooLarge(may, f.limit)
		}
	}
	return nil
}

// zstdBlocks follows the blocks of a frame to their end. They unpack to low bytes at least and high bytes at most.
func (f *frame) zstdBlocks() (low, high int64, err error) {
	for {
		b, err := f.peek(zstdBlockHeader)
		if err != nil {
			return 0, 0, err
		}
		if len(b) < zstdBlockHeader {
			return 0, 0, io.ErrUnexpectedEOF
		}
		head := uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16
		size := int64(head >> 3)
		f.at += zstdBlockHeader
		switch head >> 1 & 3 {
		case zstdBlockRaw:
			f.at += size
			low, high = low+size, high+size
		case zstdBlockRun:
			f.at++
			low, high = low+size, high+size
		case zstdBlockPacked:
			f.at += size
			high += zstdBlockMax
		default:
			return 0, 0, errors.New("zstd block of reserved kind")
		}
		if f.at > f.end {
			return 0, 0, io.ErrUnexpectedEOF
		}
		if head&1 == 1 {
			return low, high, nil
		}
	}
}

// peek gives the next bytes of the frame, n or as many as there are.
func (f *frame) peek(n int) ([]byte, error) {
	b, err := f.in.at(f.at, int(min(int64(n), f.end-f.at)))
	return b[:min(int64(len(b)), max(0, f.end-f.at))], err
}

// zstdHeader is the header of a zstd frame, magic included.
type zstdHeader struct {
	length   int
	content  int64 // bytes uncompressed, if sized
	sized    bool
	checksum bool
}

func readZstdHeader(b []byte) (h zstdHeader, err error) {
	descriptor := b[zstdMagicBytes:]
	if len(descriptor) == 0 {
		return h, io.ErrUnexpectedEOF
	}
	d := descriptor[0]
	single := d&(1<<5) != 0
	h.checksum = d&(1<<2) != 0
	at := zstdMagicBytes + 1
	if !single {
		at++
	}
	at += [4]int{0, 1, 2, 4}[d&3]
	width := [4]int{0, 2, 4, 8}[d>>6]
	if width == 0 && single {
		width = 1
	}
	h.length = at + width
	if h.length > len(b) {
		return h, io.ErrUnexpectedEOF
	}
	h.sized = width > 0
	switch size := b[at:h.length]; width {
	case 1:
		h.content = int64(size[0])
	case 2:
		h.content = int64(binary.LittleEndian.Uint16(size)) + 256
	case 4:
		h.content = int64(binary.LittleEndian.Uint32(size))
	case 8:
		h.content = int64(binary.LittleEndian.Uint64(size))
	}
	return h, nil
}
