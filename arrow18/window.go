package arrow18

import "io"

// window reads small pieces of a file at rising offsets without a system call for each.
type window struct {
	r     io.ReaderAt
	end   int64 // nothing is read from here on
	start int64 // where buf begins
	buf   []byte
	spare []byte
}

// windowBytes is how much a window reads at a time, unless more is asked for.
const windowBytes = 1 << 10

// at gives the bytes from offset on, n of them if the file has as many before its end, perhaps more. They are valid until
// the next call.
func (w *window) at(offset int64, n int) ([]byte, error) {
	want := min(int64(n), w.end-offset)
	if want <= 0 {
		return nil, nil
	}
	if offset < w.start || offset+want > w.start+int64(len(w.buf)) {
		if err := w.fill(offset, max(want, min(windowBytes, w.end-offset))); err != nil {
			return nil, err
		}
	}
	return w.buf[offset-w.start:], nil
}

func (w *window) fill(offset, n int64) error {
	if int64(cap(w.spare)) < n {
		w.spare = make([]byte, n)
	}
	w.start, w.buf = offset, w.spare[:n]
	if err := readFull(w.r, w.buf, offset); err != nil {
		w.buf = nil
		return err
	}
	return nil
}
