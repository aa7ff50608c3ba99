package kernel

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"sort"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/braidmerge/braid/columnar"
)

// chunk is rows that are sorted at once and become a run: those of a record, or of neighbours that are short.
type chunk struct {
	written
	place chunkPlace
}

// chunkPlace says which of the records added a chunk is made of.
type chunkPlace struct {
	first  int   // of its records
	starts []int // the first row of every record
}

// chunkRows is how many rows short records are brought together to.
const chunkRows = 1 << 15

// chunks brings the records together, so that many short ones do not become many runs. The caller releases the chunks, also
// after an error.
func (b *WriteBuffer) chunks() (chunks []chunk, err error) {
	for from := 0; from < len(b.records); {
		to, rows := from+1, b.records[from].rows()
		for len(b.records) > 1<<cascadeDepth && to < len(b.records) && rows+b.records[to].rows() <= chunkRows {
			rows += b.records[to].rows()
			to++
		}
		c, err := b.join(from, to)
		if err != nil {
			return chunks, err
		}
		chunks = append(chunks, c)
		from = to
	}
	return chunks, nil
}

// join makes a chunk of records [from, to).
func (b *WriteBuffer) join(from, to int) (chunk, error) {
	c := chunk{written: b.records[from], place: chunkPlace{first: from, starts: []int{0}}}
	if to == from+1 {
		c.rec.Retain()
		return c, nil
	}
	c.kept, c.place.starts = nil, nil
	rows := 0
	for _, w := range b.records[from:to] {
		c.place.starts = append(c.place.starts, rows)
		for _, row := range w.kept {
			c.kept = append(c.kept, uint32(rows)+row)
		}
		rows += int(w.rec.NumRows())
	}
	columns := make([]arrow.Array, 0, int(c.rec.NumCols()))
	defer func() { releaseAll(columns) }()
	for i := range int(c.rec.NumCols()) {
		var parts []arrow.Array
		for _, w := range b.records[from:to] {
			parts = append(parts, w.rec.Column(i))
		}
		joined, err := array.Concatenate(parts, b.mem)
		if err != nil {
			return chunk{}, err
		}
		columns = append(columns, joined)
	}
	c.rec = array.NewRecord(c.rec.Schema(), columns, int64(rows))
	return c, nil
}

func releaseChunks(chunks []chunk) {
	for _, c := range chunks {
		c.release()
	}
}

// sorted makes a run of a chunk, whose rows it puts in key order.
func (b *WriteBuffer) sorted(c *chunk) (Run, error) {
	if len(c.kept) == 0 {
		return Run{}, nil
	}
	keys, err := b.keysOf(c.rec)
	if err != nil {
		return Run{}, err
	}
	defer keys.release()
	keys.sort(c.kept)
	rec := c.rec
	return Run{Files: []File{{kept: c.kept, Open: func(context.Context) (array.RecordReader, error) {
		return array.NewRecordReader(rec.Schema(), []arrow.Record{rec})
	}}}}, nil
}

// writeKeys are the key columns of a record.
type writeKeys struct {
	data  []arrow.ArrayData
	views []columnar.View
}

// keysOf loads the key columns of a record, which are found by name. The caller releases them.
func (b *WriteBuffer) keysOf(rec arrow.Record) (k writeKeys, err error) {
	for i := range b.in.keys {
		at, err := find(rec.Schema(), b.in.keys[i].name, b.in.keys[i].typ)
		if err != nil {
			k.release()
			return writeKeys{}, err
		}
		loaded, err := b.in.keys[i].load(rec.Column(at).Data())
		if err != nil {
			k.release()
			return writeKeys{}, err
		}
		k.data = append(k.data, loaded)
		view, err := columnar.NewView(loaded)
		if err != nil {
			k.release()
			return writeKeys{}, err
		}
		k.views = append(k.views, view)
	}
	return k, nil
}

func (k writeKeys) release() {
	for _, d := range k.data {
		d.Release()
	}
}

// sort puts rows in key order, equal keys in the order of their rows: by a word that most keys differ in, and then by the whole
// key.
func (k writeKeys) sort(rows []uint32) {
	type keyed struct {
		word uint64
		row  uint32
	}
	words, exact := k.words()
	sorted := make([]keyed, len(rows))
	for i, row := range rows {
		sorted[i] = keyed{words[row], row}
	}
	slices.SortFunc(sorted, func(x, y keyed) int {
		if x.word != y.word {
			return cmp.Compare(x.word, y.word)
		}
		if !exact {
			if c := columnar.CompareKeys(k.views, int(x.row), k.views, int(y.row)); c != 0 {
				return c
			}
		}
		return cmp.Compare(x.row, y.row)
	})
	for i, s := range sorted {
		rows[i] = s.row
	}
}

// words gives every row an integer of the order of its first key column. exact says that equal words are equal keys.
func (k writeKeys) words() (words []uint64, exact bool) {
	v := &k.views[0]
	words = make([]uint64, v.Rows)
	whole := []columnar.Piece{{View: v, To: v.Rows}}
	switch v.Order {
	case columnar.OrderText:
		for row := range words {
			if !v.IsNull(row) {
				head := [8]byte{}
				copy(head[:], v.Text(row))
				words[row] = binary.BigEndian.Uint64(head[:])
			}
		}
		return words, false
	case columnar.OrderDecimal128:
		columnar.StageDecimals(words, make([]uint64, v.Rows), whole)
		return words, false
	}
	columnar.StageNormals(words, whole)
	return words, len(k.views) == 1 && v.Nulls == 0
}

// chunkPlaces are those of all chunks of a merge.
type chunkPlaces []chunkPlace

func placesOf(chunks []chunk) chunkPlaces {
	var places chunkPlaces
	for _, c := range chunks {
		places = append(places, c.place)
	}
	return places
}

// name names the record that was added, and its row, in an error of the merge.
func (p chunkPlaces) name(err error) error {
	var at *RowError
	if !errors.As(err, &at) || at.Run < 0 || at.Run >= len(p) {
		return err
	}
	named, place := *at, p[at.Run]
	named.Run, named.Batch = 0, place.first
	if at.Row >= 0 {
		i := sort.SearchInts(place.starts, at.Row+1) - 1
		named.Batch, named.Row = place.first+i, at.Row-place.starts[i]
	}
	return &named
}

// flushed is a merge of chunks whose errors name the records that were added.
type flushed struct {
	*Reader
	places chunkPlaces
}

// Err returns what ended the merge early, nil if nothing has.
func (f *flushed) Err() error { return f.places.name(f.Reader.Err()) }
