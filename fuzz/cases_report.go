package fuzz

import "fmt"

// CaseReport is what came of a case file.
type CaseReport struct {
	Name        string
	Run         int
	Failed      int
	Unsupported int      // cases that only the row merger was asked
	Failures    []string // one text per case that failed
}

// String is the line to print at the end of a file.
func (r CaseReport) String() string {
	return fmt.Sprintf("cases: %s: %d run, %d failed, %d not supported by the kernel", r.Name, r.Run, r.Failed, r.Unsupported)
}

// Report puts every case of a file to j, and to the kernel in the ways that ways names for the i-th case, if it is not nil.
func (j Judged) Report(file *CaseFile, ways func(i int) []kernelWay) CaseReport {
	r := CaseReport{Name: file.Name}
	for i, c := range file.Cases {
		r.Run++
		wrong := j.Check(c)
		if wrong == nil && ways != nil {
			var supported bool
			if supported, wrong = c.CheckKernel(ways(i)); !supported {
				r.Unsupported++
			}
		}
		if wrong != nil {
			r.Failed++
			r.Failures = append(r.Failures, fmt.Sprintf("%s (%s): %v", c.Name, c.Type, wrong))
		}
	}
	return r
}

// AllWays puts every case to the kernel in every way.
func AllWays(int) []kernelWay { return kernelWays() }

// SomeWays puts every case to the kernel in two ways, others for the next case, so that a file sees all of them.
func SomeWays(i int) []kernelWay {
	ways := kernelWays()
	return []kernelWay{ways[i%len(ways)], ways[(i*5+len(ways)/2+1)%len(ways)]}
}
