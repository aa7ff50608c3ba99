//go:build amd64 && !purego

#include "textflag.h"

// COMPARE writes the 16 bits of a block. compare makes four rows of ones and zeros out of those at some bytes in the block.
#define COMPARE(compare) \
	compare(0, Y0)        \
	compare(32, Y1)       \
	compare(64, Y2)       \
	compare(96, Y3)       \
	VMOVMSKPD Y0, AX      \
	VMOVMSKPD Y1, BX      \
	VMOVMSKPD Y2, CX      \
	VMOVMSKPD Y3, DX      \
	SHLQ      $4, BX      \
	SHLQ      $8, CX      \
	SHLQ      $12, DX     \
	ORQ       BX, AX      \
	ORQ       DX, CX      \
	ORQ       CX, AX      \
	MOVW      AX, (DI)    \
	ADDQ      $2, DI

#define LESS(at, y)             \
	VMOVDQU  at(R8), y           \
	VPCMPGTQ at(SI), y, y

#define EQUAL(at, y)            \
	VMOVDQU  at(R8), y           \
	VPCMPEQQ at(SI), y, y

// func lessAVX2(bits *uint64, a, b *int64, n, stepA, stepB int)
TEXT ·lessAVX2(SB), NOSPLIT, $0-48
	MOVQ bits+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), R8
	MOVQ n+24(FP), R9
	MOVQ stepA+32(FP), R10
	MOVQ stepB+40(FP), R11

less:
	COMPARE(LESS)
	ADDQ R10, SI
	ADDQ R11, R8
	DECQ R9
	JNE  less
	VZEROUPPER
	RET

// func equalAVX2(bits *uint64, a, b *int64, n, stepB int)
TEXT ·equalAVX2(SB), NOSPLIT, $0-40
	MOVQ bits+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), R8
	MOVQ n+24(FP), R9
	MOVQ stepB+32(FP), R11

equal:
	COMPARE(EQUAL)
	ADDQ $128, SI
	ADDQ R11, R8
	DECQ R9
	JNE  equal
	VZEROUPPER
	RET

// ADD adds four rows at some bytes in the block. The top bits of Y15 gather those of rows whose sum has another sign than both
// of its sides.
#define ADD(at)                  \
	VMOVDQU at(SI), Y0            \
	VMOVDQU at(R8), Y1            \
	VPADDQ  Y1, Y0, Y2            \
	VMOVDQU Y2, at(DI)            \
	VPXOR   Y2, Y0, Y0            \
	VPXOR   Y2, Y1, Y1            \
	VPAND   Y1, Y0, Y0            \
	VPOR    Y0, Y15, Y15

// SUBTRACT is ADD for differences: the sides have different signs, and the left has another than the difference.
#define SUBTRACT(at)             \
	VMOVDQU at(SI), Y0            \
	VMOVDQU at(R8), Y1            \
	VPSUBQ  Y1, Y0, Y2            \
	VMOVDQU Y2, at(DI)            \
	VPXOR   Y1, Y0, Y1            \
	VPXOR   Y2, Y0, Y0            \
	VPAND   Y1, Y0, Y0            \
	VPOR    Y0, Y15, Y15

// func addAVX2(out, a, b *int64, n, stepB int) (overflows bool)
TEXT ·addAVX2(SB), NOSPLIT, $0-41
	MOVQ  out+0(FP), DI
	MOVQ  a+8(FP), SI
	MOVQ  b+16(FP), R8
	MOVQ  n+24(FP), R9
	MOVQ  stepB+32(FP), R11
	VPXOR Y15, Y15, Y15

add:
	ADD(0)
	ADD(32)
	ADD(64)
	ADD(96)
	ADDQ      $128, DI
	ADDQ      $128, SI
	ADDQ      R11, R8
	DECQ      R9
	JNE       add
	VMOVMSKPD Y15, AX
	TESTQ     AX, AX
	SETNE     overflows+40(FP)
	VZEROUPPER
	RET

// func subtractAVX2(out, a, b *int64, n, stepB int) (overflows bool)
TEXT ·subtractAVX2(SB), NOSPLIT, $0-41
	MOVQ  out+0(FP), DI
	MOVQ  a+8(FP), SI
	MOVQ  b+16(FP), R8
	MOVQ  n+24(FP), R9
	MOVQ  stepB+32(FP), R11
	VPXOR Y15, Y15, Y15

subtract:
	SUBTRACT(0)
	SUBTRACT(32)
	SUBTRACT(64)
	SUBTRACT(96)
	ADDQ      $128, DI
	ADDQ      $128, SI
	ADDQ      R11, R8
	DECQ      R9
	JNE       subtract
	VMOVMSKPD Y15, AX
	TESTQ     AX, AX
	SETNE     overflows+40(FP)
	VZEROUPPER
	RET

// toTop64 moves bits 0 to 3 of a word, in four lanes, to the top of the lane, toTop32 bits 0 to 7, in eight.
DATA toTop64<>+0(SB)/8, $63
DATA toTop64<>+8(SB)/8, $62
DATA toTop64<>+16(SB)/8, $61
DATA toTop64<>+24(SB)/8, $60
GLOBL toTop64<>(SB), RODATA|NOPTR, $32
DATA toTop32<>+0(SB)/8, $0x0000001e0000001f
DATA toTop32<>+8(SB)/8, $0x0000001c0000001d
DATA toTop32<>+16(SB)/8, $0x0000001a0000001b
DATA toTop32<>+24(SB)/8, $0x0000001800000019
GLOBL toTop32<>(SB), RODATA|NOPTR, $32

// BLEND64 chooses four rows at some bytes by the low bits of the lanes of Y0, and shifts them out.
#define BLEND64(at)              \
	VPSLLVQ   Y15, Y0, Y1         \
	VMOVDQU   at(SI), Y2          \
	VBLENDVPD Y1, at(R8), Y2, Y2  \
	VMOVDQU   Y2, at(DI)          \
	VPSRLQ    $4, Y0, Y0

// BLEND32 is BLEND64 for eight rows.
#define BLEND32(at)              \
	VPSLLVD   Y15, Y0, Y1         \
	VMOVDQU   at(SI), Y2          \
	VBLENDVPS Y1, at(R8), Y2, Y2  \
	VMOVDQU   Y2, at(DI)          \
	VPSRLD    $8, Y0, Y0

// func blend32AVX2(out, base, values *uint32, mask *uint64, n int)
TEXT ·blend32AVX2(SB), NOSPLIT, $0-40
	MOVQ    out+0(FP), DI
	MOVQ    base+8(FP), SI
	MOVQ    values+16(FP), R8
	MOVQ    mask+24(FP), R9
	MOVQ    n+32(FP), R10
	SHLQ    $1, R10               // halves of words
	VMOVDQU toTop32<>(SB), Y15

half:
	VPBROADCASTD (R9), Y0
	BLEND32(0)
	BLEND32(32)
	BLEND32(64)
	BLEND32(96)
	ADDQ $128, DI
	ADDQ $128, SI
	ADDQ $128, R8
	ADDQ $4, R9
	DECQ R10
	JNE  half
	VZEROUPPER
	RET

// func blend64AVX2(out, base, values, mask *uint64, n int)
TEXT ·blend64AVX2(SB), NOSPLIT, $0-40
	MOVQ    out+0(FP), DI
	MOVQ    base+8(FP), SI
	MOVQ    values+16(FP), R8
	MOVQ    mask+24(FP), R9
	MOVQ    n+32(FP), R10
	VMOVDQU toTop64<>(SB), Y15

word:
	VPBROADCASTQ (R9), Y0
	MOVQ         $4, CX

rows:
	BLEND64(0)
	BLEND64(32)
	BLEND64(64)
	BLEND64(96)
	ADDQ $128, DI
	ADDQ $128, SI
	ADDQ $128, R8
	DECQ CX
	JNE  rows
	ADDQ $8, R9
	DECQ R10
	JNE  word
	VZEROUPPER
	RET

// TURN writes a column: the top bits of the rows, whose next bits it moves to the top.
#define TURN(at)           \
	VPMOVMSKB Y0, AX        \
	VPMOVMSKB Y1, BX        \
	SHLQ      $32, BX       \
	ORQ       BX, AX        \
	MOVQ      AX, at(DI)    \
	VPADDB    Y0, Y0, Y0    \
	VPADDB    Y1, Y1, Y1

// func turnAVX2(columns *[8]uint64, rows *[64]byte)
TEXT ·turnAVX2(SB), NOSPLIT, $0-16
	MOVQ    columns+0(FP), DI
	MOVQ    rows+8(FP), SI
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1
	TURN(56)
	TURN(48)
	TURN(40)
	TURN(32)
	TURN(24)
	TURN(16)
	TURN(8)
	TURN(0)
	VZEROUPPER
	RET

// func extractBMI2(out, src, mask *uint64, n int)
TEXT ·extractBMI2(SB), NOSPLIT, $0-32
	MOVQ out+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ mask+16(FP), R8
	MOVQ n+24(FP), R9
	XORQ BX, BX            // the word at hand

words:
	MOVQ  (SI)(BX*8), AX
	PEXTQ (R8)(BX*8), AX, AX
	MOVQ  AX, (DI)(BX*8)
	INCQ  BX
	CMPQ  BX, R9
	JLT   words
	RET
