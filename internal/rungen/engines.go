package rungen

import "maps"

// drawEngine draws the merge engine, its options, the row kinds, and the columns that go with them.
func (s *Spec) drawEngine(src *source) {
	s.Options = map[string]string{}
	s.drawKinds(src)
	retracts := s.holdsRetracts()
	if src.oneIn(3) {
		s.Options["braid.strict"] = "true"
	}
	if src.oneIn(8) {
		s.Options["ignore-update-before"] = "true"
	}
	switch src.intn(5) {
	case 0, 1:
		s.drawDeduplicate(src)
	case 2:
		s.drawFirstRow(src, retracts)
	default:
		s.drawPartialUpdate(src, retracts)
	}
}

func (s *Spec) drawKinds(src *source) {
	if src.oneIn(10) {
		s.KindText = pick(src, Inserts, Adds, Some, Many)
		return
	}
	s.Kinds = pick(src, NoKinds, NoKinds, Inserts, Adds, Adds, Some, Some, Some, Many, Retracts)
}

func holdsRetracts(word Kinds) bool { return word == Some || word == Many || word == Retracts }

func (s *Spec) drawDeduplicate(src *source) {
	if src.oneIn(2) {
		s.Options["merge-engine"] = pick(src, "deduplicate", "Deduplicate")
	}
	s.drawSequence(src)
	if src.oneIn(4) {
		s.ignoreDelete(src)
	}
}

func (s *Spec) drawFirstRow(src *source, retracts bool) {
	s.Options["merge-engine"] = "first-row"
	if retracts && !src.oneIn(8) || src.oneIn(4) {
		s.ignoreDelete(src)
	}
}

func (s *Spec) drawPartialUpdate(src *source, retracts bool) {
	s.Options["merge-engine"] = "partial-update"
	s.drawSequence(src)
	if src.oneIn(12) {
		s.Options["fields.default-aggregate-function"] = "last_non_null_value"
	}
	s.drawDeletes(src, retracts)
}

// drawDeletes draws what becomes of retracts in a partial update. Now and then there are some that it does not take.
func (s *Spec) drawDeletes(src *source, retracts bool) {
	if !retracts && !src.oneIn(4) || src.oneIn(10) {
		return
	}
	if src.oneIn(2) {
		s.ignoreDelete(src)
		return
	}
	s.Options["partial-update.remove-record-on-delete"] = pick(src, "true", "TRUE")
}

// ignoreDelete sets ignore-delete under one of the names it has, now and then beside another that comes before it.
func (s *Spec) ignoreDelete(src *source) {
	key := "ignore-delete"
	if src.oneIn(4) {
		key = pick(src, "first-row.ignore-delete", "deduplicate.ignore-delete", "partial-update.ignore-delete")
		if src.oneIn(8) {
			s.Options["ignore-delete"] = pick(src, "false", "true")
		}
	}
	s.Options[key] = "true"
}

// drawSequence draws the columns of sequence.field: few values, so that there are ties.
func (s *Spec) drawSequence(src *source) {
	if !src.oneIn(4) {
		return
	}
	for range pick(src, 1, 1, 2) {
		c := Column{Type: anyType(src), Distinct: pick(src, 0, 2, 5, 50), Nulls: pick(src, NoNulls, NoNulls, FewNulls, HalfNulls, AllNull)}
		if src.oneIn(6) {
			c.Type = pick(src, nestedTypes...).String()
		}
		c.Style = styleFor(src, c.Type)
		s.Sequence = append(s.Sequence, c)
	}
	if src.oneIn(2) {
		s.Options["sequence.field.sort-order"] = pick(src, "descending", "ascending", "DESCENDING")
	}
}

// wrongOptions are sets of options that no table may have, beside key column k0.
var wrongOptions = []map[string]string{
	{"merge-engine": "upsert"},
	{"merge-engine": "first-row", "sequence.field": "k0"},
	{"merge-engine": "first-row", "changelog-producer": "input"},
	{"merge-engine": "partial-update", "ignore-delete": "true", "partial-update.remove-record-on-delete": "true"},
	{"merge-engine": "partial-update", "fields.k0.sequence-group": "nowhere"},
	{"merge-engine": "partial-update", "fields.k0.sequence-group": "k0"},
	{"merge-engine": "partial-update", "partial-update.remove-record-on-sequence-group": "k0"},
	{"merge-engine": "partial-update-validity"},
	{"merge-engine": "partial-update-validity", "fields.default-aggregate-function": "last_value"},
	{"merge-engine": "aggregation", "fields.default-aggregate-function": "median"},
	{"merge-engine": "partial-update", "fields.default-aggregate-function": "sum"},
	{"sequence.field": "k0", "fields.k0.aggregate-function": "max"},
	{"ignore-delete": "perhaps"},
	{"sequence.field": "nowhere"},
	{"sequence.field": "k0, k0"},
	{"sequence.field": "k0", "sequence.snapshot-ordering": "true"},
	{"sequence.field.sort-order": "up"},
	{"rowkind.field": "nowhere"},
	{"fields.nowhere.ignore-retract": "true"},
	{"fields.k0.no-such-option": "true"},
	{"primary-key.nullable": ""},
	{"braid.strict": "yes"},
}

// spoilOptions sets options that are wrong.
func (s *Spec) spoilOptions(src *source) { maps.Copy(s.Options, pick(src, wrongOptions...)) }
