package arrow18

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"github.com/braidmerge/braid/columnar"
)

// A column chunk is its pages one after another, each a header and a body:
//
//	[header][dictionary]  [header][levels, values]  [header][levels, values] ...
//
// The decoder believes headers: it reserves what they claim, and its codecs and delta decoders reserve what the body claims.
// checkPages follows the headers of a chunk before the decoder does and refuses claims beyond the limit or the file. It
// reads bodies only where a claim is inside: the head of a compressed frame, and pages of the delta encodings whole.

// chunk is a column chunk to check.
type chunk struct {
	column     *schema.Column
	meta       *metadata.ColumnChunkMetaData
	start, end int64 // its bytes in the file
	limit      int64 // most bytes that a claim may come to
}

// pageChecker checks chunks of one file. Its buffers serve for one chunk after another.
type pageChecker struct {
	in       window
	packed   []byte
	unpacked []byte
}

// check follows the pages of a chunk. dictionary is where its dictionary page is, and whether all its values are in it.
func (p *pageChecker) check(c chunk) (dictionary dictionaryPage, err error) {
	codec, err := compress.GetCodec(c.meta.Compression())
	if err != nil {
		return dictionary, fmt.Errorf("compression %s: %w", c.meta.Compression(), errors.ErrUnsupported)
	}
	p.in.end = c.end
	dictionary = dictionaryPage{codec: codec, holdsAll: true}
	values := int64(0)
	for at, page := c.start, 0; values < c.meta.NumValues(); page++ {
		header, length, err := p.header(at)
		body := at + int64(length)
		if err == nil {
			err = c.claims(header, body, page)
		}
		if err == nil {
			err = p.body(c, codec, header, body)
		}
		if err != nil {
			return dictionary, fmt.Errorf("page %d at byte %d: %w", page, at, err)
		}
		if header.kind == pageDictionary {
			dictionary.header, dictionary.at = header, body
		} else {
			values += header.values
			dictionary.holdsAll = dictionary.holdsAll && (header.encoding == encodingPlainDictionary || header.encoding == encodingDictionary)
		}
		at = body + header.compressed
	}
	if values != c.meta.NumValues() {
		return dictionary, fmt.Errorf("pages have %d values, the footer says %d", values, c.meta.NumValues())
	}
	return dictionary, nil
}

// dictionaryPage is the dictionary page of a chunk. Without one its header is zero.
type dictionaryPage struct {
	header   pageHeader
	at       int64 // where its body begins
	codec    compress.Codec
	holdsAll bool // every data page refers to it
}

// distinct tells whether the values of a dictionary page of byte arrays are all different.
//
//	value = length in 4 bytes, bytes
func (p *pageChecker) distinct(c chunk, d dictionaryPage) (bool, error) {
	b, err := p.unpack(d.codec, d.header, d.at, c.packs(d.header))
	if err != nil {
		return false, err
	}
	all := string(b)
	seen := make(map[string]struct{}, d.header.values)
	for range d.header.values {
		if len(b) < 4 {
			return false, errors.New("dictionary is cut short")
		}
		n := int64(binary.LittleEndian.Uint32(b))
		if b = b[4:]; n > int64(len(b)) {
			return false, errors.New("dictionary is cut short")
		}
		from := len(all) - len(b)
		seen[all[from:from+int(n)]] = struct{}{}
		b = b[n:]
	}
	return len(seen) == int(d.header.values), nil
}

// header reads the page header at an offset. length is its length in bytes.
func (p *pageChecker) header(at int64) (h pageHeader, length int, err error) {
	for n := windowBytes / 4; ; n *= 4 {
		b, err := p.in.at(at, n)
		if err != nil {
			return h, 0, err
		}
		c := compact{b: b}
		h, err = readPageHeader(&c)
		switch {
		case err == nil:
			return h, c.at, nil
		case !errors.Is(err, errShort) || n >= maxPageHeader:
			return h, 0, err
		case int64(len(b)) >= p.in.end-at:
			return h, 0, io.ErrUnexpectedEOF
		}
	}
}

// claims checks what a header says against the file, the footer and the limit.
func (c chunk) claims(h pageHeader, body int64, page int) error {
	switch {
	case h.kind == pageDictionary && page > 0:
		return errors.New("second dictionary or dictionary after data")
	case h.kind != pageData && h.kind != pageDataV2 && h.kind != pageDictionary:
		return fmt.Errorf("page type %d: %w", h.kind, errors.ErrUnsupported)
	case h.compressed > c.end-body:
		return fmt.Errorf("body of %d bytes, the column chunk has %d left", h.compressed, c.end-body)
	case h.uncompressed > c.limit:
		return tooLarge(h.uncompressed, c.limit)
	case !c.packs(h) && h.compressed != h.uncompressed:
		return fmt.Errorf("body of %d bytes, uncompressed %d, without compression", h.compressed, h.uncompressed)
	case h.definition+h.repetition > min(h.compressed, h.uncompressed):
		return fmt.Errorf("levels of %d bytes in a body of %d", h.definition+h.repetition, min(h.compressed, h.uncompressed))
	case h.kind == pageDictionary && h.values > h.uncompressed/dictionaryWidth(c.column):
		return fmt.Errorf("dictionary of %d values in %d bytes", h.values, h.uncompressed)
	}
	return nil
}

// packs tells whether the values of a page are compressed.
func (c chunk) packs(h pageHeader) bool {
	return c.meta.Compression() != compress.Codecs.Uncompressed && !h.plain
}

// dictionaryWidth is the fewest bytes a dictionary value takes.
func dictionaryWidth(c *schema.Column) int64 {
	switch c.PhysicalType() {
	case parquet.Types.Boolean, parquet.Types.FixedLenByteArray:
		return int64(max(1, c.TypeLength()))
	case parquet.Types.Int64, parquet.Types.Double:
		return 8
	case parquet.Types.Int96:
		return 12
	}
	return 4
}

// body checks the claims inside the body of a page.
func (p *pageChecker) body(c chunk, codec compress.Codec, h pageHeader, at int64) error {
	levels := h.definition + h.repetition
	if c.packs(h) {
		f := frame{in: &p.in, at: at + levels, end: at + h.compressed, size: h.uncompressed - levels, limit: c.limit}
		if err := f.check(c.meta.Compression()); err != nil {
			return err
		}
	}
	if h.kind == pageDictionary || !h.deltas() {
		return nil
	}
	b, err := p.unpack(codec, h, at, c.packs(h))
	if err != nil {
		return err
	}
	if b, err = c.values(h, b); err != nil {
		return err
	}
	return checkDelta(h.encoding, b, h.values, c.limit)
}

// unpack reads the body of a page and decompresses it. The result is valid until the next call.
func (p *pageChecker) unpack(codec compress.Codec, h pageHeader, at int64, compressed bool) ([]byte, error) {
	p.packed = resized(p.packed, h.compressed)
	if err := readFull(p.in.r, p.packed, at); err != nil {
		return nil, err
	}
	if !compressed {
		return p.packed, nil
	}
	levels := h.definition + h.repetition
	p.unpacked = resized(p.unpacked, h.uncompressed)
	copy(p.unpacked, p.packed[:levels])
	out, err := compress.Decode(codec, p.unpacked[levels:], p.packed[levels:])
	if err != nil {
		return nil, err
	}
	if int64(len(out)) != h.uncompressed-levels {
		return nil, fmt.Errorf("body of %d bytes, its header says %d", int64(len(out))+levels, h.uncompressed)
	}
	return p.unpacked, nil
}

// values gives the values of an unpacked page, which follow its levels.
func (c chunk) values(h pageHeader, b []byte) ([]byte, error) {
	if h.kind == pageDataV2 {
		return b[h.definition+h.repetition:], nil
	}
	var err error
	if c.column.MaxRepetitionLevel() > 0 {
		b, err = afterLevels(b, h.repetitionCoding, c.column.MaxRepetitionLevel(), h.values)
	}
	if err == nil && c.column.MaxDefinitionLevel() > 0 {
		b, err = afterLevels(b, h.definitionCoding, c.column.MaxDefinitionLevel(), h.values)
	}
	return b, err
}

func resized(b []byte, n int64) []byte {
	if int64(cap(b)) < n {
		return make([]byte, n)
	}
	return b[:n]
}

func tooLarge(n, limit int64) error {
	return fmt.Errorf("%w: %d bytes, the limit is %d", columnar.ErrTooLarge, n, limit)
}
