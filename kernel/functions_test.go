package kernel_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/aggfuncs"
	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/kernel"
)

// ownFunction is a caller's own Function.
type ownFunction func(g *aggfuncs.Groups, in *columnar.View, mem memory.Allocator) (arrow.ArrayData, error)

func (f ownFunction) Fold(g *aggfuncs.Groups, in *columnar.View, mem memory.Allocator) (arrow.ArrayData, error) {
	return f(g, in, mem)
}

// ownPicker is a caller's own Picker.
type ownPicker func(pick, null []uint64, g *aggfuncs.Groups, valid []uint64) (bool, error)

func (p ownPicker) Pick(pick, null []uint64, g *aggfuncs.Groups, valid []uint64) (bool, error) {
	return p(pick, null, g, valid)
}

// making is a factory that makes this rule, or fails.
func making(rule aggfuncs.Rule, err error) aggfuncs.Factory {
	return func(arrow.Field, aggfuncs.Options) (aggfuncs.Rule, error) { return rule, err }
}

// ownOptions give column n of orders the function own.
var ownOptions = map[string]string{"merge-engine": "aggregation", "fields.n.aggregate-function": "own"}

// TestFunctionsRefused holds what Compile refuses of functions of the caller's own.
func TestFunctionsRefused(t *testing.T) {
	fine := making(aggfuncs.Rule{Function: mean{}}, nil)
	for _, c := range []struct {
		name string
		opts []kernel.CompileOption
		says []string // none: it compiles
	}{
		{"a function", []kernel.CompileOption{kernel.WithFunction("own", fine)}, nil},
		{"more than are used", []kernel.CompileOption{kernel.WithFunction("own", fine), kernel.WithFunction("another", nil)},
			[]string{`function "another" needs a factory`}},
		{"none", nil, []string{`fields.n.aggregate-function`, `unknown aggregate function "own"`, "listagg"}},
		{"another", []kernel.CompileOption{kernel.WithFunction("other", fine)}, []string{`unknown aggregate function "own"`, "nested_update, other, primary-key"}},
		{"a name that is taken", []kernel.CompileOption{kernel.WithFunction("own", fine), kernel.WithFunction("sum", fine)},
			[]string{`a function "sum" already`}},
		{"a name of the caller's twice", []kernel.CompileOption{kernel.WithFunction("own", fine), kernel.WithFunction("own", fine)},
			[]string{`a function "own" already`}},
		{"no name", []kernel.CompileOption{kernel.WithFunction("own", fine), kernel.WithFunction("", fine)}, []string{"needs a name"}},
		{"no factory", []kernel.CompileOption{kernel.WithFunction("own", nil)}, []string{`function "own" needs a factory`}},
		{"neither", []kernel.CompileOption{kernel.WithFunction("own", making(aggfuncs.Rule{}, nil))},
			[]string{`column "n"`, "function own", "neither one Picker nor one Function"}},
		{"both", []kernel.CompileOption{kernel.WithFunction("own", making(aggfuncs.Rule{Function: mean{}, Picker: ownPicker(nil)}, nil))},
			[]string{`column "n"`, "function own", "neither one Picker nor one Function"}},
		{"a column of the wrong type", []kernel.CompileOption{kernel.WithFunction("own", newMean)},
			[]string{`column "n" of type int32, function own: it works on int64 only`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			options, err := kernel.ParseOptions(ownOptions)
			if err != nil {
				t.Fatal(err)
			}
			_, err = kernel.Compile(kernel.Table{Schema: orders, PrimaryKey: []string{"id"}}, options, c.opts...)
			if c.says == nil {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if !errors.Is(err, kernel.ErrOption) {
				t.Errorf("got %v, want %v", err, kernel.ErrOption)
			}
			for _, part := range c.says {
				if err != nil && !strings.Contains(err.Error(), part) {
					t.Errorf("got %v, without %q", err, part)
				}
			}
		})
	}
}

// TestFunctionFailures holds what becomes of functions of the caller's own that fail or break their contract in a merge.
func TestFunctionFailures(t *testing.T) {
	broken := errors.New("out of ideas")
	nulls := func(t arrow.DataType, n int) ownFunction {
		return func(_ *aggfuncs.Groups, _ *columnar.View, mem memory.Allocator) (arrow.ArrayData, error) {
			b := array.NewBuilder(mem, t)
			defer b.Release()
			b.AppendNulls(n)
			a := b.NewArray()
			defer a.Release()
			a.Data().Retain()
			return a.Data(), nil
		}
	}
	fails := func(err error) ownFunction {
		return func(*aggfuncs.Groups, *columnar.View, memory.Allocator) (arrow.ArrayData, error) { return nil, err }
	}
	picks := func(err error) ownPicker {
		return func([]uint64, []uint64, *aggfuncs.Groups, []uint64) (bool, error) { return false, err }
	}
	picksRows := func(rows uint64) ownPicker {
		return func(pick, null []uint64, _ *aggfuncs.Groups, _ []uint64) (bool, error) {
			pick[0], null[0] = rows, 0
			return false, nil
		}
	}
	for _, c := range []struct {
		name string
		rule aggfuncs.Rule
		kind error
		says string
	}{
		{"too few values", aggfuncs.Rule{Function: nulls(arrow.PrimitiveTypes.Int32, 0)}, kernel.ErrInternalState,
			`function own of column "n" gave 0 values of type int32 for 2 keys of type int32`},
		{"too many values", aggfuncs.Rule{Function: nulls(arrow.PrimitiveTypes.Int32, 3)}, kernel.ErrInternalState, "gave 3 values"},
		{"values of another type", aggfuncs.Rule{Function: nulls(arrow.PrimitiveTypes.Int64, 2)}, kernel.ErrInternalState, "of type int64 for 2 keys"},
		{"no array", aggfuncs.Rule{Function: fails(nil)}, kernel.ErrInternalState, `function own of column "n" gave no array`},
		{"a fault", aggfuncs.Rule{Function: fails(&aggfuncs.Fault{Row: 3, Err: broken})}, broken, `run 1, batch 0, row 1, column "n", key (2): out of ideas`},
		{"a fault without a row", aggfuncs.Rule{Function: fails(&aggfuncs.Fault{Row: 4, Err: broken})}, broken, `column "n"`},
		{"an error", aggfuncs.Rule{Function: fails(broken)}, broken, `column "n": out of ideas`},
		{"a fault of a Picker", aggfuncs.Rule{Picker: picks(&aggfuncs.Fault{Row: 3, Err: broken})}, broken, `run 1, batch 0, row 1, column "n", key (2): out of ideas`},
		{"a Picker of no row", aggfuncs.Rule{Picker: picksRows(0)}, kernel.ErrInternalState,
			`column "n": internal state: function own picked 0 rows of 0 keys, want one row of each of 2 keys`},
		{"a Picker of all rows", aggfuncs.Rule{Picker: picksRows(0b1111)}, kernel.ErrInternalState, "picked 4 rows of 2 keys"},
		{"a Picker of two rows of a key", aggfuncs.Rule{Picker: picksRows(0b1100)}, kernel.ErrInternalState, "picked 2 rows of 1 keys"},
		{"a Picker beyond the window", aggfuncs.Rule{Picker: picksRows(0b10010)}, kernel.ErrInternalState, "picked 2 rows of 1 keys"},
		{"an error of a Picker", aggfuncs.Rule{Picker: picks(broken)}, broken, `column "n": out of ideas`},
	} {
		t.Run(c.name, func(t *testing.T) {
			mem := checked(t)
			options, err := kernel.ParseOptions(ownOptions)
			if err != nil {
				t.Fatal(err)
			}
			plan, err := kernel.Compile(kernel.Table{Schema: orders, PrimaryKey: []string{"id"}}, options,
				kernel.WithFunction("own", making(c.rule, nil)))
			if err != nil {
				t.Fatal(err)
			}
			runs := []kernel.Run{run(t, mem, orders, "1 1 a\n2 1 a"), run(t, mem, orders, "1 1 a\n2 2 b")}
			_, err = merge(plan, runs, kernel.WithAllocator(mem))
			if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %v and %q", err, c.kind, c.says)
			}
		})
	}
}

// TestOwnFunctionsWork holds that functions under a name of the caller's answer as they do under their own, where keys are
// dropped and where not.
func TestOwnFunctionsWork(t *testing.T) {
	for _, name := range []string{"last_value", "sum"} {
		for _, removes := range []string{"false", "true"} {
			var answers [][]string
			for _, used := range []string{name, "own"} {
				mem := checked(t)
				options, err := kernel.ParseOptions(map[string]string{"merge-engine": "aggregation", "fields.n.aggregate-function": used,
					"aggregation.remove-record-on-delete": removes})
				if err != nil {
					t.Fatal(err)
				}
				factory, _ := aggfuncs.ByName(name)
				plan, err := kernel.Compile(kernel.Table{Schema: orders, PrimaryKey: []string{"id"}}, options, kernel.WithFunction("own", factory))
				if err != nil {
					t.Fatal(err)
				}
				runs := []kernel.Run{run(t, mem, withSystem, "1 0 1 1 a\n2 0 2 2 b\n3 0 3 3 c"), run(t, mem, withSystem, "4 0 1 - a\n5 3 2 5 b\n6 0 4 6 d")}
				got, err := merge(plan, runs, kernel.WithAllocator(mem))
				if err != nil {
					t.Fatal(err)
				}
				answers = append(answers, got)
			}
			if !slices.Equal(answers[0], answers[1]) || (len(answers[1]) == 3) != (removes == "true") {
				t.Errorf("%s, removing %s: got %q, want %q", name, removes, answers[1], answers[0])
			}
		}
	}
}

// TestMeanRetracts holds that the function of the example keeps the contract where rows are taken back: a record alone with its
// key passes, whatever its kind, and what is passed over is no retract.
func TestMeanRetracts(t *testing.T) {
	schema := arrow.NewSchema([]arrow.Field{orders.Field(0), {Name: "n", Type: arrow.PrimitiveTypes.Int64, Nullable: true}, orders.Field(2)}, nil)
	input := arrow.NewSchema(append(slices.Clone(withSystem.Fields()[:2]), schema.Fields()...), nil)
	for _, c := range []struct {
		rows, want string // want: empty for ErrRetract
		removes    string
	}{
		{"5 3 1 7 a\n6 0 2 4 b", "1 5 3 1 7 a;2 6 0 2 3 b", "false"},
		{"5 3 2 7 a", "", "false"},
		{"5 3 2 8 a\n6 0 2 4 b", "2 6 0 2 6 b", "true"},
	} {
		mem := checked(t)
		options, err := kernel.ParseOptions(map[string]string{"merge-engine": "aggregation", "fields.n.aggregate-function": "mean",
			"aggregation.remove-record-on-delete": c.removes})
		if err != nil {
			t.Fatal(err)
		}
		plan, err := kernel.Compile(kernel.Table{Schema: schema, PrimaryKey: []string{"id"}}, options, kernel.WithFunction("mean", newMean))
		if err != nil {
			t.Fatal(err)
		}
		runs := []kernel.Run{run(t, mem, input, "1 0 2 2 x"), run(t, mem, input, c.rows)}
		got, err := merge(plan, runs, kernel.WithAllocator(mem), kernel.KeepDeletes(), kernel.KeepSystemColumns())
		if c.want == "" {
			if !errors.Is(err, kernel.ErrRetract) || !strings.Contains(err.Error(), `run 1, batch 0, row 0, column "n"`) {
				t.Errorf("%q: got %v", c.rows, err)
			}
			continue
		}
		if err != nil || !slices.Equal(got, strings.Split(c.want, ";")) {
			t.Errorf("%q: got %q, %v, want %q", c.rows, got, err, c.want)
		}
	}
}

// TestFunctionChangesKind refuses a factory that makes a Picker for the plan and a Function for the merge.
func TestFunctionChangesKind(t *testing.T) {
	calls := 0
	factory := func(field arrow.Field, o aggfuncs.Options) (aggfuncs.Rule, error) {
		name := "last_value"
		if calls++; calls > 1 {
			name = "max"
		}
		known, _ := aggfuncs.ByName(name)
		return known(field, o)
	}
	options, err := kernel.ParseOptions(ownOptions)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := kernel.Compile(kernel.Table{Schema: orders, PrimaryKey: []string{"id"}}, options, kernel.WithFunction("own", factory))
	if err != nil {
		t.Fatal(err)
	}
	mem := checked(t)
	if _, err := merge(plan, []kernel.Run{run(t, mem, orders, "1 1 a")}, kernel.WithAllocator(mem)); !errors.Is(err, kernel.ErrInternalState) {
		t.Errorf("error %v, want %v", err, kernel.ErrInternalState)
	}
}

// TestSumFollowsVersions holds that a sum is made in the order of versions where that is not the order of runs: 2147483647 + 1 does
// not fit, though 2147483647 - 5 + 1 would.
func TestSumFollowsVersions(t *testing.T) {
	for _, c := range []struct {
		sequence string // none: versions have the order of runs
		fails    bool
	}{{"", false}, {orders.Field(2).Name, true}} {
		mem := checked(t)
		options := map[string]string{"merge-engine": "aggregation", "fields.n.aggregate-function": "sum"}
		if c.sequence != "" {
			options["sequence.field"] = c.sequence
		}
		plan := compile(t, orders, options, "id")
		runs := []kernel.Run{run(t, mem, orders, "1 2147483647 a\n2 3 a"), run(t, mem, orders, "1 -5 c\n2 4 b"), run(t, mem, orders, "1 1 b")}
		got, err := merge(plan, runs, kernel.WithAllocator(mem))
		if c.fails {
			if !errors.Is(err, kernel.ErrOverflow) || !strings.Contains(err.Error(), `run 2, batch 0, row 0, column "n", key (1)`) {
				t.Errorf("sequence field %q: got %q, %v, want %v", c.sequence, got, err, kernel.ErrOverflow)
			}
			continue
		}
		if want := []string{"1 2147483643 b", "2 7 b"}; err != nil || !slices.Equal(got, want) {
			t.Errorf("sequence field %q: got %q, %v, want %q", c.sequence, got, err, want)
		}
	}
}
