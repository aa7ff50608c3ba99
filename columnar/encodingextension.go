package columnar

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
)

// extensionCodec is the codec of an extension type whose storage needs work.
type extensionCodec struct {
	out     arrow.DataType
	storage *level
}

// extension makes the level of an extension type. Its arrays are put out with the storage it has: dictionaries stay.
func (c *compiler) extension(t arrow.ExtensionType) (*level, error) {
	plain := c.plain
	c.plain = c.keys
	storage, err := c.level(t.StorageType())
	c.plain = plain
	if err != nil {
		return nil, fmt.Errorf("in %s: %w", t.ExtensionName(), err)
	}
	if storage.codec == nil {
		return c.identity(t)
	}
	l, err := c.converted(t, storage.staged, t, &extensionCodec{t, storage})
	if err != nil {
		return nil, err
	}
	l.maxRows = storage.maxRows
	return l, nil
}

func (e *extensionCodec) load(d arrow.ArrayData) (arrow.ArrayData, error) {
	stored := relabelled(d, e.storage.in)
	defer stored.Release()
	return e.storage.load(stored)
}

func (e *extensionCodec) finish(d arrow.ArrayData) (arrow.ArrayData, error) {
	stored, err := e.storage.finish(d)
	if err != nil {
		return nil, err
	}
	defer stored.Release()
	return relabelled(stored, e.out), nil
}
