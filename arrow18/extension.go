package arrow18

import (
	"slices"

	"github.com/apache/arrow/go/v17/arrow"

	v18arrow "github.com/apache/arrow-go/v18/arrow"
)

// Field metadata that says which extension type a storage type stands for, as in the IPC format.
const (
	extensionName       = "ARROW:extension:name"
	extensionParameters = "ARROW:extension:metadata"
)

// extension is an extension type apart from its storage. Without a name there is none.
type extension struct {
	name, parameters string
}

// extensionIn finds the extension type that field metadata tells of.
func extensionIn(keys, values []string) extension {
	var e extension
	for i, key := range keys {
		switch key {
		case extensionName:
			e.name = values[i]
		case extensionParameters:
			e.parameters = values[i]
		}
	}
	return e
}

// in gives field metadata with e added to it, in place of any extension type it told of.
func (e extension) in(keys, values []string) (k, v []string) {
	k, v = withoutExtension(keys, values)
	return append(k, extensionName, extensionParameters), append(v, e.name, e.parameters)
}

// withoutExtension gives field metadata less what it says of an extension type, in new slices.
func withoutExtension(keys, values []string) (k, v []string) {
	for i, key := range keys {
		if key != extensionName && key != extensionParameters {
			k, v = append(k, key), append(v, values[i])
		}
	}
	return slices.Clip(k), slices.Clip(v)
}

// type17 gives the extension type registered with v17 under e's name, over this storage. It is nil when there is none or
// when that type does not accept the storage or the parameters: the field then stays storage and metadata.
func (e extension) type17(storage arrow.DataType) arrow.DataType {
	if e.name == "" {
		return nil
	}
	registered := arrow.GetExtensionType(e.name)
	if registered == nil {
		return nil
	}
	known, err := registered.Deserialize(storage, e.parameters)
	if err != nil {
		return nil
	}
	return known
}

// type18 is type17 for the types registered with v18.
func (e extension) type18(storage v18arrow.DataType) v18arrow.DataType {
	if e.name == "" {
		return nil
	}
	registered := v18arrow.GetExtensionType(e.name)
	if registered == nil {
		return nil
	}
	known, err := registered.Deserialize(storage, e.parameters)
	if err != nil {
		return nil
	}
	return known
}
