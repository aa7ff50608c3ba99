package workload

import (
	"errors"
	"io"
)

// counted is a writer that knows where it is, as the writer of IPC files asks for. It moves nowhere else.
type counted struct {
	io.Writer
	at int64
}

func (c *counted) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	c.at += int64(n)
	return n, err
}

// Seek tells the position.
func (c *counted) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekCurrent {
		return c.at, errors.New("only the current position can be asked for")
	}
	return c.at, nil
}
