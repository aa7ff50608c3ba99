//go:build arm64 && !purego

#include "textflag.h"
#include "vector_arm64.h"

// DIFFERENCES reads eight offsets into V0 and V1, and their differences from those before into V2 and V3. V28 and V29 gather both. R2 is
// four bytes before R1.
#define DIFFERENCES                   \
	VLD1.P 32(R2), [V2.S4, V3.S4]     \
	VLD1.P 32(R1), [V0.S4, V1.S4]     \
	VSUB   V2.S4, V0.S4, V2.S4        \
	VSUB   V3.S4, V1.S4, V3.S4        \
	VORR   V0.B16, V28.B16, V28.B16   \
	VORR   V1.B16, V29.B16, V29.B16   \
	VORR   V2.B16, V28.B16, V28.B16   \
	VORR   V3.B16, V29.B16, V29.B16

// SIGNS makes a result negative if the top bit of a lane is set.
#define SIGNS(result)                 \
	VORR V29.B16, V28.B16, V28.B16    \
	VMOV V28.D[0], R5                 \
	VMOV V28.D[1], R6                 \
	ORR  R6, R5                       \
	ORR  R5>>32, R5                   \
	MOVW R5, result

// func rebaseVector(out *uint32, off *int32, steps int, add uint32) (signs int32)
TEXT ·rebaseVector(SB), NOSPLIT, $0-36
	MOVD  out+0(FP), R0
	MOVD  off+8(FP), R1
	MOVD  steps+16(FP), R3
	MOVWU add+24(FP), R4
	SUB   $4, R1, R2
	VDUP  R4, V31.S4
	VEOR  V28.B16, V28.B16, V28.B16
	VEOR  V29.B16, V29.B16, V29.B16

rebase:
	DIFFERENCES
	VADD   V31.S4, V0.S4, V0.S4
	VADD   V31.S4, V1.S4, V1.S4
	VST1.P [V0.S4, V1.S4], 32(R0)
	SUB    $1, R3
	CBNZ   R3, rebase
	SIGNS(signs+32(FP))
	RET

// func lengthsVector(off *int32, steps int) (least, most, signs int32)
TEXT ·lengthsVector(SB), NOSPLIT, $0-28
	MOVD   off+0(FP), R1
	MOVD   steps+8(FP), R3
	SUB    $4, R1, R2
	VEOR   V28.B16, V28.B16, V28.B16
	VEOR   V29.B16, V29.B16, V29.B16
	VLD1   (R1), [V0.S4, V1.S4]
	VLD1   (R2), [V2.S4, V3.S4]
	VSUB   V2.S4, V0.S4, V30.S4          // the least differences
	VORR   V30.B16, V30.B16, V31.B16     // and the greatest

lengths:
	DIFFERENCES
	SMIN(2, 30, 30)
	SMAX(2, 31, 31)
	SMIN(3, 30, 30)
	SMAX(3, 31, 31)
	SUB  $1, R3
	CBNZ R3, lengths
	SIGNS(signs+24(FP))
	SMINV(30, 30)
	SMAXV(31, 31)
	VMOV V30.S[0], R4
	MOVW R4, least+16(FP)
	VMOV V31.S[0], R4
	MOVW R4, most+20(FP)
	RET
