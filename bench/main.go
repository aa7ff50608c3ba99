// Command bench measures merges on named workloads, compares what was measured, and asks other systems for the same.
//
//	go -C bench run . run --cells 'dedup/int64/k8'
//	go -C bench run . peers --only polars,duckdb --rows 1000000
//	go -C bench run . compare old.jsonl new.jsonl
//
// It exits with 0 when it is done, with 1 after an error at run time, a wrong answer or a gate that fell, with 2 after a mistake on the
// command line, and with 130 when it was interrupted.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/braidmerge/braid/bench/command"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first signal ends the work in an orderly way; a second one ends the process.
	context.AfterFunc(ctx, stop)
	code := command.Run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
