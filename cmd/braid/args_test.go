package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

func TestArrange(t *testing.T) {
	parser, err := kong.New(&commandLine{}, kong.Name("braid"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, ordered, runs string }{
		{"merge a b", "merge -- a b", "[false false]"},
		{"merge a --key id b", "merge --key id -- a b", "[false false]"},
		{"merge a -k id --run b,c d -o x", "merge -k id --run b,c -o x -- a d", "[false true false]"},
		{"merge a -kid --run=b c", "merge -kid --run=b -- a c", "[false true false]"},
		{"merge -qk id a", "merge -qk id -- a", "[false]"},
		{"merge -qkid a", "merge -qkid -- a", "[false]"},
		{"merge --json a --quiet b", "merge --json --quiet -- a b", "[false false]"},
		{"merge a -- --run -x", "merge -- a --run -x", "[false false false]"},
		{"merge - a", "merge -- - a", "[false false]"},
		{"merge a --key", "merge --key -- a", "[false]"},
		{"merge a --unknown b", "merge --unknown -- a b", "[false false]"},
		{"merge", "merge", "[]"},
		{"merge --help", "merge --help", "[]"},
		{"inspect a --json b", "inspect --json -- a b", "[false false]"},
		{"nothing a --key b", "nothing a --key b", "[]"},
		{"--help", "--help", "[]"},
	} {
		got := arrange(parser.Model, strings.Fields(c.args))
		if ordered := strings.Join(got.ordered, " "); ordered != c.ordered || fmt.Sprint(got.runs) != c.runs {
			t.Errorf("%s: %s, runs %v; want %s, runs %s", c.args, ordered, got.runs, c.ordered, c.runs)
		}
	}
}
