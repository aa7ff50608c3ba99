package ipcfile_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/cmd/braid/ipcfile"
	"github.com/braidmerge/braid/cmd/braid/text"
)

// TestFilesOfAnotherImplementation reads files and streams that pyarrow wrote, in every layout and compression, and streams
// whose dictionary changes on the way. testdata/make.py has written them and what is in them.
func TestFilesOfAnotherImplementation(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"layouts-plain.arrow", "layouts.jsonl"}, {"layouts-lz4.arrow", "layouts.jsonl"}, {"layouts-zstd.arrow", "layouts.jsonl"},
		{"layouts-plain.arrows", "layouts.jsonl"}, {"layouts-lz4.arrows", "layouts.jsonl"}, {"layouts-zstd.arrows", "layouts.jsonl"},
		{"dictionaries.arrows", "dictionaries.jsonl"},
	} {
		t.Run(c.name, func(t *testing.T) {
			checked := memory.NewCheckedAllocator(memory.NewGoAllocator())
			defer checked.AssertSize(t, 0)
			o := ipcfile.Options{Allocator: checked}
			path := filepath.Join("testdata", c.name)
			read := func() ([]arrow.Record, error) { return readFile(path, o) }
			if filepath.Ext(c.name) == ".arrows" {
				read = func() ([]arrow.Record, error) {
					r, err := ipcfile.OpenStream(path, o)
					if err != nil {
						return nil, err
					}
					return drain(r)
				}
			}
			records, err := read()
			if err != nil {
				t.Fatal(err)
			}
			defer release(records)
			var got bytes.Buffer
			w := text.NewJSONLines(&got, records[0].Schema())
			for _, record := range records {
				if err := w.Write(record); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(filepath.Join("testdata", c.want))
			if err != nil {
				t.Fatal(err)
			}
			compareLines(t, got.Bytes(), want)
		})
	}
}

// compareLines shows the first line that differs.
func compareLines(t *testing.T, got, want []byte) {
	t.Helper()
	g, w := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	if len(g) != len(w) {
		t.Errorf("%d lines, want %d", len(g), len(w))
	}
	for i := range min(len(g), len(w)) {
		if !bytes.Equal(g[i], w[i]) {
			t.Fatalf("line %d is\n%s\nwant\n%s", i, g[i], w[i])
		}
	}
}
