package columnar

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
)

// Fits returns nil when s has the columns of the schema the mapping was made for, in their order, and else an ErrSchema: a
// reader that leaves columns out must be given a mapping of its own schema.
func (m *Mapping) Fits(s *arrow.Schema) error {
	if s.NumFields() != m.file.NumFields() {
		return fmt.Errorf("%w: a file of %d columns and a mapping of %d", ErrSchema, s.NumFields(), m.file.NumFields())
	}
	for i, want := range m.file.Fields() {
		if got := s.Field(i); got.Name != want.Name || !arrow.TypeEqual(got.Type, want.Type) {
			return fmt.Errorf("%w: column %d is %q of type %s, the mapping has %q of type %s", ErrSchema, i, got.Name, got.Type, want.Name, want.Type)
		}
	}
	return nil
}
