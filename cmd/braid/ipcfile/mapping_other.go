//go:build !unix

package ipcfile

import "os"

// mapFile takes over the file, which is read piece by piece.
func mapFile(in *os.File) (content, error) {
	info, err := in.Stat()
	if err != nil {
		in.Close()
		return nil, err
	}
	return unmapped(in, info)
}
