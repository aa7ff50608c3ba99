package kernel

import "strings"

// Every option of a column has a key of three parts, `fields.<column>.<option>`. A column's name may hold dots, an option
// has none. A sequence group lists columns in place of one, and the default function has none.
const (
	fieldsPrefix          = "fields."
	sequenceGroupOption   = "sequence-group"
	defaultFunctionOption = "default-aggregate-function"
)

// fieldOptionNames are the options a single column can have.
const fieldOptionNames = "aggregate-function, ignore-retract, list-agg-delimiter, distinct, nested-key, " +
	"nested-sequence-field, nested-key-null-strategy, count-limit, ts-field"

// field reads the option of a key that begins with `fields`.
func (p *optionParser) field(o *Options, key string) {
	if key == fieldsPrefix+defaultFunctionOption {
		return
	}
	column, option, ok := splitFieldKey(key)
	switch {
	case ok && option == sequenceGroupOption:
		p.sequenceGroup(o, key, column)
	case ok:
		p.columnOption(o, key, column, option)
	case strings.HasSuffix(key, sequenceGroupOption):
		p.fail(key, "the key is not of the form fields.<column>[,<column>...].sequence-group")
	default:
		p.fail(key, "the key is neither fields.<column>.<option> nor fields.default-aggregate-function")
	}
}

// splitFieldKey takes a key apart at its first and its last dot. It is not ok if a part is missing, or if the last only
// ends like that of a sequence group.
func splitFieldKey(key string) (column, option string, ok bool) {
	rest, ok := strings.CutPrefix(key, fieldsPrefix)
	dot := strings.LastIndexByte(rest, '.')
	if !ok || dot <= 0 || dot == len(rest)-1 {
		return "", "", false
	}
	column, option = rest[:dot], rest[dot+1:]
	return column, option, option == sequenceGroupOption || !strings.HasSuffix(option, sequenceGroupOption)
}

// sequenceGroup adds the group of one option. Names are taken as they stand on both sides.
func (p *optionParser) sequenceGroup(o *Options, key, columns string) {
	sequence := strings.Split(columns, ",")
	for _, name := range sequence {
		if name == "" {
			p.fail(key, "the key has an empty name, names between commas are expected")
			break
		}
	}
	o.SequenceGroups = append(o.SequenceGroups, SequenceGroup{Sequence: sequence, Protected: p.columns(key, asIs)})
}

// columnOption sets one option of one column.
func (p *optionParser) columnOption(o *Options, key, column, option string) {
	f := o.Fields[column]
	switch option {
	case "aggregate-function":
		f.AggregateFunction = p.name(key)
	case "ignore-retract":
		f.IgnoreRetract = p.bool(key)
	case "list-agg-delimiter":
		delimiter := p.options[key]
		f.ListAggDelimiter = &delimiter
	case "distinct":
		f.Distinct = p.bool(key)
	case "nested-key":
		f.NestedKey = p.columns(key, strings.TrimSpace)
	case "nested-sequence-field":
		f.NestedSequenceField = p.columns(key, strings.TrimSpace)
	case "nested-key-null-strategy":
		f.NestedKeyNullStrategy = NestedKeyNullMerge + NestedKeyNullStrategy(p.enum(key, nestedKeyNullNames))
	case "count-limit":
		f.CountLimit = p.count(key)
	case "ts-field":
		f.TimestampField = p.name(key)
	default:
		p.fail(key, "unknown option %q of a column; known are %s and sequence-group", option, fieldOptionNames)
		return
	}
	if o.Fields == nil {
		o.Fields = make(map[string]FieldOptions)
	}
	o.Fields[column] = f
}
