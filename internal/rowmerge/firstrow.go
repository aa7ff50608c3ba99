package rowmerge

// firstRow keeps the first version. Retracts are skipped with ignore-delete and are errors without.
type firstRow struct {
	passLone
	ignoreDelete bool
	faults       *faults

	first   *Row
	sawHigh bool // a version that was not skipped has a level of 1 or more
}

func (f *firstRow) reset() { f.first, f.sawHigh = nil, false }

func (f *firstRow) add(v Version) {
	if isRetract(v.Kind) {
		if !f.ignoreDelete {
			f.faults.at(v, "", failf(KindDeleteNotAccepted, "By default, First row merge engine can not accept "+
				"DELETE/UPDATE_BEFORE records. You can config 'ignore-delete' to ignore them."))
		}
		return
	}
	if f.first == nil {
		f.first = f.lone(v)
	}
	if v.Level >= 1 {
		f.sawHigh = true
	}
}

func (f *firstRow) result() *Row { return f.first }
