package validity_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/braidmerge/braid/internal/testscale"
	"github.com/braidmerge/braid/validity"
)

// supplies is a random validity column: which positions of a schema each row marks, nil for NULL.
type supplies struct {
	rows [][]int
	c    validity.Column[int32]
}

// column draws rows over a schema of some columns; patterns bounds how many different ones there are.
func column(t testing.TB, rng *rand.Rand, rows, columns, patterns int) supplies {
	density := rng.Float64()
	drawn := make([][]int, patterns)
	for i := range drawn {
		drawn[i] = []int{}
		for p := range columns + 3 { // some bits lie beyond the columns
			if rng.Float64() < density {
				drawn[i] = append(drawn[i], p)
			}
		}
	}
	s := supplies{}
	at := rng.IntN(70)
	s.c = validity.Column[int32]{Offsets: []int32{int32(at)}, Data: make([]byte, at), ValidAt: rng.IntN(70)}
	s.c.Valid = make([]byte, (rows+s.c.ValidAt+7)/8)
	stays, nulls := rng.Float64(), rng.Float64()*0.3
	now := rng.IntN(patterns)
	for i := range rows {
		if rng.Float64() > stays {
			now = rng.IntN(patterns)
		}
		if rng.Float64() < nulls {
			s.rows = append(s.rows, nil)
			s.c.Data = append(s.c.Data, "under NULL"...)
		} else {
			bit := s.c.ValidAt + i
			s.c.Valid[bit>>3] |= 1 << (bit & 7)
			s.rows = append(s.rows, drawn[now])
			m := roaring.New()
			for _, p := range drawn[now] {
				m.Add(uint32(p))
			}
			if rng.IntN(2) == 0 {
				m.RunOptimize()
			}
			b, err := m.ToBytes()
			if err != nil {
				t.Fatal(err)
			}
			s.c.Data = append(s.c.Data, b...)
		}
		s.c.Offsets = append(s.c.Offsets, int32(len(s.c.Data)))
	}
	if nulls < 0.05 && !slices.ContainsFunc(s.rows, func(r []int) bool { return r == nil }) {
		s.c.Valid = nil
	}
	return s
}

// TestDecoder reads random columns of several schemas in one decoder and compares every mask.
func TestDecoder(t *testing.T) {
	for seed := range testscale.Seeds(t, 600) {
		rng := rand.New(rand.NewPCG(seed, 21))
		columns := 1 + rng.IntN([]int{6, 20, 200}[rng.IntN(3)])
		d := validity.NewDecoder(columns)
		for window := range 3 {
			d.Begin()
			var numbers []uint32
			var want [][]bool // by row and column
			var null []bool
			for range 1 + rng.IntN(4) {
				width := 1 + rng.IntN(columns+10)
				positions := rng.Perm(max(width, columns))[:columns]
				for i, p := range positions {
					if p >= width || rng.IntN(5) == 0 {
						positions[i] = -1
					}
				}
				s := column(t, rng, 1+rng.IntN(300), width, 1+rng.IntN(20))
				from := len(numbers)
				numbers = append(numbers, make([]uint32, len(s.rows))...)
				same, err := validity.Read(d.Source(positions), numbers[from:], s.c)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if one := len(slices.Compact(slices.Clone(numbers[from:]))) == 1; same != one {
					t.Fatalf("seed %d: same is %v", seed, same)
				}
				for _, row := range s.rows {
					bits := make([]bool, columns)
					for i, p := range positions {
						bits[i] = p >= 0 && slices.Contains(row, p)
					}
					want, null = append(want, bits), append(null, row == nil)
				}
			}
			shuffled := rng.Perm(len(numbers))
			order := make([]uint32, len(numbers))
			for i, row := range shuffled {
				order[i] = numbers[row]
			}
			compareMasks(t, d, order, columns, func(i, column int) bool { return want[shuffled[i]][column] },
				func(i int) bool { return null[shuffled[i]] }, fmt.Sprintf("seed %d, window %d", seed, window))
			again := 1
			if seed%8 == 0 { // more rows than are united at a time
				again += 6000 / len(order)
			}
			compareUnions(t, rng, d, slices.Repeat(order, again), columns, func(i, column int) bool { return want[shuffled[i%len(order)]][column] })
		}
	}
}

// compareUnions puts rows in groups and compares what each has of them, as a pattern and as the bytes of its number. Some groups of
// one row are lone, and have bytes of their own unless the number of the row is a multiple of three.
func compareUnions(t *testing.T, rng *rand.Rand, d *validity.Decoder, numbers []uint32, columns int, has func(row, column int) bool) {
	t.Helper()
	ends, stride := make([]uint64, validity.Words(len(numbers))), max(1, validity.Words(columns))
	single, first := make([]uint64, len(ends)), 0
	var want [][]uint64
	var lone []uint32
	open := make([]uint64, stride)
	for row := range numbers {
		for column := range columns {
			if has(row, column) {
				validity.Set(open, column)
			}
		}
		if row == len(numbers)-1 || rng.IntN(3) == 0 {
			validity.Set(ends, row)
			want, open, lone = append(want, open), make([]uint64, stride), append(lone, 0)
			if row == first && rng.IntN(4) > 0 {
				validity.Set(single, row)
				lone[len(lone)-1] = numbers[row] + 1
			}
			first = row + 1
		}
	}
	if rng.IntN(4) == 0 {
		single, lone = nil, make([]uint32, len(lone))
	}
	e := validity.NewEncoder(columns)
	values := make([]uint32, len(want))
	e.Unite(d, values, validity.Groups{Numbers: numbers, Ends: ends, Single: single}, func(group int) []byte {
		if lone[group] == 0 {
			t.Fatalf("group %d is taken for a lone one", group)
		}
		if lone[group]%3 == 0 {
			return nil
		}
		return fmt.Append(nil, "lone ", lone[group])
	})
	adopted := e.Adopt([]byte("as it is"))
	for group, pattern := range want {
		if number := lone[group]; number%3 != 0 {
			if got, want := string(e.Value(values[group])), fmt.Sprint("lone ", number); got != want {
				t.Fatalf("group %d has the bytes %q, want %q", group, got, want)
			}
			continue
		}
		m := roaring.New()
		if _, err := m.FromBuffer(slices.Clone(e.Value(values[group]))); err != nil {
			t.Fatal(err)
		}
		for column := range columns {
			if m.Contains(uint32(column)) != validity.Get(pattern, column) {
				t.Fatalf("group %d: the value has %v, want %x", group, m, pattern)
			}
		}
	}
	if got := string(e.Value(adopted)); got != "as it is" {
		t.Errorf("an adopted value is %q", got)
	}
}

// compareMasks compares all masks of rows with what they are to be.
func compareMasks(t *testing.T, d *validity.Decoder, numbers []uint32, columns int, has func(row, column int) bool,
	null func(row int) bool, where string) {
	t.Helper()
	words := validity.Words(len(numbers))
	masks := make([][]uint64, columns)
	for i := range masks {
		if i%5 != 4 {
			masks[i] = make([]uint64, words)
		}
	}
	d.Masks(masks, numbers)
	one, nulls := make([]uint64, words), make([]uint64, words)
	any := d.Nulls(nulls, numbers)
	if any != validity.Any(nulls) {
		t.Fatalf("%s: Nulls says %v", where, any)
	}
	for c := range columns {
		d.Mask(one, numbers, c)
		if masks[c] != nil && !slices.Equal(masks[c], one) {
			t.Fatalf("%s, column %d: Masks %b, Mask %b", where, c, masks[c], one)
		}
		for i, n := range numbers {
			if want := has(i, c); validity.Get(one, i) != want || d.Has(n, c) != want {
				t.Fatalf("%s, row %d, column %d: %v", where, i, c, !want)
			}
		}
	}
	for i := range numbers {
		if validity.Get(nulls, i) != null(i) {
			t.Fatalf("%s, row %d: NULL is %v", where, i, !null(i))
		}
	}
}

// TestDecoderForgets reads more different values than a decoder remembers.
func TestDecoderForgets(t *testing.T) {
	const rows, columns = 20000, 40
	rng := rand.New(rand.NewPCG(4, 21))
	d := validity.NewDecoder(columns)
	var most int64
	for window := range 4 {
		d.Begin()
		s := column(t, rng, rows, columns, rows)
		numbers := make([]uint32, rows)
		if _, err := validity.Read(d.Source(identity(columns)), numbers, s.c); err != nil {
			t.Fatal(err)
		}
		for i, row := range s.rows {
			for c := range columns {
				if want := slices.Contains(row, c); d.Has(numbers[i], c) != want {
					t.Fatalf("window %d, row %d, column %d: %v", window, i, c, !want)
				}
			}
		}
		if most == 0 {
			most = 2 * d.Bytes()
		}
		if d.Bytes() > most {
			t.Fatalf("window %d: %d bytes", window, d.Bytes())
		}
	}
}

// TestReadFaults holds that a fault names its row.
func TestReadFaults(t *testing.T) {
	sound := unhex(t, "3a30000001000000000001001000000001000300")
	for _, c := range []struct {
		name    string
		offsets []int32
		data    []byte
		row     int
	}{
		{"zero bytes", []int32{0, 20, 20}, sound, 1},
		{"cut", []int32{0, 19}, sound, 0},
		{"falling offsets", []int32{0, 20, 10}, sound, 1},
		{"below 0", []int32{-1, 20}, sound, 0},
		{"past the end", []int32{0, 20, 21}, sound, 1},
	} {
		d := validity.NewDecoder(4)
		_, err := validity.Read(d.Source(identity(4)), make([]uint32, len(c.offsets)-1), validity.Column[int32]{Offsets: c.offsets, Data: c.data})
		var fault *validity.Fault
		if !errors.Is(err, validity.ErrCorrupt) || !errors.As(err, &fault) || fault.Row != c.row {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestRemembersNothingOfFaults reads sound bytes after broken ones.
func TestRemembersNothingOfFaults(t *testing.T) {
	d := validity.NewDecoder(4)
	s := d.Source(identity(4))
	read := func(b []byte) (uint32, error) {
		numbers := make([]uint32, 1)
		_, err := validity.Read(s, numbers, validity.Column[uint32]{Offsets: []uint32{0, uint32(len(b))}, Data: b})
		return numbers[0], err
	}
	for range 2 {
		if _, err := read(unhex(t, "3a30000001000000000001001000000001000300ff")); err == nil {
			t.Error("broken bytes are taken")
		}
		n, err := read(unhex(t, "3a3000000100000000000000100000000200"))
		if err != nil || d.Has(n, 1) || !d.Has(n, 2) || d.Has(n, 3) {
			t.Error(n, err)
		}
	}
}

// TestSources holds that files of one arrangement of columns share a source.
func TestSources(t *testing.T) {
	d := validity.NewDecoder(3)
	first := d.Source([]int{-1, 1, 2})
	if d.Source([]int{-1, 2, 1}) == first || d.Source([]int{-1, 1, 2}) != first || d.Sources() != 2 {
		t.Errorf("%d sources of two arrangements", d.Sources())
	}
}
