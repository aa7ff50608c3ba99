//go:build arm64 && !purego

#include "textflag.h"
#include "vector_arm64.h"

// VIEW puts the text that begins so many bytes after R3 into a view that has all but that. Lane i of V4 says where in the masks its own is.
#define VIEW(i, text, view)            \
	VMOV V4.S[i], R10                  \
	ADD  R3, text                      \
	ADD  R6, R10                       \
	VLD1 (text), [V12.B16]             \
	VLD1 (R10), [V13.B16]              \
	VAND V13.B16, V12.B16, V12.B16     \
	VORR V12.B16, view.B16, view.B16

// func viewsVector(dst *TextView, off *uint32, data *byte, steps int, block uint32, masks *[InlineText + 2]TextView) (longest uint32)
TEXT ·viewsVector(SB), NOSPLIT, $0-52
	MOVD  dst+0(FP), R0
	MOVD  off+8(FP), R1
	MOVD  data+16(FP), R3
	MOVD  steps+24(FP), R4
	MOVWU block+32(FP), R5
	MOVD  masks+40(FP), R6
	ADD   $4, R1, R2                   // the ends of texts
	SUB   $4, R3                       // texts are bytes 4 to 15 of what is read
	VDUP  R5, V28.S4                   // the block
	MOVD  $13, R5
	VDUP  R5, V29.S4                   // the mask of texts that are not inline
	VEOR  V30.B16, V30.B16, V30.B16    // zero
	VEOR  V31.B16, V31.B16, V31.B16    // the longest so far

views:
	// Lengths, masks, and for texts that are not inline the block and the offset.
	VLD1   (R1), [V0.S4]
	VLD1.P 16(R2), [V1.S4]
	VSUB   V0.S4, V1.S4, V1.S4
	VUMAX  V1.S4, V31.S4, V31.S4
	VUMIN  V29.S4, V1.S4, V4.S4
	VCMEQ  V29.S4, V4.S4, V5.S4
	VSHL   $4, V4.S4, V4.S4
	VAND   V5.B16, V28.B16, V6.B16
	VAND   V5.B16, V0.B16, V7.B16

	// length 0 block offset, four times
	VZIP1 V30.S4, V1.S4, V8.S4
	VZIP2 V30.S4, V1.S4, V9.S4
	VZIP1 V7.S4, V6.S4, V10.S4
	VZIP2 V7.S4, V6.S4, V11.S4
	VZIP1 V10.D2, V8.D2, V0.D2
	VZIP2 V10.D2, V8.D2, V1.D2
	VZIP1 V11.D2, V9.D2, V2.D2
	VZIP2 V11.D2, V9.D2, V3.D2

	// The first bytes of each text, behind four others.
	LDPW   (R1), (R11, R12)
	LDPW   8(R1), (R13, R14)
	VIEW(0, R11, V0)
	VIEW(1, R12, V1)
	VIEW(2, R13, V2)
	VIEW(3, R14, V3)
	VST1.P [V0.B16, V1.B16, V2.B16, V3.B16], 64(R0)
	ADD    $16, R1
	SUB    $1, R4
	CBNZ   R4, views
	UMAXV(31, 31)
	VMOV   V31.S[0], R4
	MOVW   R4, longest+48(FP)
	RET
