package rungen

// digit is one key column's part in the key ids.
type digit struct {
	pool   *pool
	null   bool  // the digit 0 stands for NULL
	size   int64 // digits of this column
	stride int64 // ids between two digits that follow each other
}

// maxUniverse bounds the number of keys, so that ids stay far from overflow.
const maxUniverse = 1 << 40

// keyDigits makes the pools of the key columns so that their product is about wanted keys, and returns with them how many
// keys that makes.
func (s Spec) keyDigits(wanted int) ([]digit, int) {
	sizes := s.poolSizes(wanted)
	digits := make([]digit, len(s.Keys))
	universe := int64(1)
	for i := len(digits) - 1; i >= 0; i-- {
		dt, _ := typeNamed(s.Keys[i].Type)
		d := digit{null: s.Keys[i].holdsNulls(), stride: universe}
		d.pool = newPool(dt, s.Keys[i].Style, sizes[i], stream(s.Seed, "pool of "+keyName(s.Keys[i], i), -1))
		d.size = int64(d.pool.keys)
		if d.null {
			d.size++
		}
		if universe*d.size > maxUniverse {
			d.size = max(maxUniverse/universe, 1)
		}
		digits[i] = d
		universe *= d.size
	}
	return digits, int(universe)
}

func (c Column) holdsNulls() bool { return c.Nulls != NoNulls && c.Nulls != AllValid }

// poolSizes shares the wanted number of keys out among the key columns: small factors, and the rest for one column of a
// type that has many values.
func (s Spec) poolSizes(wanted int) []int {
	src := stream(s.Seed, "pool sizes", -1)
	sizes := make([]int, len(s.Keys))
	rest, last := wanted, 0
	for i, c := range s.Keys {
		if dt, _ := typeNamed(c.Type); domainBits(dt) > 16 && (sizes[last] == 0 || src.oneIn(2)) {
			last = i
		}
	}
	for i, c := range s.Keys {
		if i == last && c.Distinct == 0 {
			continue
		}
		sizes[i] = c.Distinct
		if sizes[i] == 0 {
			sizes[i] = min(pick(src, 1, 2, 3, 5, 8, 20, 300), max(rest, 1))
		}
		rest = (rest + sizes[i] - 1) / sizes[i]
	}
	if sizes[last] == 0 {
		sizes[last] = max(rest, 1)
	}
	return sizes
}

// cells returns the column's cells in rows with the given ids.
func (d digit) cells(ids []int64, src *source) cells {
	c := cells{pool: d.pool, at: make([]int32, len(ids))}
	if d.null {
		c.valid = validMask(AllValid, len(ids), src)
	}
	nan := int64(d.pool.keys)
	if d.pool.keys < d.pool.size {
		nan--
	}
	for i, id := range ids {
		v := id / d.stride % d.size
		if d.null {
			v--
		}
		switch {
		case v < 0:
			c.valid.clear(i)
			v = int64(src.intn(d.pool.size))
		case v == nan:
			v += int64(src.intn(d.pool.size - d.pool.keys + 1))
		}
		c.at[i] = int32(v)
	}
	return c
}
