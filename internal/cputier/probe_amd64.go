//go:build !purego

package cputier

import "github.com/klauspost/cpuid/v2"

const buildX86, buildARM = true, false

// probe returns the best level of the running processor.
func probe() level { return probeX86(&cpuid.CPU) }

// probeX86 returns the best level of cpu. A tier counts only when the
// operating system saves its registers, which cpuid has looked at.
func probeX86(cpu *cpuid.CPUInfo) level {
	best := level{tier: Portable}
	if cpu.Supports(cpuid.AVX2, cpuid.BMI1, cpuid.BMI2, cpuid.LZCNT, cpuid.POPCNT) {
		best.tier = AVX2
	}
	if best.tier == AVX2 && cpu.Supports(cpuid.AVX512F, cpuid.AVX512BW, cpuid.AVX512DQ, cpuid.AVX512VL) {
		best.tier = AVX512
	}
	if pdepIsFast(cpu) {
		best.features |= FastPDEP
	}
	if cpu.Supports(cpuid.AVX512VBMI2) {
		best.features |= VBMI2
	}
	if cpu.Supports(cpuid.AVX512VPOPCNTDQ) {
		best.features |= VPOPCNTDQ
	}
	return best.at(best.tier)
}

// firstFastPDEP is the first AMD family that has PDEP and PEXT in hardware;
// the families before run them as microcode, bit by bit.
const firstFastPDEP = 0x19

// pdepIsFast is false for makers it does not know: the code without PDEP is
// never slow.
func pdepIsFast(cpu *cpuid.CPUInfo) bool {
	switch cpu.VendorID {
	case cpuid.Intel:
		return true
	case cpuid.AMD:
		return cpu.Family >= firstFastPDEP
	}
	return false
}
