//go:build amd64 && !purego

#include "textflag.h"

// func takePlacesAVX2(dst *byte, off *uint32, places *[MaxPlaces]Place, owners *uint8, sel *uint32, n int)
TEXT ·takePlacesAVX2(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ off+8(FP), R8
	MOVQ places+16(FP), R9
	MOVQ owners+24(FP), R10
	MOVQ sel+32(FP), R11
	MOVQ n+40(FP), R12
	XORQ BX, BX             // the row at hand

take:
	MOVL    (R11)(BX*4), AX
	MOVL    AX, CX
	SHRL    $3, CX
	MOVBLZX (R10)(CX*1), CX
	SHLL    $4, CX
	MOVL    (R8)(AX*4), DX
	MOVL    4(R8)(AX*4), AX
	SUBL    DX, AX               // its length
	SUBL    8(R9)(CX*1), DX
	ADDQ    (R9)(CX*1), DX       // where it is
	VMOVDQU (DX), Y0
	VMOVDQU Y0, (DI)
	CMPL    AX, $32
	JHI     long

taken:
	ADDQ AX, DI
	INCQ BX
	CMPQ BX, R12
	JLT  take
	VZEROUPPER
	RET

long:
	MOVL $32, CX

more:
	VMOVDQU (DX)(CX*1), Y0
	VMOVDQU Y0, (DI)(CX*1)
	ADDL    $32, CX
	CMPL    CX, AX
	JLO     more
	JMP     taken

// func unequalAVX2(unequal *uint8, off *uint32, places *[MaxPlaces]Place, owners *uint8, twins *Twin, n int) (count int)
TEXT ·unequalAVX2(SB), NOSPLIT, $0-56
	MOVQ unequal+0(FP), DI
	MOVQ off+8(FP), R8
	MOVQ places+16(FP), R9
	MOVQ owners+24(FP), R10
	MOVQ twins+32(FP), R11
	MOVQ n+40(FP), R12
	XORQ R13, R13           // how many are unequal

twin:
	MOVL    (R11), AX
	MOVL    AX, CX
	SHRL    $3, CX
	MOVBLZX (R10)(CX*1), CX
	SHLL    $4, CX
	MOVL    (R8)(AX*4), SI
	MOVL    4(R8)(AX*4), AX
	SUBL    SI, AX               // the length of the first
	SUBL    8(R9)(CX*1), SI
	ADDQ    (R9)(CX*1), SI       // where it is
	MOVL    4(R11), BX
	MOVL    BX, CX
	SHRL    $3, CX
	MOVBLZX (R10)(CX*1), CX
	SHLL    $4, CX
	MOVL    (R8)(BX*4), DX
	MOVL    4(R8)(BX*4), BX
	SUBL    DX, BX               // the length of the second
	SUBL    8(R9)(CX*1), DX
	ADDQ    (R9)(CX*1), DX       // where it is
	ADDQ    $12, R11
	CMPL    AX, BX
	JNE     unlike
	XORL    R15, R15             // bytes that differ

bytes:
	VMOVDQU   (SI), Y0
	VPCMPEQB  (DX), Y0, Y0
	VPMOVMSKB Y0, CX
	NOTL      CX
	CMPL      AX, $32
	JLS       last
	ORL       CX, R15
	ADDQ      $32, SI
	ADDQ      $32, DX
	SUBL      $32, AX
	JMP       bytes

last:
	BZHIQ AX, CX, CX             // without the bytes behind the end
	XORL  AX, AX
	ORL   CX, R15
	SETNE AX

count:
	MOVB AX, (DI)
	ADDQ AX, R13
	INCQ DI
	DECQ R12
	JNE  twin
	VZEROUPPER
	MOVQ R13, count+48(FP)
	RET

unlike:
	MOVL $1, AX
	JMP  count
