package simd

import "unsafe"

// Offset is an Arrow offset.
type Offset interface{ int32 | int64 }

// Slack is how many bytes after the last used one the loops over texts may read of a source and write of a destination.
const Slack = 32

// TakeOffsets writes the offsets, from 0, of the selected values into out (one more than sel has rows) and returns their sum:
// the number of bytes TakeText will write. off has the staged offsets: value i lies at [off[i], off[i+1]).
func TakeOffsets[O Offset](out []O, off, sel []uint32) int {
	_ = out[len(sel)]
	checkSelection(sel, len(off)-1)
	p := unsafe.Pointer(unsafe.SliceData(off))
	at := 0
	for t, i := range sel {
		o := (*[2]uint32)(unsafe.Add(p, uintptr(i)*4))
		out[t] = O(at)
		at += int(o[1] - o[0])
	}
	out[len(sel)] = O(at)
	return at
}

// TakeText copies the bytes of the selected values one after another into dst. Sixteen bytes move at a step, and the next
// value overwrites the surplus: data and dst both need Slack bytes behind what is used. It returns how many bytes they are.
func TakeText(dst []byte, off []uint32, data []byte, sel []uint32) int {
	if len(sel) == 0 {
		return 0
	}
	checkSelection(sel, len(off)-1)
	return takeTextPortable(dst, off, data, sel)
}

func takeTextPortable(dst []byte, off []uint32, data []byte, sel []uint32) int {
	po, ps, pd := unsafe.Pointer(unsafe.SliceData(off)), unsafe.Pointer(unsafe.SliceData(data)), unsafe.Pointer(unsafe.SliceData(dst))
	at := 0
	for _, i := range sel {
		o := (*[2]uint32)(unsafe.Add(po, uintptr(i)*4))
		src, to, n := unsafe.Add(ps, uintptr(o[0])), unsafe.Add(pd, at), int(o[1]-o[0])
		*(*[16]byte)(to) = *(*[16]byte)(src)
		for z := 16; z < n; z += 16 {
			*(*[16]byte)(unsafe.Add(to, z)) = *(*[16]byte)(unsafe.Add(src, z))
		}
		at += n
	}
	return at
}

// ExpandRanges writes the rows of the selected ranges one after another: range i is [off[i], off[i+1]). dst must be as long
// as all of them together.
func ExpandRanges(dst, off, sel []uint32) {
	checkSelection(sel, len(off)-1)
	at := 0
	for _, i := range sel {
		from, to := off[i], off[i+1]
		out := dst[at : at+int(to-from)]
		for j := range out {
			out[j] = from + uint32(j)
		}
		at += len(out)
	}
}
