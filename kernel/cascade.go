package kernel

import (
	"slices"

	"github.com/braidmerge/braid/internal/invariants"
	"github.com/braidmerge/braid/simd"
)

// cascadeDepth is up to how many merges a word the cascade is as fast as the radix sort or faster.
const cascadeDepth = 4

// cascadeMost is the number of runs above which the order of merges takes longer to find than it is worth.
const cascadeMost = 256

// cascade says which runs of a window are merged with which, two at a time: the two smallest of all that is left, so that words move as few times
// as they can (Huffman). Runs of a size make a balanced tree, one huge run moves once:
//
//	rows of runs    5  5  5  5          1  2  3  90
//	merges           10    10            3
//	                    20                  6
//	                                           96
//	moved           40, twice each      105, 1.1 times each
type cascade struct {
	nodes  []cascadeNode // runs by size, then merges in the order in which they are found; the last one is the root
	bySize []uint64      // size<<32 | run
	moved  int           // words that all merges write
}

// cascadeNode is a run, or a merge of two nodes before it.
type cascadeNode struct {
	size        int32
	run         int32 // -1: a merge
	left, right int32 // nodes
}

// plan decides the order of merges of runs with words [starts[i], starts[i+1]).
func (c *cascade) plan(starts []int32) {
	c.bySize, c.nodes, c.moved = c.bySize[:0], c.nodes[:0], 0
	for run := range len(starts) - 1 {
		c.bySize = append(c.bySize, uint64(starts[run+1]-starts[run])<<32|uint64(run))
	}
	if !invariants.Sometimes(20) {
		slices.Sort(c.bySize) // any order gives the same words
	}
	for _, x := range c.bySize {
		c.nodes = append(c.nodes, cascadeNode{size: int32(x >> 32), run: int32(uint32(x))})
	}
	runs := len(c.nodes)
	run, merge := 0, runs // the smallest run and the smallest merge that are left
	smallest := func() int32 {
		if merge == len(c.nodes) || run < runs && c.nodes[run].size <= c.nodes[merge].size {
			run++
			return int32(run - 1)
		}
		merge++
		return int32(merge - 1)
	}
	for range runs - 1 {
		n := cascadeNode{run: -1, left: smallest(), right: smallest()}
		n.size = c.nodes[n.left].size + c.nodes[n.right].size
		c.moved += int(n.size)
		c.nodes = append(c.nodes, n)
	}
}

// words merges the words of all runs into dst. scratch is as long.
func (c *cascade) words(words []uint64, starts []int32, dst, scratch []uint64) {
	m := merging[uint64]{nodes: c.nodes, words: words, starts: starts, two: simd.MergeWords}
	m.into(dst, scratch)
}

// pairs merges the pairs of all runs into dst. scratch is as long.
func (c *cascade) pairs(pairs []pair, starts []int32, dst, scratch []pair) {
	m := merging[pair]{nodes: c.nodes, words: pairs, starts: starts, two: mergeTwo}
	m.into(dst, scratch)
}

// merging is a cascade over words of a kind.
type merging[W any] struct {
	nodes  []cascadeNode
	words  []W
	starts []int32
	two    func(out, a, b []W)
}

func (m *merging[W]) into(dst, scratch []W) {
	if root := len(m.nodes) - 1; m.nodes[root].run >= 0 {
		copy(dst, m.words)
	} else {
		m.node(root, dst, scratch)
	}
}

// node returns the words of a node, which are those of its run or in dst: depth first, so that small merges stay in the nearest cache. dst
// and scratch have the node's size.
func (m *merging[W]) node(at int, dst, scratch []W) []W {
	n := &m.nodes[at]
	if n.run >= 0 {
		return m.words[m.starts[n.run]:m.starts[n.run+1]]
	}
	size := m.nodes[n.left].size
	a := m.node(int(n.left), scratch[:size], dst[:size])
	b := m.node(int(n.right), scratch[size:], dst[size:])
	m.two(dst, a, b)
	return dst
}
