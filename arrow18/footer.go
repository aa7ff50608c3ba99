package arrow18

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/parquet/metadata"
)

// A Parquet file ends in its footer:
//
//	... | file metadata | length of the metadata, 4 bytes | "PAR1" |
const footerTail = 8

var (
	parquetMagic   = []byte("PAR1")
	encryptedMagic = []byte("PARE")
)

// schemaDepth is how deep the columns of a file may nest.
const schemaDepth = 100

// readFooter reads and checks the footer of a file of size bytes. end is where it begins, and so where pages must end.
func readFooter(r io.ReaderAt, size int64) (footer *metadata.FileMetaData, end int64, err error) {
	if size < int64(len(parquetMagic))+footerTail {
		return nil, 0, fmt.Errorf("%d bytes are too few for a Parquet file", size)
	}
	var tail [footerTail]byte
	if err := readFull(r, tail[:], size-footerTail); err != nil {
		return nil, 0, err
	}
	if bytes.Equal(tail[4:], encryptedMagic) {
		return nil, 0, fmt.Errorf("encrypted file: %w", errors.ErrUnsupported)
	}
	if !bytes.Equal(tail[4:], parquetMagic) {
		return nil, 0, errors.New("no Parquet file, or its end is missing")
	}
	length := int64(binary.LittleEndian.Uint32(tail[:4]))
	end = size - footerTail - length
	if end < int64(len(parquetMagic)) {
		return nil, 0, fmt.Errorf("footer of %d bytes in a file of %d", length, size)
	}
	raw := make([]byte, length)
	if err := readFull(r, raw, end); err != nil {
		return nil, 0, err
	}
	if err := checkMetadata(raw); err != nil {
		return nil, 0, fmt.Errorf("footer: %w", err)
	}
	if footer, err = metadata.NewFileMetaData(raw, nil); err != nil {
		return nil, 0, fmt.Errorf("footer: %w", err)
	}
	footer.SetSourceFileSize(size)
	if footer.IsSetEncryptionAlgorithm() {
		return nil, 0, fmt.Errorf("encrypted columns: %w", errors.ErrUnsupported)
	}
	return footer, end, nil
}

// readFull fills b from offset at. A file that ends before is io.ErrUnexpectedEOF.
func readFull(r io.ReaderAt, b []byte, at int64) error {
	n, err := r.ReadAt(b, at)
	if n == len(b) {
		return nil
	}
	if err == nil || err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// checkMetadata walks serialised file metadata: its structure, and the tree its schema elements form.
func checkMetadata(raw []byte) error {
	const schemaField, childrenField = 2, 5
	c := compact{b: raw}
	var tree schemaTree
	return c.fields(0, func(id int16, kind byte) (bool, error) {
		if id != schemaField || kind != compactList {
			return false, nil
		}
		size, kind, err := c.list()
		if err != nil {
			return true, err
		}
		if kind != compactStruct {
			return true, errors.New("schema is no list of elements")
		}
		for range size {
			children := int64(0)
			err := c.fields(1, func(id int16, kind byte) (consumed bool, err error) {
				if id != childrenField || kind != compactI32 {
					return false, nil
				}
				children, err = c.integer()
				return true, err
			})
			if err == nil {
				err = tree.add(children)
			}
			if err != nil {
				return true, err
			}
		}
		return true, tree.complete()
	})
}

// schemaTree checks that schema elements, parents before their children, form one tree.
type schemaTree struct {
	open     []int64 // children still to come, by depth
	elements int
}

func (t *schemaTree) add(children int64) error {
	t.elements++
	for len(t.open) > 0 && t.open[len(t.open)-1] == 0 {
		t.open = t.open[:len(t.open)-1]
	}
	switch {
	case children < 0:
		return fmt.Errorf("schema element %d has %d children", t.elements, children)
	case t.elements > 1 && len(t.open) == 0:
		return fmt.Errorf("schema element %d belongs to no parent", t.elements)
	case len(t.open) > schemaDepth:
		return fmt.Errorf("schema nests more than %d deep", schemaDepth)
	}
	if len(t.open) > 0 {
		t.open[len(t.open)-1]--
	}
	t.open = append(t.open, children)
	return nil
}

func (t *schemaTree) complete() error {
	for _, n := range t.open {
		if n > 0 {
			return errors.New("schema elements are missing")
		}
	}
	return nil
}
