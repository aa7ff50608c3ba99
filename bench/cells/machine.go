package cells

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/klauspost/cpuid/v2"
)

// Machine names the processor.
func Machine() string {
	name := strings.TrimSpace(cpuid.CPU.BrandName)
	if name == "" {
		name = runtime.GOARCH
	}
	if n := runtime.NumCPU(); n > 1 {
		return fmt.Sprintf("%s, %d CPUs", name, n)
	}
	return name + ", 1 CPU"
}

// Version is the commit that this program was built from, if it is known.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	version := ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			version = fmt.Sprintf("%.12s", s.Value)
		case s.Key == "vcs.modified" && s.Value == "true":
			version += "+"
		}
	}
	return version
}
