package aggfuncs

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/internal/testscale"
)

// mostForForged is how many bytes may be allocated before forged ones are refused.
const mostForForged = 64 << 10

// readForged gives bytes to a new codec and says what they are refused with and how many bytes were allocated until then.
func readForged(function string, b []byte) (allocated uint64, err error) {
	codec := codecs[function]()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err = codec.begin(b)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, err
}

// forgery is a value that is not what it says.
type forgery struct {
	fault string
	bytes []byte
}

// changed copies bytes and lets change work on the copy.
func changed(b []byte, change func([]byte)) []byte {
	b = bytes.Clone(b)
	change(b)
	return b
}

// TestForgedLargeValues damages large values of every form late, where a reader that keeps what it has read would have kept
// most of it: all are refused, and cost little memory.
func TestForgedLargeValues(t *testing.T) {
	for _, c := range []struct {
		function, form string
		value          []byte
		forge          func([]byte) []forgery
	}{
		{"rbm64", "1 KB of containers", sparse64(40, 1), forge64},
		{"rbm64", "300 KB of small containers", sparse64(11_000, 1), forge64},
		{"rbm64", "4 MB of small containers", sparse64(150_000, 1), forge64},
		{"rbm64", "4 MB of arrays", sparse64(1000, 2000), forge64},
		{"rbm64", "4 MB of bits", sparse64(500, 30_000), forge64},
		{"rbm64", "containers in any order", shuffled64(5000), forge64},
		{"rbm32", "arrays", roaringOf(t, 1000, 2000, 2), forge32},
		{"rbm32", "bits", roaringOf(t, 500, 30_000, 2), forge32},
		{"rbm32", "runs", roaringOf(t, 20_000, 300, 1), forge32},
		{"rbm32", "1 KB", roaringOf(t, 1, 500, 2), forge32},
		{"theta_sketch", "2 KB", thetaOf(250), forgeTheta},
		{"theta_sketch", "4 MB", thetaOf(500_000), forgeTheta},
		{"theta_sketch", "a table", thetaTable(17), forgeThetaTable},
		{"hll_sketch", "registers of 4 bits", hllRegistersOf(t, 21, form4, true), forgeHll4},
		{"hll_sketch", "registers of 4 bits and a table", hllRegistersOf(t, 21, form4, false), forgeHll4},
		{"hll_sketch", "1 KB of registers", hllRegistersOf(t, 11, form4, true), forgeHll4},
		{"hll_sketch", "registers of 6 bits", hllRegistersOf(t, 21, form6, true), forgeCut},
		{"hll_sketch", "registers of 8 bits", hllRegistersOf(t, 21, form8, true), forgeCut},
		{"hll_sketch", "a small set", hllSetOf(10, 90, true), forgeHllSet},
		{"hll_sketch", "a set", hllSetOf(21, 190_000, true), forgeHllSet},
		{"hll_sketch", "a table", hllSetOf(21, 190_000, false), forgeHllTable},
	} {
		t.Run(c.function+"/"+c.form, func(t *testing.T) {
			if _, err := readForged(c.function, c.value); err != nil {
				t.Fatalf("the value itself is refused: %v", err)
			}
			for _, f := range append(c.forge(c.value), forgeCut(c.value)...) {
				allocated, err := readForged(c.function, f.bytes)
				if !errors.Is(err, ErrCorrupt) {
					t.Errorf("%s: error %v, want %v", f.fault, err, ErrCorrupt)
				}
				if allocated > mostForForged {
					t.Errorf("%s: %d bytes allocated for %d that are refused: %v", f.fault, allocated, len(f.bytes), err)
				}
			}
			checkRandomFaults(t, c.function, c.value)
			if len(c.value) < 4<<10 {
				checkReference(t, c.function, c.value, c.forge(c.value))
			}
		})
	}
}

// checkReference holds that the reference takes the value and refuses the forgeries, too.
func checkReference(t *testing.T, function string, value []byte, forgeries []forgery) {
	t.Helper()
	f, err := rowmerge.NewFunction(function, arrow.Field{Name: "f", Type: arrow.BinaryTypes.Binary, Nullable: true,
		Metadata: arrow.MetadataFrom(map[string]string{"paimon.type": "BYTES"})}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Agg(value, value); err != nil {
		t.Errorf("the reference refuses the value: %v", err)
	}
	for _, x := range forgeries {
		if _, err := f.Agg(value, x.bytes); err == nil || err.Kind != rowmerge.KindCorrupt {
			t.Errorf("%s: error %v of the reference, want one of kind %s", x.fault, err, rowmerge.KindCorrupt)
		}
	}
}

// checkRandomFaults changes some bytes of a value, more at its ends than between.
func checkRandomFaults(t *testing.T, function string, value []byte) {
	rng := rand.New(rand.NewPCG(1, uint64(len(value))))
	b := bytes.Clone(value)
	for range testscale.Few(t, min(200, 40_000_000/len(value)), 3) {
		at := rng.IntN(len(b))
		switch rng.IntN(3) {
		case 0:
			at = rng.IntN(min(len(b), 64))
		case 1:
			at = len(b) - 1 - rng.IntN(min(len(b), 64))
		}
		was := b[at]
		b[at] ^= 1 << rng.IntN(8)
		if allocated, err := readForged(function, b); err != nil && allocated > mostForForged {
			t.Errorf("byte %d is %#x, not %#x: %d bytes allocated for %d that are refused: %v", at, b[at], was, allocated, len(b), err)
		}
		b[at] = was
	}
}

// forgeCut cuts bytes off the end.
func forgeCut(v []byte) []forgery {
	return []forgery{{"the last byte is missing", v[:len(v)-1]}, {"a half is missing", v[:len(v)/2]}}
}

// forge64 damages a bitmap of the radix tree.
func forge64(v []byte) []forgery {
	r := reader64{rest: v}
	r.take(9)
	r.node(0)
	tree := len(v) - len(r.rest) // where it ends; the last leaf ends with its 6 bytes and the place of 8
	r.take(9)
	first := len(v) - len(r.rest) // the first container: 1, its kind, its count int32 and its numbers
	end := len(v) - 16            // where the last container ends
	put := func(at int, x uint64) func([]byte) {
		return func(b []byte) { binary.LittleEndian.PutUint64(b[at:], x) }
	}
	keys, place := binary.LittleEndian.Uint64(v[1:]), binary.LittleEndian.Uint64(v[tree-8:])
	another := place ^ 1
	if another >= keys {
		another = 0
	}
	orphan := slices.Concat(v[:first-4], binary.LittleEndian.AppendUint32(nil, uint32(keys+1)), v[first:end],
		[]byte{1, containerArray, 1, 0, 0, 0, 7, 0}, binary.LittleEndian.AppendUint64(nil, keys+1), v[len(v)-8:])
	list := []forgery{
		{"a trailing byte", append(bytes.Clone(v), 0)},
		{"one key more", changed(v, put(1, keys+1))},
		{"the last leaf names no container", changed(v, put(tree-8, keys))},
		{"the last leaf names an array that is not there", changed(v, put(tree-8, 1<<32))},
		{"the last leaf names the container of another", changed(v, put(tree-8, another))},
		{"the first leaf is among other keys", changed(v, func(b []byte) { b[tree-14] ^= 0x55 })},
		{"one container more is said", changed(v, put(end, keys+1))},
		{"a container of no key", orphan},
		{"no array", changed(v, func(b []byte) { b[tree+4] = 0 })},
		{"places run out", changed(v, func(b []byte) { b[first-4]++ })},
		{"the first container has one number more", changed(v, func(b []byte) { b[first+2]++ })},
		{"the last container has no kind", changed(v, func(b []byte) { b[r.lastContainer(v, first)] = 7 })},
		{"the last container has one number more", changed(v, func(b []byte) { b[r.lastContainer(v, first)+1]++ })},
	}
	if last := r.lastContainer(v, first); v[last] == containerArray && end-last > 7 {
		list = append(list, forgery{"the last two numbers change places", changed(v, func(b []byte) {
			b[end-4], b[end-3], b[end-2], b[end-1] = b[end-2], b[end-1], b[end-4], b[end-3]
		})})
	}
	return list
}

// lastContainer finds where the last container begins, given where the first place does.
func (r *reader64) lastContainer(v []byte, first int) (at int) {
	*r = reader64{rest: v[first : len(v)-16], keep: true}
	for len(r.rest) > 0 {
		if r.number(1) == 1 {
			at = len(v) - 16 - len(r.rest)
			r.containerAt(0)
		}
	}
	return at
}

// shuffled64 is a bitmap whose containers are in any order, with empty places between them.
func shuffled64(containers int) []byte {
	rng := rand.New(rand.NewPCG(3, 4))
	places := rng.Perm(2 * containers)[:containers]
	v := sparse64(containers, 1)
	r := reader64{rest: v}
	r.take(9)
	r.node(0)
	b := bytes.Clone(v[:len(v)-len(r.rest)])
	for i, at := 0, 0; i < containers; i++ { // leaves come in order
		high := uint64(i) * 0x10d
		leaf := []byte{nodeLeaf, 0, 0, 0, 0, 0, byte(high >> 24), byte(high >> 16), byte(high >> 8), byte(high)}
		at += bytes.Index(b[at:], binary.LittleEndian.AppendUint64(leaf, uint64(i))) + len(leaf)
		binary.LittleEndian.PutUint64(b[at:], uint64(places[i]))
	}
	b = binary.LittleEndian.AppendUint32(b, 1)
	b = append(b, arrayMark)
	b = binary.LittleEndian.AppendUint32(b, uint32(2*containers))
	for place := range 2 * containers {
		if i := slices.Index(places, place); i >= 0 {
			b = append(b, 1, containerArray, 1, 0, 0, 0, byte(i), byte(i>>8))
		} else {
			b = append(b, 0)
		}
	}
	return append(binary.LittleEndian.AppendUint64(b, uint64(containers)), make([]byte, 8)...)
}

// TestReadContainersInAnyOrder holds that every upper part gets its own container.
func TestReadContainersInAnyOrder(t *testing.T) {
	const containers = 3000
	c := codec64{}
	if err := c.begin(shuffled64(containers)); err != nil {
		t.Fatal(err)
	}
	if len(c.acc.highs) != containers {
		t.Fatalf("%d containers, want %d", len(c.acc.highs), containers)
	}
	for i := range containers {
		if got := c.acc.of(i); len(got) != 1 || int(got[0].from) != i || c.acc.highs[i] != uint64(i)*0x10d {
			t.Fatalf("upper part %d is %#x with %v", i, c.acc.highs[i], got)
		}
	}
}

// roaringOf makes a 32-bit bitmap of so many containers of numbers a step apart.
func roaringOf(t *testing.T, containers, numbers, step int) []byte {
	t.Helper()
	m := roaring.New()
	for i := range containers {
		for j := range numbers {
			m.Add(uint32(i<<16 | j*step))
		}
	}
	m.RunOptimize()
	b, err := m.ToBytes()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// forge32 damages a 32-bit bitmap.
func forge32(v []byte) []forgery {
	keys := 8 // where the keys and counts begin
	n := int(binary.LittleEndian.Uint32(v[4:]))
	if binary.LittleEndian.Uint16(v) == 12347 {
		n = int(binary.LittleEndian.Uint16(v[2:])) + 1
		keys = 4 + (n+7)/8
	}
	last := keys + 4*(n-1)
	list := []forgery{{"a trailing byte", append(bytes.Clone(v), 0)}}
	if n > 1 {
		list = append(list, forgery{"the last key is that before it", changed(v, func(b []byte) { copy(b[last:last+2], b[last-4:]) })})
	}
	switch {
	case keys != 8:
		list = append(list, forgery{"the last run is too long", changed(v, func(b []byte) { b[len(b)-4], b[len(b)-3] = 0xff, 0xff })})
	default:
		list = append(list, forgery{"the last container has one number more", changed(v, func(b []byte) { b[last+2]++ })},
			forgery{"the last container has one number less", changed(v, func(b []byte) { b[last+2]-- })})
	}
	return list
}

// thetaOf makes a sketch of so many hashes.
func thetaOf(hashes int) []byte {
	s := theta{theta: thetaOne - 1}
	for i := range hashes {
		s.hashes = append(s.hashes, uint64(i+1)*1_000_003)
	}
	return s.appendTo(nil)
}

// thetaTable makes a sketch that is a table of 2^lg hashes.
func thetaTable(lg int) []byte {
	b := thetaOf(1 << lg)
	b[2], b[4], b[5] = familyQuickSelect, byte(lg), 0
	return b
}

func forgeTheta(v []byte) []forgery {
	return append(forgeThetaHead(v), forgery{"one hash more", changed(v, func(b []byte) { b[8]++ })},
		forgery{"a negative count", changed(v, func(b []byte) { b[11] = 0x80 })})
}

func forgeThetaTable(v []byte) []forgery {
	return append(forgeThetaHead(v), forgery{"a larger table", changed(v, func(b []byte) { b[4]++ })},
		forgery{"a huge table", changed(v, func(b []byte) { b[4] = 63 })})
}

func forgeThetaHead(v []byte) []forgery {
	return []forgery{
		{"another seed", changed(v, func(b []byte) { b[7]++ })},
		{"another version", changed(v, func(b []byte) { b[1]++ })},
		{"another family", changed(v, func(b []byte) { b[2] = 9 })},
		{"a theta above 1", changed(v, func(b []byte) { b[23] = 0x80 })},
		{"a theta of 0", changed(v, func(b []byte) { clear(b[16:24]) })},
	}
}

// hllRegistersOf makes a sketch of registers of which every 2000th is large.
func hllRegistersOf(t *testing.T, lgK int, form byte, compact bool) []byte {
	t.Helper()
	c := hllCodec{}
	c.acc.newRegisters(lgK)
	for i := range c.acc.registers {
		c.acc.registers[i] = byte(3 + i%11)
		if i%2000 == 1999 {
			c.acc.registers[i] = 40
		}
	}
	b := c.appendTo(nil)
	head := b[:registersAt]
	switch form {
	case form6:
		b = append(bytes.Clone(head), make([]byte, 3<<lgK/4+1)...)
	case form8:
		b = append(bytes.Clone(head), make([]byte, 1<<lgK)...)
	default:
		if !compact {
			b = bytes.Clone(b[:registersAt+1<<(lgK-1)])
			b[5] &^= hllCompact
			for _, pair := range c.aux {
				b = binary.LittleEndian.AppendUint32(b, pair)
			}
		}
	}
	b[7] = byte(hllRegisters) | form<<2
	return b
}

func forgeHll4(v []byte) []forgery {
	lastPair := len(v) - 4
	for binary.LittleEndian.Uint32(v[lastPair:]) == 0 {
		lastPair -= 4
	}
	slots := v[registersAt : registersAt+1<<v[3]/2]
	last := registersAt // a register that is not large
	for at := range slots {
		if slots[at]>>4 < 15 {
			last = registersAt + at
		}
	}
	return []forgery{
		{"the last large register is missing", changed(v, func(b []byte) { clear(b[lastPair : lastPair+4]) })},
		{"the last pair is of a register that is not large", changed(v, func(b []byte) { b[lastPair] ^= 1 })},
		{"a register more is large", changed(v, func(b []byte) { b[last] |= 0xf0 })},
		{"registers above 63", changed(v, func(b []byte) { b[6] = 60 })},
		{"more large registers than registers", changed(v, func(b []byte) { b[39] = 0x7f })},
	}
}

// hllSetOf makes a sketch of so many coupons.
func hllSetOf(lgK, coupons int, compact bool) []byte {
	h := hll{lgK: lgK}
	h.newSet()
	for i := range coupons {
		h.addToSet(uint32(i*977)&slotMask | 1<<valueAt)
	}
	b := (&hllCodec{acc: h}).appendTo(nil)
	if compact {
		return b
	}
	b = bytes.Clone(b[:12])
	b[5] &^= hllCompact
	for _, c := range h.coupons {
		b = binary.LittleEndian.AppendUint32(b, c)
	}
	return b
}

func forgeHllSet(v []byte) []forgery {
	more := bytes.Clone(v)
	for i := range uint32(20_000) { // more than a set of any table
		more = binary.LittleEndian.AppendUint32(more, i|2<<valueAt)
	}
	binary.LittleEndian.PutUint32(more[8:], uint32(len(more)-12)/4)
	return []forgery{
		{"the last coupon is empty", changed(v, func(b []byte) { clear(b[len(b)-4:]) })},
		{"the last coupon has no value", changed(v, func(b []byte) { b[len(b)-1] &= 3; b[len(b)-4] |= 1 })},
		{"one coupon more", changed(v, func(b []byte) { b[8]++ })},
		{"too many coupons", more},
		{"a set of a small sketch", changed(v, func(b []byte) { b[3] = 8 })},
	}
}

func forgeHllTable(v []byte) []forgery {
	last := len(v) - 4
	for binary.LittleEndian.Uint32(v[last:]) == 0 {
		last -= 4
	}
	return []forgery{
		{"the last coupon is not there", changed(v, func(b []byte) { clear(b[last : last+4]) })},
		{"the last coupon belongs elsewhere", changed(v, func(b []byte) { b[last] ^= 0x5a })},
		{"the last coupon has no value", changed(v, func(b []byte) { b[last+3] &= 3; b[last] |= 1 })},
		{"one coupon more", changed(v, func(b []byte) { b[8]++ })},
		{"a larger table", changed(v, func(b []byte) { b[4]++ })},
	}
}

// TestHllLargeRegistersTwice holds that the last of two pairs of a register counts, and one of a register that is not large
// does not.
func TestHllLargeRegistersTwice(t *testing.T) {
	v := hllRegistersOf(t, 12, form4, true)
	pair := func(slot, value int) []byte {
		return binary.LittleEndian.AppendUint32(nil, uint32(value<<valueAt|slot))
	}
	v = slices.Concat(v, pair(1999, 50), pair(1998, 60), pair(1999, 51))
	v[36] += 3
	h := hll{}
	if err := h.read(v); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(h.registers[1998:2000], h.registers[3999]); got != "[10 51] 40" {
		t.Errorf("registers %s, want [10 51] 40", got)
	}
}
