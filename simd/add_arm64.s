//go:build arm64 && !purego

#include "textflag.h"

// ADD makes out the sum of two rows. The top bits of over gather those of rows whose sum has another sign than both of its sides.
#define ADD(a, b, out, over)       \
	VADD b.D2, a.D2, out.D2        \
	VEOR out.B16, a.B16, a.B16     \
	VEOR out.B16, b.B16, b.B16     \
	VAND b.B16, a.B16, a.B16       \
	VORR a.B16, over.B16, over.B16

// SUBTRACT is ADD for differences: the sides have different signs, and the left has another than the difference.
#define SUBTRACT(a, b, out, over)  \
	VSUB b.D2, a.D2, out.D2        \
	VEOR b.B16, a.B16, b.B16       \
	VEOR out.B16, a.B16, a.B16     \
	VAND b.B16, a.B16, a.B16       \
	VORR a.B16, over.B16, over.B16

// HALF is half a block, eight rows.
#define HALF(OP)                                          \
	VLD1.P 64(R1), [V0.D2, V1.D2, V2.D2, V3.D2]           \
	VLD1.P (R2)(R4), [V4.D2, V5.D2, V6.D2, V7.D2]         \
	OP(V0, V4, V16, V28)                                  \
	OP(V1, V5, V17, V29)                                  \
	OP(V2, V6, V18, V30)                                  \
	OP(V3, V7, V19, V31)                                  \
	VST1.P [V16.D2, V17.D2, V18.D2, V19.D2], 64(R0)

#define LOAD                          \
	MOVD out+0(FP), R0                \
	MOVD a+8(FP), R1                  \
	MOVD b+16(FP), R2                 \
	MOVD n+24(FP), R3                 \
	MOVD stepB+32(FP), R4             \
	LSR  $1, R4                       \
	VEOR V28.B16, V28.B16, V28.B16    \
	VEOR V29.B16, V29.B16, V29.B16    \
	VEOR V30.B16, V30.B16, V30.B16    \
	VEOR V31.B16, V31.B16, V31.B16

// STORE returns whether a top bit is set.
#define STORE                         \
	VORR V29.B16, V28.B16, V28.B16    \
	VORR V31.B16, V30.B16, V30.B16    \
	VORR V30.B16, V28.B16, V28.B16    \
	VMOV V28.D[0], R5                 \
	VMOV V28.D[1], R6                 \
	ORR  R6, R5                       \
	LSR  $63, R5                      \
	MOVB R5, overflows+40(FP)

// func addVector(out, a, b *int64, n, stepB int) (overflows bool)
TEXT ·addVector(SB), NOSPLIT, $0-41
	LOAD

add:
	HALF(ADD)
	HALF(ADD)
	SUB  $1, R3
	CBNZ R3, add
	STORE
	RET

// func subtractVector(out, a, b *int64, n, stepB int) (overflows bool)
TEXT ·subtractVector(SB), NOSPLIT, $0-41
	LOAD

subtract:
	HALF(SUBTRACT)
	HALF(SUBTRACT)
	SUB  $1, R3
	CBNZ R3, subtract
	STORE
	RET
