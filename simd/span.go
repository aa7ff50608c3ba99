package simd

import "unsafe"

// Span is what some integers have in common: the first of them, the least and the greatest, and which bits vary.
type Span struct{ First, Least, Most, Varying uint64 }

// NewSpan is that of one integer.
func NewSpan(x uint64) Span { return Span{First: x, Least: x, Most: x} }

// Add takes integers into account.
func (s *Span) Add(integers []uint64) {
	first, least, most, varying := s.First, s.Least, s.Most, s.Varying
	least2, most2 := least, most // of every second one, so that two are compared at a time
	for ; len(integers) >= 2; integers = integers[2:] {
		x, y := integers[0], integers[1]
		least, most = min(least, x), max(most, x)
		least2, most2 = min(least2, y), max(most2, y)
		varying |= (x ^ first) | (y ^ first)
	}
	for _, x := range integers {
		least, most = min(least, x), max(most, x)
		varying |= x ^ first
	}
	s.Least, s.Most, s.Varying = min(least, least2), max(most, most2), varying
}

// Normals writes integers as unsigned ones of the same order: sign, the sign bit of their type, is added. It takes them into account in
// the span. dst is as long as src.
func Normals[T int32 | int64](dst []uint64, src []T, sign uint64, s *Span) {
	dst = dst[:len(src)]
	done, p := 0, unsafe.Pointer(unsafe.SliceData(src))
	if unsafe.Sizeof(*new(T)) == 8 {
		done = normals64Tier(dst, unsafe.Slice((*int64)(p), len(src)), sign, s)
	} else {
		done = normals32Tier(dst, unsafe.Slice((*int32)(p), len(src)), sign, s)
	}
	normalsPortable(dst[done:], src[done:], sign)
	s.Add(dst[done:])
}

func normalsPortable[T int32 | int64](dst []uint64, src []T, sign uint64) {
	dst = dst[:len(src)]
	for i, x := range src {
		dst[i] = uint64(x) + sign
	}
}
