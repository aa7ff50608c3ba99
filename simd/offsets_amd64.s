//go:build amd64 && !purego

#include "textflag.h"

// func rebaseAVX2(out *uint32, off *int32, steps int, add uint32) (signs int32)
TEXT ·rebaseAVX2(SB), NOSPLIT, $0-36
	MOVQ         out+0(FP), DI
	MOVQ         off+8(FP), SI
	MOVQ         steps+16(FP), CX
	MOVL         add+24(FP), AX
	VMOVD        AX, X0
	VPBROADCASTD X0, Y0
	VPXOR        Y1, Y1, Y1       // offsets and differences, ORed

rebase:
	VMOVDQU (SI), Y2
	VPSUBD  -4(SI), Y2, Y3
	VPOR    Y2, Y1, Y1
	VPOR    Y3, Y1, Y1
	VPADDD  Y0, Y2, Y2
	VMOVDQU Y2, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DI
	DECQ    CX
	JNE     rebase
	VMOVMSKPS Y1, AX
	NEGL      AX                   // negative if a sign is set
	MOVL      AX, signs+32(FP)
	VZEROUPPER
	RET

// func lengthsAVX2(off *int32, steps int) (least, most, signs int32)
TEXT ·lengthsAVX2(SB), NOSPLIT, $0-28
	MOVQ      off+0(FP), SI
	MOVQ      steps+8(FP), CX
	VPXOR     Y1, Y1, Y1           // offsets and differences, ORed
	VMOVDQU   (SI), Y2
	VPSUBD    -4(SI), Y2, Y3       // the least differences
	VMOVDQA   Y3, Y4               // and the greatest

lengths:
	VMOVDQU (SI), Y2
	VPSUBD  -4(SI), Y2, Y5
	VPOR    Y2, Y1, Y1
	VPOR    Y5, Y1, Y1
	VPMINSD Y5, Y3, Y3
	VPMAXSD Y5, Y4, Y4
	ADDQ    $32, SI
	DECQ    CX
	JNE     lengths
	VMOVMSKPS    Y1, AX
	NEGL         AX                // negative if a sign is set
	MOVL         AX, signs+24(FP)
	VEXTRACTI128 $1, Y3, X5
	VPMINSD      X5, X3, X3
	VPSHUFD      $0x4e, X3, X5
	VPMINSD      X5, X3, X3
	VPSHUFD      $0xb1, X3, X5
	VPMINSD      X5, X3, X3
	VMOVD        X3, AX
	MOVL         AX, least+16(FP)
	VEXTRACTI128 $1, Y4, X5
	VPMAXSD      X5, X4, X4
	VPSHUFD      $0x4e, X4, X5
	VPMAXSD      X5, X4, X4
	VPSHUFD      $0xb1, X4, X5
	VPMAXSD      X5, X4, X4
	VMOVD        X4, AX
	MOVL         AX, most+20(FP)
	VZEROUPPER
	RET
