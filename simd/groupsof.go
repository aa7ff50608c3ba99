package simd

import "math/bits"

// GroupsOf writes the group of every row of a mask and returns how many rows that are. Rows are in merged order, groups numbered from 0, and
// ends has the bit of the last row of each.
//
//	mask   0 1 0 0 1 1
//	ends   0 1 1 0 0 1
//	of     0 2 2
func GroupsOf(of []uint32, mask, ends []uint64) int {
	ends = ends[:len(mask)]
	done, n, group := groupsOfTier(of, mask, ends)
	return n + groupsOfPortable(of[n:], mask[done:], ends[done:], uint32(group))
}

// groupsOfPortable numbers groups from that on that the first row is of.
func groupsOfPortable(of []uint32, mask, ends []uint64, group uint32) (n int) {
	for w, m := range mask {
		for e := ends[w]; m != 0; m &= m - 1 {
			of[n] = group + uint32(bits.OnesCount64(e&(m&-m-1)))
			n++
		}
		group += uint32(bits.OnesCount64(ends[w]))
	}
	return n
}
