package expression

// op is what a node of an expression does.
type op uint8

const (
	opColumn op = iota
	opNumber    // in syntax only: these become constants
	opText
	opTrue
	opFalse
	opNull
	opConstant // in terms only: a value that is known
	opConvert  // in terms only: a value as one of the term's type
	opNegate
	opAdd
	opSubtract
	opMultiply
	opDivide
	opConcat
	opEqual
	opUnequal
	opLess
	opAtMost
	opGreater
	opAtLeast
	opIsNull
	opIn
	opNot
	opAnd
	opOr
)

// signOf shows operators for errors.
var signOf = map[op]string{
	opNegate: "-", opAdd: "+", opSubtract: "-", opMultiply: "*", opDivide: "/", opConcat: "||", opEqual: "=", opUnequal: "<>",
	opLess: "<", opAtMost: "<=", opGreater: ">", opAtLeast: ">=", opIsNull: "IS NULL", opIn: "IN", opNot: "NOT", opAnd: "AND", opOr: "OR",
}

// compares says whether the operator orders two values.
func (o op) compares() bool { return opEqual <= o && o <= opAtLeast }

// fails says whether the operator can fail for a row.
func (o op) fails() bool { return opConvert <= o && o <= opConcat }
