//go:build !unix

package main

// terminalWidth returns the number of columns of the terminal that stream is, and whether it is one. Terminals are not
// recognised on this system.
func terminalWidth(stream any) (int, bool) { return 0, false }
