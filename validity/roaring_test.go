package validity_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/braidmerge/braid/internal/testscale"
	"github.com/braidmerge/braid/validity"
)

// isRoaring says what the roaring library says of bytes, taken as exactly one bitmap.
func isRoaring(b []byte) (*roaring.Bitmap, bool) {
	m := roaring.New()
	n, err := m.ReadFrom(bytes.NewReader(b))
	return m, err == nil && n == int64(len(b)) && m.Validate() == nil
}

// roaringBytes writes a bitmap as the library does, runs as runs where that is shorter.
func roaringBytes(t testing.TB, m *roaring.Bitmap) []byte {
	m.RunOptimize()
	b, err := m.ToBytes()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// unhex reads bytes as a person writes them.
func unhex(t testing.TB, s string) []byte {
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestCheckRoaringRefuses holds what is said of each way in which bytes can be no bitmap.
func TestCheckRoaringRefuses(t *testing.T) {
	for _, c := range []struct{ bytes, says string }{
		{"", "it has 0 bytes"},
		{"3a3000", "it has 3 bytes"},
		{"3a300000 0100", "it has 6 bytes"},
		{"39300000 00000000", "it begins with 12345"},
		{"3a300100 00000000", "it begins with 77882"},
		{"3a300000 01000100", "it has 65537 containers"},
		{"3a300000 ffffffff", "it has 4294967295 containers"},
		{"3a300000 01000000 0000 0100", "a header of 1 containers does not fit in 12 bytes"},
		{"3b30ffff 00", "a header of 65536 containers does not fit in 5 bytes"},
		{"3b300000 01 0000", "a header of 1 containers does not fit in 7 bytes"},
		{"3a300000 01000000 0000 0100 10000000 0100", "container 0 has 2 numbers and 2 bytes"},
		{"3a300000 01000000 0000 0100 10000000 0300 0300", "container 0 has 3 after 3"},
		{"3a300000 01000000 0000 0100 10000000 0300 0100", "container 0 has 1 after 3"},
		{"3a300000 02000000 0500 0000 0100 0000 18000000 1a000000 0700 0900", "container 1 has key 1 after 5"},
		{"3a300000 02000000 0100 0000 0100 0000 18000000 1a000000 0700 0900", "container 1 has key 1 after 1"},
		{"3b300000 01 0000 0900", "container 0 has no number of runs"},
		{"3b300000 01 0000 0900 0000", "container 0 has 0 runs and 0 bytes"},
		{"3b300000 01 0000 0900 0100 fa", "container 0 has 1 runs and 1 bytes"},
		{"3b300000 01 0000 0900 0100 faff 6400", "container 0 has a run of 101 numbers from 65530"},
		{"3b300000 01 0000 0900 0200 0000 0a00 0500 0a00", "container 0 has a run from 5 where the least is 12"},
		{"3b300000 01 0000 0900 0200 0000 0a00 0b00 0a00", "container 0 has a run from 11 where the least is 12"},
		{"3b300000 01 0000 0900 0200 0500 0000 0300 0000", "container 0 has a run from 3 where the least is 7"},
		{"3a300000 01000000 0000 ff1f 10000000 0100", "container 0 is a bitmap of 2 bytes"},
		{"3a300000 01000000 0000 ff1f 10000000" + strings.Repeat("00", 8191) + "01", "container 0 has 1 numbers, not 8192"},
		{"3a300000 01000000 0000 0100 10000000 0100 0300 deadbeef", "4 bytes behind its end"},
		{"3a300000 00000000 00", "1 bytes behind its end"},
		{"3b300000 0100005a efbfbd03 00010078 00efbfbd 00efbfbd 5631573c 37", "container 0 has 48575 runs and 18 bytes"},
	} {
		b := unhex(t, c.bytes)
		if _, ok := isRoaring(b); ok {
			t.Errorf("%s: the library takes it", c.bytes)
		}
		err := validity.CheckRoaring(b)
		if want := "corrupt data: not a roaring bitmap: " + c.says; err == nil || err.Error() != want || !errors.Is(err, validity.ErrCorrupt) {
			t.Errorf("%.60s: %v, want %q", c.bytes, err, want)
		}
	}
}

// caseFile reads what this test needs of a case file.
func caseFile(t *testing.T, name string, into any) {
	t.Helper()
	b, err := os.ReadFile("../fuzz/testdata/cases/" + name)
	if err == nil {
		err = json.Unmarshal(b, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestBugCases reads the validity column of every row of the bug cases: what is corrupt in a case is refused, all else is not.
func TestBugCases(t *testing.T) {
	var file struct {
		Cases []struct {
			Name, Engine string
			Runs         [][]struct{ Values []any }
			Expect       struct {
				Kind string `json:"error_kind"`
			}
		}
	}
	caseFile(t, "bug-cases.json", &file)
	corrupt, sound := 0, 0
	for _, c := range file.Cases {
		if c.Engine != "partial-update-validity" {
			continue
		}
		bad := 0
		for _, run := range c.Runs {
			for _, row := range run {
				text, _ := row.Values[0].(string)
				if row.Values[0] == nil {
					continue
				}
				if validity.CheckRoaring(unhex(t, text)) != nil {
					bad++
					continue
				}
				sound++
			}
		}
		corrupt += bad
		if (c.Expect.Kind == "corrupt") != (bad == 1) {
			t.Errorf("%s: %d values are refused, the case says %q", c.Name, bad, c.Expect.Kind)
		}
	}
	if corrupt < 20 || sound < 20 {
		t.Errorf("%d corrupt values and %d sound ones", corrupt, sound)
	}
}

// TestGoldenBytes writes and reads bitmaps whose bytes come from the reference library.
func TestGoldenBytes(t *testing.T) {
	var file struct {
		Cases []struct {
			Name, Type, Function string
			Ints                 []int
			Expect               struct{ Value any }
		}
	}
	caseFile(t, "cases.json", &file)
	seen := 0
	for _, c := range file.Cases {
		if c.Type != "sketch" || c.Function != "rbm32" || len(c.Ints) > 0 && c.Ints[0] < 0 {
			continue
		}
		golden := unhex(t, c.Expect.Value.(string))
		if got := encoded(131073, c.Ints); !bytes.Equal(got, golden) {
			t.Errorf("%s: %x, want %x", c.Name, got, golden)
		}
		seen++
	}
	if seen < 8 {
		t.Errorf("%d golden bitmaps", seen)
	}
}

// encoded gives the bytes of a row in which the columns at some positions are supplied.
func encoded(columns int, positions []int) []byte {
	e := validity.NewEncoder(columns)
	masks := make([][]uint64, columns)
	for _, p := range positions {
		masks[p] = []uint64{1}
	}
	numbers := []uint32{9}
	e.Number(numbers, masks)
	return e.Value(numbers[0])
}

// randomBitmap draws a bitmap with arrays, runs and bitmaps over a few containers.
func randomBitmap(rng *rand.Rand) *roaring.Bitmap {
	m := roaring.New()
	for range rng.IntN(6) {
		base := uint32(rng.IntN(8)) << 16
		switch rng.IntN(4) {
		case 0:
			for range rng.IntN(30) {
				m.Add(base + uint32(rng.IntN(200)))
			}
		case 1:
			from := base + uint32(rng.IntN(60000))
			m.AddRange(uint64(from), uint64(from+uint32(rng.IntN(5000))))
		case 2:
			for range rng.IntN(10000) {
				m.Add(base + uint32(rng.IntN(1<<16)))
			}
		default:
			m.Add(base + uint32(rng.IntN(2))*65535)
		}
	}
	if rng.IntN(2) == 0 {
		m.RunOptimize()
	}
	return m
}

// TestCheckRoaringLikeLibrary changes bytes of sound bitmaps, or cuts them, and finds that the library says the same of them.
func TestCheckRoaringLikeLibrary(t *testing.T) {
	sound := 0
	for seed := range testscale.Seeds(t, 3000) {
		rng := rand.New(rand.NewPCG(seed, 11))
		b, err := randomBitmap(rng).ToBytes()
		if err != nil {
			t.Fatal(err)
		}
		switch rng.IntN(4) {
		case 0:
			b = b[:rng.IntN(len(b)+1)]
		case 1:
			b[rng.IntN(len(b))] ^= 1 << rng.IntN(8)
		case 2:
			b[rng.IntN(min(len(b), 24))] = byte(rng.Uint32())
		}
		_, want := isRoaring(b)
		if err := validity.CheckRoaring(b); (err == nil) != want {
			t.Fatalf("seed %d: %v, the library says %v", seed, err, want)
		}
		if want {
			sound++
		}
	}
	if sample := testscale.Sample(t); sound < 500/sample || sound > 2500/sample {
		t.Errorf("%d of %d are sound", sound, 3000/sample)
	}
}

// TestForgedCountsAskForNothing holds that no bytes make the reader allocate more than an error.
func TestForgedCountsAskForNothing(t *testing.T) {
	for _, forged := range []string{"3a300000 00000100", "3b30ffff", "3b300000 01 0000 ffff ffff", "3a300000 01000000 0000 ffff 10000000"} {
		b := unhex(t, forged)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 100 {
			if validity.CheckRoaring(b) == nil {
				t.Fatalf("%s is taken", forged)
			}
		}
		runtime.ReadMemStats(&after)
		if spent := (after.TotalAlloc - before.TotalAlloc) / 100; spent > 4096 {
			t.Errorf("%s: %d bytes", forged, spent)
		}
	}
}

// FuzzCheckRoaring puts any bytes to the reader: the library must say the same of them, and what both take must come out as
// the same numbers and be written as the same bytes.
func FuzzCheckRoaring(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 12))
	for range 20 {
		f.Add(roaringBytes(f, randomBitmap(rng)))
	}
	for _, s := range []string{"", "3a30000001000000000001001000000001000300", "3b3000000100000300010001000300"} {
		f.Add(unhex(f, s))
	}
	const columns = 300
	f.Fuzz(func(t *testing.T, b []byte) {
		m, ok := isRoaring(b)
		err := validity.CheckRoaring(b)
		if (err == nil) != ok {
			t.Fatalf("%v, the library says %v", err, ok)
		}
		d := validity.NewDecoder(columns)
		numbers := make([]uint32, 1)
		c := validity.Column[int64]{Offsets: []int64{0, int64(len(b))}, Data: b}
		if _, err := validity.Read(d.Source(identity(columns)), numbers, c); (err == nil) != ok {
			t.Fatalf("read: %v, the library says %v", err, ok)
		}
		if !ok {
			return
		}
		var positions []int
		for i := range columns {
			if d.Has(numbers[0], i) != m.Contains(uint32(i)) {
				t.Fatalf("number %d", i)
			}
			if m.Contains(uint32(i)) {
				positions = append(positions, i)
			}
		}
		m.RemoveRange(columns, 1<<32)
		if got := encoded(columns, positions); !bytes.Equal(got, roaringBytes(t, m)) {
			t.Fatalf("%v is written as %x", positions, got)
		}
	})
}

// identity is the positions of columns that files have in the order that is asked for.
func identity(columns int) []int {
	positions := make([]int, columns)
	for i := range positions {
		positions[i] = i
	}
	return positions
}
