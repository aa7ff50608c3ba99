package main

import (
	"context"
	"io"
)

// interruptible makes reading from in end when ctx does, although a read that waits for a terminal or a pipe cannot be
// stopped: it is left waiting in a goroutine, which ends with the process or with the input.
func interruptible(ctx context.Context, in io.Reader) io.Reader {
	return &interruptibleReader{ctx: ctx, in: in, results: make(chan readResult, 1)}
}

type interruptibleReader struct {
	ctx     context.Context
	in      io.Reader
	buffer  []byte
	rest    []byte // of the buffer, not handed over yet
	results chan readResult
}

type readResult struct {
	n   int
	err error
}

// Read reads what has come; the buffer belongs to the goroutine until its result is here.
func (r *interruptibleReader) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		if r.buffer == nil {
			r.buffer = make([]byte, 1<<20)
		}
		if err := r.ctx.Err(); err != nil {
			return 0, err
		}
		go func() {
			n, err := r.in.Read(r.buffer)
			r.results <- readResult{n, err}
		}()
		select {
		case <-r.ctx.Done():
			return 0, r.ctx.Err()
		case result := <-r.results:
			if result.n == 0 {
				return 0, result.err
			}
			r.rest = r.buffer[:result.n]
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
