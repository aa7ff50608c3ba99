package fuzz

import (
	"fmt"

	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/validity"
)

// checkProjectedBits moves the bits of a case to another set of columns as a merge does: it reads the bytes as those of a file
// whose columns lie where the mapping says, and writes the columns down again.
func checkProjectedBits(c Case) error {
	value := validityBytes(c.Valid)
	d, e := validity.NewDecoder(len(c.Mapping)), validity.NewEncoder(len(c.Mapping))
	numbers := make([]uint32, 1)
	column := validity.Column[int64]{Offsets: []int64{0, int64(len(value))}, Data: value}
	if _, err := validity.Read(d.Source(c.Mapping), numbers, column); err != nil {
		return err
	}
	masks := make([][]uint64, len(c.Mapping))
	for i := range masks {
		masks[i] = make([]uint64, 1)
	}
	d.Masks(masks, numbers)
	e.Number(numbers, masks)
	got, want := e.Value(numbers[0]), validityBytes(c.Expect.Valid)
	if !rowmerge.Identical(got, want) {
		return fmt.Errorf("bytes are %x, want %x", got, want)
	}
	return nil
}
