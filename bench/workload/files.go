package workload

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"

	"github.com/braidmerge/braid/arrow18"
	"github.com/braidmerge/braid/cmd/braid/ipcfile"
	"github.com/braidmerge/braid/kernel"
)

// The formats of files.
const (
	Arrow   = "arrow"   // Arrow IPC, not compressed
	Parquet = "parquet" // not compressed
	Zstd    = "zstd"    // Parquet, compressed
)

// Formats are all formats.
var Formats = []string{Arrow, Parquet, Zstd}

// recordWriter writes the records of one file.
type recordWriter interface {
	Write(arrow.Record) error
	Close() error
}

// file is a file that is being written.
type file struct {
	recordWriter
	buffer *bufio.Writer
	out    *os.File
}

func createFile(path, format string, schema *arrow.Schema) (*file, error) {
	out, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	f := &file{buffer: bufio.NewWriterSize(out, 1<<16), out: out}
	switch format {
	case Arrow:
		f.recordWriter, err = ipc.NewFileWriter(&counted{Writer: f.buffer}, ipc.WithSchema(schema))
	case Parquet:
		f.recordWriter, err = arrow18.NewParquetWriter(f.buffer, schema, arrow18.WriteOptions{Compression: "none"})
	default:
		f.recordWriter, err = arrow18.NewParquetWriter(f.buffer, schema, arrow18.WriteOptions{Compression: "zstd"})
	}
	if err != nil {
		return nil, errors.Join(err, out.Close())
	}
	return f, nil
}

// close ends the file.
func (f *file) close() error {
	return errors.Join(f.Close(), f.buffer.Flush(), f.out.Close())
}

// Write makes a workload's files in a directory of its own below root, in these formats, with a manifest beside them, and returns
// the directory. Nothing of it stays after an error.
func Write(ctx context.Context, root string, n Name, rows int64, seed uint64, formats []string) (dir string, m *Manifest, err error) {
	dir = filepath.Join(root, n.Dir())
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	files := make([][]*file, n.Runs)
	defer func() {
		for _, run := range files {
			for _, f := range run {
				if f != nil {
					err = errors.Join(err, f.close())
				}
			}
		}
		if err == nil {
			err = m.Write(dir)
		}
	}()
	m, err = Generate(ctx, n, rows, seed, func(run int, rec arrow.Record) error {
		if files[run] == nil {
			opened, err := createAll(dir, run, formats, rec.Schema())
			files[run] = opened
			if err != nil {
				return err
			}
		}
		for _, f := range files[run] {
			if err := f.Write(rec); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return dir, nil, err
	}
	for run := range m.Runs {
		m.Runs[run].Files = map[string]string{}
		if files[run] == nil { // a run without rows has no file
			continue
		}
		for _, format := range formats {
			m.Runs[run].Files[format] = fileName(run, format)
		}
	}
	return dir, m, nil
}

func createAll(dir string, run int, formats []string, schema *arrow.Schema) (files []*file, err error) {
	for _, format := range formats {
		f, err := createFile(filepath.Join(dir, fileName(run, format)), format, schema)
		if err != nil {
			return files, err
		}
		files = append(files, f)
	}
	return files, nil
}

func fileName(run int, format string) string {
	if format == Arrow {
		return fmt.Sprintf("run-%03d.arrow", run)
	}
	return fmt.Sprintf("run-%03d.%s.parquet", run, format)
}

// FileRuns returns the runs of a directory's files of a format, for merges of which each opens them anew.
func (m *Manifest) FileRuns(dir, format string) ([]kernel.Run, error) {
	runs := make([]kernel.Run, len(m.Runs))
	for i, run := range m.Runs {
		name, ok := run.Files[format]
		if !ok && run.Rows > 0 {
			return nil, fmt.Errorf("%s: run %d has no file of the format %s", dir, i, format)
		}
		if !ok {
			continue
		}
		path := filepath.Join(dir, name)
		f := kernel.File{Name: path, Rows: run.Rows, Open: func(context.Context) (array.RecordReader, error) { return openArrow(path) }}
		if format != Arrow {
			var err error
			if f, err = arrow18.ParquetFile(path, arrow18.ReadOptions{}); err != nil {
				return nil, err
			}
		}
		runs[i] = kernel.Run{Files: []kernel.File{f}}
	}
	return runs, nil
}

// openArrow reads an IPC file through a mapping of it.
func openArrow(path string) (array.RecordReader, error) {
	f, err := ipcfile.Open(path, ipcfile.Options{})
	if err != nil {
		return nil, err
	}
	defer f.Release()
	r, err := f.Reader(ipcfile.Options{})
	if err != nil {
		return nil, err
	}
	return r, nil
}
