package simd

import "github.com/braidmerge/braid/internal/invariants"

// Four are four words of eight bytes of texts, one behind the other from byte `at` on. They are looked at and packed in one pass.
type Four struct {
	stored [4]uint64 // what words are compared with, as it lies in texts
	masks  [4]uint64 // their bits that are packed
	counts [4]uint64 // how many these are
	differ [4]uint64 // in which bits words have not been as stored

	at      int
	longest int // text, where they are padded
	used    int // words that have been set, the first ones
	lanes   int // words up to the last that has bits to be packed
	bases   [4]uint64
	packers [4]Packer
}

// NewFour makes four words from byte at on of texts of so many bytes at most.
func NewFour(at, longest int) Four { return Four{at: at, longest: longest} }

// Add sets what the next word is compared with and which of its bits are packed: less than 64. What is behind the last word counts for
// nothing.
func (f *Four) Add(base uint64, p *Packer) {
	word := f.used
	f.used++
	f.bases[word], f.stored[word] = base, inMemory(base)
	f.packers[word], f.masks[word], f.counts[word] = *p, p.mask, uint64(p.count())
	if p.count() > 0 {
		f.lanes = max(f.lanes, word+1)
	}
}

// PackTexts appends to every out[i] the bits of the four words of text i, as Packer.PackTexts does word by word, and returns in which bits each
// word is not its base. Data must have 32 bytes from at on at every text.
func (f *Four) PackTexts(out []uint64, data []byte, from []int32) (differ [4]uint64) {
	return f.pack(out, data, from, false)
}

// PackPadded is PackTexts for texts of any length, with zeros for what lies behind their ends.
func (f *Four) PackPadded(out []uint64, data []byte, from []int32) (differ [4]uint64) {
	return f.pack(out, data, from, true)
}

func (f *Four) pack(out []uint64, data []byte, from []int32, padded bool) (differ [4]uint64) {
	if len(out) == 0 {
		return differ
	}
	checkTexts(data, from[:len(out)+1], f.at+24)
	if invariants.Enabled {
		for i := range out {
			invariants.Check(int(from[i+1]-from[i]) <= f.longest, "text %d is longer than %d bytes", i, f.longest)
		}
	}
	if !packFourTier(f, out, data, from, padded) {
		f.packPortable(out, data, from, padded)
	}
	for i, x := range f.differ[:f.used] {
		differ[i] = inMemory(x)
	}
	return differ
}

func (f *Four) packPortable(out []uint64, data []byte, from []int32, padded bool) {
	for i := range f.used {
		p, at, base, differ := &f.packers[i], f.at+8*i, f.bases[i], uint64(0)
		switch {
		case p.count() > 0 && padded:
			differ = p.packPaddedPortable(out, data, from, at, base)
		case p.count() > 0:
			differ = p.packTextsPortable(out, data, from, at, base)
		case padded:
			differ = DifferPadded(data, from[:len(out)+1], at, base)
		default:
			differ = DifferTexts(data, from[:len(out)+1], at, base)
		}
		f.differ[i] = inMemory(differ)
	}
}
