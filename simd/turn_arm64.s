//go:build arm64 && !purego

#include "textflag.h"

// SWAP changes bits of the squares in two lanes with those so many places higher: low are the lower ones, high the others.
#define SWAP(x, places, low, high)      \
	VUSHR $places, x.D2, V4.D2          \
	VSHL  $places, x.D2, V5.D2          \
	VBIT  low.B16, V4.B16, x.B16        \
	VBIT  high.B16, V5.B16, x.B16

// TURN turns two squares of 8 by 8 bits round, in steps of one, two and four rows.
#define TURN(x)                \
	SWAP(x, 7, V26, V27)       \
	SWAP(x, 14, V28, V29)      \
	SWAP(x, 28, V30, V31)

// DEAL puts the even bytes of four registers in front of the odd ones.
#define DEAL(a, b, c, d, A, B, C, D)     \
	VUZP1 b.B16, a.B16, A.B16            \
	VUZP1 d.B16, c.B16, B.B16            \
	VUZP2 b.B16, a.B16, C.B16            \
	VUZP2 d.B16, c.B16, D.B16

// func turnVector(columns *[8]uint64, rows *[64]byte)
TEXT ·turnVector(SB), NOSPLIT, $0-16
	MOVD  columns+0(FP), R0
	MOVD  rows+8(FP), R1
	VMOVQ $0x00aa00aa00aa00aa, $0x00aa00aa00aa00aa, V26
	VSHL  $7, V26.D2, V27.D2
	VMOVQ $0x0000cccc0000cccc, $0x0000cccc0000cccc, V28
	VSHL  $14, V28.D2, V29.D2
	VMOVQ $0x00000000f0f0f0f0, $0x00000000f0f0f0f0, V30
	VSHL  $28, V30.D2, V31.D2
	VLD1  (R1), [V0.B16, V1.B16, V2.B16, V3.B16]
	TURN(V0)
	TURN(V1)
	TURN(V2)
	TURN(V3)

	// Byte j of square i becomes byte i of column j: three times the even bytes go first.
	DEAL(V0, V1, V2, V3, V4, V5, V6, V7)
	DEAL(V4, V5, V6, V7, V0, V1, V2, V3)
	DEAL(V0, V1, V2, V3, V4, V5, V6, V7)
	VST1  [V4.B16, V5.B16, V6.B16, V7.B16], (R0)
	RET
