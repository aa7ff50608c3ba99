//go:build unix

package ipcfile

import (
	"os"

	"golang.org/x/sys/unix"
)

// mapped is the content of a file that is mapped into memory. A file that becomes shorter while it is mapped raises a fault
// where the missing bytes are read; protect makes an error of it.
type mapped struct{ bytes []byte }

// mapFile takes over the file: maps it, or reads it piece by piece where it cannot be mapped.
func mapFile(in *os.File) (content, error) {
	info, err := in.Stat()
	if err != nil {
		in.Close()
		return nil, err
	}
	size := info.Size()
	if !info.Mode().IsRegular() || size == 0 || size != int64(int(size)) {
		return unmapped(in, info)
	}
	bytes, err := unix.Mmap(int(in.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return unmapped(in, info)
	}
	return &mapped{bytes}, in.Close()
}

func (m *mapped) at(offset, length int64) ([]byte, error) {
	if err := inside(offset, length, m.size()); err != nil {
		return nil, err
	}
	return m.bytes[offset : offset+length : offset+length], nil
}

func (m *mapped) size() int64 { return int64(len(m.bytes)) }

func (m *mapped) close() error { return unix.Munmap(m.bytes) }
