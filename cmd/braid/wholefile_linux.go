package main

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// renameNoReplace renames a file unless the new name is taken, which is fs.ErrExist.
func renameNoReplace(from, to string) error {
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, unix.RENAME_NOREPLACE)
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EINVAL) {
		return linkNoReplace(from, to)
	}
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}

// syncDirectory brings the names in a directory to the disk.
func syncDirectory(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := dir.Sync(); !errors.Is(err, unix.EINVAL) {
		return err
	}
	return nil // a file system that has no such thing
}
