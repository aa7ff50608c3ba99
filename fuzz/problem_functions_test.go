package fuzz

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/internal/rungen"
	"github.com/braidmerge/braid/internal/testscale"
)

// mostOperations bounds what is done to one function in a drawn case.
const mostOperations = 30

// drawnFunction is a column of a drawn problem that has a function of its own.
type drawnFunction struct {
	field    arrow.Field
	function string
	options  map[string]string // those of the column, as column f, and braid.strict
	rows     []rowmerge.Row    // kind and value
	forged   bool
}

// drawnFunctions lists the columns of a problem that have a function of their own.
func drawnFunctions(t *testing.T, spec rungen.Spec) []drawnFunction {
	t.Helper()
	p, err := rungen.Generate(memory.NewGoAllocator(), spec)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Release()
	var list []drawnFunction
	for i, c := range spec.Values {
		name := fmt.Sprintf("v%d", i)
		function := p.Options["fields."+name+".aggregate-function"]
		if function == "" || c.Name != "" {
			continue
		}
		d := drawnFunction{function: function, field: p.Schema.Field(p.Schema.FieldIndices(name)[0]), options: map[string]string{}, forged: c.Forged}
		d.field.Name = "f"
		for key, value := range p.Options {
			if option, ok := strings.CutPrefix(key, "fields."+name+"."); ok && option != "aggregate-function" {
				d.options["fields.f."+option] = value
			}
		}
		if p.Options["braid.strict"] != "" {
			d.options["braid.strict"] = p.Options["braid.strict"]
		}
		for _, run := range p.Runs {
			for _, rec := range run.Records {
				rows, err := rowmerge.RowsOf(rec, []string{name}, nil)
				if err != nil {
					t.Fatal(err)
				}
				d.rows = append(d.rows, rows...)
			}
		}
		d.rows = d.rows[:min(len(d.rows), mostOperations)]
		list = append(list, d)
	}
	return list
}

// agg gives the rows as a case of type agg: adds are operations agg and agg_reversed, retracts are retract. The answer is the
// row merger's. It fails where JSON or the names of types cannot say what there is.
func (d drawnFunction) agg(name string, rng *rand.Rand) (Case, error) {
	c := Case{Name: name, Type: "agg", Function: d.function, Options: d.options}
	var err error
	if c.FieldType, err = typeText(d.field); err != nil {
		return c, err
	}
	for _, row := range d.rows {
		op := "agg"
		switch {
		case row.Kind == rowmerge.Delete || row.Kind == rowmerge.UpdateBefore:
			op = "retract"
		case rng.IntN(6) == 0:
			op = "agg_reversed"
		}
		value, err := jsonValue(d.field.Type, row.Values[0])
		if err != nil {
			return c, err
		}
		text, err := json.Marshal([]any{op, value})
		if err != nil {
			return c, err
		}
		c.Ops = append(c.Ops, text)
	}
	value, _, err := judged{}.withDefaults().aggregate(c)
	var fault *rowmerge.Error
	if errors.As(err, &fault) {
		c.Expect.ErrorKind = string(fault.Kind)
		return c, nil
	}
	if err != nil {
		return c, err
	}
	shown, err := jsonValue(d.field.Type, value)
	if err != nil {
		return c, err
	}
	c.Expect.Value, err = json.Marshal(shown)
	return c, err
}

// checkAnyFault checks a case, which may expect any of the errors that there are in it: an operation that fails counts as not
// there.
func checkAnyFault(c Case) error {
	err := checkFunction(c)
	field, _ := parseField("f", c.FieldType)
	f, wrong := rowmerge.NewFunction(c.Function, field, c.Options)
	if err == nil || c.Expect.ErrorKind == "" || wrong != nil {
		return err
	}
	var acc any
	for _, op := range c.Ops {
		next, wrong := applyOp(f, field.Type, acc, op)
		if wrong == nil {
			acc = next
			continue
		}
		c.Expect.ErrorKind = string(kindOfError(wrong))
		if checkFunction(c) == nil {
			return nil
		}
	}
	return err
}

// TestDrawnFunctions drives the aggregate functions of the kernel with the columns of drawn problems, as far as they can be
// cases, and wants the row merger's answers: values and kinds of errors.
func TestDrawnFunctions(t *testing.T) {
	t.Parallel()
	driven, corrupt, refused := map[string]int{}, map[string]int{}, 0
	for seed := range testscale.Seeds(t, 1500) {
		spec := rungen.Random(seed+1<<40, 60)
		if spec.Fault != rungen.NoFault {
			continue
		}
		rng := rand.New(rand.NewPCG(seed, 1))
		for i, d := range drawnFunctions(t, spec) {
			c, err := d.agg(fmt.Sprintf("seed-%d-%d", seed, i), rng)
			if err != nil {
				refused++
				continue
			}
			driven[d.function]++
			if c.Expect.ErrorKind == string(rowmerge.KindCorrupt) {
				corrupt[d.function]++
				if !d.forged {
					t.Errorf("%s: bytes that are not forged count as corrupt", c.Name)
				}
			}
			if err := checkAnyFault(c); err != nil {
				text, _ := json.Marshal(c)
				t.Errorf("%s: %v\n%.3000s", c.Name, err, text)
			}
		}
	}
	t.Logf("driven %v, corrupt %v, %d that cannot be cases", driven, corrupt, refused)
	for _, name := range []string{"sum", "product", "min", "max", "bool_and", "bool_or", "first_value", "first_non_null_value",
		"first_not_null_value", "last_value", "last_non_null_value", "primary-key", "listagg", "collect", "merge_map",
		"merge_map_with_keytime", "nested_update", "nested_partial_update", "rbm32", "rbm64", "theta_sketch", "hll_sketch"} {
		if driven[name] < 20 && testscale.Sample(t) == 1 {
			t.Errorf("%s is driven %d times", name, driven[name])
		}
	}
	if len(corrupt) < 2 && testscale.Sample(t) == 1 {
		t.Errorf("only %v have corrupt bytes", corrupt)
	}
}
