//go:build (amd64 || arm64) && !purego

package simd

func turnTier(columns *[8]uint64, rows *[64]byte) (done bool) {
	if !hasVectors() {
		return false
	}
	turnVector(columns, rows)
	return true
}

// turnsInOrder says whether bytes in the order of rows are turned as fast as any.
func turnsInOrder() bool { return hasVectors() }

// turnVector is turnPortable.
//
//go:noescape
func turnVector(columns *[8]uint64, rows *[64]byte)
