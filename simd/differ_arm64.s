//go:build arm64 && !purego

#include "textflag.h"

// func differ4Vector(data *byte, from *int32, n, at int, base, differ *[4]uint64)
TEXT ·differ4Vector(SB), NOSPLIT, $0-48
	MOVD data+0(FP), R0
	MOVD from+8(FP), R1
	MOVD n+16(FP), R2
	MOVD at+24(FP), R3
	MOVD base+32(FP), R4
	MOVD differ+40(FP), R5
	ADD  R3, R0
	VLD1 (R4), [V0.B16, V1.B16]
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16

text:
	MOVW.P 4(R1), R6
	ADD    R0, R6
	VLD1   (R6), [V4.B16, V5.B16]
	VEOR   V0.B16, V4.B16, V4.B16
	VEOR   V1.B16, V5.B16, V5.B16
	VORR   V4.B16, V2.B16, V2.B16
	VORR   V5.B16, V3.B16, V3.B16
	SUB    $1, R2
	CBNZ   R2, text
	VST1   [V2.B16, V3.B16], (R5)
	RET
