//go:build !linux

package main

// renameNoReplace renames a file unless the new name is taken, which is fs.ErrExist.
func renameNoReplace(from, to string) error { return linkNoReplace(from, to) }

// syncDirectory does nothing: the names in a directory reach the disk in their own time on this system.
func syncDirectory(path string) error { return nil }
