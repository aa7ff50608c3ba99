package fuzz

import "fmt"

// caseReport is what came of a case file.
type caseReport struct {
	Name     string
	Run      int
	Failed   int
	Unasked  int      // cases that only the row merger was asked
	Failures []string // one text per case that failed
}

// String is the line to print at the end of a file.
func (r caseReport) String() string {
	return fmt.Sprintf("cases: %s: %d run, %d failed, %d not put to the kernel", r.Name, r.Run, r.Failed, r.Unasked)
}

// report puts every case of a file to j, and to the kernel in the ways that ways names for the i-th case, if it is not nil.
func (j judged) report(file *CaseFile, ways func(i int) []kernelWay) caseReport {
	r := caseReport{Name: file.Name}
	for i, c := range file.Cases {
		r.Run++
		wrong := j.check(c)
		if wrong == nil && ways != nil {
			var asked bool
			if asked, wrong = j.checkKernel(c, ways(i)); !asked {
				r.Unasked++
			}
		}
		if wrong != nil {
			r.Failed++
			r.Failures = append(r.Failures, fmt.Sprintf("%s (%s): %v", c.Name, c.Type, wrong))
		}
	}
	return r
}

// allWays puts every case to the kernel in every way.
func allWays(int) []kernelWay { return kernelWays() }

// someWays puts every case to the kernel in two ways, others for the next case, so that a file sees all of them.
func someWays(i int) []kernelWay {
	ways := kernelWays()
	return []kernelWay{ways[i%len(ways)], ways[(i*5+len(ways)/2+1)%len(ways)]}
}
