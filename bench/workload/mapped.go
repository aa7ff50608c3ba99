package workload

import (
	"fmt"
	"syscall"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// mapping is memory that the garbage collector does not manage, as that of mapped files or of records from other languages.
type mapping struct {
	all  [][]byte
	free []byte
}

// mappingBytes is how much is mapped at a time.
const mappingBytes = 64 << 20

// hold returns a copy of bytes.
func (m *mapping) hold(b []byte) ([]byte, error) {
	const alignment = 64
	need := (len(b) + alignment - 1) &^ (alignment - 1)
	if need > len(m.free) {
		block, err := syscall.Mmap(-1, 0, max(need, mappingBytes), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
		if err != nil {
			return nil, fmt.Errorf("map memory: %w", err)
		}
		m.all, m.free = append(m.all, block), block
	}
	held := m.free[:len(b):need]
	m.free = m.free[need:]
	copy(held, b)
	return held, nil
}

// record returns a copy of a record. The caller releases it before the mapping.
func (m *mapping) record(rec arrow.Record) (arrow.Record, error) {
	columns := make([]arrow.Array, rec.NumCols())
	for i, c := range rec.Columns() {
		d, err := m.data(c.Data())
		if err != nil {
			return nil, err
		}
		columns[i] = array.MakeFromData(d)
		d.Release()
		defer columns[i].Release()
	}
	return array.NewRecord(rec.Schema(), columns, rec.NumRows()), nil
}

func (m *mapping) data(d arrow.ArrayData) (arrow.ArrayData, error) {
	buffers := make([]*memory.Buffer, len(d.Buffers()))
	for i, b := range d.Buffers() {
		if b == nil {
			continue
		}
		held, err := m.hold(b.Bytes())
		if err != nil {
			return nil, err
		}
		buffers[i] = memory.NewBufferBytes(held)
	}
	children := make([]arrow.ArrayData, len(d.Children()))
	for i, child := range d.Children() {
		var err error
		if children[i], err = m.data(child); err != nil {
			return nil, err
		}
	}
	return array.NewData(d.DataType(), d.Len(), buffers, children, d.NullN(), d.Offset()), nil
}

// release gives the memory back. Nothing may look at it any more.
func (m *mapping) release() {
	for _, block := range m.all {
		_ = syscall.Munmap(block) // it was mapped like this
	}
	m.all, m.free = nil, nil
}
