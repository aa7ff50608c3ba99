package kernel

import (
	"fmt"
	"strconv"
	"strings"
)

// The options that choose one of a few names: a value is the index of its name.

// enumName gives the name of a value, or its number if it has none.
func enumName(names []string, value uint8) string {
	if int(value) < len(names) {
		return names[value]
	}
	return strconv.Itoa(int(value))
}

// enumIndex finds a name in upper or lower case. Blanks count.
func enumIndex(names []string, text string) (uint8, error) {
	for i, name := range names {
		if strings.EqualFold(name, text) {
			return uint8(i), nil
		}
	}
	return 0, fmt.Errorf("%q is none of %s", text, strings.Join(names, ", "))
}

// checkEnum refuses a value without a name, which only a caller that fills Options by hand can give.
func checkEnum(key string, names []string, value uint8) error {
	if int(value) < len(names) {
		return nil
	}
	return optionError(key, "value %d is none of %s", value, strings.Join(names, ", "))
}
