package peerrun

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// System is a peer.
type System struct {
	Name   string
	script string // in the folder of runners
	env    string // the environment that has it
	tracks string // that it has
	// cost is about how many nanoseconds a row of a cell costs on a track in all, checks and rounds included.
	cost float64
	// most is the number of rows above which it is left out, as it would take too long; 0 is any number.
	most int64
}

// systems are all peers, in the order of the tables.
var systems = []System{
	{"polars", "run_polars.py", "engines", "AB", 1_000, 0},
	{"pyarrow", "run_pyarrow.py", "engines", "AB", 1_500, 0},
	{"duckdb", "run_duckdb.py", "engines", "AB", 4_000, 0},
	{"datafusion", "run_datafusion.py", "engines", "AB", 2_500, 0},
	{"clickhouse", "run_clickhouse.py", "engines", "A", 3_000, 0},
	{"lakesoul", "run_lakesoul.py", "lakesoul", "B", 2_000, 0},
	{"pypaimon-rust", "run_pypaimon_rust.py", "paimon", "B", 6_000, 2_000_000},
	{"paimon-java", "run_paimon_java.py", "paimon", "B", 15_000, 2_000_000},
	{"pypaimon", "run_pypaimon.py", "paimon", "B", 50_000, 1_000_000},
}

// Names are the names of all systems.
func Names() []string {
	var names []string
	for _, s := range systems {
		names = append(names, s.Name)
	}
	return names
}

// Find returns the systems of these names, all for none. A name without a system is an error.
func Find(names []string) ([]System, error) {
	if len(names) == 0 {
		return systems, nil
	}
	var found []System
	for _, name := range names {
		i := slices.IndexFunc(systems, func(s System) bool { return s.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("no system %q; there are %s", name, strings.Join(Names(), ", "))
		}
		found = append(found, systems[i])
	}
	return found, nil
}

// Has says whether the system takes part on a track.
func (s System) Has(track string) bool { return strings.Contains(s.tracks, track) }

// Runners is where the programs of peers are.
type Runners struct {
	Dir  string // of the programs
	Envs string // of the Python environments, and of drain.so
}

// command is the program of a system.
func (r Runners) command(s System) (*exec.Cmd, error) {
	envs, err := filepath.Abs(r.Envs)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(filepath.Join(envs, s.env, "bin", "python"), filepath.Join(r.Dir, s.script))
	cmd.Env = append(os.Environ(), "BRAID_DRAIN="+filepath.Join(envs, "drain.so"), "PYTHONDONTWRITEBYTECODE=1")
	return cmd, nil
}
