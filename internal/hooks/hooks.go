// Package hooks holds what tests of other packages may switch in the kernel and no user can.
package hooks

import "sync/atomic"

// MergeLoneRecords makes plans compiled while it is set hand a record that is alone with its key to the merge engine like
// any other. Merge functions are specified record by record; the rule that a lone record passes unchanged lies around them.
// It holds for all plans of the process: what puts cases to the kernel, which may set it, must not run beside other tests.
var MergeLoneRecords atomic.Bool
