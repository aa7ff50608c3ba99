package kernel_test

import "github.com/braidmerge/braid/internal/invariants"

// checkedBuild is true in a build that takes slow paths at random.
const checkedBuild = invariants.Enabled
