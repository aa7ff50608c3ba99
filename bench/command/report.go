package command

import (
	"bytes"
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/braidmerge/braid/bench/cells"
	"github.com/braidmerge/braid/bench/pictures"
	"github.com/braidmerge/braid/bench/report"
	"github.com/braidmerge/braid/bench/workload"
)

// reportCommand is the command line of report.
type reportCommand struct {
	Lines    []string `arg:"" help:"Files of lines, of run and of peers."`
	Document string   `default:"../docs/benchmarks.md" placeholder:"FILE" help:"Document whose figures are replaced."`
	Drawn    string   `default:"*/int64/k8,*/int64/*/dup10" placeholder:"PATTERN" help:"Cells that pictures are drawn of."`
	Pictures string   `default:"../docs/bench" placeholder:"DIR" help:"Directory of the pictures."`
}

// Help is what --help says beside the flags.
func (*reportCommand) Help() string {
	return `Writes the figures into the document between its marks: the cells where this library falls short first, then the tables, then the pictures, which are drawn anew.`
}

// Run reports.
func (c *reportCommand) Run() error {
	lines, err := readAll(c.Lines)
	if err != nil {
		return err
	}
	document, err := os.ReadFile(c.Document)
	if err != nil {
		return err
	}
	var pictured []cells.Line
	for _, l := range lines {
		ok, err := workload.Matches(c.Drawn, l.Cell)
		if err != nil {
			return usagef("--drawn: %v", err)
		}
		if ok {
			pictured = append(pictured, l)
		}
	}
	drawn, err := pictures.Draw(pictured, c.Pictures)
	if err != nil && !errors.Is(err, pictures.ErrNothing) {
		return err
	}
	dir, err := filepath.Rel(filepath.Dir(c.Document), c.Pictures)
	if err != nil {
		return err
	}
	var links []string
	for _, name := range drawn {
		if strings.HasSuffix(name, ".svg") {
			links = append(links, path.Join(filepath.ToSlash(dir), filepath.Base(name)))
		}
	}
	var figures bytes.Buffer
	if err := report.Figures(&figures, lines, links); err != nil {
		return err
	}
	text, err := report.Insert(string(document), figures.String())
	if err != nil {
		return err
	}
	return os.WriteFile(c.Document, []byte(text), 0o666)
}

// readAll reads the lines of files.
func readAll(paths []string) ([]cells.Line, error) {
	var lines []cells.Line
	for _, p := range paths {
		read, err := cells.Read(p)
		if err != nil {
			return nil, err
		}
		lines = append(lines, read...)
	}
	return lines, nil
}
