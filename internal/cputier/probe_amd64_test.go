//go:build !purego

package cputier

import (
	"testing"

	"github.com/klauspost/cpuid/v2"
)

func TestProbeX86(t *testing.T) {
	v3 := []cpuid.FeatureID{cpuid.AVX2, cpuid.BMI1, cpuid.BMI2, cpuid.LZCNT, cpuid.POPCNT}
	v4 := append(v3[:len(v3):len(v3)], cpuid.AVX512F, cpuid.AVX512BW, cpuid.AVX512DQ, cpuid.AVX512VL)
	full := append(v4[:len(v4):len(v4)], cpuid.AVX512VBMI2, cpuid.AVX512VPOPCNTDQ)
	for _, c := range []struct {
		name   string
		vendor cpuid.Vendor
		family int
		has    []cpuid.FeatureID
		lacks  cpuid.FeatureID
		want   level
	}{
		{"nothing", cpuid.Intel, 6, nil, 0, level{Portable, 0}},
		{"intel avx2", cpuid.Intel, 6, v3, 0, level{AVX2, FastPDEP}},
		{"avx2 without bmi2", cpuid.Intel, 6, v3, cpuid.BMI2, level{Portable, 0}},
		{"avx2 without lzcnt", cpuid.Intel, 6, v3, cpuid.LZCNT, level{Portable, 0}},
		{"zen 2", cpuid.AMD, 0x17, v3, 0, level{AVX2, 0}},
		{"zen 3", cpuid.AMD, 0x19, v3, 0, level{AVX2, FastPDEP}},
		{"zen 5", cpuid.AMD, 0x1a, full, 0, level{AVX512, FastPDEP | VBMI2 | VPOPCNTDQ}},
		{"other vendor", cpuid.Hygon, 0x18, v3, 0, level{AVX2, 0}},
		{"avx512 of the first kind", cpuid.Intel, 6, v4, 0, level{AVX512, FastPDEP}},
		{"avx512 without vl", cpuid.Intel, 6, full, cpuid.AVX512VL, level{AVX2, FastPDEP}},
		{"avx512 without avx2", cpuid.Intel, 6, full, cpuid.AVX2, level{Portable, 0}},
		{"no vbmi2", cpuid.Intel, 6, full, cpuid.AVX512VBMI2, level{AVX512, FastPDEP | VPOPCNTDQ}},
	} {
		cpu := cpuid.CPUInfo{VendorID: c.vendor, Family: c.family}
		cpu.Enable(c.has...)
		if c.lacks != 0 {
			cpu.Disable(c.lacks)
		}
		if got := probeX86(&cpu); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}
