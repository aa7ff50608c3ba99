package rowmerge

import "strings"

// newListAgg makes listagg: texts joined by a delimiter, blank ones left out.
func newListAgg(c column, o *functionOptions) (*Function, *Error) {
	switch {
	case c.root() != "VARCHAR" && c.root() != "STRING":
		return nil, configf("Data type for list agg column must be 'VarCharType' but was '%s'.", c.sql)
	case c.sql != "STRING" && c.sql != "VARCHAR(2147483647)":
		return nil, configf("Data type for list agg column must be STRING (unbounded VARCHAR), but was %s.", c.sql)
	}
	delimiter, ok := o.text("list-agg-delimiter")
	if !ok {
		delimiter = ","
	}
	join := joinText
	if o.flag("distinct") {
		join = joinDistinct
	}
	return &Function{agg: func(acc, in any) (any, *Error) {
		switch {
		case blank(in):
			return acc, nil
		case blank(acc):
			return in, nil
		}
		return join(acc.(string), in.(string), delimiter), nil
	}}, nil
}

func joinText(acc, in, delimiter string) string { return acc + delimiter + in }

// joinDistinct appends the tokens of in that are not blank and not there yet. The text of acc stays as it is.
func joinDistinct(acc, in, delimiter string) string {
	seen := splitText(acc, delimiter)
	for _, token := range splitText(in, delimiter) {
		if blank(token) || indexOf(seen, token) >= 0 {
			continue
		}
		acc += delimiter + token.(string)
		seen = append(seen, token)
	}
	return acc
}

// splitText splits at the delimiter, at single spaces if the delimiter is empty.
func splitText(text, delimiter string) []any {
	if delimiter == "" {
		delimiter = " "
	}
	var tokens []any
	for _, token := range strings.Split(text, delimiter) {
		tokens = append(tokens, token)
	}
	return tokens
}

// blank reports whether a text is NULL, empty or white space only. White space is what the table's text functions take for
// it, which is not Unicode's definition: no-break spaces are not, the four separators from U+001C on are.
func blank(v any) bool {
	text, _ := v.(string)
	for _, r := range text {
		if !isWhite(r) {
			return false
		}
	}
	return true
}

func isWhite(r rune) bool {
	switch {
	case r >= 0x09 && r <= 0x0d, r >= 0x1c && r <= 0x20, r == 0x1680, r >= 0x2000 && r <= 0x2006, r >= 0x2008 && r <= 0x200a:
		return true
	case r == 0x2028, r == 0x2029, r == 0x205f, r == 0x3000:
		return true
	}
	return false
}
