package kernel

import (
	"strings"

	"github.com/braidmerge/braid/columnar"
)

// keyText shows the key of a row in an error.
func keyText(keys []columnar.View, row int) string {
	parts := make([]string, len(keys))
	for i := range keys {
		parts[i] = keys[i].String(row)
	}
	return "(" + strings.Join(parts, ", ") + ")"
}
