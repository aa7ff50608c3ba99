//go:build !invariants

package invariants

// Enabled is true in a checked build.
const Enabled = false
