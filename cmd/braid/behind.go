package main

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
)

// behind writes batches in a goroutine of its own, so that one batch is written while the next is merged.
type behind struct {
	batches  chan arrow.Record
	finished chan struct{}
	err      error // what ended the writing early; to be read after finished
}

// writeBehind starts the goroutine. The caller calls wait.
func writeBehind(write func(arrow.Record) error) *behind {
	b := &behind{batches: make(chan arrow.Record), finished: make(chan struct{})}
	go b.run(b.batches, write)
	return b
}

func (b *behind) run(batches <-chan arrow.Record, write func(arrow.Record) error) {
	defer close(b.finished)
	for batch := range batches {
		if b.err = writeOne(batch, write); b.err != nil {
			return
		}
	}
}

// writeOne writes and releases a batch. A panic of the writer is an error: it must not end the process before what is
// half-written has been removed.
func writeOne(batch arrow.Record, write func(arrow.Record) error) (err error) {
	defer batch.Release()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("write: %v", r)
		}
	}()
	return withFaults(func() error { return write(batch) })
}

// add hands over a batch, of which it takes a reference of its own. It says whether the writing goes on.
func (b *behind) add(batch arrow.Record) bool {
	batch.Retain()
	select {
	case b.batches <- batch:
		return true
	case <-b.finished:
		batch.Release()
		return false
	}
}

// wait ends the writing when all batches are written, and returns what went wrong. It may be called again.
func (b *behind) wait() error {
	if b.batches != nil {
		close(b.batches)
		b.batches = nil
	}
	<-b.finished
	return b.err
}
