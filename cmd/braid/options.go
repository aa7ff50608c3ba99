package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/braidmerge/braid/kernel"
)

// engineOption is the option that --engine is short for.
const engineOption = "merge-engine"

// readOptions gathers the table options of a merge: those of a file, then those of the command line, which go before, then
// the engine.
func readOptions(path string, pairs []string, engine string) (kernel.Options, error) {
	options := map[string]string{}
	if path != "" {
		var err error
		if options, err = readOptionsFile(path); err != nil {
			return kernel.Options{}, err
		}
	}
	given := map[string]string{}
	for _, pair := range pairs {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return kernel.Options{}, usagef("--option %q is not of the form name=value", pair)
		}
		if before, twice := given[name]; twice && before != value {
			return kernel.Options{}, usagef("--option %s is given twice, as %q and as %q", name, before, value)
		}
		given[name], options[name] = value, value
	}
	if engine != "" {
		if value, ok := given[engineOption]; ok && value != engine {
			return kernel.Options{}, usagef("--engine %s and --option %s=%s say different things", engine, engineOption, value)
		}
		options[engineOption] = engine
	}
	return kernel.ParseOptions(options)
}

// readOptionsFile reads a JSON object of options. Its values are texts, numbers, true or false.
func readOptionsFile(path string) (map[string]string, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, named(path, err)
	}
	var object map[string]any
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.UseNumber()
	if err := decoder.Decode(&object); err != nil {
		return nil, usagef("%s: it must be a JSON object of options: %v", path, err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, usagef("%s: something follows the JSON object of options", path)
	}
	options := make(map[string]string, len(object))
	for name, value := range object {
		switch value := value.(type) {
		case string:
			options[name] = value
		case json.Number:
			options[name] = value.String()
		case bool:
			options[name] = strconv.FormatBool(value)
		default:
			return nil, usagef("%s: option %q is neither text nor a number nor true or false", path, name)
		}
	}
	return options, nil
}

// byteSize is a number of bytes on the command line, as 1048576, 512KiB, 64MiB, 2GiB or 2GB.
type byteSize int64

// units of byteSize, the longer name first where one ends with the other.
var units = []struct {
	name  string
	bytes int64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1},
}

// UnmarshalText reads a size.
func (b *byteSize) UnmarshalText(text []byte) error {
	number, scale := string(text), int64(1)
	for _, unit := range units {
		if n := len(number) - len(unit.name); n > 0 && strings.EqualFold(number[n:], unit.name) {
			number, scale = strings.TrimSpace(number[:n]), unit.bytes
			break
		}
	}
	value, err := strconv.ParseFloat(number, 64)
	if err != nil || !(value >= 0 && value*float64(scale) < 1<<62) {
		return fmt.Errorf("%q is no number of bytes, such as 64MiB", text)
	}
	*b = byteSize(value * float64(scale))
	return nil
}

// bytesText shows a number of bytes to people.
func bytesText(n int64) string {
	for i := len(units) - 6; i >= 0; i-- {
		if unit := units[i]; n >= unit.bytes {
			return fmt.Sprintf("%.1f %s", float64(n)/float64(unit.bytes), unit.name)
		}
	}
	return fmt.Sprintf("%d B", n)
}
