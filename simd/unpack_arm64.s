//go:build arm64 && !purego

#include "textflag.h"
#include "vector_arm64.h"

// SPREAD makes the two bytes of V0 that bytes tells 16 bytes, each 1 where its bit is set.
#define SPREAD(bytes, out)                   \
	VTBL   bytes.B16, [V0.B16], out.B16      \
	VCMTST V31.B16, out.B16, out.B16         \
	VUSHR  $7, out.B16, out.B16

// func unpackVector(dst, bitmap *byte, steps, shift int)
TEXT ·unpackVector(SB), NOSPLIT, $0-32
	MOVD  dst+0(FP), R0
	MOVD  bitmap+8(FP), R1
	MOVD  steps+16(FP), R2
	MOVD  shift+24(FP), R3
	MOVD  $63, R4
	SUB   R3, R4
	WEIGHTS(V31)
	VMOVQ $0x0000000000000000, $0x0101010101010101, V24
	VMOVQ $0x0202020202020202, $0x0303030303030303, V25
	VMOVQ $0x0404040404040404, $0x0505050505050505, V26
	VMOVQ $0x0606060606060606, $0x0707070707070707, V27

unpack:
	MOVBU  8(R1), R6
	MOVD.P 8(R1), R5
	LSR    R3, R5
	LSL    $1, R6
	LSL    R4, R6               // by 64 in all if there is no shift: nothing
	ORR    R6, R5
	VMOV   R5, V0.D[0]
	SPREAD(V24, V4)
	SPREAD(V25, V5)
	SPREAD(V26, V6)
	SPREAD(V27, V7)
	VST1.P [V4.B16, V5.B16, V6.B16, V7.B16], 64(R0)
	SUB    $1, R2
	CBNZ   R2, unpack
	RET
