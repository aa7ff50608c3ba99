//go:build amd64 && !purego

#include "textflag.h"

// func packTextsBMI2(out *uint64, data *byte, from *int, n, at int, base, mask, count uint64) (differ uint64)
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
	MOVQ   (R8)(BX*8), AX
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

// func packPaddedBMI2(out *uint64, data *byte, from *int, n, at int, base, mask, count uint64) (differ uint64)
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
	MOVQ    (R8)(BX*8), AX
	MOVQ    8(R8)(BX*8), CX
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
