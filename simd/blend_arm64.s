//go:build arm64 && !purego

#include "textflag.h"

// The bits that stand for the rows of a word, by lane: of 16 rows of 64 bits, and of 32 rows of 32 bits.
DATA lanes64<>+0(SB)/8, $1<<0
DATA lanes64<>+8(SB)/8, $1<<1
DATA lanes64<>+16(SB)/8, $1<<2
DATA lanes64<>+24(SB)/8, $1<<3
DATA lanes64<>+32(SB)/8, $1<<4
DATA lanes64<>+40(SB)/8, $1<<5
DATA lanes64<>+48(SB)/8, $1<<6
DATA lanes64<>+56(SB)/8, $1<<7
DATA lanes64<>+64(SB)/8, $1<<8
DATA lanes64<>+72(SB)/8, $1<<9
DATA lanes64<>+80(SB)/8, $1<<10
DATA lanes64<>+88(SB)/8, $1<<11
DATA lanes64<>+96(SB)/8, $1<<12
DATA lanes64<>+104(SB)/8, $1<<13
DATA lanes64<>+112(SB)/8, $1<<14
DATA lanes64<>+120(SB)/8, $1<<15
GLOBL lanes64<>(SB), RODATA|NOPTR, $128

DATA lanes32<>+0(SB)/8, $0x0000000200000001
DATA lanes32<>+8(SB)/8, $0x0000000800000004
DATA lanes32<>+16(SB)/8, $0x0000002000000010
DATA lanes32<>+24(SB)/8, $0x0000008000000040
DATA lanes32<>+32(SB)/8, $0x0000020000000100
DATA lanes32<>+40(SB)/8, $0x0000080000000400
DATA lanes32<>+48(SB)/8, $0x0000200000001000
DATA lanes32<>+56(SB)/8, $0x0000800000004000
DATA lanes32<>+64(SB)/8, $0x0002000000010000
DATA lanes32<>+72(SB)/8, $0x0008000000040000
DATA lanes32<>+80(SB)/8, $0x0020000000100000
DATA lanes32<>+88(SB)/8, $0x0080000000400000
DATA lanes32<>+96(SB)/8, $0x0200000001000000
DATA lanes32<>+104(SB)/8, $0x0800000004000000
DATA lanes32<>+112(SB)/8, $0x2000000010000000
DATA lanes32<>+120(SB)/8, $0x8000000040000000
GLOBL lanes32<>(SB), RODATA|NOPTR, $128

// BLEND blends 128 bytes of rows in lanes of T by the bits in the lanes of V31: V16 to V23 say which one is a lane's.
#define BLEND(T)                                                 \
	VLD1.P 64(R1), [V0.B16, V1.B16, V2.B16, V3.B16]              \
	VLD1.P 64(R1), [V4.B16, V5.B16, V6.B16, V7.B16]              \
	VLD1.P 64(R2), [V8.B16, V9.B16, V10.B16, V11.B16]            \
	VLD1.P 64(R2), [V12.B16, V13.B16, V14.B16, V15.B16]          \
	VCMTST V31.T, V16.T, V24.T                                   \
	VCMTST V31.T, V17.T, V25.T                                   \
	VCMTST V31.T, V18.T, V26.T                                   \
	VCMTST V31.T, V19.T, V27.T                                   \
	VBIT   V24.B16, V8.B16, V0.B16                               \
	VBIT   V25.B16, V9.B16, V1.B16                               \
	VBIT   V26.B16, V10.B16, V2.B16                              \
	VBIT   V27.B16, V11.B16, V3.B16                              \
	VCMTST V31.T, V20.T, V24.T                                   \
	VCMTST V31.T, V21.T, V25.T                                   \
	VCMTST V31.T, V22.T, V26.T                                   \
	VCMTST V31.T, V23.T, V27.T                                   \
	VBIT   V24.B16, V12.B16, V4.B16                              \
	VBIT   V25.B16, V13.B16, V5.B16                              \
	VBIT   V26.B16, V14.B16, V6.B16                              \
	VBIT   V27.B16, V15.B16, V7.B16                              \
	VST1.P [V0.B16, V1.B16, V2.B16, V3.B16], 64(R0)              \
	VST1.P [V4.B16, V5.B16, V6.B16, V7.B16], 64(R0)

// COPY copies 128 bytes.
#define COPY(from)                                               \
	VLD1.P 64(from), [V0.B16, V1.B16, V2.B16, V3.B16]            \
	VLD1.P 64(from), [V4.B16, V5.B16, V6.B16, V7.B16]            \
	VST1.P [V0.B16, V1.B16, V2.B16, V3.B16], 64(R0)              \
	VST1.P [V4.B16, V5.B16, V6.B16, V7.B16], 64(R0)

#define LOAD(lanes)                                              \
	MOVD   out+0(FP), R0                                         \
	MOVD   base+8(FP), R1                                        \
	MOVD   values+16(FP), R2                                     \
	MOVD   mask+24(FP), R3                                       \
	MOVD   n+32(FP), R4                                          \
	MOVD   $lanes<>(SB), R5                                      \
	VLD1.P 64(R5), [V16.B16, V17.B16, V18.B16, V19.B16]          \
	VLD1   (R5), [V20.B16, V21.B16, V22.B16, V23.B16]

// func blend32Vector(out, base, values *uint32, mask *uint64, n int)
TEXT ·blend32Vector(SB), NOSPLIT, $0-40
	LOAD(lanes32)

word:
	MOVD.P 8(R3), R6
	CBZ    R6, none
	CMN    $1, R6
	BEQ    all
	VDUP   R6, V31.S4
	BLEND(S4)
	LSR    $32, R6
	VDUP   R6, V31.S4
	BLEND(S4)

next:
	SUB  $1, R4
	CBNZ R4, word
	RET

none:
	COPY(R1)
	COPY(R1)
	ADD $256, R2
	JMP next

all:
	COPY(R2)
	COPY(R2)
	ADD $256, R1
	JMP next

// func blend64Vector(out, base, values, mask *uint64, n int)
TEXT ·blend64Vector(SB), NOSPLIT, $0-40
	LOAD(lanes64)

word:
	MOVD.P 8(R3), R6
	MOVD   $4, R7
	CBZ    R6, none
	CMN    $1, R6
	BEQ    all
	VDUP   R6, V31.D2

rows:
	BLEND(D2)
	VUSHR $16, V31.D2, V31.D2
	SUB   $1, R7
	CBNZ  R7, rows

next:
	SUB  $1, R4
	CBNZ R4, word
	RET

none:
	COPY(R1)
	SUB  $1, R7
	CBNZ R7, none
	ADD  $512, R2
	JMP  next

all:
	COPY(R2)
	SUB  $1, R7
	CBNZ R7, all
	ADD  $512, R1
	JMP  next
