package cells

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"syscall"

	"github.com/braidmerge/braid/bench/workload"
)

// ErrDisk means that there is no room for the files of a workload.
var ErrDisk = errors.New("no disk left")

// Files returns the directory of a workload's files in these formats, and says whether it made them for this call alone. Those of an
// earlier call are taken if they have the rows, the seed and the formats wanted; if they lack a format, they are made again in all
// formats, and stay the earlier caller's.
func Files(ctx context.Context, root string, n workload.Name, rows int64, seed uint64, formats []string) (dir string, m *workload.Manifest, made bool, err error) {
	dir = filepath.Join(root, fmt.Sprintf("%d-%d", rows, seed))
	earlier, err := workload.ReadManifest(filepath.Join(dir, n.Dir()))
	if err == nil && has(earlier, formats) {
		return filepath.Join(dir, n.Dir()), earlier, false, nil
	}
	if earlier != nil {
		formats = workload.Formats
	}
	if err := room(root, rows, n, len(formats)); err != nil {
		return "", nil, false, err
	}
	dir, m, err = workload.Write(ctx, dir, n, rows, seed, formats)
	return dir, m, err == nil && earlier == nil, err
}

func has(m *workload.Manifest, formats []string) bool {
	for _, run := range m.Runs {
		for _, format := range formats {
			if run.Rows > 0 && run.Files[format] == "" {
				return false
			}
		}
	}
	return true
}

// wide are the columns whose rows take the most room, in bytes.
var wide = map[string]int64{"ycsb": 1100, "ycsb-f": 1100, "wide100": 900, "text100": 450, "lineitem": 160, "cdc": 160}

// room wants the disk to have room for the files, and as much again.
func room(root string, rows int64, n workload.Name, formats int) error {
	var stat syscall.Statfs_t
	for dir := filepath.Clean(root); ; dir = filepath.Dir(dir) {
		if err := syscall.Statfs(dir, &stat); err == nil {
			break
		} else if dir == filepath.Dir(dir) {
			return nil // how much is free is not known
		}
	}
	each := max(130, wide[n.Columns])
	need := 2 * rows * each * int64(formats)
	if free := int64(stat.Bavail) * int64(stat.Bsize); free < need {
		return fmt.Errorf("%w: the files want about %d MiB with room to spare, %d MiB are free in %s", ErrDisk, need>>20, free>>20, root)
	}
	return nil
}
