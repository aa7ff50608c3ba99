package cells

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/braidmerge/braid/bench/measure"
	"github.com/braidmerge/braid/bench/workload"
	"github.com/braidmerge/braid/kernel"
)

// System is the name of this library among the systems measured.
const System = "braid"

// The tracks.
const (
	TrackMemory = "A"
	TrackFiles  = "B"
)

// What kept a cell from having figures begins with one of these.
const (
	NotSupported = "not supported"
	WrongAnswer  = "wrong answer"
	Missing      = "missing"
	LeftOut      = "left out"
	Failed       = "failed"
)

// Line is what is known of one cell of one system. Times are nanoseconds for an input row.
type Line struct {
	System  string `json:"system"`
	Version string `json:"version,omitempty"`
	Form    string `json:"form,omitempty"` // the way a system was asked, where there are several
	Cell    string `json:"cell"`
	Track   string `json:"track"`
	Format  string `json:"format,omitempty"` // of the files, on track B

	Workload string  `json:"workload"`
	Job      string  `json:"job"`
	Key      string  `json:"key"`
	Runs     int     `json:"k"`
	Share    float64 `json:"superseded_share"`
	Layout   string  `json:"layout"`
	Columns  string  `json:"columns"`

	Rows    int64  `json:"rows"`
	RowsOut int64  `json:"rows_out,omitempty"`
	Hash    string `json:"hash,omitempty"`
	Ordered bool   `json:"ordered"` // the result comes in the order of the key
	Tier    string `json:"tier,omitempty"`
	Threads int    `json:"threads"`
	Pooled  bool   `json:"pooled,omitempty"` // records are written to memory of a kernel.Pool
	Views   bool   `json:"views,omitempty"`  // text is put out as views
	Mapped  bool   `json:"mapped,omitempty"` // the input is in memory that is none of the garbage collector\'s, on track A
	Rounds  int    `json:"rounds,omitempty"`

	NS          measure.Spread `json:"ns,omitzero"`
	CPU         measure.Spread `json:"cpu_ns,omitzero"`
	GBs         float64        `json:"gb_per_second,omitempty"`          // of input
	CopyFloor   float64        `json:"copy_floor_ns,omitempty"`          // the bytes in and out at the speed of copying
	DecodeCPU   float64        `json:"decode_cpu_ns,omitempty"`          // reading the files and nothing else, on track B
	Allocations *int64         `json:"allocations_per_window,omitempty"` // beyond those a record is made of; absent if not known
	Windows     int64          `json:"windows,omitempty"`
	Held        int64          `json:"held_bytes,omitempty"`     // the most the merge had in hand
	PeakRSS     int64          `json:"peak_rss_bytes,omitempty"` // of the process, its input in memory on track A
	Beside      int64          `json:"beside_bytes,omitempty"`   // the most memory the process had beside what it had before the first merge
	Stages      *Stages        `json:"stages,omitempty"`

	// Status says why there are no figures; it is empty where there are.
	Status string `json:"status,omitempty"`

	Date    time.Time `json:"date"`
	Machine string    `json:"machine,omitempty"`
	Go      string    `json:"go,omitempty"`
}

// Stages is the wall time of the stages of a merge, in nanoseconds for an input row.
type Stages struct {
	Read     float64 `json:"read"`
	Cut      float64 `json:"cut"`
	Order    float64 `json:"order"`
	Groups   float64 `json:"groups"`
	Masks    float64 `json:"masks"`
	Columns  float64 `json:"columns"`
	Column   float64 `json:"column"` // the mean of one output column
	Assemble float64 `json:"assemble"`
}

func stagesOf(t kernel.StageTimes, rows int64, columns int) *Stages {
	per := func(d time.Duration) float64 { return float64(d) / float64(rows) }
	return &Stages{Read: per(t.Read), Cut: per(t.Cut), Order: per(t.Order), Groups: per(t.Groups), Masks: per(t.Masks),
		Columns: per(t.Columns), Column: per(t.Columns) / float64(columns), Assemble: per(t.Assemble)}
}

// NewLine begins the line of a system for a cell on a track.
func NewLine(system string, n workload.Name, m *workload.Manifest, track, format string) Line {
	l := Line{System: system, Cell: n.String(), Track: track, Format: format, Workload: n.Data(), Job: n.Job, Key: n.Key, Runs: n.Runs,
		Share: float64(n.Share) / 100, Layout: n.Layout, Columns: n.Columns, Threads: 1, Date: time.Now().UTC().Truncate(time.Second), Machine: Machine()}
	if m != nil {
		l.Rows, l.Share = m.Rows, m.Superseded
	}
	return l
}

// Subject is what a line is about; lines of the same subject can be compared.
type Subject struct {
	System, Cell, Track, Format, Tier string
	Threads                           int
	Pooled, Mapped, Views             bool
}

// Subject returns what the line is about.
func (l *Line) Subject() Subject {
	return Subject{l.System, l.Cell, l.Track, l.Format, l.Tier, l.Threads, l.Pooled, l.Mapped, l.Views}
}

// String names the subject.
func (s Subject) String() string {
	text := s.Cell + " " + s.Track
	if s.Format != "" {
		text += "/" + s.Format
	}
	if s.System != System {
		text = s.System + " " + text
	}
	if s.Threads != 1 {
		text += fmt.Sprintf(" %d threads", s.Threads)
	}
	if s.Pooled {
		text += " pooled"
	}
	if s.Mapped {
		text += " mapped"
	}
	if s.Views {
		text += " views"
	}
	return text
}

// Name names the system and how its result comes, where that is not as records of its own, in order.
func (l *Line) Name() string {
	name := l.System
	if l.Views {
		name += ", views"
	}
	if l.Pooled {
		name += ", pooled"
	}
	if l.Timed() && !l.Ordered {
		name += ", no order"
	}
	return name
}

// Timed says whether the line has figures.
func (l *Line) Timed() bool { return l.Status == "" && l.Rows > 0 }

// WriteTo writes the line as JSON.
func (l *Line) WriteTo(w io.Writer) (int64, error) {
	text, err := json.Marshal(l)
	if err != nil {
		return 0, err
	}
	n, err := w.Write(append(text, '\n'))
	return int64(n), err
}

// Read reads the lines of a file.
func Read(path string) ([]Line, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var lines []Line
	scanner := bufio.NewScanner(f)
	scanner.Buffer(nil, 1<<20)
	for number := 1; scanner.Scan(); number++ {
		if len(scanner.Bytes()) == 0 {
			continue
		}
		var l Line
		if err := json.Unmarshal(scanner.Bytes(), &l); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, number, err)
		}
		if l.Cell == "" || l.System == "" {
			return nil, fmt.Errorf("%s:%d: %w", path, number, errors.New("no line of a benchmark"))
		}
		lines = append(lines, l)
	}
	return lines, scanner.Err()
}
