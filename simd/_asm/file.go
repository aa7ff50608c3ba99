package main

import (
	"fmt"
	"go/types"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
	"github.com/mmcloughlin/avo/reg"
)

// file is a file of assembly that is being written. Its methods are the instructions, with operands in the order of Go's assembler:
// what is read first, what is written last.
type file struct {
	*build.Context
	declared *types.Package
	err      error // the first function that is not declared
}

func newFile(declared *types.Package) *file {
	c := build.NewContext()
	c.ConstraintExpr("amd64,!purego")
	return &file{Context: c, declared: declared}
}

// implement begins the function of a name. It has the parameters and results of its declaration in package simd.
func (f *file) implement(name string) {
	signature, err := gotypes.LookupSignature(f.declared, name)
	if err != nil {
		signature = gotypes.NewSignatureVoid()
		if f.err == nil {
			f.err = fmt.Errorf("package simd: %w", err)
		}
	}
	f.Function(name)
	f.Attributes(attr.NOSPLIT)
	f.Signature(signature)
}

// param loads a parameter of 64 bits.
func (f *file) param(name string) reg.GPVirtual {
	r := f.GP64()
	f.Load(f.Param(name), r)
	return r
}

// param32 loads a parameter of 32 bits.
func (f *file) param32(name string) reg.GPVirtual {
	r := f.GP32()
	f.Load(f.Param(name), r)
	return r
}

// zero is a register with 0.
func (f *file) zero() reg.GPVirtual {
	r := f.GP64()
	f.XORQ(r, r)
	return r
}

// zeros are 32 bytes of 0.
func (f *file) zeros() reg.VecVirtual {
	y := f.YMM()
	f.VPXOR(y, y, y)
	return y
}

// loop is Label for the beginning of a loop. It begins a block of 32 bytes of code, so that no jump of a short loop lies across two lines of
// the cache, which can make it twice as slow.
func (f *file) loop(label string) {
	f.Instruction(&ir.Instruction{Opcode: "PCALIGN", Operands: []operand.Op{operand.U8(32)}})
	f.Label(label)
}

// text returns the assembly, once all functions are written. name is that of the generator file.
func (f *file) text(name string) ([]byte, error) {
	if f.err != nil {
		return nil, f.err
	}
	built, err := f.Result()
	if err != nil {
		return nil, err
	}
	if err := pass.Compile.Execute(built); err != nil {
		return nil, err
	}
	return printer.NewGoAsm(printer.Config{Name: "simd/_asm/" + name + ".go", Pkg: f.declared.Name()}).Print(built)
}

// at is memory some bytes behind where a register points.
func at(base reg.Register, bytes int) operand.Mem { return operand.Mem{Base: base, Disp: bytes} }

// element is one of the values of size bytes that begin where base points.
func element(base, index reg.Register, size uint8) operand.Mem {
	return operand.Mem{Base: base, Index: index, Scale: size}
}
