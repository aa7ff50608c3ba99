package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// wholeFile is a file that appears complete or not at all. It is written under another name in the same directory; commit
// brings it to the disk and gives it its name, abort removes it.
//
// A device or a pipe has no such moment and is written as it is.
type wholeFile struct {
	*bufio.Writer
	file    *os.File
	path    string // the name it gets
	replace bool   // may take the place of another file
	direct  bool   // is a device or a pipe
	done    bool
}

// createWhole begins the file at path. Without replace, a file that is there already is an error, now or at commit.
func createWhole(path string, replace bool) (*wholeFile, error) {
	mode := fs.FileMode(0o666)
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("%s is a directory", path)
	case err == nil && !info.Mode().IsRegular():
		return openDirect(path)
	case err == nil && !replace:
		return nil, errExists(path)
	case err == nil:
		mode = info.Mode().Perm()
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return nil, err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	file, err := createTemporary(path, mode)
	if err != nil {
		return nil, err
	}
	return &wholeFile{Writer: bufio.NewWriterSize(file, 1<<20), file: file, path: path, replace: replace}, nil
}

func errExists(path string) error {
	return fmt.Errorf("%s exists; --force replaces it", path)
}

func openDirect(path string) (*wholeFile, error) {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	return &wholeFile{Writer: bufio.NewWriterSize(file, 1<<20), file: file, path: path, direct: true}, nil
}

// createTemporary creates a hidden file beside path.
func createTemporary(path string, mode fs.FileMode) (*os.File, error) {
	dir, base := filepath.Split(path)
	for {
		name := filepath.Join(dir, fmt.Sprintf(".%s.%08x.tmp", base, rand.Uint32()))
		file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if pathError := new(fs.PathError); errors.As(err, &pathError) {
			err = fmt.Errorf("create %s: %w", path, pathError.Err) // the user knows nothing of the other name
		}
		return file, err
	}
}

// commit writes what is buffered, brings it to the disk and gives the file its name. After an error nothing is left.
func (w *wholeFile) commit() error {
	defer w.abort()
	if err := w.Flush(); err != nil {
		return err
	}
	if w.direct {
		w.done = true
		return w.file.Close()
	}
	if err := w.file.Sync(); err != nil {
		return err
	}
	if err := w.file.Close(); err != nil {
		return err
	}
	if err := w.place(); err != nil {
		return err
	}
	w.done = true
	return syncDirectory(filepath.Dir(w.path))
}

// place gives the file its name.
func (w *wholeFile) place() error {
	if w.replace {
		return os.Rename(w.file.Name(), w.path)
	}
	err := renameNoReplace(w.file.Name(), w.path)
	if errors.Is(err, fs.ErrExist) {
		return errExists(w.path)
	}
	return err
}

// linkNoReplace gives the file at from the name to, unless there is such a file, on systems that cannot do it in one step.
func linkNoReplace(from, to string) error {
	err := os.Link(from, to)
	if err == nil {
		return os.Remove(from)
	}
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	// Not every file system has links. What is left is to look and then to rename.
	if _, err := os.Lstat(to); err == nil {
		return fs.ErrExist
	}
	return os.Rename(from, to)
}

// abort removes the file, unless it has its name already.
func (w *wholeFile) abort() {
	if w.done {
		return
	}
	w.done = true
	w.file.Close()
	if !w.direct {
		os.Remove(w.file.Name())
	}
}

// position counts what is written, for writers that ask where they are.
type position struct {
	io.Writer
	bytes int64
}

func (p *position) Write(b []byte) (int, error) {
	n, err := p.Writer.Write(b)
	p.bytes += int64(n)
	return n, err
}

// Seek answers where the writer is; it goes nowhere else.
func (p *position) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekCurrent {
		return 0, errors.ErrUnsupported
	}
	return p.bytes, nil
}
