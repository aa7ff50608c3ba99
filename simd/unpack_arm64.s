//go:build arm64 && !purego

#include "textflag.h"
#include "vector_arm64.h"

// SPREAD makes the two bytes of V0 that bytes tells 16 bytes, each -1 where its bit is set.
#define SPREAD(bytes, out)                   \
	VTBL   bytes.B16, [V0.B16], out.B16      \
	VCMTST V31.B16, out.B16, out.B16

// ORDER has the bytes that SPREAD is told in V24 to V27, and what they are weighed with in V31.
#define ORDER                                                   \
	WEIGHTS(V31)                                                \
	VMOVQ $0x0000000000000000, $0x0101010101010101, V24         \
	VMOVQ $0x0202020202020202, $0x0303030303030303, V25         \
	VMOVQ $0x0404040404040404, $0x0505050505050505, V26         \
	VMOVQ $0x0606060606060606, $0x0707070707070707, V27

// NEXT64 makes the next 64 bits of R1, from bit R3 on, bytes of V4 to V7. R4 is 63 - R3.
#define NEXT64                                                  \
	MOVBU  8(R1), R6                                            \
	MOVD.P 8(R1), R5                                            \
	LSR    R3, R5                                               \
	LSL    $1, R6                                               \
	LSL    R4, R6               /* by 64 in all if there is no shift: nothing */ \
	ORR    R6, R5                                               \
	VMOV   R5, V0.D[0]                                          \
	SPREAD(V24, V4)                                             \
	SPREAD(V25, V5)                                             \
	SPREAD(V26, V6)                                             \
	SPREAD(V27, V7)

// func unpackVector(dst, bitmap *byte, steps, shift int)
TEXT ·unpackVector(SB), NOSPLIT, $0-32
	MOVD  dst+0(FP), R0
	MOVD  bitmap+8(FP), R1
	MOVD  steps+16(FP), R2
	MOVD  shift+24(FP), R3
	MOVD  $63, R4
	SUB   R3, R4
	ORDER

unpack:
	NEXT64
	VUSHR  $7, V4.B16, V4.B16
	VUSHR  $7, V5.B16, V5.B16
	VUSHR  $7, V6.B16, V6.B16
	VUSHR  $7, V7.B16, V7.B16
	VST1.P [V4.B16, V5.B16, V6.B16, V7.B16], 64(R0)
	SUB    $1, R2
	CBNZ   R2, unpack
	RET

// func orBitsVector(dst, bitmap *byte, steps, shift int, ones uint64)
TEXT ·orBitsVector(SB), NOSPLIT, $0-40
	MOVD  dst+0(FP), R0
	MOVD  bitmap+8(FP), R1
	MOVD  steps+16(FP), R2
	MOVD  shift+24(FP), R3
	MOVD  ones+32(FP), R5
	MOVD  $63, R4
	SUB   R3, R4
	VDUP  R5, V30.D2
	ORDER

or:
	NEXT64
	VLD1   (R0), [V16.B16, V17.B16, V18.B16, V19.B16]
	VAND   V30.B16, V4.B16, V4.B16
	VAND   V30.B16, V5.B16, V5.B16
	VAND   V30.B16, V6.B16, V6.B16
	VAND   V30.B16, V7.B16, V7.B16
	VORR   V16.B16, V4.B16, V4.B16
	VORR   V17.B16, V5.B16, V5.B16
	VORR   V18.B16, V6.B16, V6.B16
	VORR   V19.B16, V7.B16, V7.B16
	VST1.P [V4.B16, V5.B16, V6.B16, V7.B16], 64(R0)
	SUB    $1, R2
	CBNZ   R2, or
	RET
