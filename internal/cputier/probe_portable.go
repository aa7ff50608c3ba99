//go:build purego || !(amd64 || arm64)

package cputier

const buildX86, buildARM = false, false

// probe returns the only level of this build.
func probe() level { return level{tier: Portable} }
