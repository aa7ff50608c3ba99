//go:build amd64 && !purego

#include "textflag.h"

// func packTextsBMI2(out *uint64, data *byte, from *int32, n, at int, base, mask, count uint64) (differ uint64)
TEXT ·packTextsBMI2(SB), NOSPLIT, $0-72
	MOVQ out+0(FP), DI
	MOVQ data+8(FP), SI
	MOVQ from+16(FP), R8
	MOVQ n+24(FP), R9
	ADDQ at+32(FP), SI
	MOVQ base+40(FP), R10
	MOVQ mask+48(FP), R11
	MOVQ count+56(FP), R12
	XORQ R13, R13          // differ
	XORQ BX, BX            // the text at hand

texts:
	MOVLQSX (R8)(BX*4), AX
	MOVQ   (SI)(AX*1), AX
	BSWAPQ AX
	MOVQ   AX, DX
	XORQ   R10, DX
	ORQ    DX, R13
	PEXTQ  R11, AX, AX
	SHLXQ  R12, (DI)(BX*8), DX
	ORQ    AX, DX
	MOVQ   DX, (DI)(BX*8)
	INCQ   BX
	CMPQ   BX, R9
	JLT    texts
	MOVQ   R13, differ+64(FP)
	RET

// func packPaddedBMI2(out *uint64, data *byte, from *int32, n, at int, base, mask, count uint64) (differ uint64)
TEXT ·packPaddedBMI2(SB), NOSPLIT, $0-72
	MOVQ out+0(FP), DI
	MOVQ data+8(FP), SI
	MOVQ from+16(FP), R8
	MOVQ n+24(FP), R9
	MOVQ at+32(FP), R14
	ADDQ R14, SI
	MOVQ base+40(FP), R10
	MOVQ mask+48(FP), R11
	MOVQ count+56(FP), R12
	XORQ R13, R13          // differ
	XORQ BX, BX            // the text at hand
	MOVQ $8, DX            // most bytes of a word
	XORQ R15, R15          // and least

padded:
	MOVLQSX (R8)(BX*4), AX
	MOVLQSX 4(R8)(BX*4), CX
	SUBQ    AX, CX
	SUBQ    R14, CX        // bytes of the text from at on
	CMPQ    CX, DX
	CMOVQGT DX, CX
	TESTQ   CX, CX
	CMOVQLT R15, CX
	SHLQ    $3, CX
	MOVQ    (SI)(AX*1), AX
	BZHIQ   CX, AX, AX     // keeps so many low bits, which are the first bytes
	BSWAPQ  AX
	MOVQ    AX, CX
	XORQ    R10, CX
	ORQ     CX, R13
	PEXTQ   R11, AX, AX
	SHLXQ   R12, (DI)(BX*8), CX
	ORQ     AX, CX
	MOVQ    CX, (DI)(BX*8)
	INCQ    BX
	CMPQ    BX, R9
	JLT     padded
	MOVQ    R13, differ+64(FP)
	RET

// func differ4AVX2(data *byte, from *int32, n, at int, base, differ *[4]uint64)
TEXT ·differ4AVX2(SB), NOSPLIT, $0-48
	MOVQ    data+0(FP), SI
	MOVQ    from+8(FP), R8
	MOVQ    n+16(FP), R9
	ADDQ    at+24(FP), SI
	MOVQ    base+32(FP), AX
	MOVQ    differ+40(FP), DI
	VMOVDQU (AX), Y0
	VPXOR   Y1, Y1, Y1     // differ
	XORQ    BX, BX         // the text at hand

four:
	MOVLQSX (R8)(BX*4), AX
	VPXOR   (SI)(AX*1), Y0, Y2
	VPOR    Y2, Y1, Y1
	INCQ    BX
	CMPQ    BX, R9
	JLT     four
	VMOVDQU Y1, (DI)
	VZEROUPPER
	RET
