package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"github.com/braidmerge/braid/cmd/braid/ipcfile"
)

// format is how rows are stored or shown.
type format string

// The formats. The first three can be read, all can be written.
const (
	parquetFormat format = "parquet"
	arrowFormat   format = "arrow"  // Arrow IPC file
	arrowsFormat  format = "arrows" // Arrow IPC stream
	jsonlFormat   format = "jsonl"  // a JSON object a line
	csvFormat     format = "csv"
	tableFormat   format = "table" // columns for people
)

// extensions are the formats of file names.
var extensions = map[string]format{
	".parquet": parquetFormat,
	".arrow":   arrowFormat, ".feather": arrowFormat, ".ipc": arrowFormat,
	".arrows": arrowsFormat,
	".jsonl":  jsonlFormat, ".ndjson": jsonlFormat, ".json": jsonlFormat,
	".csv": csvFormat,
	".txt": tableFormat,
}

// isBinary says whether the format is not for eyes.
func (f format) isBinary() bool {
	return f == parquetFormat || f == arrowFormat || f == arrowsFormat
}

// inputFormat says how the file at path is to be read: as the user says, by its name, or else by its first bytes.
func inputFormat(path string, said format) (format, error) {
	if said != "" {
		return said, nil
	}
	extension := strings.ToLower(filepath.Ext(path))
	f, ok := extensions[extension]
	if ok && f.isBinary() {
		return f, nil
	}
	if ok {
		return "", usagef("%s: %s files are written, not read; runs are Parquet or Arrow files", path, f)
	}
	return sniff(path)
}

// sniff says by its first bytes how a file is to be read.
func sniff(path string) (format, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	head := make([]byte, 8)
	n, _ := file.Read(head)
	head = head[:n]
	switch {
	case bytes.HasPrefix(head, []byte("PAR1")):
		return parquetFormat, nil
	case bytes.HasPrefix(head, []byte(ipcfile.Magic)):
		return arrowFormat, nil
	case bytes.HasPrefix(head, []byte{0xff, 0xff, 0xff, 0xff}):
		return arrowsFormat, nil
	}
	return "", usagef("%s: neither its name nor its first bytes say how to read it; use --format", path)
}
