//go:build unix

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// terminalWidth returns the number of columns of the terminal that stream is, and whether it is one. A terminal that does
// not say has 80.
func terminalWidth(stream any) (int, bool) {
	file, ok := stream.(*os.File)
	if !ok {
		return 0, false
	}
	size, err := unix.IoctlGetWinsize(int(file.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, false
	}
	if size.Col == 0 {
		return 80, true
	}
	return int(size.Col), true
}
