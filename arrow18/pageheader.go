package arrow18

import (
	"errors"
	"fmt"
	"math"
)

// Page types and encodings as the format numbers them.
const (
	pageData       = 0
	pageDictionary = 2
	pageDataV2     = 3

	encodingPlainDictionary = 2
	encodingBitPacked       = 4
	encodingDelta           = 5
	encodingDeltaLength     = 6
	encodingDeltaBytes      = 7
	encodingDictionary      = 8
)

// maxPageHeader is the largest page header that is read, as in the decoder.
const maxPageHeader = 4 << 20

// pageHeader is what a page claims of itself.
type pageHeader struct {
	kind                     int64
	uncompressed, compressed int64 // bytes of the body
	values                   int64
	encoding                 int64
	definitionCoding         int64 // encoding of the levels, first version
	repetitionCoding         int64
	definition, repetition   int64 // bytes of the levels, second version
	plain                    bool  // second version: values are not compressed
}

// deltas tells whether the values are in one of the delta encodings.
func (h pageHeader) deltas() bool {
	return h.encoding == encodingDelta || h.encoding == encodingDeltaLength || h.encoding == encodingDeltaBytes
}

// readPageHeader reads the header of a page, whose sizes and counts come out between 0 and math.MaxInt32.
func readPageHeader(c *compact) (h pageHeader, err error) {
	const kind, uncompressed, compressed, data, dictionary, dataV2 = 1, 2, 3, 5, 7, 8
	h.kind, h.uncompressed, h.compressed = -1, -1, -1
	// The decoder reads the header that belongs to the page's type; only that one sets the counts.
	var ofData, ofDictionary, ofDataV2 pageHeader
	err = c.fields(0, func(id int16, t byte) (bool, error) {
		switch {
		case id == kind && t == compactI32:
			return true, c.number(&h.kind)
		case id == uncompressed && t == compactI32:
			return true, c.number(&h.uncompressed)
		case id == compressed && t == compactI32:
			return true, c.number(&h.compressed)
		case id == data && t == compactStruct:
			into := []*int64{1: &ofData.values, 2: &ofData.encoding, 3: &ofData.definitionCoding, 4: &ofData.repetitionCoding}
			return true, c.numbers(into, nil)
		case id == dictionary && t == compactStruct:
			return true, c.numbers([]*int64{1: &ofDictionary.values, 2: &ofDictionary.encoding}, nil)
		case id == dataV2 && t == compactStruct:
			into := []*int64{1: &ofDataV2.values, 4: &ofDataV2.encoding, 5: &ofDataV2.definition, 6: &ofDataV2.repetition}
			return true, c.numbers(into, &ofDataV2.plain)
		}
		return false, nil
	})
	if err != nil {
		return h, err
	}
	if h.kind < 0 || h.uncompressed < 0 || h.compressed < 0 {
		return h, errors.New("page header without type or sizes")
	}
	of := pageHeader{}
	switch h.kind {
	case pageData:
		of = ofData
	case pageDictionary:
		of = ofDictionary
	case pageDataV2:
		of = ofDataV2
	}
	of.kind, of.uncompressed, of.compressed = h.kind, h.uncompressed, h.compressed
	return of, nil
}

// numbers reads the i32 fields of a struct for which into, indexed by field, has a place, and whether its field 7 is false: the
// values are not compressed.
func (c *compact) numbers(into []*int64, plain *bool) error {
	return c.fields(1, func(id int16, t byte) (bool, error) {
		if id > 0 && int(id) < len(into) && into[id] != nil && t == compactI32 {
			return true, c.number(into[id])
		}
		if plain != nil && id == 7 && (t == compactTrue || t == compactFalse) {
			*plain = t == compactFalse
		}
		return false, nil
	})
}

// number reads a number of 31 bits.
func (c *compact) number(into *int64) (err error) {
	if *into, err = c.integer(); err != nil {
		return err
	}
	if *into < 0 || *into > math.MaxInt32 {
		return fmt.Errorf("number %d in page header", *into)
	}
	return nil
}
