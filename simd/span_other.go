//go:build !amd64 || purego

package simd

// normals64Tier and normals32Tier say that no tier has a faster loop: none of the integers are done.
func normals64Tier([]uint64, []int64, uint64, *Span) (done int) { return 0 }

func normals32Tier([]uint64, []int32, uint64, *Span) (done int) { return 0 }
