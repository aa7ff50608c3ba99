package fuzz

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/braidmerge/braid/internal/rowmerge"
)

// checkLookupMerge merges the versions of one key by their levels.
func (j judged) checkLookupMerge(c Case) error {
	p, err := c.problem()
	if err != nil {
		return err
	}
	versions, err := c.versions(p.Schema.Fields())
	if err != nil {
		return err
	}
	got, err := p.LookupMerge(versions)
	if done, wrong := c.checkError(err); done {
		return wrong
	}
	return c.diffOne(c.Expect.Result, got, p.Schema.Fields())
}

// checkChangelog compacts the versions of one key.
func (j judged) checkChangelog(c Case) error {
	p, err := c.problem()
	if err != nil {
		return err
	}
	got, err := c.changes(p)
	if done, wrong := c.checkError(err); done {
		return wrong
	}
	want, err := rowsOf(c.Expect.Changelog, p.Schema.Fields())
	if err != nil {
		return err
	}
	if err := c.diff(want, got.Changelog); err != nil {
		return fmt.Errorf("changelog: %w", err)
	}
	return c.diffOne(c.Expect.Result, got.Result, p.Schema.Fields())
}

func (c Case) changes(p rowmerge.Problem) (rowmerge.Changes, error) {
	p.Options["changelog-producer"] = c.Producer
	versions, err := c.versions(p.Schema.Fields())
	if err != nil {
		return rowmerge.Changes{}, err
	}
	if c.Producer == "full-compaction" {
		return p.FullChangelog(versions, c.MaxLevel)
	}
	if c.Lookup == nil {
		return p.LookupChangelog(versions, nil)
	}
	row, err := c.Lookup.row(p.Schema.Fields())
	if err != nil {
		return rowmerge.Changes{}, err
	}
	return p.LookupChangelog(versions, &rowmerge.Version{Row: row, Level: c.Lookup.Level})
}

// checkPartition divides files into sections and runs. The order of the runs of a section is free.
func checkPartition(c Case) error {
	var files []rowmerge.Interval
	for _, i := range c.Intervals {
		files = append(files, rowmerge.Interval{Min: i[0], Max: i[1]})
	}
	return c.comparePartition(rowmerge.Partition(files))
}

// comparePartition compares sections of runs of files with those that the case expects.
func (c Case) comparePartition(got [][][]rowmerge.Interval) error {
	var want [][][]rowmerge.Interval
	for _, section := range c.Expect.Sections {
		var runs [][]rowmerge.Interval
		for _, run := range section {
			var files []rowmerge.Interval
			for _, i := range run {
				files = append(files, rowmerge.Interval{Min: i[0], Max: i[1]})
			}
			runs = append(runs, files)
		}
		want = append(want, runs)
	}
	for _, sections := range [][][][]rowmerge.Interval{want, got} {
		for _, runs := range sections {
			slices.SortFunc(runs, func(a, b []rowmerge.Interval) int { return slices.Compare(ends(a), ends(b)) })
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		return fmt.Errorf("sections are %v, want %v", got, want)
	}
	return nil
}

// ends lists the keys of the files of a run.
func ends(run []rowmerge.Interval) []int {
	var keys []int
	for _, f := range run {
		keys = append(keys, f.Min, f.Max)
	}
	return keys
}

// checkValidity merges rows of one key under partial-update-validity. The case gives validity bytes as positions.
func (j judged) checkValidity(c Case) error {
	p, err := c.problem()
	if err != nil {
		return err
	}
	p.NoLoneRecordRule = true
	versions, err := c.versions(p.Schema.Fields())
	if err != nil {
		return err
	}
	if err := c.putValidity(versions); err != nil {
		return err
	}
	got, err := j.Group(p, versions)
	if done, wrong := c.checkError(err); done {
		return wrong
	}
	want := CaseRow{Kind: c.Expect.Kind, Seq: c.Expect.Seq, Values: c.Expect.Values}
	row, err := want.row(p.Schema.Fields())
	row.Values[0] = validityBytes(c.Expect.Valid)
	if err != nil {
		return err
	}
	return c.diff([]rowmerge.Row{row}, []rowmerge.Row{*got})
}

// putValidity puts the validity bytes of a validity case into its rows, whose first value they are.
func (c Case) putValidity(versions []rowmerge.Version) error {
	var rows []CaseRow
	if err := decodeJSON(c.Rows, &rows); err != nil {
		return err
	}
	for i, r := range rows {
		if r.Valid != nil {
			versions[i].Values[0] = validityBytes(*r.Valid)
		}
	}
	return nil
}

func validityBytes(positions []int) []byte {
	var ints []int64
	for _, p := range positions {
		ints = append(ints, int64(p))
	}
	return rowmerge.BuildRbm32(ints)
}

func checkValidityProjection(c Case) error {
	if got := rowmerge.ProjectValidity(c.Mapping, c.Valid); !slices.Equal(got, c.Expect.Valid) {
		return fmt.Errorf("valid is %v, want %v", got, c.Expect.Valid)
	}
	return nil
}

// checkSketch builds bytes from integers.
func checkSketch(c Case) error {
	got, err := c.sketch()
	if err != nil {
		return err
	}
	var text string
	if err := json.Unmarshal(c.Expect.Value, &text); err != nil {
		return err
	}
	want, err := hex.DecodeString(text)
	if err != nil {
		return err
	}
	if slices.Equal(got, want) || c.Function == "rbm64" && rowmerge.SameRbm64(got, want) {
		return nil
	}
	return fmt.Errorf("bytes are %x, want %x", got, want)
}

func (c Case) sketch() ([]byte, error) {
	var ints []int64
	for _, n := range c.Ints {
		i, err := n.Int64()
		if err != nil {
			return nil, err
		}
		ints = append(ints, i)
	}
	if len(c.Range) == 2 {
		for i := c.Range[0]; i < c.Range[1]; i++ {
			ints = append(ints, i)
		}
	}
	switch c.Function {
	case "theta":
		return rowmerge.BuildTheta(ints, orElse(c.Nominal, 4096)), nil
	case "hll":
		return rowmerge.BuildHll(ints, orElse(c.LgK, 12), orElse(c.HllType, "HLL_4"))
	case "rbm32":
		return rowmerge.BuildRbm32(ints), nil
	case "rbm64":
		return rowmerge.BuildRbm64(ints), nil
	}
	return nil, errors.New("no sketch function " + c.Function)
}

// orElse gives v, or the other if v is the zero value.
func orElse[T comparable](v, other T) T {
	if v == *new(T) {
		return other
	}
	return v
}
