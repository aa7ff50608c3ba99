package fuzz

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
)

// parseField gives the Arrow field for a column of a case. The type text is that of the table, for example
// ARRAY<ROW<a INT,b STRING>> or INT NOT NULL; what Arrow cannot say of it goes into the metadata paimon.type.
func parseField(name, text string) (arrow.Field, error) {
	p := typeParser{rest: text}
	field, err := p.field(name)
	if err == nil && strings.TrimSpace(p.rest) != "" {
		err = fmt.Errorf("%q is left over", p.rest)
	}
	if err != nil {
		return field, fmt.Errorf("type %q: %w", text, err)
	}
	return field, nil
}

// typeParser reads a type from the front of rest.
type typeParser struct{ rest string }

func (p *typeParser) field(name string) (arrow.Field, error) {
	word := p.word()
	typ, declared, err := p.typeNamed(word)
	if err != nil {
		return arrow.Field{}, err
	}
	field := arrow.Field{Name: name, Type: typ, Nullable: !p.skip("NOT NULL")}
	if declared != "" {
		field.Metadata = arrow.MetadataFrom(map[string]string{"paimon.type": declared})
	}
	return field, nil
}

// typeNamed reads what follows the name of a type. The text is what Arrow cannot say, "" if there is nothing.
func (p *typeParser) typeNamed(word string) (arrow.DataType, string, error) {
	if t, ok := simpleTypes[word]; ok {
		return t, "", nil
	}
	switch word {
	case "ARRAY", "MAP", "ROW":
		t, err := p.nested(word)
		return t, "", err
	}
	args, err := p.arguments()
	if err != nil {
		return nil, "", err
	}
	first := 6
	if len(args) > 0 {
		first = args[0]
	}
	switch {
	case word == "DECIMAL" && len(args) == 2:
		return &arrow.Decimal128Type{Precision: int32(args[0]), Scale: int32(args[1])}, "", nil
	case word == "CHAR" || word == "VARCHAR":
		return arrow.BinaryTypes.String, fmt.Sprintf("%s(%d)", word, first), nil
	case word == "BINARY" || word == "VARBINARY":
		return arrow.BinaryTypes.Binary, fmt.Sprintf("%s(%d)", word, first), nil
	case word == "TIME":
		return arrow.FixedWidthTypes.Time32ms, "", nil
	case word == "TIMESTAMP":
		return &arrow.TimestampType{Unit: timestampUnit(first)}, "", nil
	case word == "TIMESTAMP_LTZ":
		return &arrow.TimestampType{Unit: timestampUnit(first), TimeZone: "UTC"}, "", nil
	}
	return nil, "", fmt.Errorf("unknown type %q", word)
}

var simpleTypes = map[string]arrow.DataType{
	"BOOLEAN":  arrow.FixedWidthTypes.Boolean,
	"TINYINT":  arrow.PrimitiveTypes.Int8,
	"SMALLINT": arrow.PrimitiveTypes.Int16,
	"INT":      arrow.PrimitiveTypes.Int32,
	"BIGINT":   arrow.PrimitiveTypes.Int64,
	"FLOAT":    arrow.PrimitiveTypes.Float32,
	"DOUBLE":   arrow.PrimitiveTypes.Float64,
	"STRING":   arrow.BinaryTypes.String,
	"BYTES":    arrow.BinaryTypes.Binary,
	"DATE":     arrow.FixedWidthTypes.Date32,
}

// timestampUnit is the unit that holds a precision in decimal digits.
func timestampUnit(precision int) arrow.TimeUnit {
	switch {
	case precision == 0:
		return arrow.Second
	case precision <= 3:
		return arrow.Millisecond
	case precision <= 6:
		return arrow.Microsecond
	}
	return arrow.Nanosecond
}

func (p *typeParser) nested(word string) (arrow.DataType, error) {
	var fields []arrow.Field
	open := p.skip("<")
	for open {
		name := []string{"item", "value"}[min(len(fields), 1)]
		if word == "ROW" {
			name = p.word()
		}
		field, err := p.field(name)
		if err != nil {
			return nil, err
		}
		fields = append(fields, field)
		open = p.skip(",")
	}
	if !p.skip(">") {
		return nil, fmt.Errorf("no > before %q", p.rest)
	}
	switch {
	case word == "ARRAY" && len(fields) == 1:
		return arrow.ListOfField(fields[0]), nil
	case word == "MAP" && len(fields) == 2:
		return arrow.MapOf(fields[0].Type, fields[1].Type), nil
	case word == "ROW":
		return arrow.StructOf(fields...), nil
	}
	return nil, fmt.Errorf("%s of %d types", word, len(fields))
}

// arguments reads a list of numbers in parentheses; none if there is no parenthesis.
func (p *typeParser) arguments() ([]int, error) {
	if !p.skip("(") {
		return nil, nil
	}
	inside, rest, ok := strings.Cut(p.rest, ")")
	if !ok {
		return nil, fmt.Errorf("no ) in %q", p.rest)
	}
	p.rest = rest
	var args []int
	for _, text := range strings.Split(inside, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil {
			return nil, err
		}
		args = append(args, n)
	}
	return args, nil
}

// word reads a name: up to a space or a sign of the type grammar.
func (p *typeParser) word() string {
	p.rest = strings.TrimLeft(p.rest, " ")
	end := strings.IndexAny(p.rest+" ", " <>(),")
	word := p.rest[:end]
	p.rest = p.rest[end:]
	return word
}

// skip reads the text if it is next.
func (p *typeParser) skip(text string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(p.rest, " "), text)
	if ok {
		p.rest = rest
	}
	return ok
}
