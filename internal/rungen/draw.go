package rungen

import (
	"hash/fnv"
	"math/bits"
	"math/rand/v2"

	"github.com/apache/arrow/go/v17/arrow"
)

// maxTape bounds the bytes of a fuzzer that a spec keeps.
const maxTape = 1 << 12

// Random draws a spec of at most about rows rows, often far fewer.
func Random(seed uint64, rows int) Spec {
	s := draw(stream(seed, "spec", -1), rows)
	s.Seed = seed
	return s
}

// FromBytes reads a spec of at most about rows rows off bytes: the first of them make the choices Random draws, and what is
// left becomes the tape.
func FromBytes(data []byte, rows int) Spec {
	h := fnv.New64a()
	h.Write(data)
	src := &source{tape: data, rng: rand.NewPCG(h.Sum64(), 0)}
	s := draw(src, rows)
	s.Seed = h.Sum64()
	if len(src.tape) > 0 {
		s.Tape = src.tape[:min(len(src.tape), maxTape)]
	}
	return s
}

// plentyRows are enough rows to meet nearly everything that has nothing to do with size.
const plentyRows = 100

// draw makes the choices of a spec.
func draw(src *source, rows int) Spec {
	s := Spec{Rows: src.intn(1 + min(rows, plentyRows))}
	if src.oneIn(2) {
		s.Rows = src.intn(1 + src.intn(rows+1)>>src.intn(bits.Len(uint(rows))))
	}
	s.drawRuns(src)
	s.drawColumns(src)
	s.drawEngine(src)
	s.drawSystemColumns(src)
	s.drawLayout(src)
	faulty := src.oneIn(12)
	if faulty {
		s.drawFault(src)
	}
	if wrongOptions := faulty && s.Fault == NoFault; !wrongOptions && src.oneIn(2) {
		s.drawFunctions(src)
	}
	return s
}

func (s *Spec) drawRuns(src *source) {
	s.Runs = pick(src, 0, 1, 2, 2, 2, 3, 3, 4, 5, 8, 8, 17, 40, pick(src, 64, 257, 300))
	s.Shape = pick(src, shapes...)
	s.Share = pick(src, Even, Even, Uneven, Skewed, Gaps)
	s.Repeats = src.oneIn(4)
	if src.oneIn(8) {
		s.Universe = src.between(1, 40)
		s.Repeats = src.oneIn(2)
	}
}

// styleFor draws a style that fits the type, or none.
func styleFor(src *source, typeName string) Style {
	if dt, _ := typeNamed(typeName); !isText(dt) {
		return pick(src, numberStyles...)
	}
	return pick(src, textStyles...)
}

func isText(dt arrow.DataType) bool {
	_, fixed := dt.(arrow.FixedWidthDataType)
	return !fixed && dt.ID() != arrow.NULL
}

// anyType draws a type, the common ones more often.
func anyType(src *source) string {
	if src.oneIn(2) {
		return pick(src, "int64", "int64", "utf8", "int32")
	}
	return pick(src, keyTypes...).String()
}

func (s *Spec) drawColumns(src *source) {
	for range pick(src, 1, 1, 1, 1, 2, 2, 3, 4) {
		c := Column{Type: anyType(src)}
		c.Style = styleFor(src, c.Type)
		c.NotNull = src.oneIn(2)
		if src.oneIn(6) {
			c.Nulls, c.NotNull = HalfNulls, false
		}
		s.Keys = append(s.Keys, c)
	}
	if src.oneIn(6) {
		s.Partitions = src.between(1, 2)
	}
	for range pick(src, 0, 1, 1, 2, 2, 3, 4, 6, 20) {
		s.Values = append(s.Values, s.drawValue(src))
	}
	s.Shuffled = src.oneIn(3)
}

func (s *Spec) drawValue(src *source) Column {
	c := Column{Type: anyType(src)}
	if src.oneIn(20) {
		c.Type = arrow.Null.String()
		return c
	}
	c.Style = styleFor(src, c.Type)
	if s.Rows < 20000 && src.oneIn(10) {
		c.Style = Long
	}
	c.Nulls = pick(src, nullChoices...)
	if c.NotNull = src.oneIn(6); c.NotNull {
		c.Nulls = pick(src, NoNulls, AllValid)
	}
	return c
}

func (s *Spec) drawSystemColumns(src *source) {
	if s.KeyColumns = src.oneIn(2); s.KeyColumns {
		s.Detached = src.oneIn(16)
	}
	s.Numbers = pick(src, numbers...)
	if s.Snapshots = len(s.Sequence) == 0 && src.oneIn(10); s.Snapshots {
		s.Numbers = pick(src, Rising, Falling, Overlap, Equal)
	}
}

func (s *Spec) drawLayout(src *source) {
	s.Arrays = pick(src, arrayWords...)
	s.EmptyBatches = src.oneIn(5)
	switch {
	case s.Rows <= 2000 && src.oneIn(4):
		s.Batch = "1"
	case s.Rows <= 20000 && src.oneIn(3):
		s.Batch = pick(src, BatchTiny, "2", "7")
	default:
		s.Batch = pick(src, "", BatchMixed, "1000", "1024", "4096")
	}
}

// drawFault draws something that goes wrong, with what it takes to go wrong.
func (s *Spec) drawFault(src *source) {
	s.Fault = pick(src, append(faults, NoFault, NoFault)...)
	switch s.Fault {
	case NoFault:
		s.spoilOptions(src)
	case NullKey:
		s.Keys[0].Nulls, s.Keys[0].NotNull = FewNulls, false
	case BadKind:
		s.Kinds = pick(src, Adds, Some)
	case BadKindText, NullKind:
		s.Kinds, s.KindText = NoKinds, pick(src, Adds, Some)
	case NullValue:
		s.Values = append(s.Values, Column{Type: "int64", NotNull: true})
		if src.oneIn(2) {
			s.Options["merge-engine"], s.Universe = "partial-update", s.Rows/2+1
		}
	case Misnumbered:
		s.Numbers = Rising
	}
}
