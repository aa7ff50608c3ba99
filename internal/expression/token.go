package expression

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxText is how many bytes an expression may have.
const maxText = 1 << 16

type tokenKind uint8

const (
	tokenEnd    tokenKind = iota
	tokenWord             // a bare name or a word of the language
	tokenName             // a quoted name
	tokenNumber           // as written
	tokenText             // without its quotes
	tokenSign             // an operator or a bracket
)

// token is a piece of an expression's text.
type token struct {
	kind tokenKind
	text string
	at   int // byte of the text
}

// is says whether the token is a sign or a word of the language, which must be given in upper case.
func (t token) is(text string) bool {
	return t.kind == tokenSign && t.text == text || t.kind == tokenWord && strings.EqualFold(t.text, text)
}

// String shows the token for errors.
func (t token) String() string {
	if t.kind == tokenEnd {
		return "the end"
	}
	return fmt.Sprintf("%q", t.text)
}

// signs are the operators, longer ones first.
var signs = []string{"<>", "!=", "<=", ">=", "||", "=", "<", ">", "+", "-", "*", "/", "(", ")", ",", "."}

// scan cuts a text into tokens; the last is tokenEnd.
func scan(text string) ([]token, error) {
	if len(text) > maxText {
		return nil, fmt.Errorf("%w: %d bytes, more than %d", ErrExpression, len(text), maxText)
	}
	var tokens []token
	for at := 0; ; {
		at += len(text[at:]) - len(strings.TrimLeft(text[at:], " \t\r\n"))
		if at == len(text) {
			return append(tokens, token{kind: tokenEnd, at: at}), nil
		}
		t, end, err := scanToken(text, at)
		if err != nil {
			return nil, err
		}
		tokens, at = append(tokens, t), end
	}
}

// scanToken reads the token that begins at a byte, and returns the byte after it.
func scanToken(text string, at int) (token, int, error) {
	c := text[at]
	first, _ := utf8.DecodeRuneInString(text[at:])
	switch {
	case c == '\'':
		return scanQuoted(text, at, tokenText)
	case c == '"' || c == '`':
		return scanQuoted(text, at, tokenName)
	case isDigit(text, at) || c == '.' && isDigit(text, at+1):
		end := numberEnd(text, at)
		return token{tokenNumber, text[at:end], at}, end, nil
	case isLetter(first):
		end := at + strings.IndexFunc(text[at:]+" ", func(r rune) bool { return !isLetter(r) && !unicode.IsDigit(r) && r != '$' })
		return token{tokenWord, text[at:end], at}, end, nil
	}
	for _, sign := range signs {
		if strings.HasPrefix(text[at:], sign) {
			return token{tokenSign, sign, at}, at + len(sign), nil
		}
	}
	return token{}, at, fmt.Errorf("%w: %q at byte %d means nothing", ErrExpression, first, at)
}

func isDigit(text string, at int) bool { return at < len(text) && '0' <= text[at] && text[at] <= '9' }

func isLetter(r rune) bool { return r == '_' || r != utf8.RuneError && unicode.IsLetter(r) }

// scanQuoted reads up to the closing quote; the quote twice stands for itself.
func scanQuoted(text string, at int, kind tokenKind) (token, int, error) {
	quote := text[at : at+1]
	var b strings.Builder
	for from := at + 1; ; {
		n := strings.Index(text[from:], quote)
		if n < 0 {
			return token{}, at, fmt.Errorf("%w: the quote at byte %d is never closed", ErrExpression, at)
		}
		b.WriteString(text[from : from+n])
		from += n + 1
		if !strings.HasPrefix(text[from:], quote) {
			return token{kind, b.String(), at}, from, nil
		}
		b.WriteString(quote)
		from++
	}
}

// numberEnd returns the byte after a number: digits, a fraction, an exponent.
func numberEnd(text string, at int) int {
	digits := func() {
		for isDigit(text, at) {
			at++
		}
	}
	digits()
	if at < len(text) && text[at] == '.' {
		at++
		digits()
	}
	if at < len(text) && (text[at] == 'e' || text[at] == 'E') {
		sign := at + 1
		if sign < len(text) && (text[sign] == '+' || text[sign] == '-') {
			sign++
		}
		if isDigit(text, sign) {
			at = sign
			digits()
		}
	}
	return at
}
