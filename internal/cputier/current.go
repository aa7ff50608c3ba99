package cputier

import (
	"fmt"
	"os"
	"strings"
)

// Env names the environment variable that lowers the tier a program starts
// with, by a tier's name.
const Env = "BRAID_TIER"

var (
	detected = probe()
	current  level
	envError error
)

func init() {
	var tier Tier
	tier, envError = startTier(os.Getenv(Env))
	use(detected.at(tier))
}

// startTier returns the tier that a value of Env asks for: the detected one
// for an empty value, and also beside an error for a value that names no tier
// of this build on this processor.
func startTier(value string) (Tier, error) {
	if value == "" {
		return detected.tier, nil
	}
	tier, err := Parse(value)
	if err == nil {
		err = checkAvailable(tier)
	}
	if err != nil {
		return detected.tier, fmt.Errorf("environment variable %s: %w", Env, err)
	}
	return tier, nil
}

// EnvError returns why the value of BRAID_TIER was not followed, or nil. The
// program then runs at the detected tier; a command should report the error.
func EnvError() error { return envError }

// Detected returns the best tier of this build on this processor, whatever
// BRAID_TIER says.
func Detected() Tier { return detected.tier }

// Current returns the tier in use.
func Current() Tier { return current.tier }

// All returns the tiers of this build on this processor, Portable first and
// Detected last.
func All() []Tier {
	var tiers []Tier
	for t := range Tier(tierCount) {
		if detected.tier.has(t) {
			tiers = append(tiers, t)
		}
	}
	return tiers
}

// Set makes t the tier in use, with all the features that this processor has
// at t, and returns a function that puts back what was in use before. It
// refuses a tier that is not in All. The package comment says when it may be
// called.
func Set(t Tier) (restore func(), err error) {
	if err := checkAvailable(t); err != nil {
		return nil, err
	}
	return change(detected.at(t)), nil
}

// Without takes features out of the level in use, those not in use being no
// mistake, and returns a function that puts back what was in use before. So
// code for processors that lack a feature can be tested on one that has it.
// The package comment says when it may be called.
func Without(features Feature) (restore func()) {
	return change(level{tier: current.tier, features: current.features &^ features})
}

func change(to level) (restore func()) {
	before := current
	use(to)
	return func() { use(before) }
}

func use(l level) {
	current = l
	publish(l)
}

func checkAvailable(t Tier) error {
	if int(t) < tierCount && detected.tier.has(t) {
		return nil
	}
	var names []string
	for _, have := range All() {
		names = append(names, have.String())
	}
	return fmt.Errorf("CPU tier %s is not available: this build on this processor has %s", t, strings.Join(names, ", "))
}
