package rowmerge

import (
	"encoding/binary"
	"slices"
)

// write gives the bytes of the bitmap: the smallest nodes that fit, one array of containers in key order, no empty slots.
func (b bitmap64) write() []byte {
	if len(b) == 0 {
		return []byte{0}
	}
	var highs []uint64
	for high := range b {
		highs = append(highs, high)
	}
	slices.Sort(highs)
	out := binary.LittleEndian.AppendUint64([]byte{1}, uint64(len(highs)))
	out = writeNode(out, highs, 0, 0)
	out = binary.LittleEndian.AppendUint32(out, 1)
	out = binary.LittleEndian.AppendUint32(append(out, 0xfe), uint32(len(highs)))
	for _, high := range highs {
		out = writeContainer(append(out, 1), b[high])
	}
	out = binary.LittleEndian.AppendUint64(out, uint64(len(highs)))
	out = binary.LittleEndian.AppendUint32(out, 0)
	return binary.LittleEndian.AppendUint32(out, uint32(len(highs)-1))
}

// keyByte is byte i of the six bytes of a key.
func keyByte(high uint64, i int) byte { return byte(high >> (8 * (5 - i))) }

// writeNode writes the tree of keys that agree in the bytes before depth; first is the number of the first one's container.
func writeNode(out []byte, highs []uint64, depth, first int) []byte {
	if len(highs) == 1 {
		out = append(out, leaf, 0, 0, 0)
		for i := range 6 {
			out = append(out, keyByte(highs[0], i))
		}
		return binary.LittleEndian.AppendUint64(out, uint64(first))
	}
	end := depth
	for keyByte(highs[0], end) == keyByte(highs[len(highs)-1], end) {
		end++
	}
	var keys []byte
	for _, high := range highs {
		keys = append(keys, keyByte(high, end))
	}
	keys = slices.Compact(keys)
	out = append(out, nodeFor(len(keys)))
	out = binary.LittleEndian.AppendUint16(out, uint16(len(keys)))
	out = append(out, byte(end-depth))
	for i := depth; i < end; i++ {
		out = append(out, keyByte(highs[0], i))
	}
	out = append(out, nodeBody(keys)...)
	for from := 0; from < len(highs); {
		to := from
		for to < len(highs) && keyByte(highs[to], end) == keyByte(highs[from], end) {
			to++
		}
		out = writeNode(out, highs[from:to], end+1, first+from)
		from = to
	}
	return out
}

func nodeFor(children int) byte {
	switch {
	case children <= 4:
		return node4
	case children <= 16:
		return node16
	case children <= 48:
		return node48
	}
	return node256
}

// nodeBody writes the key bytes of a node's children.
func nodeBody(keys []byte) []byte {
	var body []byte
	switch nodeFor(len(keys)) {
	case node4:
		var four [4]byte
		copy(four[:], keys)
		return binary.LittleEndian.AppendUint32(nil, binary.BigEndian.Uint32(four[:]))
	case node16:
		var sixteen [16]byte
		copy(sixteen[:], keys)
		body = binary.LittleEndian.AppendUint64(nil, binary.BigEndian.Uint64(sixteen[:8]))
		return binary.LittleEndian.AppendUint64(body, binary.BigEndian.Uint64(sixteen[8:]))
	case node48:
		places := slices.Repeat([]byte{0xff}, 256)
		for i, k := range keys {
			places[k] = byte(i)
		}
		for i := range 32 {
			body = binary.LittleEndian.AppendUint64(body, binary.BigEndian.Uint64(places[8*i:]))
		}
		return body
	}
	var present [4]uint64
	for _, k := range keys {
		present[k/64] |= 1 << (k % 64)
	}
	for _, word := range present {
		body = binary.LittleEndian.AppendUint64(body, word)
	}
	return body
}

// writeContainer writes the shortest of runs, bits and numbers; runs only where they are shorter than either.
func writeContainer(out []byte, spans []span) []byte {
	lows := lowsOf(spans)
	kind, size := byte(2), 2*len(lows)
	if len(lows) > 4096 {
		kind, size = 1, 8192
	}
	if 2+4*len(spans) < size {
		kind = 0
	}
	out = binary.LittleEndian.AppendUint32(append(out, kind), uint32(len(lows)))
	switch kind {
	case 0:
		out = binary.LittleEndian.AppendUint16(out, uint16(len(spans)))
		for _, s := range spans {
			out = binary.LittleEndian.AppendUint16(out, s.from)
			out = binary.LittleEndian.AppendUint16(out, s.to-s.from)
		}
	case 1:
		var words [1024]uint64
		for _, low := range lows {
			words[low/64] |= 1 << (low % 64)
		}
		for _, word := range words {
			out = binary.LittleEndian.AppendUint64(out, word)
		}
	default:
		for _, low := range lows {
			out = binary.LittleEndian.AppendUint16(out, low)
		}
	}
	return out
}

// lowsOf lists the numbers of spans.
func lowsOf(spans []span) []uint16 {
	var lows []uint16
	for _, s := range spans {
		for n := int(s.from); n <= int(s.to); n++ {
			lows = append(lows, uint16(n))
		}
	}
	return lows
}
