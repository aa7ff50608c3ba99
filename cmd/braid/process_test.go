package main

import (
	"os"
	"os/exec"
)

// asProcess is the command as a process of its own: this test's program, which runs it when asMain is set. Where the tests run
// under an emulator that the system does not start by itself, BRAID_EMULATOR names it.
func asProcess(args ...string) *exec.Cmd {
	args = append([]string{os.Args[0]}, args...)
	if emulator := os.Getenv("BRAID_EMULATOR"); emulator != "" {
		args = append([]string{emulator}, args...)
	}
	command := exec.Command(args[0], args[1:]...)
	command.Env = append(os.Environ(), asMain+"=1")
	return command
}
