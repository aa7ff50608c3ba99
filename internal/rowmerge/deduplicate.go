package rowmerge

// deduplicate keeps the last version.
type deduplicate struct {
	passLone
	ignoreDelete bool

	latest *Row
}

func (d *deduplicate) reset() { d.latest = nil }

func (d *deduplicate) add(v Version) {
	if d.ignoreDelete && isRetract(v.Kind) {
		return
	}
	d.latest = d.lone(v)
}

func (d *deduplicate) result() *Row { return d.latest }
