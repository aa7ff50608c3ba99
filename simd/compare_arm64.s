//go:build arm64 && !purego

#include "textflag.h"
#include "vector_arm64.h"

// LOAD reads 16 rows of a into V0 to V7, and of b into V16 to V23.
#define LOAD                                                  \
	VLD1.P (R1)(R4), [V0.D2, V1.D2, V2.D2, V3.D2]             \
	VLD1.P (R2)(R5), [V16.D2, V17.D2, V18.D2, V19.D2]         \
	VLD1.P (R1)(R4), [V4.D2, V5.D2, V6.D2, V7.D2]             \
	VLD1.P (R2)(R5), [V20.D2, V21.D2, V22.D2, V23.D2]

// LESS compares 16 rows and leaves their weighted bytes.
#define LESS(out)   \
	LOAD            \
	CMGT(0, 16, 0)  \
	CMGT(1, 17, 1)  \
	CMGT(2, 18, 2)  \
	CMGT(3, 19, 3)  \
	CMGT(4, 20, 4)  \
	CMGT(5, 21, 5)  \
	CMGT(6, 22, 6)  \
	CMGT(7, 23, 7)  \
	WEIGH(out)

#define EQUAL(out)                   \
	LOAD                             \
	VCMEQ V16.D2, V0.D2, V0.D2       \
	VCMEQ V17.D2, V1.D2, V1.D2       \
	VCMEQ V18.D2, V2.D2, V2.D2       \
	VCMEQ V19.D2, V3.D2, V3.D2       \
	VCMEQ V20.D2, V4.D2, V4.D2       \
	VCMEQ V21.D2, V5.D2, V5.D2       \
	VCMEQ V22.D2, V6.D2, V6.D2       \
	VCMEQ V23.D2, V7.D2, V7.D2       \
	WEIGH(out)

// func lessVector(bits *uint64, a, b *int64, words, stepA, stepB int)
TEXT ·lessVector(SB), NOSPLIT, $0-48
	MOVD bits+0(FP), R0
	MOVD a+8(FP), R1
	MOVD b+16(FP), R2
	MOVD words+24(FP), R3
	MOVD stepA+32(FP), R4
	MOVD stepB+40(FP), R5
	LSR  $1, R4            // half a block is loaded at a time
	LSR  $1, R5
	WEIGHTS(V31)

less:
	LESS(V24)
	LESS(V25)
	LESS(V26)
	LESS(V27)
	SUMBITS
	VST1.P [V24.D1], 8(R0)
	SUB    $1, R3
	CBNZ   R3, less
	RET

// func equalVector(bits *uint64, a, b *int64, words, stepB int)
TEXT ·equalVector(SB), NOSPLIT, $0-40
	MOVD bits+0(FP), R0
	MOVD a+8(FP), R1
	MOVD b+16(FP), R2
	MOVD words+24(FP), R3
	MOVD $64, R4           // half a block is loaded at a time
	MOVD stepB+32(FP), R5
	LSR  $1, R5
	WEIGHTS(V31)

equal:
	EQUAL(V24)
	EQUAL(V25)
	EQUAL(V26)
	EQUAL(V27)
	SUMBITS
	VST1.P [V24.D1], 8(R0)
	SUB    $1, R3
	CBNZ   R3, equal
	RET
