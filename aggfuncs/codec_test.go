package aggfuncs

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/braidmerge/braid/internal/rowmerge"
)

// codecs are the codecs of the functions of bytes.
var codecs = map[string]func() codec{
	"rbm32":        func() codec { return &bitmap32{} },
	"rbm64":        func() codec { return &codec64{} },
	"theta_sketch": func() codec { return &thetaCodec{} },
	"hll_sketch":   func() codec { return &hllCodec{} },
}

// goldenCase is a case of the shared files, as far as it is about bytes.
type goldenCase struct {
	Name, Type, Function string
	FieldType            string `json:"field_type"`
	Acc                  *string
	Ops                  [][]*string
	Expect               struct {
		Value     *string
		ErrorKind string `json:"error_kind"`
	}
}

// goldenCases reads the cases whose values are bytes in hexadecimal.
func goldenCases(t *testing.T) (cases []goldenCase) {
	t.Helper()
	text, err := os.ReadFile("../fuzz/testdata/cases/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []json.RawMessage }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	for _, raw := range file.Cases {
		var c goldenCase
		if err := json.Unmarshal(raw, &c); err != nil {
			continue // it is about other values
		}
		_, isBytes := codecs[c.Function]
		if c.Type == "sketch" || c.Type == "agg" && isBytes && c.Expect.ErrorKind != "retract-unsupported" {
			cases = append(cases, c)
		}
	}
	return cases
}

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestGoldenUnions unites the bytes of every case of the function kind and compares the bytes of the outcome.
func TestGoldenUnions(t *testing.T) {
	seen := 0
	for _, c := range goldenCases(t) {
		if c.Type != "agg" || len(c.Ops) == 0 {
			continue
		}
		seen++
		t.Run(c.Name, func(t *testing.T) {
			codec := codecs[c.Function]()
			acc := c.Acc
			var err error
			for _, op := range c.Ops {
				if len(op) < 2 || op[1] == nil {
					continue
				}
				if acc == nil {
					acc = op[1]
					continue
				}
				if err = errors.Join(codec.begin(unhex(t, *acc)), codec.unite(unhex(t, *op[1]), *op[0] == "agg_reversed")); err != nil {
					break
				}
				text := hex.EncodeToString(codec.appendTo(nil))
				acc = &text
			}
			switch {
			case c.Expect.ErrorKind != "":
				if !errors.Is(err, ErrCorrupt) {
					t.Errorf("error %v, want %v", err, ErrCorrupt)
				}
			case err != nil:
				t.Error(err)
			case c.Expect.Value == nil || acc == nil:
				if c.Expect.Value != acc {
					t.Errorf("got %v, want %v", acc, c.Expect.Value)
				}
			case c.Function == "rbm64":
				if !rowmerge.SameRbm64(unhex(t, *acc), unhex(t, *c.Expect.Value)) {
					t.Errorf("got %s, want %s", *acc, *c.Expect.Value)
				}
			case *acc != *c.Expect.Value:
				t.Errorf("got %s, want %s", *acc, *c.Expect.Value)
			}
		})
	}
	if seen < 20 {
		t.Errorf("%d cases, want 20 or more", seen)
	}
}

// TestGoldenSketches reads the bytes of every case of the sketch kind and writes them again. Other numbers of bits a
// register than 4, places of a set and slots of a tree that this package does not choose become what it chooses; bitmaps,
// theta sketches and HLL sketches of lists and registers of 4 bits stay as they are.
func TestGoldenSketches(t *testing.T) {
	names := map[string]string{"hll": "hll_sketch", "theta": "theta_sketch", "rbm32": "rbm32", "rbm64": "rbm64"}
	seen := 0
	for _, c := range goldenCases(t) {
		if c.Type != "sketch" {
			continue
		}
		seen++
		t.Run(c.Name, func(t *testing.T) {
			codec := codecs[names[c.Function]]()
			want := unhex(t, *c.Expect.Value)
			if err := codec.begin(want); err != nil {
				t.Fatal(err)
			}
			got := codec.appendTo(nil)
			switch {
			case c.Function == "rbm64":
				if !rowmerge.SameRbm64(got, want) {
					t.Errorf("%x is written as %x", want, got)
				}
			case c.Function == "hll" && want[7]&3 == byte(hllRegisters) && want[7]>>2&3 != form4:
				again := codecs["hll_sketch"]()
				if err := again.begin(got); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(again.(*hllCodec).acc.registers, codec.(*hllCodec).acc.registers) {
					t.Errorf("%x is written as %x, of other registers", want, got)
				}
			case c.Function == "hll" && want[7]&3 == byte(hllSet):
				if len(got) != len(want) {
					t.Errorf("%x is written as %x", want, got)
				}
			default:
				if c.Function == "hll" {
					want[7] &= 3 // the form of registers that a list does not have
				}
				if !bytes.Equal(got, want) {
					t.Errorf("%x is written as %x", want, got)
				}
			}
		})
	}
	if seen < 20 {
		t.Errorf("%d cases, want 20 or more", seen)
	}
}

// TestForgedSketches takes sketches and bitmaps apart: all beginnings of the bytes, and counts that promise more than there
// is. Each is refused, with little memory.
func TestForgedSketches(t *testing.T) {
	hll, err := rowmerge.BuildHll(numbers(1000), 12, "HLL_4")
	if err != nil {
		t.Fatal(err)
	}
	lgArr := bytes.Clone(hll)
	lgArr[4], lgArr[5] = 0x1f, 0
	lgArr[36] = 1
	set, err := rowmerge.BuildHll(numbers(20), 12, "HLL_4")
	if err != nil {
		t.Fatal(err)
	}
	theta := rowmerge.BuildTheta(numbers(1000), 4096)
	bitmap, bitmap64 := rowmerge.BuildRbm32(numbers(1000)), rowmerge.BuildRbm64(numbers(1000))
	forged := map[string][][]byte{
		"hll_sketch":   {make([]byte, 8), {2, 1, 7, 99, 3, 8, 0, 0}, lgArr, with32(set, 8, 1<<30), with32(hll, 36, 1<<30)},
		"theta_sketch": {with32(theta, 8, 1<<30), append([]byte{3, 3, 2, 0, 26, 0, 0xcc, 0x93}, make([]byte, 16)...)},
		"rbm32": {
			unhex(t, "3a30000001000000000001001000000003000300"),
			unhex(t, "3b3000000100005aefbfbd030001007800efbfbd00efbfbd5631573c37"),
			unhex(t, "3b3000000100000900"+"0100faff6400"), unhex(t, "3b30000001000009000200"+"00000a0005000a00"),
			unhex(t, "3a300000020000000500000001000000180000001a00000007000900"), append(bytes.Clone(bitmap), 0xde, 0xad, 0xbe, 0xef),
			{0x3a, 0x30, 0, 0, 0, 0, 1, 0}, {0x3b, 0x30, 0xff, 0xff},
		},
		"rbm64": {{}, {2}, {0, 0}, append([]byte{1}, make([]byte, 30)...), append(bytes.Clone(bitmap64), 0)},
	}
	for name, whole := range map[string][]byte{"hll_sketch": hll, "rbm32": bitmap, "rbm64": bitmap64} {
		for n := range whole {
			forged[name] = append(forged[name], whole[:n])
		}
	}
	for n := 16; n < len(theta); n++ { // fewer bytes are an empty sketch
		forged["theta_sketch"] = append(forged["theta_sketch"], theta[:n])
	}
	for name, list := range forged {
		for _, b := range list {
			allocated, err := readForged(name, b)
			if !errors.Is(err, ErrCorrupt) {
				t.Errorf("%s: %d bytes %x: error %v, want %v", name, len(b), b[:min(len(b), 40)], err, ErrCorrupt)
			}
			if allocated > mostForForged {
				t.Errorf("%s: %d bytes %x: %d bytes of memory", name, len(b), b[:min(len(b), 40)], allocated)
			}
		}
	}
}

func numbers(n int) []int64 {
	list := make([]int64, n)
	for i := range list {
		list[i] = int64(i) * 977
	}
	return list
}

// with32 changes a number of 32 bits in bytes.
func with32(b []byte, at int, x uint32) []byte {
	b = bytes.Clone(b)
	for i := range 4 {
		b[at+i] = byte(x >> (8 * i))
	}
	return b
}

// fuzzCodec reads any bytes: they are refused, or what is written is read again and written the same.
func fuzzCodec(f *testing.F, name string) {
	text, err := os.ReadFile("../fuzz/testdata/cases/cases.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, line := range strings.Split(string(text), "\"value\": \"")[1:] {
		value, _, _ := strings.Cut(line, "\"")
		if b, err := hex.DecodeString(value); err == nil && len(b) > 7 && len(b) < 1<<12 {
			f.Add(b)
		}
	}
	codec, again := codecs[name](), codecs[name]()
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := codec.begin(b); err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatalf("error %v", err)
			}
			return
		}
		written := codec.appendTo(nil)
		if err := again.begin(written); err != nil {
			t.Fatalf("%x is written as %x: %v", b, written, err)
		}
		if twice := again.appendTo(nil); !bytes.Equal(twice, written) && name != "hll_sketch" {
			t.Fatalf("%x is written as %x and then as %x", b, written, twice)
		}
		if err := errors.Join(again.unite(b, false), again.unite(b, true)); err != nil {
			t.Fatalf("%x cannot be united with itself: %v", b, err)
		}
	})
}

func FuzzRbm32(f *testing.F) { fuzzCodec(f, "rbm32") }
func FuzzRbm64(f *testing.F) { fuzzCodec(f, "rbm64") }
func FuzzTheta(f *testing.F) { fuzzCodec(f, "theta_sketch") }
func FuzzHll(f *testing.F)   { fuzzCodec(f, "hll_sketch") }
