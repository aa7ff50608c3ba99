package columnar_test

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// castCases show values of the file and of the table, separated by bars. Dates, times and timestamps are shown as they are
// stored, decimals without their point. A type may have the declared one behind a colon.
var castCases = []struct{ from, to, in, out string }{
	{"int8", "int16", "-128|NULL|127", "-128|NULL|127"},
	{"int8", "int64", "-128|NULL|127", "-128|NULL|127"},
	{"int16", "int32", "-32768|32767", "-32768|32767"},
	{"int32", "int64", "-2147483648|2147483647|NULL", "-2147483648|2147483647|NULL"},
	{"int32", "float32", "16777216|16777217|16777219|-2147483648", "1.6777216e+07|1.6777216e+07|1.677722e+07|-2.1474836e+09"},
	{"int64", "float64", "9223372036854775807|NULL|-9007199254740993", "9.223372036854776e+18|NULL|-9.007199254740992e+15"},
	{"float32", "float64", "0.1|NaN|-Inf|NULL|-0", "0.10000000149011612|NaN|-Inf|NULL|-0"},
	{"bool", "int8", "true|NULL|false", "1|NULL|0"},
	{"bool", "float32", "true|NULL|false", "1|NULL|0"},
	{"bool", "float64", "true|NULL|false", "1|NULL|0"},
	{"bool", "decimal(3,1)", "true|NULL|false", "10|NULL|0"},
	{"bool", "decimal(2,2)", "true|NULL|false", "NULL|NULL|0"},
	{"int16", "decimal(12,2)", "-32768|NULL|32767", "-3276800|NULL|3276700"},
	{"int16", "decimal(3,0)", "999|1000|-999|-1000|NULL", "999|NULL|-999|NULL|NULL"},
	{"int64", "decimal(38,19)", "-9223372036854775808|1", "-92233720368547758080000000000000000000|10000000000000000000"},
	{"int64", "decimal(38,38)", "0|1", "0|NULL"},
	{"decimal(5,2)", "decimal(10,2)", "12345|NULL|-99999", "12345|NULL|-99999"},
	{"decimal(5,2)", "decimal(5,2)", "1234567", "1234567"}, // as it came: nothing is cast
	{"decimal(5,2)", "decimal(6,2)", "1234567|100", "NULL|100"},
	{"decimal(5,2)", "decimal(38,35)", "12345|-99999", "12345000000000000000000000000000000000|-99999000000000000000000000000000000000"},
	{"decimal(5,2)", "decimal(5,4)", "999|1000|-1000", "99900|NULL|NULL"},
	{"decimal(5,3)", "decimal(5,1)", "1249|1250|-1250|-1249|1251", "12|13|-13|-12|13"},
	{"decimal(3,1)", "decimal(2,0)", "994|995", "99|NULL"},
	{"decimal(38,38)", "decimal(38,0)", "50000000000000000000000000000000000000|49999999999999999999999999999999999999", "1|0"},
	{"decimal(38,20)", "decimal(38,0)", "-50000000000000000000|49999999999999999999", "-1|0"},
	{"decimal(38,19)", "decimal(38,0)", "-5000000000000000000|4999999999999999999", "-1|0"},
	{"decimal(10,2)", "float64", "123|-5|NULL", "1.23|-0.05|NULL"},
	{"decimal(38,10)", "float64", "99999999999999999999999999999999999999|-1", "1e+28|-1e-10"},
	{"decimal(10,2)", "float32", "123", "1.23"},
	{"int8", "utf8", "-128|NULL|0", "-128|NULL|0"},
	{"int64", "large_utf8", "-9223372036854775808|NULL", "-9223372036854775808|NULL"},
	{"int32", "utf8:VARCHAR(3)", "-2147483648|12|NULL", "-21|12|NULL"},
	{"bool", "utf8", "true|NULL|false", "true|NULL|false"},
	{"decimal(5,2)", "utf8", "12345|-5|0|NULL|100", "123.45|-0.05|0.00|NULL|1.00"},
	{"decimal(5,0)", "utf8", "-12345|0", "-12345|0"},
	{"decimal(38,38)", "utf8", "-1", "-0.00000000000000000000000000000000000001"},
	{"decimal(38,0)", "utf8", "-170141183460469231731687303715884105728", "-170141183460469231731687303715884105728"},
	{"date", "utf8", "0|-1|19753|-719528|2932896|NULL|11016", "1970-01-01|1969-12-31|2024-01-31|0000-01-01|9999-12-31|NULL|2000-02-29"},
	{"date", "utf8", "0|NULL|2932897", "ErrTooLarge row 2"},
	{"date", "utf8", "-719529", "ErrTooLarge row 0"},
	{"time32[ms]", "utf8", "0|86399999|37230500|NULL|-1|86400000", "00:00:00.0|23:59:59.999|10:20:30.5|NULL|23:59:59.999|00:00:00.0"},
	{"time32[ms]:TIME(0)", "utf8", "37230500", "10:20:30"},
	{"time32[ms]:TIME(2)", "utf8", "37230567|37230500", "10:20:30.56|10:20:30.5"},
	{"time32[s]", "utf8", "37230", "10:20:30"},
	{"time64[us]", "utf8", "37230000001", "10:20:30.000001"},
	{"ts[ms]", "utf8", "0|-1|1706696430500|NULL", "1970-01-01 00:00:00.000|1969-12-31 23:59:59.999|2024-01-31 10:20:30.500|NULL"},
	{"ts[ms]:TIMESTAMP(0)", "utf8", "1706696430000|1706696430500", "2024-01-31 10:20:30|2024-01-31 10:20:30.5"},
	{"ts[ns]", "utf8", "-1", "1969-12-31 23:59:59.999999999"},
	{"ts[us,UTC]", "utf8", "1706696430000001", "2024-01-31 10:20:30.000001"},
	{"ts[s]", "utf8", "-62167219200|253402300799|NULL", "0000-01-01 00:00:00|9999-12-31 23:59:59|NULL"},
	{"ts[s]", "utf8", "NULL|9223372036854775807", "ErrTooLarge row 1"},
	{"date", "ts[ms]", "1|-1|NULL|2147483647", "86400000|-86400000|NULL|185542587100800000"},
	{"date", "ts[us,UTC]", "1", "86400000000"},
	{"date", "ts[ns]", "106751|-106751|106752", "ErrTooLarge row 2"},
	{"ts[s]", "ts[ns]", "1|-1|NULL|9223372036", "1000000000|-1000000000|NULL|9223372036000000000"},
	{"ts[s]", "ts[ns]", "9223372037", "ErrTooLarge row 0"},
	{"ts[ms]", "ts[us]", "-9223372036854775|NULL", "-9223372036854775000|NULL"},
	{"ts[us]", "ts[ms]", "1999|-1|-1000|-1001|NULL", "1|-1|-1|-2|NULL"},
	{"ts[ms]", "ts[s]", "1999|-1|-1999|-2000", "1|0|-1|-2"},
	{"ts[ns]", "ts[s]", "-1|-1000000000|-1000000001", "0|-1|-1"},
	{"ts[us]:TIMESTAMP(6)", "ts[us]:TIMESTAMP(4)", "1299|-1", "1200|-100"},
	{"ts[ms]:TIMESTAMP(3)", "ts[us]:TIMESTAMP(2)", "1999|-19", "1990000|-10000"},
	{"ts[ms]:TIMESTAMP(3)", "ts[ns]:TIMESTAMP(2)", "NULL|9223372036870", "ErrTooLarge row 1"},
	{"ts[us]:TIMESTAMP(9)", "ts[us]:TIMESTAMP(6)", "-9223372036854775808", "-9223372036854775808"},
	{"ts[ms]:TIMESTAMP(1)", "ts[us]:TIMESTAMP(4)", "1900", "1900000"},
	{"ts[ns]:TIMESTAMP(3)", "ts[ms]:TIMESTAMP(3)", "1999999|-1", "1|-1"},
	{"ts[ms]", "ts[ms]:TIMESTAMP(1)", "1999", "1999"},
	{"ts[ms]", "ts[ms,UTC]", "-1|NULL", "-1|NULL"},
	{"time32[s]", "time32[ms]", "86399|NULL", "86399000|NULL"},
	{"time32[s]", "time32[ms]", "2147484", "ErrTooLarge row 0"},
	{"time32[ms]", "time64[ns]", "86399999", "86399999000000"},
	{"time64[us]", "time64[ns]", "86399999999", "86399999999000"},
	{"utf8", "large_utf8", "a||NULL|käse", "a||NULL|käse"},
	{"large_utf8", "utf8", "a||NULL|käse", "a||NULL|käse"},
	{"binary", "large_binary", "a||NULL|\xff", "a||NULL|\xff"},
	{"fixed(2)", "binary", "ab|NULL|cd", "ab|NULL|cd"},
	{"fixed(2)", "large_binary", "ab|NULL|cd", "ab|NULL|cd"},
	{"utf8:VARCHAR(3)", "utf8:VARCHAR(5)", "abc", "abc"},
	{"utf8:VARCHAR(5)", "utf8:VARCHAR(2)", "äöü|a|NULL||\xff\xfe\xfd", "äö|a|NULL||\xff\xfe"},
	{"utf8:STRING", "large_utf8:VARCHAR(1)", "ab|NULL", "a|NULL"},
	{"utf8:CHAR(2)", "utf8:CHAR(4)", "ab|ä |NULL", "ab  |ä   |NULL"},
	{"utf8", "utf8:CHAR(4)", "ab", "ab"},
	{"int8", "utf8:CHAR(4)", "7|NULL", "7   |NULL"},
	{"binary:BINARY(3)", "binary:BINARY(2)", "abc", "ab"},
	{"binary:BINARY(1)", "binary:BINARY(2)", "a|NULL", "a\x00|NULL"},
	{"binary:BINARY(1)", "binary:BYTES", "a", "a"},
	{"int8", "utf8:CHAR(3000000000)", "1", "ErrTooLarge "},
	{"int8", "large_utf8:CHAR(3000000000)", "1", "ErrTooLarge "},
	{"int8", "utf8:VARCHAR(2147483647)", "1", "1"},
	{"binary:BYTES", "binary:VARBINARY(2)", "abc|\xff|NULL", "ab|\xff|NULL"},
}

// TestCasts casts every line, in arrays of every shape.
func TestCasts(t *testing.T) {
	for _, line := range castCases {
		t.Run(fmt.Sprintf("%s to %s", line.from, line.to), func(t *testing.T) {
			for seed := range uint64(30) {
				checkCast(t, seed, field(t, line.from), field(t, line.to), line.in, line.out)
			}
		})
	}
}

func checkCast(t *testing.T, seed uint64, from, to arrow.Field, in, out string) {
	t.Helper()
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	rng := rand.New(rand.NewPCG(seed, 1))
	var raws [][]byte
	for _, token := range strings.Split(in, "|") {
		raws = append(raws, rawOf(t, from.Type, token))
	}
	file := newArray(rng, mem, from.Type, raws)
	defer file.Release()
	got, err := mapColumn(mem, from, to, file)
	if err != nil {
		if want, row, _ := strings.Cut(out, " "); want != "ErrTooLarge" || !errors.Is(err, columnar.ErrTooLarge) || !strings.Contains(err.Error(), row) {
			t.Fatalf("seed %d: got error %v, want %s", seed, err, out)
		}
		return
	}
	defer got.Release()
	if !arrow.TypeEqual(got.DataType(), to.Type) {
		t.Fatalf("got type %s, want %s", got.DataType(), to.Type)
	}
	if text := show(got); text != out {
		t.Fatalf("seed %d: got %q, want %q", seed, text, out)
	}
	if nulls, said := countNulls(got), got.Data().NullN(); said != nulls && said != array.UnknownNullCount {
		t.Fatalf("seed %d: %d NULLs, counted %d", seed, said, nulls)
	}
}

// mapColumn maps a file of one column to a table of one.
func mapColumn(mem memory.Allocator, from, to arrow.Field, file arrow.Array) (arrow.Array, error) {
	fileSchema := arrow.NewSchema([]arrow.Field{from}, nil)
	m, err := columnar.NewMapping(fileSchema, arrow.NewSchema([]arrow.Field{to}, nil), columnar.MatchName)
	if err != nil {
		return nil, err
	}
	record := array.NewRecord(fileSchema, []arrow.Array{file}, int64(file.Len()))
	defer record.Release()
	data, err := m.Column(0).Apply(record, mem)
	if err != nil {
		return nil, err
	}
	defer data.Release()
	return array.MakeFromData(data), nil
}

// refusedCasts are pairs without a way.
var refusedCasts = [][2]string{
	{"int16", "int8"}, {"int64", "int32"}, {"float32", "int32"}, {"float64", "float32"}, {"float32", "decimal(10,2)"},
	{"float64", "utf8"}, {"float32", "utf8"}, {"decimal(10,2)", "int64"}, {"utf8", "int32"}, {"utf8", "date"}, {"utf8", "bool"},
	{"utf8", "binary"}, {"binary", "utf8"}, {"int32", "binary"}, {"int8", "bool"}, {"int32", "date"}, {"date", "int32"},
	{"ts[ms]", "date"}, {"ts[ms]", "time32[ms]"}, {"ts[ms]", "int64"}, {"int64", "ts[ms]"}, {"time32[ms]", "ts[ms]"},
	{"time64[us]", "time32[ms]"}, {"time32[ms]", "time32[s]"}, {"uint8", "int16"}, {"int8", "uint8"}, {"uint8", "utf8"},
	{"date", "date64"}, {"date64", "utf8"}, {"fixed(2)", "fixed(3)"}, {"binary", "fixed(2)"}, {"fixed(2)", "utf8"},
	{"decimal(10,2)", "decimal(5,-2)"}, {"int32", "decimal(5,6)"}, {"decimal(5,-2)", "utf8"}, {"decimal(5,-2)", "float64"},
	{"decimal(5,-2)", "decimal(9,2)"}, {"null", "int32"}, {"int32", "null"},
}

func TestRefusedCasts(t *testing.T) {
	for _, pair := range refusedCasts {
		from, to := field(t, pair[0]), field(t, pair[1])
		m, err := columnar.NewMapping(arrow.NewSchema([]arrow.Field{from}, nil), arrow.NewSchema([]arrow.Field{to}, nil), columnar.MatchName)
		if !errors.Is(err, columnar.ErrSchema) {
			t.Fatalf("%s to %s: got %v, %v", pair[0], pair[1], m, err)
		}
		for _, part := range []string{`"v"`, from.Type.String(), to.Type.String()} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s to %s: error %q lacks %s", pair[0], pair[1], err, part)
			}
		}
	}
}

var castTypes = map[string]arrow.DataType{
	"null": arrow.Null, "bool": arrow.FixedWidthTypes.Boolean, "int8": arrow.PrimitiveTypes.Int8, "int16": arrow.PrimitiveTypes.Int16,
	"int32": arrow.PrimitiveTypes.Int32, "int64": arrow.PrimitiveTypes.Int64, "uint8": arrow.PrimitiveTypes.Uint8,
	"float32": arrow.PrimitiveTypes.Float32, "float64": arrow.PrimitiveTypes.Float64,
	"date": arrow.FixedWidthTypes.Date32, "date64": arrow.FixedWidthTypes.Date64,
	"time32[s]": arrow.FixedWidthTypes.Time32s, "time32[ms]": arrow.FixedWidthTypes.Time32ms,
	"time64[us]": arrow.FixedWidthTypes.Time64us, "time64[ns]": arrow.FixedWidthTypes.Time64ns,
	"ts[s]": &arrow.TimestampType{Unit: arrow.Second}, "ts[ms]": &arrow.TimestampType{Unit: arrow.Millisecond},
	"ts[us]": &arrow.TimestampType{Unit: arrow.Microsecond}, "ts[ns]": &arrow.TimestampType{Unit: arrow.Nanosecond},
	"ts[ms,UTC]": &arrow.TimestampType{Unit: arrow.Millisecond, TimeZone: "UTC"},
	"ts[us,UTC]": &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"},
	"utf8":       arrow.BinaryTypes.String, "large_utf8": arrow.BinaryTypes.LargeString,
	"binary": arrow.BinaryTypes.Binary, "large_binary": arrow.BinaryTypes.LargeBinary,
	"fixed(2)": &arrow.FixedSizeBinaryType{ByteWidth: 2}, "fixed(3)": &arrow.FixedSizeBinaryType{ByteWidth: 3},
}

// field reads a type and the declared one behind a colon.
func field(t testing.TB, spec string) arrow.Field {
	name, declared, ok := strings.Cut(spec, ":")
	f := arrow.Field{Name: "v", Type: castTypes[name], Nullable: true}
	var precision, scale int32
	if n, _ := fmt.Sscanf(name, "decimal(%d,%d)", &precision, &scale); n == 2 {
		f.Type = &arrow.Decimal128Type{Precision: precision, Scale: scale}
	}
	if f.Type == nil {
		t.Fatalf("no type %q", name)
	}
	if ok {
		f.Metadata = arrow.MetadataFrom(map[string]string{"paimon.type": declared})
	}
	return f
}

// rawOf reads a value, nil for NULL.
func rawOf(t testing.TB, dt arrow.DataType, token string) []byte {
	if token == "NULL" {
		return nil
	}
	switch dt := dt.(type) {
	case *arrow.BooleanType:
		return []byte{map[string]byte{"true": 1, "false": 0}[token]}
	case *arrow.Float32Type:
		f, err := strconv.ParseFloat(token, 32)
		return littleEndian(t, uint64(math.Float32bits(float32(f))), 4, err)
	case *arrow.Float64Type:
		f, err := strconv.ParseFloat(token, 64)
		return littleEndian(t, math.Float64bits(f), 8, err)
	case *arrow.Decimal128Type:
		n, ok := new(big.Int).SetString(token, 10)
		if !ok {
			t.Fatalf("no decimal %q", token)
		}
		low := new(big.Int).And(n, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
		high := new(big.Int).Rsh(n, 64).Int64()
		return append(littleEndian(t, low, 8, nil), littleEndian(t, uint64(high), 8, nil)...)
	case *arrow.FixedSizeBinaryType:
		return []byte(token)
	case arrow.FixedWidthDataType:
		n, err := strconv.ParseInt(token, 10, 64)
		return littleEndian(t, uint64(n), dt.BitWidth()/8, err)
	}
	return []byte(token)
}

func littleEndian(t testing.TB, n uint64, width int, err error) []byte {
	if err != nil {
		t.Fatal(err)
	}
	raw := make([]byte, width)
	for i := range raw {
		raw[i] = byte(n >> (8 * i))
	}
	return raw
}

// show is the inverse of the lists of values above.
func show(a arrow.Array) string {
	tokens := make([]string, a.Len())
	for i := range tokens {
		tokens[i] = showValue(valueOf(a, i))
	}
	return strings.Join(tokens, "|")
}

func showValue(value any) string {
	switch v := value.(type) {
	case nil:
		return "NULL"
	case string:
		return v
	case decimal128.Num:
		return v.BigInt().String()
	case float32:
		return strconv.FormatFloat(float64(v), 'g', -1, 32)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	if v := reflect.ValueOf(value); v.CanInt() {
		return strconv.FormatInt(v.Int(), 10)
	}
	return fmt.Sprint(value)
}
