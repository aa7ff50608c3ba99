package arrow18_test

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/braidmerge/braid/arrow18"
	"github.com/braidmerge/braid/columnar"
)

func TestParquetInfo(t *testing.T) {
	info, err := arrow18.ReadParquetInfo(fixture("byte_stream_split"))
	if err != nil {
		t.Fatal(err)
	}
	stat, err := os.Stat(fixture("byte_stream_split"))
	if err != nil {
		t.Fatal(err)
	}
	if info.Rows != 200 || info.Bytes != stat.Size() || len(info.RowGroups) != 2 || !strings.Contains(info.CreatedBy, "parquet-cpp-arrow") {
		t.Errorf("info %+v", info)
	}
	if !slices.Equal(names(info.Schema), []string{"i32", "i64", "f32", "f64", "fixed"}) || info.Metadata.FindKey("ARROW:schema") < 0 {
		t.Errorf("schema %v, metadata %v", info.Schema, info.Metadata)
	}
	g := info.RowGroups[0]
	if g.Rows != 120 || len(g.Columns) != 5 || g.Compressed <= 0 || g.Uncompressed < g.Compressed {
		t.Errorf("row group %+v", g)
	}
	c := g.Columns[0]
	nulls, least, most := int64(0), int64(1000), int64(-1000)
	for i := range 120 {
		if null(i) {
			nulls++
			continue
		}
		least, most = min(least, number(i)), max(most, number(i))
	}
	if c.Path != "i32" || c.Type != "INT32" || c.Compression != "UNCOMPRESSED" || !slices.Contains(c.Encodings, "BYTE_STREAM_SPLIT") || c.Values != 120 || c.Nulls != nulls {
		t.Errorf("column %+v", c)
	}
	if !c.Bounded || c.Min != itoa(least) || c.Max != itoa(most) {
		t.Errorf("bounds %s and %s, want %d and %d", c.Min, c.Max, least, most)
	}
}

func itoa(v int64) string { return strconv.FormatInt(v, 10) }

// TestStatistics prints the bounds of columns of many types.
func TestStatistics(t *testing.T) {
	got := map[string][2]string{}
	for _, file := range []string{"types", "decimals", "decimals_as_integers", "codec_none", "byte_stream_split", "int96"} {
		info, err := arrow18.ReadParquetInfo(fixture(file))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range info.RowGroups[0].Columns {
			if c.Bounded {
				got[file+"."+c.Path] = [2]string{c.Min, c.Max}
			}
		}
	}
	// The least and the greatest number of these row groups are -500 and 505; what is in other columns follows by the formulas.
	for column, want := range map[string][2]string{
		"types.bool":                    {"false", "true"},
		"types.i8":                      {"-50", "49"},
		"types.u16":                     {"60000", "60099"},
		"types.u32":                     {"4000000000", "4000000099"},
		"types.u64":                     {"9223372036854775808", "9223372036854775907"},
		"types.f16":                     {"-62.5", "63.125"},
		"types.date32":                  {"1968-08-19", "1971-05-21"},
		"types.time_ms":                 {"00:00:00.000", "00:00:00.099"},
		"types.time_ns":                 {"00:00:00.000000000", "00:00:00.000000099"},
		"types.ts_ms":                   {"1969-12-31T23:59:59.5", "1970-01-01T00:00:00.505"},
		"types.ts_us":                   {"1969-12-31T23:59:59.9995Z", "1970-01-01T00:00:00.000505Z"},
		"types.dictionary":              {`"row-000-"`, `"row-049-x"`},
		"types.duration":                {"-500", "505"},
		"byte_stream_split.f32":         {"-62.5", "63.125"},
		"byte_stream_split.f64":         {"-62.5", "63.125"},
		"byte_stream_split.i64":         {"-4294967296000", "4337916968960"},
		"byte_stream_split.fixed":       {"0x3030303030", "0x3030313139"},
		"codec_none.s":                  {`"row-000-"`, `"row-049-xxx"`},
		"codec_none.b":                  {"0x726f772d3030302d", "0x726f772d3034392d787878"},
		"decimals.d9":                   {"-5.00", "5.05"},
		"decimals.d18":                  {"-50000000000.0500", "50500000000.0505"},
		"decimals.d38":                  {"-5000000000000000000000000.0000003500", "5050000000000000000000000.0000003535"},
		"decimals_as_integers.d9":       {"-5.00", "5.05"},
		"decimals_as_integers.d18":      {"-50000000000.0500", "50500000000.0505"},
		"types.large_list.list.element": {"-475", "476"},
	} {
		if got[column] != want {
			t.Errorf("%s: bounds %v, want %v", column, got[column], want)
		}
	}
	if _, bounded := got["int96.ts"]; bounded {
		t.Error("INT96 has no order that statistics could follow")
	}
}

func TestInfoErrors(t *testing.T) {
	if _, err := arrow18.ReadParquetInfo(fixture("nope")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	if _, err := arrow18.ReadParquetInfo(onDisk(t, []byte("no Parquet at all"))); !errors.Is(err, columnar.ErrCorrupt) {
		t.Errorf("error %v", err)
	}
}
