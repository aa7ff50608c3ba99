package rungen

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"testing"
)

// TestEncodedBytes compares bytes with what is written down of the formats.
func TestEncodedBytes(t *testing.T) {
	oneSlot := func(n int) [][]int { return [][]int{{0}} }
	for _, c := range []struct {
		name, want string
		got        []byte
	}{
		{"no number", "3a30000000000000", bitmap32(nil, shortestForm)},
		{"1 and 3", "3a3000000100000000000100" + "10000000" + "01000300", bitmap32(chunksOf([]uint64{1, 3}), shortestForm)},
		{"1 to 4", "3b3000000100000300" + "0100" + "01000300", bitmap32(chunksOf([]uint64{1, 2, 3, 4}), shortestForm)},
		{"1 to 4 in a list", "3a3000000100000000000300" + "10000000" + "0100020003000400", bitmap32(chunksOf([]uint64{1, 2, 3, 4}), noRuns)},
		{"no 64-bit number", "00", bitmap64(nil, shortestForm, oneSlot)},
		{"the 64-bit number 65537", "01" + "0100000000000000" + "04000000" + "000000000001" + "0000000000000000" +
			"01000000" + "fe01000000" + "01" + "02" + "01000000" + "0100" + "0100000000000000" + "00000000" + "00000000",
			bitmap64(chunksOf([]uint64{65537}), shortestForm, oneSlot)},
		{"empty theta sketch", "010303" + "0000" + "1e" + "0000", compactTheta(nil, thetaOne)},
		{"theta sketch of one", "010303" + "0000" + "3a" + "cc93" + "0500000000000000", compactTheta([]uint64{5}, thetaOne)},
		{"theta sketch of two", "020303" + "0000" + "1a" + "cc93" + "02000000" + "0000803f" + "0500000000000000" + "0600000000000000",
			compactTheta([]uint64{5, 6}, thetaOne)},
		{"empty HLL sketch", "020107" + "0c" + "03" + "0c" + "00" + "00", couponSketch(nil, 12, hll4, true)},
		{"HLL sketch of one", "020107" + "0c" + "03" + "08" + "01" + "00" + "07000004", couponSketch([]uint32{1<<26 | 7}, 12, hll4, true)},
	} {
		if got := hex.EncodeToString(c.got); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestEncodedForms wants bitmaps with containers and nodes of every kind, and sketches in every form, large and small.
func TestEncodedForms(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(600) {
		src := stream(seed, "forms", -1)
		room := []int{leastRoom, 4096, mostRoom}[seed%3]
		for style, encoder := range encoders {
			draw := encoder(room, src)
			for range 4 {
				for _, word := range formOf(style, draw()) {
					seen[word]++
				}
			}
		}
		d := &bitmapDrawer{highs: []uint64{1, 2, 3}, room: room, src: src}
		for _, c := range d.chunks() {
			seen[fmt.Sprintf("container of kind %d in %d", c.kind(shortestForm), room)]++
		}
	}
	for _, word := range []string{
		"rbm32 empty", "rbm32 without runs", "rbm32 with runs", "rbm32 with runs and places", "rbm64 empty",
		"rbm64 of node 0", "rbm64 of node 1", "rbm64 of node 2", "rbm64 of node 3", "rbm64 of node 4", "rbm64 of 2 arrays",
		"container of kind 0 in 65536", "container of kind 1 in 65536", "container of kind 2 in 65536", "container of kind 0 in 4096",
		"container of kind 2 in 4096", "theta empty", "theta of family 1", "theta of family 2", "theta with a preamble of 1",
		"theta with a preamble of 2", "theta with a preamble of 3", "theta ordered", "theta unordered", "theta of 4096 or more",
		"hll empty", "hll out of order", "hll with large registers", "hll of lgK 4", "hll of lgK 12", "hll of lgK 21",
	} {
		if seen[word] < 3 {
			t.Errorf("%s: %d times", word, seen[word])
		}
	}
	for form := range 3 {
		for _, mode := range []string{"list", "compact set", "set table", "registers"} {
			if word := fmt.Sprintf("hll %s of form %d", mode, form); seen[word] < 3 {
				t.Errorf("%s: %d times", word, seen[word])
			}
		}
	}
	if seen["hll compact registers of form 0"] < 3 {
		t.Error("no compact registers")
	}
}

// formOf names what is to be seen in the first bytes of a bitmap or sketch.
func formOf(style Style, b []byte) []string {
	switch style {
	case Bitmap32:
		return formOf32(b)
	case Bitmap64:
		if len(b) == 1 {
			return []string{"rbm64 empty"}
		}
		return []string{fmt.Sprintf("rbm64 of node %d", b[9]), fmt.Sprintf("rbm64 of %d arrays", 1+b[len(b)-8])}
	case Theta:
		if b[5]&thetaEmpty != 0 {
			return []string{"theta empty"}
		}
		words := []string{fmt.Sprintf("theta of family %d", b[2]), fmt.Sprintf("theta with a preamble of %d", b[0])}
		switch {
		case b[5]&thetaOrdered != 0:
			words = append(words, "theta ordered")
		case b[2] == 3:
			words = append(words, "theta unordered")
		}
		if b[0] > 1 && binary.LittleEndian.Uint32(b[8:]) >= 4096 {
			words = append(words, "theta of 4096 or more")
		}
		return words
	}
	return formOfHLL(b)
}

func formOf32(b []byte) []string {
	first := binary.LittleEndian.Uint32(b)
	switch {
	case first == cookiePlain && binary.LittleEndian.Uint32(b[4:]) == 0:
		return []string{"rbm32 empty"}
	case first == cookiePlain:
		return []string{"rbm32 without runs"}
	case first>>16+1 < fewRuns:
		return []string{"rbm32 with runs"}
	}
	return []string{"rbm32 with runs and places"}
}

func formOfHLL(b []byte) []string {
	if b[5]&hllEmpty != 0 {
		return []string{"hll empty"}
	}
	words := []string{fmt.Sprintf("hll of lgK %d", b[3])}
	form, compact := b[7]>>2, b[5]&hllCompact != 0
	mode := "registers"
	switch {
	case b[7]&3 == hllList:
		mode = "list"
	case b[7]&3 == hllSet && compact:
		mode = "compact set"
	case b[7]&3 == hllSet:
		mode = "set table"
	case compact:
		mode = "compact registers"
	}
	if b[7]&3 == hllRegisters && binary.LittleEndian.Uint32(b[36:]) > 0 {
		words = append(words, "hll with large registers")
	}
	if b[5]&hllOutOfOrder != 0 {
		words = append(words, "hll out of order")
	}
	return append(words, fmt.Sprintf("hll %s of form %d", mode, form))
}

// TestForgedBytesDiffer wants forged values that are none of those they were made of, mostly.
func TestForgedBytesDiffer(t *testing.T) {
	src := stream(1, "forged", -1)
	same := 0
	for range 1000 {
		value := marks(8, src)
		if string(forge(value, src)) == string(value) {
			same++
		}
	}
	if same > 50 {
		t.Errorf("%d of 1000 forged values are not", same)
	}
}

// TestMarksOfRuns wants all rows of a run to supply the same columns, and runs to differ.
func TestMarksOfRuns(t *testing.T) {
	s := Spec{Seed: 1, Rows: 300, Runs: 6, Keys: []Column{{}}, Values: []Column{{Type: "binary", Style: RunMarks}, {}}}
	m := newMaker(s)
	seen := map[int32]bool{}
	for r := range m.ids {
		c := m.columnCells(1, r, m.keyCells(r))
		for _, at := range c.at {
			if at != c.at[0] {
				t.Fatalf("run %d has different marks", r)
			}
		}
		seen[c.at[0]] = true
	}
	if len(seen) < 2 {
		t.Error("all runs have the same marks")
	}
}
