package measure

import (
	"bytes"
	"os"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

// CPU returns the processor time this process has used so far, that of the garbage collector included.
func CPU() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// ResetPeak makes Peak count from now on, where the system can do that (Linux).
func ResetPeak() {
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // what cannot be reset counts from the start
}

// Peak returns the most bytes of memory this process had since ResetPeak, or since its start where that has no effect. 0 is not known.
func Peak() int64 {
	if kib := status("VmHWM:"); kib > 0 {
		return kib << 10
	}
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) << 10
}

// Resident returns the bytes of memory this process has now, 0 if not known.
func Resident() int64 { return status("VmRSS:") << 10 }

// status reads a number of KiB that Linux keeps of a process.
func status(name string) int64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(text) {
		if rest, ok := bytes.CutPrefix(line, []byte(name)); ok {
			fields := bytes.Fields(rest)
			if len(fields) == 0 {
				return 0
			}
			n, err := strconv.ParseInt(string(fields[0]), 10, 64)
			if err != nil {
				return 0
			}
			return n
		}
	}
	return 0
}
