package aggfuncs

import "github.com/apache/arrow/go/v17/arrow"

// newRbm64 makes rbm64: the union of 64-bit roaring bitmaps in the form of a radix tree (bitmap64read.go).
func newRbm64(f arrow.Field, o Options) (Rule, error) { return newUnion(f, o, &codec64{}) }

// run is a stretch of numbers, both ends included.
type run struct{ from, to uint16 }

// bitmap64 is a bitmap of 64-bit numbers: by their upper 48 bits, in order, runs of the lower 16, in order and with a gap
// between any two.
type bitmap64 struct {
	highs []uint64
	ends  []int // where the runs of each end
	runs  []run
}

func (b *bitmap64) clear() { b.highs, b.ends, b.runs = b.highs[:0], b.ends[:0], b.runs[:0] }

// of returns the runs of the i-th upper part.
func (b *bitmap64) of(i int) []run {
	if i == 0 {
		return b.runs[:b.ends[0]]
	}
	return b.runs[b.ends[i-1]:b.ends[i]]
}

// close ends the runs of an upper part.
func (b *bitmap64) close(high uint64) {
	b.highs = append(b.highs, high)
	b.ends = append(b.ends, len(b.runs))
}

// join appends a run to those since from, as part of the last if it overlaps or touches it.
func (b *bitmap64) join(from int, r run) {
	if n := len(b.runs); n > from && int(r.from) <= int(b.runs[n-1].to)+1 {
		b.runs[n-1].to = max(b.runs[n-1].to, r.to)
		return
	}
	b.runs = append(b.runs, r)
}

// unite makes b the union of two bitmaps.
func (b *bitmap64) unite(x, y *bitmap64) {
	b.clear()
	i, j := 0, 0
	for i < len(x.highs) || j < len(y.highs) {
		switch {
		case j == len(y.highs) || i < len(x.highs) && x.highs[i] < y.highs[j]:
			b.runs = append(b.runs, x.of(i)...)
			b.close(x.highs[i])
			i++
		case i == len(x.highs) || y.highs[j] < x.highs[i]:
			b.runs = append(b.runs, y.of(j)...)
			b.close(y.highs[j])
			j++
		default:
			b.uniteRuns(x.of(i), y.of(j))
			b.close(x.highs[i])
			i++
			j++
		}
	}
}

func (b *bitmap64) uniteRuns(x, y []run) {
	from := len(b.runs)
	for len(x) > 0 || len(y) > 0 {
		if len(y) == 0 || len(x) > 0 && x[0].from < y[0].from {
			b.join(from, x[0])
			x = x[1:]
		} else {
			b.join(from, y[0])
			y = y[1:]
		}
	}
}

// codec64 is the codec of rbm64.
type codec64 struct {
	acc, in, next bitmap64
	reader        reader64
	keys          []byte // scratch of the writer
}

func (c *codec64) begin(value []byte) error { return c.reader.read(&c.acc, value) }

func (c *codec64) unite(value []byte, _ bool) error {
	if err := c.reader.read(&c.in, value); err != nil {
		return err
	}
	c.next.unite(&c.acc, &c.in)
	c.acc, c.next = c.next, c.acc
	return nil
}

// appendTo writes the smallest nodes that fit, and all containers as one array without empty places, in the order of keys.
func (c *codec64) appendTo(dst []byte) []byte {
	b := &c.acc
	if len(b.highs) == 0 {
		return append(dst, 0)
	}
	w := writer64{dst: append(dst, 1), keys: c.keys}
	w.number(uint64(len(b.highs)), 8)
	w.node(b.highs, 0, 0)
	w.number(1, 4) // arrays
	w.dst = append(w.dst, arrayMark)
	w.number(uint64(len(b.highs)), 4)
	for i := range b.highs {
		w.container(b.of(i))
	}
	w.number(uint64(len(b.highs)), 8)
	w.number(0, 4) // the last container is in this array,
	w.number(uint64(len(b.highs)-1), 4)
	c.keys = w.keys
	return w.dst
}
