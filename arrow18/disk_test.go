package arrow18_test

import (
	"os"
	"path/filepath"
	"testing"
)

// onDisk puts bytes into a file and gives its path.
func onDisk(t testing.TB, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.parquet")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
