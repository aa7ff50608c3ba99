package rowmerge

import (
	"fmt"
	"slices"
)

// BuildHll gives the bytes of an HLL sketch of integers; form is HLL_4, HLL_6 or HLL_8.
func BuildHll(ints []int64, lgK int, form string) ([]byte, error) {
	f := slices.Index([]string{"HLL_4", "HLL_6", "HLL_8"}, form)
	if f < 0 || lgK < 4 || lgK > 21 {
		return nil, fmt.Errorf("no HLL sketch of form %q and lgK %d", form, lgK)
	}
	h := newHll(lgK)
	for _, n := range ints {
		h.add(hllCoupon(n))
	}
	return h.write(f), nil
}

// BuildTheta gives the bytes of a theta sketch of integers. It keeps all hashes up to 15/8 of the nominal number and cuts
// them to that number when there are more.
func BuildTheta(ints []int64, nominal int) []byte {
	t := theta{theta: thetaOne}
	for _, n := range ints {
		h1, _ := hashInt(n)
		h := h1 >> 1
		at, found := slices.BinarySearch(t.hashes, h)
		if h == 0 || h >= t.theta || found {
			continue
		}
		t.hashes = slices.Insert(t.hashes, at, h)
		if len(t.hashes) > 15*nominal/8 {
			t.theta = t.hashes[nominal]
			t.hashes = t.hashes[:nominal]
		}
	}
	return t.write()
}
