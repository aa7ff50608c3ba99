// Instructions that Go's assembler lacks before Go 1.27, by the numbers of their registers: the result is d.

// CMGT makes lanes of 64 bits all ones where n > m.
#define CMGT(m, n, d) WORD $(0x4ee03400 | (m)<<16 | (n)<<5 | (d))

// CMHI is CMGT for lanes without a sign.
#define CMHI(m, n, d) WORD $(0x6ee03400 | (m)<<16 | (n)<<5 | (d))

// SMIN and SMAX take the lesser and the greater of lanes of 32 bits.
#define SMIN(m, n, d) WORD $(0x4ea06c00 | (m)<<16 | (n)<<5 | (d))
#define SMAX(m, n, d) WORD $(0x4ea06400 | (m)<<16 | (n)<<5 | (d))

// SMINV, SMAXV and UMAXV reduce four lanes of 32 bits to the lowest of the result.
#define SMINV(n, d) WORD $(0x4eb1a800 | (n)<<5 | (d))
#define SMAXV(n, d) WORD $(0x4eb0a800 | (n)<<5 | (d))
#define UMAXV(n, d) WORD $(0x6eb0a800 | (n)<<5 | (d))

// WEIGHTS sets a register to what byte i of eight stands for as bit i, twice.
#define WEIGHTS(v) VMOVQ $0x8040201008040201, $0x8040201008040201, v

// WEIGH makes 16 rows, two lanes of ones or zeros in each of V0 to V7, 16 bytes with the weights in V31.
#define WEIGH(out)                   \
	VUZP1 V1.S4, V0.S4, V0.S4        \
	VUZP1 V3.S4, V2.S4, V2.S4        \
	VUZP1 V5.S4, V4.S4, V4.S4        \
	VUZP1 V7.S4, V6.S4, V6.S4        \
	VUZP1 V2.H8, V0.H8, V0.H8        \
	VUZP1 V6.H8, V4.H8, V4.H8        \
	VUZP1 V4.B16, V0.B16, V0.B16     \
	VAND  V31.B16, V0.B16, out.B16

// SUMBITS makes what WEIGH has left of 64 rows in V24 to V27 a word in V24: neighbours are added until a byte is eight rows.
#define SUMBITS                      \
	VADDP V25.B16, V24.B16, V24.B16  \
	VADDP V27.B16, V26.B16, V26.B16  \
	VADDP V26.B16, V24.B16, V24.B16  \
	VADDP V24.B16, V24.B16, V24.B16
