package repotest

import (
	"bytes"
	"path"
	"regexp"
	"slices"
)

// The patterns are written so that they do not match their own source.
var (
	// laterMark matches a mark for work left to do.
	laterMark = regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME)\b`)
	// machinePath matches a path of one machine: an absolute path into a
	// home, a scratch or a work folder.
	machinePath = regexp.MustCompile(`(^|[^\w./~}-])/(work|tmp|root|home|Users)(/|\b)`)
)

// checkWords returns the lines of a text file that say what no file may say.
func checkWords(name string, text []byte) []Violation {
	var broken []Violation
	for i, line := range bytes.Split(text, []byte("\n")) {
		if path.Ext(name) == ".go" && laterMark.Match(line) {
			broken = append(broken, Violation{File: name, Line: i + 1, What: "a mark for work left to do: " + string(laterMark.Find(line))})
		}
		if machinePath.Match(line) {
			broken = append(broken, Violation{File: name, Line: i + 1, What: "a path of one machine: " + string(bytes.TrimSpace(line))})
		}
	}
	return broken
}

// isText reports whether a file is one that people write and read.
func isText(name string) bool {
	kinds := []string{".go", ".s", ".md", ".py", ".sh", ".mod"}
	names := []string{"Makefile", ".ci/run", ".gitignore", ".gitattributes"}
	return slices.Contains(kinds, path.Ext(name)) || slices.Contains(names, name)
}
