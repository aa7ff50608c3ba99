package kernel

import "github.com/braidmerge/braid/columnar"

// keyValues are the values of the key columns of a window, left where they are: words were made of them just before, so that they
// are in the caches. They are located when they are asked for: once for comparing keys and, of text, for the output.
type keyValues []locatedKey

type locatedKey struct {
	staged columnar.Staged
	done   bool // for the window at hand
}

// forget lets the values go.
func (k keyValues) forget() {
	for i := range k {
		k[i].staged.LetGo()
		k[i].done = false
	}
}

// bytes returns how much memory is held.
func (k keyValues) bytes() (n int64) {
	for i := range k {
		n += k[i].staged.Bytes()
	}
	return n
}

// located locates the values of the key column at a place, which is of a layout.
func (w *window) located(at int, layout columnar.Layout) (*columnar.Staged, error) {
	for len(w.keyValues) <= at {
		w.keyValues = append(w.keyValues, locatedKey{})
	}
	k := &w.keyValues[at]
	if !k.done {
		shape := w.column(at)
		shape.InPlace = true
		if err := k.staged.Stage(layout, shape); err != nil {
			return nil, err
		}
		k.done = true
	}
	return &k.staged, nil
}
