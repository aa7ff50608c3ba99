package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/braidmerge/braid/internal/cputier"
)

// versionCommand is the command line of version.
type versionCommand struct {
	JSON bool `name:"json" help:"Write JSON."`
}

// versionReport is what this program is and what it runs on.
type versionReport struct {
	Version  string   `json:"version"` // of the module; "(devel)" for one that was built from its source
	Commit   string   `json:"commit,omitempty"`
	Modified bool     `json:"modified,omitempty"` // the source was not that of the commit
	Built    string   `json:"commit_time,omitempty"`
	Go       string   `json:"go"`
	Platform string   `json:"platform"`
	Tags     string   `json:"tags,omitempty"`
	Tier     string   `json:"cpu_tier"`  // instructions in use
	Tiers    []string `json:"cpu_tiers"` // those that this build has on this processor
	TierNote string   `json:"cpu_tier_note,omitempty"`
	L2Bytes  int      `json:"l2_bytes"`
	Arrow    string   `json:"arrow,omitempty"`
}

// Run shows the version.
func (c *versionCommand) Run(std *streams) error {
	r := newVersionReport()
	if c.JSON {
		return json.NewEncoder(std.out).Encode(r)
	}
	_, err := fmt.Fprint(std.out, r.text())
	return err
}

func newVersionReport() versionReport {
	r := versionReport{
		Version: "unknown", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Tier: cputier.Current().String(), L2Bytes: cputier.L2Bytes(),
	}
	for _, tier := range cputier.All() {
		r.Tiers = append(r.Tiers, tier.String())
	}
	if err := cputier.EnvError(); err != nil {
		r.TierNote = err.Error()
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return r
	}
	r.Version = info.Main.Version
	for _, dependency := range info.Deps {
		if dependency.Path == "github.com/apache/arrow/go/v17" {
			r.Arrow = dependency.Version
		}
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	r.Commit, r.Built, r.Tags = settings["vcs.revision"], settings["vcs.time"], settings["-tags"]
	r.Modified = settings["vcs.modified"] == "true"
	return r
}

func (r versionReport) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "braid %s", r.Version)
	if r.Commit != "" {
		fmt.Fprintf(&b, ", commit %.12s", r.Commit)
	}
	if r.Modified {
		b.WriteString(" with changes")
	}
	fmt.Fprintf(&b, "\n%s, %s", r.Go, r.Platform)
	if r.Tags != "" {
		fmt.Fprintf(&b, ", tags %s", r.Tags)
	}
	fmt.Fprintf(&b, "\nCPU tier %s (of %s), L2 cache %s\n", r.Tier, strings.Join(r.Tiers, ", "), bytesText(int64(r.L2Bytes)))
	if r.TierNote != "" {
		fmt.Fprintln(&b, r.TierNote)
	}
	return b.String()
}
