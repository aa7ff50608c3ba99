package fuzz_test

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// The second implementation of expressions: over one row at a time, with numbers of any size. A value is nil, bool, *big.Int,
// float64, fixed, string or arrow.Date32.

// fixed is a decimal.
type fixed struct {
	digits *big.Int
	scale  int
}

// formula is an expression as a tree.
type formula struct {
	op   string // an operator, or "column" or "constant"
	args []*formula
	name string // of the column, as expressions have it
	at   int    // its place in a row
	text string // of the constant
	val  any
}

// mistake is what evaluating a row fails with.
type mistake string

const (
	overflow     mistake = "overflow"
	divideByZero mistake = "divide by zero"
	notNull      mistake = "not null"
)

// String writes the formula as expressions are written, with more brackets than are needed.
func (f *formula) String() string {
	var args []string
	for _, a := range f.args {
		args = append(args, a.String())
	}
	switch {
	case f.op == "column":
		return f.name
	case f.op == "constant":
		return f.text
	case f.op == "IN" || f.op == "NOT IN":
		return fmt.Sprintf("(%s %s (%s))", args[0], f.op, strings.Join(args[1:], ", "))
	case f.op == "IS NULL" || f.op == "IS NOT NULL":
		return fmt.Sprintf("(%s %s)", args[0], f.op)
	case len(args) == 1:
		return fmt.Sprintf("(%s %s)", f.op, args[0])
	}
	return fmt.Sprintf("(%s %s %s)", args[0], f.op, args[1])
}

// eval computes the value for a row; it panics with a mistake.
func (f *formula) eval(row []any) any {
	switch f.op {
	case "column":
		return plain(row[f.at])
	case "constant":
		return f.val
	case "AND", "OR":
		return f.logic(row)
	case "NOT":
		if v := f.args[0].eval(row); v != nil {
			return !v.(bool)
		}
		return nil
	case "IS NULL":
		return f.args[0].eval(row) == nil
	case "IS NOT NULL":
		return f.args[0].eval(row) != nil
	case "IN", "NOT IN":
		return f.member(row)
	}
	a := f.args[0].eval(row)
	if len(f.args) == 1 {
		return negative(a)
	}
	b := f.args[1].eval(row)
	if a == nil || b == nil {
		return nil
	}
	switch f.op {
	case "+", "-", "*", "/":
		return arithmetic(f.op, a, b)
	case "||":
		return a.(string) + b.(string)
	}
	order := ordered(a, b)
	return map[string]bool{"=": order == 0, "<>": order != 0, "<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0}[f.op]
}

func (f *formula) logic(row []any) any {
	decides := f.op == "OR"
	for _, side := range f.args {
		if v, ok := side.settled(); ok && v == decides {
			return decides
		}
	}
	a := f.args[0].eval(row)
	if a == decides {
		return decides
	}
	b := f.args[1].eval(row)
	switch {
	case b == decides:
		return decides
	case a == nil || b == nil:
		return nil
	}
	return !decides
}

// settled gives the value of a formula that is the same for every row, whatever its columns are.
func (f *formula) settled() (value any, ok bool) {
	switch f.op {
	case "column":
		return nil, false
	case "constant":
		return f.val, true
	}
	all := true
	for _, a := range f.args {
		v, ok := a.settled()
		if ok && (f.op == "OR" && v == true || f.op == "AND" && v == false) {
			return v, true
		}
		all = all && ok
	}
	if !all {
		return nil, false
	}
	return f.eval(nil), true
}

func (f *formula) member(row []any) any {
	x := f.args[0].eval(row)
	null := false
	for _, item := range f.args[1:] {
		v := item.eval(row)
		if x == nil || v == nil {
			null = true
		} else if ordered(x, v) == 0 {
			return f.op == "IN"
		}
	}
	if null {
		return nil
	}
	return f.op != "IN"
}

// plain gives a column's value as formulas compute with it.
func plain(v any) any {
	switch v := v.(type) {
	case int8:
		return big.NewInt(int64(v))
	case int32:
		return big.NewInt(int64(v))
	case int64:
		return big.NewInt(v)
	case decimal128.Num:
		return fixed{v.BigInt(), 2} // all decimals here have two digits behind the point
	}
	return v
}

func negative(v any) any {
	switch v := v.(type) {
	case *big.Int:
		return fitting(new(big.Int).Neg(v))
	case float64:
		return -v
	case fixed:
		return fixed{new(big.Int).Neg(v.digits), v.scale}
	}
	return v
}

// fitting wants an integer to have 64 bits.
func fitting(n *big.Int) *big.Int {
	if !n.IsInt64() {
		panic(overflow)
	}
	return n
}

// power is 10 to the power of n, from 0 to twice the digits of a decimal, which nobody may change.
func power(n int) *big.Int { return powers[n] }

var powers = func() (list [2*38 + 1]*big.Int) {
	list[0] = big.NewInt(1)
	for n := range list[1:] {
		list[n+1] = new(big.Int).Mul(list[n], big.NewInt(10))
	}
	return list
}()

// digits38 wants a decimal to have 38 digits.
func digits38(f fixed) fixed {
	if f.digits.CmpAbs(power(38)) >= 0 {
		panic(overflow)
	}
	return f
}

func real(v any) float64 {
	switch v := v.(type) {
	case *big.Int:
		return float64(v.Int64())
	case fixed:
		f, _ := new(big.Rat).SetFrac(v.digits, power(v.scale)).Float64()
		return f
	}
	return v.(float64)
}

func decimal(v any) fixed {
	if n, ok := v.(*big.Int); ok {
		return fixed{n, 0}
	}
	return v.(fixed)
}

func arithmetic(op string, a, b any) any {
	_, x := a.(float64)
	_, y := b.(float64)
	if x || y {
		l, r := real(a), real(b)
		return map[string]float64{"+": l + r, "-": l - r, "*": l * r, "/": l / r}[op]
	}
	l, ok1 := a.(*big.Int)
	r, ok2 := b.(*big.Int)
	if ok1 && ok2 {
		if op == "/" && r.Sign() == 0 {
			panic(divideByZero)
		}
		return fitting(integers(op, l, r))
	}
	return decimals(op, decimal(a), decimal(b))
}

func integers(op string, l, r *big.Int) *big.Int {
	switch op {
	case "+":
		return new(big.Int).Add(l, r)
	case "-":
		return new(big.Int).Sub(l, r)
	case "*":
		return new(big.Int).Mul(l, r)
	}
	return new(big.Int).Quo(l, r)
}

func decimals(op string, l, r fixed) fixed {
	switch op {
	case "*":
		return digits38(fixed{new(big.Int).Mul(l.digits, r.digits), l.scale + r.scale})
	case "/":
		if r.digits.Sign() == 0 {
			panic(divideByZero)
		}
		scale := max(6, l.scale)
		return digits38(fixed{halfUp(new(big.Int).Mul(l.digits, power(scale-l.scale+r.scale)), r.digits), scale})
	}
	scale := max(l.scale, r.scale)
	l, r = digits38(scaledTo(l, scale)), digits38(scaledTo(r, scale))
	return digits38(fixed{integers(op, l.digits, r.digits), scale})
}

func scaledTo(f fixed, scale int) fixed {
	if scale == f.scale {
		return f
	}
	if scale > f.scale {
		return fixed{new(big.Int).Mul(f.digits, power(scale-f.scale)), scale}
	}
	return fixed{halfUp(f.digits, power(f.scale-scale)), scale}
}

// halfUp divides and rounds half away from zero.
func halfUp(a, b *big.Int) *big.Int {
	twice := new(big.Int).Mul(new(big.Int).Abs(a), big.NewInt(2))
	twice.Add(twice, new(big.Int).Abs(b))
	q := twice.Quo(twice, new(big.Int).Mul(new(big.Int).Abs(b), big.NewInt(2)))
	if a.Sign()*b.Sign() < 0 {
		q.Neg(q)
	}
	return q
}

// ordered compares two values: NaN is equal to NaN and above all, -0.0 equals 0.0.
func ordered(a, b any) int {
	switch l := a.(type) {
	case string:
		return cmp.Compare(l, b.(string))
	case bool:
		return cmp.Compare(map[bool]int{true: 1}[l], map[bool]int{true: 1}[b.(bool)])
	case arrow.Date32:
		return cmp.Compare(l, b.(arrow.Date32))
	}
	_, x := a.(float64)
	_, y := b.(float64)
	if !x && !y {
		l, r := decimal(a), decimal(b)
		scale := max(l.scale, r.scale)
		return scaledTo(l, scale).digits.Cmp(scaledTo(r, scale).digits)
	}
	l, r := real(a), real(b)
	switch {
	case l != l && r != r:
		return 0
	case l != l:
		return 1
	case r != r:
		return -1
	case l == r:
		return 0
	}
	return cmp.Compare(l, r)
}

// stored gives a value as one of a column; it panics with a mistake where it does not fit.
func stored(v any, t arrow.DataType) any {
	if v == nil {
		return nil
	}
	inside := func(bits uint) int64 {
		n := v.(*big.Int).Int64()
		if n < -1<<(bits-1) || n > 1<<(bits-1)-1 {
			panic(overflow)
		}
		return n
	}
	switch t := t.(type) {
	case *arrow.Int8Type:
		return int8(inside(8))
	case *arrow.Int32Type:
		return int32(inside(32))
	case *arrow.Int64Type:
		return v.(*big.Int).Int64()
	case *arrow.Float64Type:
		return real(v)
	case *arrow.Decimal128Type:
		d := digits38(scaledTo(decimal(v), int(t.Scale)))
		if d.digits.CmpAbs(power(int(t.Precision))) >= 0 {
			panic(overflow)
		}
		return decimal128.FromBigInt(d.digits)
	}
	return v
}

// drawer draws formulas over columns.
type drawer struct {
	rng     *rand.Rand
	columns []drawn
}

// drawn is a column that formulas may have.
type drawn struct {
	name string
	at   int
	typ  arrow.DataType
}

// kindOf is the sort of values a column has.
func kindOf(t arrow.DataType) string {
	switch t.ID() {
	case arrow.INT8, arrow.INT32, arrow.INT64:
		return "int"
	case arrow.FLOAT64:
		return "float"
	case arrow.DECIMAL128:
		return "decimal"
	case arrow.STRING:
		return "text"
	case arrow.BOOL:
		return "bool"
	case arrow.DATE32:
		return "date"
	}
	return "list"
}

// leaf draws a column or a constant of a kind.
func (d *drawer) leaf(kind string) *formula {
	var of []drawn
	for _, c := range d.columns {
		if kindOf(c.typ) == kind {
			of = append(of, c)
		}
	}
	if len(of) > 0 && d.rng.IntN(3) > 0 {
		c := of[d.rng.IntN(len(of))]
		return &formula{op: "column", name: c.name, at: c.at}
	}
	return d.constant(kind)
}

func (d *drawer) constant(kind string) *formula {
	if d.rng.IntN(20) == 0 {
		return &formula{op: "constant", text: "NULL"}
	}
	f := &formula{op: "constant"}
	switch kind {
	case "int":
		n := []int64{0, 1, -1, 2, 3, 7, 100, int64(d.rng.IntN(300)) - 150, math.MaxInt64, math.MinInt64}[d.rng.IntN(10)]
		f.text, f.val = fmt.Sprint(n), big.NewInt(n)
	case "float":
		x := []float64{0, 0.5, -1.5, 1e300, 3}[d.rng.IntN(5)]
		f.text, f.val = strconv.FormatFloat(x, 'e', -1, 64), x
	case "decimal":
		scale := 1 + d.rng.IntN(3)
		n := big.NewInt(int64(d.rng.IntN(2000)) - 1000)
		digits := new(big.Int).Abs(n).String()
		digits = strings.Repeat("0", max(0, scale+1-len(digits))) + digits
		f.text = digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
		if n.Sign() < 0 {
			f.text = "-" + f.text
		}
		f.val = fixed{n, scale}
	case "text":
		s := []string{"", "a", "b", "ab", "it's", "zz"}[d.rng.IntN(6)]
		f.text, f.val = "'"+strings.ReplaceAll(s, "'", "''")+"'", s
	case "bool":
		b := d.rng.IntN(2) == 0
		f.text, f.val = strings.ToUpper(fmt.Sprint(b)), b
	default:
		day := arrow.Date32(d.rng.IntN(60) - 30)
		f.text, f.val = "'"+day.FormattedString()+"'", day
	}
	return f
}

// value draws a formula of a kind.
func (d *drawer) value(kind string, depth int) *formula {
	if depth == 0 || d.rng.IntN(4) == 0 {
		return d.leaf(kind)
	}
	switch kind {
	case "int", "float", "decimal":
		ops := []string{"+", "-", "*", "/", "minus"}
		if kind == "decimal" && depth < 2 {
			ops = ops[:2]
		}
		op := ops[d.rng.IntN(len(ops))]
		if op == "minus" {
			return &formula{op: "-", args: []*formula{d.value(kind, depth-1)}}
		}
		other := kind
		if kind != "int" && d.rng.IntN(3) == 0 {
			other = "int"
		}
		return &formula{op: op, args: []*formula{d.value(kind, depth-1), d.value(other, depth-1)}}
	case "text":
		return &formula{op: "||", args: []*formula{d.value(kind, depth-1), d.value(kind, depth-1)}}
	case "bool":
		return d.condition(depth)
	}
	return d.leaf(kind)
}

// condition draws a formula that is true, false or NULL.
func (d *drawer) condition(depth int) *formula {
	kinds := []string{"int", "int", "int", "float", "decimal", "text", "bool", "date"}
	kind := kinds[d.rng.IntN(len(kinds))]
	other := kind
	if d.rng.IntN(4) == 0 && (kind == "int" || kind == "decimal") {
		other = []string{"int", "decimal", "float"}[d.rng.IntN(3)]
	}
	depth--
	switch n := d.rng.IntN(10); {
	case depth > 0 && n < 3:
		op := []string{"AND", "OR"}[d.rng.IntN(2)]
		return &formula{op: op, args: []*formula{d.condition(depth), d.condition(depth)}}
	case depth > 0 && n == 3:
		return &formula{op: "NOT", args: []*formula{d.condition(depth)}}
	case n == 4:
		return &formula{op: []string{"IS NULL", "IS NOT NULL"}[d.rng.IntN(2)], args: []*formula{d.value(kind, min(depth, 1))}}
	case n == 5:
		f := &formula{op: []string{"IN", "NOT IN"}[d.rng.IntN(2)], args: []*formula{d.column(kind)}}
		for range 1 + d.rng.IntN(3) {
			f.args = append(f.args, d.value(kind, min(depth, 1)))
		}
		return f
	}
	op := []string{"=", "<>", "<", "<=", ">", ">="}[d.rng.IntN(6)]
	return &formula{op: op, args: []*formula{d.column(kind), d.value(other, max(depth, 0))}}
}

// column draws a leaf that is a column if there is one, since a constant text is no date by itself.
func (d *drawer) column(kind string) *formula {
	for {
		if f := d.leaf(kind); f.op == "column" || kind != "date" {
			return f
		}
	}
}
