package kernel

import (
	"context"
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
)

// Changelog says how a merge makes a changelog beside its result, by the producer that the table's option `changelog-producer`
// names (docs/semantics.md, "Changelogs").
type Changelog struct {
	// TopLevel is the level that a full compaction writes, 1 or more: rows of runs of this level are what was there before.
	TopLevel int
	// Higher is, for the producer lookup, what the levels above the one written have: one sorted run in which no key comes
	// twice. It is read from beginning to end. Its Level has no influence.
	Higher *Run
	// Find looks up, for the producer lookup, what Higher would have: it is asked, window by window, for the keys that no run of
	// level 1 or above has, and returns the rows it finds, in key order, in the columns that files have. Rows of other keys are passed
	// over, nil is no row. The keys are a record of the key columns, good until Find returns; what it returns the merge releases. It
	// is asked once at a time, with WithParallelism in several goroutines.
	Find func(ctx context.Context, keys arrow.Record) (arrow.Record, error)
}

// WithChangelog makes a changelog beside the result; Reader.Changelog hands it out. The merge is that of a compaction then: runs
// have their levels (Run.Level), and it is one of all columns, so that it takes no projection.
//
// With the producer lookup the versions of a key are chosen by level as with ByLevel, and records alone with their key are
// merged too. With the producer full-compaction, and with it alone, retracts are left out of the result even with KeepDeletes.
func WithChangelog(c Changelog) MergeOption { return func(f *config) { f.changelog = &c } }

// Changelog returns the changes that came with the last Next, in key order: the system columns that files have, with the kind
// of the change in `_VALUE_KIND`, then the columns of the table. It is nil if there are none, and good until the next Next unless
// it is retained. A record that came with changes may have no rows, when all results of a window were left out.
//
// The changes are those of the window that the record of the last Next begins; the windows of a merge bound the memory of its
// changelog as they do that of its result.
func (r *Reader) Changelog() arrow.Record { return r.changes }

// ChangelogSchema returns the schema of the changelog, nil without WithChangelog.
func (r *Reader) ChangelogSchema() *arrow.Schema {
	if r.workers.feed.mergers[0].changes == nil {
		return nil
	}
	return r.workers.feed.mergers[0].changes.schema
}

// checkChangelog judges WithChangelog by the plan, the other options and the runs.
func (p *Plan) checkChangelog(c *config, runs []Run) error {
	refuse := func(format string, args ...any) error {
		return fmt.Errorf("%w: WithChangelog %s", ErrOption, fmt.Sprintf(format, args...))
	}
	l, producer := c.changelog, p.options.Changelog
	switch {
	case producer == ChangelogNone:
		return refuse("needs a table whose changelog-producer is not none")
	case len(c.projection) > 0:
		return refuse("takes no WithProjection: a changelog has all columns")
	case c.views:
		return refuse("takes no WithStringViews: results are compared as text")
	case c.byLevel:
		return refuse("takes no ByLevel: the changelog producer says what levels mean")
	case producer == ChangelogFullCompaction && l.TopLevel < 1:
		return refuse("needs the TopLevel that is written, 1 or more, not %d", l.TopLevel)
	case producer != ChangelogLookup && (l.Higher != nil || l.Find != nil):
		return refuse("takes Higher and Find with the producer lookup, not with %v", producer)
	case l.Higher != nil && l.Find != nil:
		return refuse("takes Higher or Find, not both")
	}
	if l.Higher != nil {
		if err := p.checkRun(lookedUp, *l.Higher); err != nil {
			return err
		}
	}
	most := higherLevel - 1
	if producer == ChangelogFullCompaction {
		most = l.TopLevel
	}
	for i, run := range runs {
		if run.Level > most {
			return fmt.Errorf("%w: run %d has level %d, above the top level %d", ErrInternalState, i, run.Level, most)
		}
	}
	return nil
}

// lookedUp is the number of the run of rows that have been looked up.
const lookedUp = -1

// forChangelog returns the plan of a merge that makes a changelog: all columns are read as plain values, which are compared.
func (p *Plan) forChangelog() *Plan {
	q := *p
	q.lone = p.lone && p.options.Changelog != ChangelogLookup
	q.columns = slices.Clone(p.columns)
	for i := range q.columns {
		q.columns[i].whole = true
	}
	return &q
}

// makeChangelog prepares the merger for a changelog.
func (m *merger) makeChangelog() {
	o := &m.plan.options
	m.changes = newChanges(m)
	m.chooser.keepDeletes = m.cfg.keepDeletes || o.Changelog != ChangelogInput
	switch o.Changelog {
	case ChangelogLookup:
		m.levels = &levels{track: true, lowest: o.Engine != FirstRow, adds: o.Engine == FirstRow}
	case ChangelogFullCompaction:
		m.levels = &levels{track: true, top: m.cfg.changelog.TopLevel}
	}
}

// takeChanges hands over the changes of the last window.
func (m *merger) takeChanges() (rec arrow.Record) {
	if m.changes != nil {
		rec, m.changes.record = m.changes.record, nil
	}
	return rec
}
