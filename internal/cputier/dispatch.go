package cputier

// What the Has functions answer. Each build sees only those of its own
// architecture: buildX86 and buildARM are constants, and at least one of them
// is false.
var hasNEON, hasAVX2, hasFastPDEP, hasAVX512, hasVBMI2, hasVPOPCNTDQ bool

// HasNEON reports whether code of tier NEON may run.
func HasNEON() bool { return buildARM && hasNEON }

// HasAVX2 reports whether code of tier AVX2 may run.
func HasAVX2() bool { return buildX86 && hasAVX2 }

// HasFastPDEP reports whether code of tier AVX2 may run and PDEP and PEXT are
// fast.
func HasFastPDEP() bool { return buildX86 && hasFastPDEP }

// HasAVX512 reports whether code of tier AVX512 may run.
func HasAVX512() bool { return buildX86 && hasAVX512 }

// HasVBMI2 reports whether code of tier AVX512 that needs VBMI2 may run.
func HasVBMI2() bool { return buildX86 && hasVBMI2 }

// HasVPOPCNTDQ reports whether code of tier AVX512 that needs VPOPCNTDQ may
// run.
func HasVPOPCNTDQ() bool { return buildX86 && hasVPOPCNTDQ }

// publish makes l what the Has functions answer.
func publish(l level) {
	hasNEON = l.tier.has(NEON)
	hasAVX2 = l.tier.has(AVX2)
	hasAVX512 = l.tier.has(AVX512)
	hasFastPDEP = l.features&FastPDEP != 0
	hasVBMI2 = l.features&VBMI2 != 0
	hasVPOPCNTDQ = l.features&VPOPCNTDQ != 0
}
