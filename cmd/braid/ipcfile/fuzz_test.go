package ipcfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/cmd/braid/ipcfile"
)

// FuzzRead reads any bytes as a file and as a stream: they read as something sound or not at all.
func FuzzRead(f *testing.F) {
	paths, err := filepath.Glob("testdata/*.arrow*")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
	records := sampleRecords(f, memory.DefaultAllocator, 2, 1)
	defer release(records)
	f.Add(encodeFile(f, records))
	f.Add(encodeStream(f, records))
	f.Fuzz(func(t *testing.T, content []byte) {
		walk(t, func(o ipcfile.Options) ([]arrow.Record, error) { return readBytes(content, o) })
		walk(t, func(o ipcfile.Options) ([]arrow.Record, error) { return readStream(content, o) })
	})
}
