//go:build amd64 && !purego

#include "textflag.h"

// func viewsAVX2(dst *TextView, off *uint32, data *byte, steps int, block uint32, masks *[InlineText + 2]TextView) (longest uint32)
TEXT ·viewsAVX2(SB), NOSPLIT, $16-52
	MOVQ dst+0(FP), DI
	MOVQ off+8(FP), SI
	MOVQ data+16(FP), R8
	MOVQ steps+24(FP), CX
	MOVL block+32(FP), AX
	MOVQ masks+40(FP), R9

	VMOVD        AX, X8
	VPBROADCASTD X8, X8   // the block
	MOVL         $12, AX
	VMOVD        AX, X9
	VPBROADCASTD X9, X9   // what is inline
	MOVL         $13, AX
	VMOVD        AX, X10
	VPBROADCASTD X10, X10 // the mask of all that is not
	VPXOR        X11, X11, X11
	VPXOR        X12, X12, X12 // the longest so far

views:
	// Lengths, masks, and for texts that are not inline the block and the offset.
	VMOVDQU  (SI), X0
	VMOVDQU  4(SI), X1
	VPSUBD   X0, X1, X1
	VPMAXUD  X1, X12, X12
	VPMINUD  X1, X10, X2
	VPSLLD   $4, X2, X3
	VMOVDQU  X3, mask-16(SP)
	VPCMPGTD X9, X2, X2
	VPAND    X2, X8, X3
	VPAND    X2, X0, X2

	// length 0 block offset, four times
	VPUNPCKLDQ  X11, X1, X4
	VPUNPCKHDQ  X11, X1, X5
	VPUNPCKLDQ  X2, X3, X6
	VPUNPCKHDQ  X2, X3, X7
	VPUNPCKLQDQ X6, X4, X0
	VPUNPCKHQDQ X6, X4, X1
	VPUNPCKLQDQ X7, X5, X2
	VPUNPCKHQDQ X7, X5, X3

	// The first bytes of each text, behind four others.
	MOVL    (SI), AX
	MOVL    4(SI), BX
	MOVL    8(SI), R10
	MOVL    12(SI), R11
	VMOVDQU -4(R8)(AX*1), X4
	VMOVDQU -4(R8)(BX*1), X5
	VMOVDQU -4(R8)(R10*1), X6
	VMOVDQU -4(R8)(R11*1), X7
	MOVL    mask-16(SP), AX
	MOVL    mask-12(SP), BX
	MOVL    mask-8(SP), R10
	MOVL    mask-4(SP), R11
	VPAND   (R9)(AX*1), X4, X4
	VPAND   (R9)(BX*1), X5, X5
	VPAND   (R9)(R10*1), X6, X6
	VPAND   (R9)(R11*1), X7, X7
	VPOR    X0, X4, X4
	VPOR    X1, X5, X5
	VPOR    X2, X6, X6
	VPOR    X3, X7, X7
	VMOVDQU X4, (DI)
	VMOVDQU X5, 16(DI)
	VMOVDQU X6, 32(DI)
	VMOVDQU X7, 48(DI)
	ADDQ    $16, SI
	ADDQ    $64, DI
	DECQ    CX
	JNZ     views

	VPSHUFD $0x4e, X12, X0
	VPMAXUD X0, X12, X12
	VPSHUFD $0xb1, X12, X0
	VPMAXUD X0, X12, X12
	VMOVD   X12, AX
	MOVL    AX, longest+48(FP)
	RET
