package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/braidmerge/braid/arrow18"
	"github.com/braidmerge/braid/cmd/braid/ipcfile"
)

// standardInput is the name of standard input on the command line.
const standardInput = "-"

// input is a file whose schema is known and whose rows have not been read.
type input struct {
	name   string // as the user wrote it
	format format
	schema *arrow.Schema
	rows   int64 // -1 if only reading tells
	bytes  int64 // -1 if not known
	// counted, if set, counts what the rows that a merge reads have supplied.
	counted *suppliedCount
	// open starts reading these columns, or all of them if there are none, in any order and perhaps with others beside them.
	open func(ctx context.Context, columns []string) (array.RecordReader, error)
	// close gives up what open needs; readers that are open stay good.
	close func()
}

// openInput looks at the file at path, which is of the format the user said if he said one.
func openInput(ctx context.Context, path string, said format, std *streams) (*input, error) {
	in, err := lookAt(ctx, path, said, std)
	if path == standardInput {
		path = "standard input"
	}
	if err == nil {
		in.name = path
		return in, nil
	}
	var usage *usageError
	if errors.As(err, &usage) {
		return nil, err
	}
	return nil, named(path, err)
}

// named puts the name of a file before an error that does not have it.
func named(path string, err error) error {
	var pathError *os.PathError
	if errors.As(err, &pathError) && pathError.Path == path {
		return fmt.Errorf("%s: %w", path, pathError.Err)
	}
	return fmt.Errorf("%s: %w", path, err)
}

func lookAt(ctx context.Context, path string, said format, std *streams) (*input, error) {
	if path == standardInput {
		return passingStream(ctx, "standard input", said, std.in)
	}
	switch info, err := os.Stat(path); {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, usagef("%s is a directory; name its files, or a pattern such as '%s'", path, filepath.Join(path, "*.parquet"))
	case !info.Mode().IsRegular():
		return pipeInput(ctx, path, said)
	}
	f, err := inputFormat(path, said)
	if err != nil {
		return nil, err
	}
	switch f {
	case parquetFormat:
		return parquetInput(path)
	case arrowFormat:
		return arrowInput(path)
	}
	return streamInput(path)
}

func parquetInput(path string) (*input, error) {
	r, err := arrow18.OpenParquet(context.Background(), path, arrow18.ReadOptions{})
	if err != nil {
		return nil, err
	}
	defer r.Release()
	in := &input{format: parquetFormat, schema: r.Schema(), rows: r.NumRows(), bytes: fileSize(path), close: func() {}}
	in.open = func(ctx context.Context, columns []string) (array.RecordReader, error) {
		r, err := arrow18.OpenParquet(ctx, path, arrow18.ReadOptions{Columns: columns})
		if err != nil {
			return nil, err
		}
		return r, nil
	}
	return in, nil
}

func arrowInput(path string) (*input, error) {
	file, err := ipcfile.Open(path, ipcfile.Options{})
	if err != nil {
		return nil, err
	}
	in := &input{format: arrowFormat, schema: file.Schema(), rows: file.Rows(), bytes: file.Size(), close: file.Release}
	in.open = func(ctx context.Context, columns []string) (array.RecordReader, error) {
		return opened(file.Reader(ipcfile.Options{Columns: columns}))
	}
	return in, nil
}

// opened makes an interface of a reader that is none after an error.
func opened(r *ipcfile.Reader, err error) (array.RecordReader, error) {
	if err != nil {
		return nil, err
	}
	return r, nil
}

// streamInput is a file that holds a stream. How many rows it has, only reading tells.
func streamInput(path string) (*input, error) {
	r, err := ipcfile.OpenStream(path, ipcfile.Options{})
	if err != nil {
		return nil, err
	}
	defer r.Release()
	in := &input{format: arrowsFormat, schema: r.Schema(), rows: -1, bytes: fileSize(path), close: func() {}}
	in.open = func(_ context.Context, columns []string) (array.RecordReader, error) {
		return opened(ipcfile.OpenStream(path, ipcfile.Options{Columns: columns}))
	}
	return in, nil
}

// pipeInput is a stream from a pipe, or from a device, that has a name.
func pipeInput(ctx context.Context, path string, said format) (*input, error) {
	pipe, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	in, err := passingStream(ctx, path, said, pipe)
	if err != nil {
		pipe.Close()
		return nil, err
	}
	release := in.close
	in.close = func() {
		release()
		pipe.Close()
	}
	return in, nil
}

// passingStream is a stream from standard input or a pipe, which can be read once.
func passingStream(ctx context.Context, name string, said format, in io.Reader) (*input, error) {
	if said != "" && said != arrowsFormat {
		return nil, usagef("%s is read as an Arrow stream; --format %s needs a file", name, said)
	}
	r, err := ipcfile.NewStream(interruptible(ctx, in), ipcfile.Options{})
	if err != nil {
		return nil, err
	}
	passed := &input{format: arrowsFormat, schema: r.Schema(), rows: -1, bytes: -1, close: r.Release}
	passed.open = func(context.Context, []string) (array.RecordReader, error) {
		r.Retain()
		return r, nil
	}
	return passed, nil
}

// fileSize returns the size of the file at path, -1 if it has none.
func fileSize(path string) int64 {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return -1
	}
	return info.Size()
}
