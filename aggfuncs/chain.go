package aggfuncs

import "github.com/braidmerge/braid/columnar"

// chain is the items of one group in their order, with a hash table that finds the first item of a key. Items of equal keys
// are twins. Everything but a walk takes the same time however long the chain is.
//
//	order    a  b  a  c        twins: the first a and the second
//	find a   the first a; taken out, the second is the first
//
// It is scratch memory: reset empties it and keeps what it has allocated.
type chain struct {
	columns    []*columnar.View // what makes the key of an item, row by row
	equalities []*equality

	slots   []int32 // hash table: class + 1, or 0
	classes []class
	nodes   []node

	head, tail int32 // nodes, or none
	size       int
	twins      []int32 // classes that have, or had, more than one node
	epoch      int32
}

// class is the items of one key.
type class struct {
	hash        uint64
	row         uint32 // an item of the key
	first, last int32  // nodes, or none
	epoch       int32  // of the last operation that has met the key
}

// node is an item. A key and a value are rows of the child.
type node struct {
	key, value uint32
	class      int32 // or none: an item that is not looked for
	prev, next int32
	twin       int32 // the next node of the class
}

const none = -1

// fewSlots is how many slots a table begins with.
const fewSlots = 16

// reset empties the chain.
func (c *chain) reset() {
	if c.slots == nil {
		c.slots = make([]int32, fewSlots)
	}
	c.slots = c.slots[:fewSlots]
	clear(c.slots)
	c.classes, c.nodes, c.twins = c.classes[:0], c.nodes[:0], c.twins[:0]
	c.head, c.tail, c.size, c.epoch = none, none, 0, 0
}

func (c *chain) hash(row uint32) uint64 {
	h := uint64(0)
	for i, e := range c.equalities {
		h = mix(h, e.hash(c.columns[i], int(row)))
	}
	return h
}

func (c *chain) equal(a, b uint32) bool {
	for i, e := range c.equalities {
		if !e.equal(c.columns[i], int(a), int(b)) {
			return false
		}
	}
	return true
}

// classOf returns the class of an item, which may have no node.
func (c *chain) classOf(row uint32) int32 {
	h := c.hash(row)
	mask := uint64(len(c.slots) - 1)
	at := h & mask
	for ; c.slots[at] != 0; at = (at + 1) & mask {
		k := c.slots[at] - 1
		if c.classes[k].hash == h && c.equal(c.classes[k].row, row) {
			return k
		}
	}
	k := int32(len(c.classes))
	c.classes = append(c.classes, class{hash: h, row: row, first: none, last: none})
	c.slots[at] = k + 1
	if 2*len(c.classes) > len(c.slots) {
		c.enlarge()
	}
	return k
}

func (c *chain) enlarge() {
	n := 2 * len(c.slots)
	c.slots = grown(c.slots, n)
	clear(c.slots)
	mask := uint64(n - 1)
	for k := range c.classes {
		at := c.classes[k].hash & mask
		for c.slots[at] != 0 {
			at = (at + 1) & mask
		}
		c.slots[at] = int32(k) + 1
	}
}

// first returns the first node of an item's key, or none, and the key's class.
func (c *chain) first(row uint32) (n, k int32) {
	k = c.classOf(row)
	return c.classes[k].first, k
}

// add makes a node that is in no order yet.
func (c *chain) add(k int32, key, value uint32) int32 {
	c.nodes = append(c.nodes, node{key: key, value: value, class: k, twin: none})
	return int32(len(c.nodes) - 1)
}

// linkBack puts a node behind all others.
func (c *chain) linkBack(n int32) {
	x := &c.nodes[n]
	x.prev, x.next = c.tail, none
	if c.tail == none {
		c.head = n
	} else {
		c.nodes[c.tail].next = n
	}
	c.tail = n
	c.size++
	if x.class == none {
		return
	}
	k := &c.classes[x.class]
	if k.first == none {
		k.first = n
	} else {
		c.nodes[k.last].twin = n
		c.twins = append(c.twins, x.class)
	}
	k.last = n
}

// linkFront puts a node before all others.
func (c *chain) linkFront(n int32) {
	c.orderFront(n)
	x := &c.nodes[n]
	if x.class == none {
		return
	}
	k := &c.classes[x.class]
	x.twin = k.first
	k.first = n
	if k.last == none {
		k.last = n
	} else {
		c.twins = append(c.twins, x.class)
	}
}

// orderFront puts a node before all others in the order only.
func (c *chain) orderFront(n int32) {
	x := &c.nodes[n]
	x.prev, x.next = none, c.head
	if c.head == none {
		c.tail = n
	} else {
		c.nodes[c.head].prev = n
	}
	c.head = n
	c.size++
}

// enter makes a node the only one of its class, without a place in the order.
func (c *chain) enter(n int32) {
	k := &c.classes[c.nodes[n].class]
	k.first, k.last = n, n
}

// unlink takes a node out of the order, not out of its class.
func (c *chain) unlink(n int32) {
	x := &c.nodes[n]
	if x.prev == none {
		c.head = x.next
	} else {
		c.nodes[x.prev].next = x.next
	}
	if x.next == none {
		c.tail = x.prev
	} else {
		c.nodes[x.next].prev = x.prev
	}
	c.size--
}

// removeFirst takes the first node of a class out.
func (c *chain) removeFirst(k int32) {
	x := &c.classes[k]
	c.unlink(x.first)
	if x.first = c.nodes[x.first].twin; x.first == none {
		x.last = none
	}
}

// removeAll takes all nodes of a class out.
func (c *chain) removeAll(k int32) {
	for c.classes[k].first != none {
		c.removeFirst(k)
	}
}

// popBack takes the last node out. It has no twin.
func (c *chain) popBack() {
	n := c.tail
	c.unlink(n)
	if k := c.nodes[n].class; k != none {
		c.classes[k].first, c.classes[k].last = none, none
	}
}

// pushBack adds an item behind all others.
func (c *chain) pushBack(row uint32) { c.linkBack(c.add(c.classOf(row), row, row)) }

// pushFront adds an item before all others.
func (c *chain) pushFront(row uint32) { c.linkFront(c.add(c.classOf(row), row, row)) }

// pushPlain adds an item that is not looked for.
func (c *chain) pushPlain(row uint32) { c.linkBack(c.add(none, row, row)) }

// unify leaves only the first of every set of twins, with the value of the last if latest is set.
func (c *chain) unify(latest bool) {
	for _, k := range c.twins {
		x := &c.classes[k]
		if x.first == none {
			continue
		}
		first := &c.nodes[x.first]
		if latest {
			first.value = c.nodes[x.last].value
		}
		for n := first.twin; n != none; n = c.nodes[n].twin {
			c.unlink(n)
		}
		first.twin, x.last = none, x.first
	}
	c.twins = c.twins[:0]
}

// met says whether a key has been met in the operation at hand, and notes that it has.
func (c *chain) met(k int32) bool {
	before := c.classes[k].epoch
	c.classes[k].epoch = c.epoch
	return before == c.epoch
}
