package columnar

import (
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// The memo of a level keeps no more than so many dictionaries, and drops old ones when they hold more than so many bytes.
const (
	memoEntries = 256
	memoBytes   = 32 << 20
)

// memo keeps what was made of the dictionaries that came last. It retains them, so that none of their buffers can become
// another's while it is known here.
type memo[T any] struct {
	entries []memoEntry[T] // the one used last comes last
	bytes   int64
}

type memoEntry[T any] struct {
	dictionary *array.Data // nil for an array that had none
	made       T
	bytes      int64
}

// find returns what was made of a dictionary with the same buffers.
func (m *memo[T]) find(dictionary *array.Data) (T, bool) {
	for i := len(m.entries) - 1; i >= 0; i-- {
		e := m.entries[i]
		if sameData(e.dictionary, dictionary) {
			copy(m.entries[i:], m.entries[i+1:])
			m.entries[len(m.entries)-1] = e
			return e.made, true
		}
	}
	return *new(T), false
}

// add keeps what was made of a dictionary, of bytes beside the dictionary itself.
func (m *memo[T]) add(dictionary *array.Data, made T, bytes int64) {
	if dictionary != nil {
		dictionary.Retain()
		bytes += int64(dictionary.SizeInBytes())
	}
	m.entries = append(m.entries, memoEntry[T]{dictionary, made, bytes})
	m.bytes += bytes
	drop := 0
	for len(m.entries)-drop > memoEntries || m.bytes > memoBytes && len(m.entries)-drop > 1 {
		m.drop(&m.entries[drop])
		drop++
	}
	m.entries = slices.Delete(m.entries, 0, drop)
}

func (m *memo[T]) drop(e *memoEntry[T]) {
	m.bytes -= e.bytes
	if e.dictionary != nil {
		e.dictionary.Release()
	}
}

func (m *memo[T]) release() {
	for i := range m.entries {
		m.drop(&m.entries[i])
	}
	m.entries = nil
}

// sameData says whether two arrays are the same rows of the same buffers at every level.
func sameData(a, b *array.Data) bool {
	if a == b {
		return true
	}
	if a == nil || b == nil || a.Len() != b.Len() || a.Offset() != b.Offset() {
		return false
	}
	if !slices.Equal(a.Buffers(), b.Buffers()) || !arrow.TypeEqual(a.DataType(), b.DataType()) {
		return false
	}
	dictionaryA, _ := a.Dictionary().(*array.Data)
	dictionaryB, _ := b.Dictionary().(*array.Data)
	return slices.EqualFunc(a.Children(), b.Children(), sameChild) && sameData(dictionaryA, dictionaryB)
}

func sameChild(a, b arrow.ArrayData) bool {
	return !absent(a) && !absent(b) && sameData(a.(*array.Data), b.(*array.Data))
}
