//go:build arm64 && !purego

#include "textflag.h"
#include "vector_arm64.h"

// ENDS compares 16 words with their successors and leaves the weighted bytes of those that are the last of their keys: with its low
// bits set a word is below its successor just when the keys differ. R2 is one word behind R1.
#define ENDS(out)                                           \
	VLD1.P 64(R1), [V0.D2, V1.D2, V2.D2, V3.D2]             \
	VLD1.P 64(R2), [V16.D2, V17.D2, V18.D2, V19.D2]         \
	VLD1.P 64(R1), [V4.D2, V5.D2, V6.D2, V7.D2]             \
	VLD1.P 64(R2), [V20.D2, V21.D2, V22.D2, V23.D2]         \
	VORR   V30.B16, V0.B16, V0.B16                          \
	VORR   V30.B16, V1.B16, V1.B16                          \
	VORR   V30.B16, V2.B16, V2.B16                          \
	VORR   V30.B16, V3.B16, V3.B16                          \
	VORR   V30.B16, V4.B16, V4.B16                          \
	VORR   V30.B16, V5.B16, V5.B16                          \
	VORR   V30.B16, V6.B16, V6.B16                          \
	VORR   V30.B16, V7.B16, V7.B16                          \
	CMHI(0, 16, 0)                                          \
	CMHI(1, 17, 1)                                          \
	CMHI(2, 18, 2)                                          \
	CMHI(3, 19, 3)                                          \
	CMHI(4, 20, 4)                                          \
	CMHI(5, 21, 5)                                          \
	CMHI(6, 22, 6)                                          \
	CMHI(7, 23, 7)                                          \
	WEIGH(out)

// func groupEndsVector(ends, words *uint64, steps int, idxMask uint64) (groups int)
TEXT ·groupEndsVector(SB), NOSPLIT, $0-40
	MOVD ends+0(FP), R0
	MOVD words+8(FP), R1
	MOVD steps+16(FP), R3
	MOVD idxMask+24(FP), R4
	ADD  $8, R1, R2
	VDUP R4, V30.D2
	VEOR V29.B16, V29.B16, V29.B16    // groups
	WEIGHTS(V31)

ends:
	ENDS(V24)
	ENDS(V25)
	ENDS(V26)
	ENDS(V27)
	SUMBITS
	VST1.P  [V24.D1], 8(R0)
	VCNT    V24.B8, V24.B8
	VUADDLV V24.B8, V24
	VADD    V24.D2, V29.D2, V29.D2
	SUB     $1, R3
	CBNZ    R3, ends
	VMOV    V29.D[0], R4
	MOVD    R4, groups+32(FP)
	RET
