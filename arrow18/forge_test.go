package arrow18_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"runtime"
	"slices"
	"strings"
	"testing"

	v18arrow "github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/flight"
	v18memory "github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/compress"

	"github.com/braidmerge/braid/arrow18"
	"github.com/braidmerge/braid/columnar"
)

// thrift writes the compact protocol, with whatever numbers it is given.
type thrift struct {
	bytes.Buffer
	last []int16 // field ids of the structs that are open
}

func (w *thrift) varint(v uint64) { w.Write(binary.AppendUvarint(nil, v)) }
func (w *thrift) zigzag(v int64)  { w.varint(uint64(v)<<1 ^ uint64(v>>63)) }
func (w *thrift) open()           { w.last = append(w.last, 0) }

func (w *thrift) close() {
	w.last = w.last[:len(w.last)-1]
	w.WriteByte(0)
}

func (w *thrift) field(id int16, kind byte) {
	top := &w.last[len(w.last)-1]
	w.WriteByte(byte(id-*top)<<4 | kind)
	*top = id
}

func (w *thrift) i32(id int16, v int64) { w.field(id, 5); w.zigzag(v) }
func (w *thrift) i64(id int16, v int64) { w.field(id, 6); w.zigzag(v) }

func (w *thrift) text(id int16, s string) {
	w.field(id, 8)
	w.varint(uint64(len(s)))
	w.WriteString(s)
}

func (w *thrift) list(id int16, kind byte, n int) {
	w.field(id, 9)
	w.WriteByte(15<<4 | kind)
	w.varint(uint64(n))
}

// forged is a Parquet file of one row group with one column, every claim in it open to lies.
type forged struct {
	physical, length, repetition int64 // of the column
	rows, values                 int64
	codec                        compress.Compression
	pages                        []byte
	pairs                        map[string]string
	schema                       func(*thrift) // instead of the schema list
	offset, size                 int64         // what is added to the chunk's offset and size
	fileRows                     int64         // what is added to the rows of the file
}

const (
	physInt32, physInt64, physBytes, physFixed = 1, 2, 6, 7
	required, optional, repeated               = 0, 1, 2
	structKind                                 = 12
)

func (f forged) bytes() []byte {
	var w thrift
	w.open()
	w.i32(1, 2)
	if f.schema != nil {
		f.schema(&w)
	} else {
		w.list(2, structKind, 2)
		w.open()
		w.text(4, "root")
		w.i32(5, 1)
		w.close()
		w.open()
		w.i32(1, f.physical)
		if f.length != 0 {
			w.i32(2, f.length)
		}
		w.i32(3, f.repetition)
		w.text(4, "c")
		w.close()
	}
	w.i64(3, f.rows+f.fileRows)
	w.list(4, structKind, 1)
	w.open()
	w.list(1, structKind, 1)
	w.open()
	w.i64(2, 4)
	w.field(3, structKind)
	w.open()
	w.i32(1, f.physical)
	w.list(2, 5, 1)
	w.zigzag(0)
	w.list(3, 8, 1)
	w.varint(1)
	w.WriteString("c")
	w.i32(4, int64(f.codec))
	w.i64(5, f.values)
	w.i64(6, int64(len(f.pages)))
	w.i64(7, int64(len(f.pages))+f.size)
	w.i64(9, 4+f.offset)
	w.close()
	w.close()
	w.i64(2, int64(len(f.pages)))
	w.i64(3, f.rows)
	w.close()
	if f.pairs != nil {
		w.list(5, structKind, len(f.pairs))
		for k, v := range f.pairs {
			w.open()
			w.text(1, k)
			w.text(2, v)
			w.close()
		}
	}
	w.close()
	out := append([]byte("PAR1"), f.pages...)
	out = append(out, w.Bytes()...)
	out = binary.LittleEndian.AppendUint32(out, uint32(w.Len()))
	return append(out, "PAR1"...)
}

// dataPage is a page of the first version.
func dataPage(values, encoding, uncompressed int64, body []byte) []byte {
	var w thrift
	w.open()
	w.i32(1, 0)
	w.i32(2, uncompressed)
	w.i32(3, int64(len(body)))
	w.field(5, structKind)
	w.open()
	w.i32(1, values)
	w.i32(2, encoding)
	w.i32(3, 3)
	w.i32(4, 3)
	w.close()
	w.close()
	return append(w.Bytes(), body...)
}

// otherPage is a page of another type, with its header in the given field.
func otherPage(kind int64, field int16, values, uncompressed int64, body []byte) []byte {
	var w thrift
	w.open()
	w.i32(1, kind)
	w.i32(2, uncompressed)
	w.i32(3, int64(len(body)))
	w.field(field, structKind)
	w.open()
	w.i32(1, values)
	w.i32(2, 0)
	w.close()
	w.close()
	return append(w.Bytes(), body...)
}

func numbersPlain(n int) []byte {
	var out []byte
	for i := range n {
		out = binary.LittleEndian.AppendUint32(out, uint32(i))
	}
	return out
}

func uvarints(values ...uint64) []byte {
	var out []byte
	for _, v := range values {
		out = binary.AppendUvarint(out, v)
	}
	return out
}

// deltas is a delta stream of n equal values, with no bits a value.
func deltas(block, miniblocks, n, value uint64) []byte {
	out := uvarints(block, miniblocks, n, value<<1)
	for left := int64(n) - 1; left > 0; left -= int64(block) {
		out = append(out, 0) // smallest delta
		out = append(out, make([]byte, miniblocks)...)
	}
	return out
}

// longPrefixes are n strings, the first of 64 KiB and each of the others the same, told in a byte or two.
func longPrefixes(n int) []byte {
	const long, wide = 1 << 16, 17
	// stream is a delta stream of a first value and others that are all the same.
	stream := func(first uint64, smallest int64, odd, rest uint64) []byte {
		out := uvarints(128, 1, uint64(n), first<<1)
		packed := big.NewInt(0)
		for i := range 128 {
			v := rest
			if i == 0 {
				v = odd
			}
			packed.Or(packed, new(big.Int).Lsh(new(big.Int).SetUint64(v), uint(i*wide)))
		}
		out = append(out, uvarints(uint64(smallest)<<1^uint64(smallest>>63))...)
		out = append(out, wide)
		b := packed.FillBytes(make([]byte, 128*wide/8))
		slices.Reverse(b)
		out = append(out, b...)
		for left := n - 1 - 128; left > 0; left -= 128 {
			out = append(out, 0, 0)
		}
		return out
	}
	out := stream(0, 0, long, 0)
	out = append(out, stream(long, -long, 0, long)...)
	return append(out, make([]byte, long)...)
}

// zstdFrame is a zstd frame of raw content, told to be of another size.
func zstdFrame(content []byte, size uint64) []byte {
	out := binary.LittleEndian.AppendUint64([]byte{0x28, 0xb5, 0x2f, 0xfd, 3<<6 | 1<<5}, size)
	return append(append(out, block(0, int64(len(content)), true)...), content...)
}

// zstdOpen begins a zstd frame that does not tell its size, with a window of 2 MiB.
func zstdOpen() []byte { return []byte{0x28, 0xb5, 0x2f, 0xfd, 0, 0x58} }

func block(kind, size int64, last bool) []byte {
	head := uint32(size<<3 | kind<<1)
	if last {
		head |= 1
	}
	return []byte{byte(head), byte(head >> 8), byte(head >> 16)}
}

// TestForged reads files whose headers lie. None may be read without an error, panic, or take memory for the lie.
func TestForged(t *testing.T) {
	plain := dataPage(3, 0, 12, numbersPlain(3))
	good := forged{physical: physInt32, rows: 3, values: 3, pages: plain}
	bomb := zstdOpen()
	for range 40_000 {
		bomb = append(bomb, append(block(1, 128<<10, false), 'x')...)
	}
	bomb = append(bomb, block(0, 0, true)...)
	maybe := zstdOpen()
	for range 1000 {
		maybe = append(maybe, append(block(2, 4, false), 1, 2, 3, 4)...)
	}
	maybe = append(maybe, block(0, 0, true)...)
	with := func(change func(*forged)) forged {
		f := good
		change(&f)
		return f
	}
	page := func(p []byte) forged { return with(func(f *forged) { f.pages = p }) }
	packed := func(codec compress.Compression, body []byte) forged {
		return with(func(f *forged) { f.codec = codec; f.pages = dataPage(3, 0, 12, body) })
	}
	text := func(encoding, n int64, body []byte) forged {
		return forged{physical: physBytes, rows: n, values: n, pages: dataPage(n, encoding, int64(len(body)), body)}
	}
	const many = 100_000
	cases := []struct {
		name string
		file forged
		kind error
		says string
	}{
		{"rows of the file", with(func(f *forged) { f.fileRows = 1 }), columnar.ErrCorrupt, "row groups have 3 rows"},
		{"rows of the row group", with(func(f *forged) { f.rows = 4 }), columnar.ErrCorrupt, "3 values in 4 rows"},
		{"negative rows", with(func(f *forged) { f.rows, f.values = -3, -3 }), columnar.ErrCorrupt, "-3 rows"},
		{"values of the chunk", with(func(f *forged) { f.rows, f.values = 4, 4 }), columnar.ErrCorrupt, "unexpected EOF"},
		{"too few values", with(func(f *forged) { f.rows, f.values = 2, 2 }), columnar.ErrCorrupt, "3 values"},
		{"many rows", with(func(f *forged) { f.rows, f.values = 1<<40, 1<<40 }), columnar.ErrCorrupt, "unexpected EOF"},
		{"chunk before the file", with(func(f *forged) { f.offset = -8 }), columnar.ErrCorrupt, "bytes at -4"},
		{"chunk beyond the file", with(func(f *forged) { f.offset = 1 << 40 }), columnar.ErrCorrupt, "bytes at"},
		{"size of the chunk", with(func(f *forged) { f.size = 1 << 40 }), columnar.ErrCorrupt, "bytes at 4"},
		{"negative size", with(func(f *forged) { f.size = -1 << 40 }), columnar.ErrCorrupt, "bytes at 4"},
		{"unknown codec", with(func(f *forged) { f.codec = 77 }), errors.ErrUnsupported, "compression"},
		{"old LZ4", with(func(f *forged) { f.codec = compress.Codecs.Lz4 }), errors.ErrUnsupported, "LZ4"},
		{"width of values", forged{physical: physFixed, length: 1 << 30, rows: 3, values: 3, pages: plain}, columnar.ErrTooLarge, "1099511627776 bytes"},
		{"negative width", forged{physical: physFixed, length: -5, rows: 3, values: 3, pages: plain}, columnar.ErrCorrupt, ""},

		{"page size", page(dataPage(3, 0, 1<<31-1, numbersPlain(3))), columnar.ErrTooLarge, "2147483647 bytes"},
		{"negative page size", page(dataPage(3, 0, -4, numbersPlain(3))), columnar.ErrCorrupt, "number -4"},
		{"page values", page(dataPage(1<<31-1, 0, 12, numbersPlain(3))), columnar.ErrCorrupt, "2147483647 values"},
		{"negative page values", page(dataPage(-1, 0, 12, numbersPlain(3))), columnar.ErrCorrupt, "number -1"},
		{"page too short", page(dataPage(3, 0, 8, numbersPlain(2))), columnar.ErrCorrupt, ""},
		{"page of another size", page(dataPage(3, 0, 16, numbersPlain(3))), columnar.ErrCorrupt, "without compression"},
		{"no page", page([]byte{0, 0, 0}), columnar.ErrCorrupt, "page header"},
		{"index page", page(otherPage(1, 6, 0, 4, numbersPlain(1))), errors.ErrUnsupported, "page type 1"},
		{"second dictionary", page(append(otherPage(2, 7, 1, 4, numbersPlain(1)), otherPage(2, 7, 1, 4, numbersPlain(1))...)), columnar.ErrCorrupt, "dictionary"},
		{"values of a dictionary", page(otherPage(2, 7, 1<<31-1, 4, numbersPlain(1))), columnar.ErrCorrupt, "dictionary of 2147483647 values"},

		{"snappy length", packed(compress.Codecs.Snappy, append(uvarints(1<<32-1), 0)), columnar.ErrCorrupt, "snappy block of 4294967295 bytes"},
		{"zstd content size", packed(compress.Codecs.Zstd, zstdFrame(numbersPlain(3), 60<<30)), columnar.ErrCorrupt, "zstd frames of 64424509440 bytes"},
		{"zstd negative size", packed(compress.Codecs.Zstd, zstdFrame(numbersPlain(3), 1<<63)), columnar.ErrCorrupt, ""},
		{"zstd second frame", packed(compress.Codecs.Zstd, append(zstdFrame(numbersPlain(3), 12), zstdFrame(numbersPlain(3), 60<<30)...)), columnar.ErrCorrupt, "zstd frames of"},
		{"zstd runs", packed(compress.Codecs.Zstd, bomb), columnar.ErrCorrupt, "zstd frames of 5242880000 bytes"},
		{"zstd blocks", packed(compress.Codecs.Zstd, maybe), columnar.ErrTooLarge, "131072000 bytes"},
		{"zstd of nothing", packed(compress.Codecs.Zstd, []byte{1}), columnar.ErrCorrupt, "unexpected EOF"},
		{"zstd cut short", packed(compress.Codecs.Zstd, zstdFrame(numbersPlain(3), 12)[:15]), columnar.ErrCorrupt, "unexpected EOF"},
		{"no zstd", packed(compress.Codecs.Zstd, numbersPlain(3)), columnar.ErrCorrupt, "no zstd frame"},

		{"delta block", text(5, 3, uvarints(1<<32-128, 1, 3, 0, 0, 0)), columnar.ErrCorrupt, "delta block of 4294967168 values"},
		{"delta miniblocks", text(5, 3, uvarints(128, 3, 3, 0, 0, 0)), columnar.ErrCorrupt, "3 miniblocks"},
		{"delta values", text(6, 3, uvarints(128, 1, 1<<40, 0)), columnar.ErrCorrupt, "1099511627776 delta values"},
		{"delta cut short", text(6, 3, uvarints(128, 1, 3, 0)), columnar.ErrCorrupt, "unexpected EOF"},
		{"prefix of nothing", text(7, 3, append(deltas(128, 1, 3, 4), deltas(128, 1, 3, 1)...)), columnar.ErrCorrupt, "shares 4 bytes of 0"},
		{"prefixes and suffixes", text(7, 3, append(deltas(128, 1, 3, 0), deltas(128, 1, 2, 1)...)), columnar.ErrCorrupt, "3 shared prefixes, 2 suffixes"},
		{"repeated prefixes", text(7, many, longPrefixes(many)), columnar.ErrTooLarge, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := survive(t, c.file.bytes())
			runtime.ReadMemStats(&after)
			if !errors.Is(err, c.kind) || !strings.Contains(fmt.Sprint(err), c.says) {
				t.Errorf("error %v, want %v saying %q", err, c.kind, c.says)
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > 100<<20 {
				t.Errorf("reading took %d MiB", took>>20)
			}
		})
	}
	open := append(zstdOpen(), append(block(0, 12, true), numbersPlain(3)...)...)
	for name, f := range map[string]forged{
		"the file that the others are made of": good,
		"zstd of known size":                   packed(compress.Codecs.Zstd, zstdFrame(numbersPlain(3), 12)),
		"zstd of unknown size":                 packed(compress.Codecs.Zstd, open),
		"zstd after a frame to skip":           packed(compress.Codecs.Zstd, append([]byte{0x50, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 'x'}, open...)),
		"few long prefixes":                    text(7, 300, longPrefixes(300)),
	} {
		if err := survive(t, f.bytes()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestForgedSchema reads footers whose schemas do not hold together.
func TestForgedSchema(t *testing.T) {
	element := func(w *thrift, children int64) {
		w.open()
		if children == 0 {
			w.i32(1, physInt32)
		}
		w.i32(3, 0)
		w.text(4, "c")
		if children != 0 {
			w.i32(5, children)
		}
		w.close()
	}
	tree := func(claimed int, children ...int64) func(*thrift) {
		return func(w *thrift) {
			w.list(2, structKind, claimed)
			for _, n := range children {
				element(w, n)
			}
		}
	}
	deep := func(n int) []int64 {
		out := make([]int64, n)
		for i := range out {
			out[i] = 1
		}
		return append(out, 0)
	}
	cases := []struct {
		name, says string
		schema     func(*thrift)
	}{
		{"children that are not there", "missing", tree(2, 1<<30, 0)},
		{"more children", "missing", tree(2, 2, 0)},
		{"fewer children", "belongs to no parent", tree(3, 1, 0, 0)},
		{"negative children", "-1 children", tree(2, -1, 0)},
		{"elements that are not there", "", tree(1<<30, 1, 0)},
		{"deep", "nests more than 100 deep", tree(5001, deep(5000)...)},
		{"no elements", "", tree(0)},
		{"not a list", "", func(w *thrift) { w.i32(2, 7) }},
		{"list of numbers", "no list of elements", func(w *thrift) { w.list(2, 5, 1); w.zigzag(4) }},
	}
	for _, c := range cases {
		f := forged{physical: physInt32, rows: 3, values: 3, pages: dataPage(3, 0, 12, numbersPlain(3)), schema: c.schema}
		err := survive(t, f.bytes())
		if !errors.Is(err, columnar.ErrCorrupt) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v", c.name, err)
		}
	}
}

// TestForgedStructure reads footers that are no structs of the compact protocol.
func TestForgedStructure(t *testing.T) {
	nested := bytes.Repeat([]byte{0x1c}, 10_000) // field 1, a struct, over and over
	lists := append([]byte{0x19}, bytes.Repeat([]byte{0x19}, 10_000)...)
	for name, footer := range map[string][]byte{
		"empty": {}, "structs in structs": nested, "lists in lists": lists, "unknown type": {0x1e, 0},
		"long integer": append([]byte{0x16}, bytes.Repeat([]byte{0xff}, 20)...),
		"long list":    {0x19, 0xf5, 0xff, 0xff, 0xff, 0xff, 0x0f},
		"long map":     {0x1b, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x55},
		"long string":  {0x18, 0xff, 0xff, 0xff, 0xff, 0x0f, 'x'},
	} {
		b := append([]byte("PAR1"), footer...)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(footer)))
		if err := survive(t, append(b, "PAR1"...)); !errors.Is(err, columnar.ErrCorrupt) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// flatTable writes a flatbuffer table whose fields are offsets of 32 bits, at the end of b; its place is returned.
func flatTable(b []byte, fields ...uint32) (out []byte, at uint32) {
	vtable := uint32(len(b))
	b = binary.LittleEndian.AppendUint16(b, uint16(4+2*len(fields)))
	b = binary.LittleEndian.AppendUint16(b, uint16(4+4*len(fields)))
	for i := range fields {
		b = binary.LittleEndian.AppendUint16(b, uint16(4+4*i))
	}
	at = uint32(len(b))
	b = binary.LittleEndian.AppendUint32(b, at-vtable)
	for i, target := range fields {
		b = binary.LittleEndian.AppendUint32(b, target-(at+4+4*uint32(i)))
	}
	return b, at
}

// TestForgedStoredSchema carries Arrow schemas that never end, or that stand for far more than they are.
func TestForgedStoredSchema(t *testing.T) {
	// vector is a vector of n offsets that all point at the same place.
	vector := func(b []byte, n int, target func(self uint32) uint32) ([]byte, uint32) {
		at := uint32(len(b))
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
		for i := range n {
			b = binary.LittleEndian.AppendUint32(b, target(at)-(at+4+4*uint32(i)))
		}
		return b, at
	}
	text := func(b []byte, n int) ([]byte, uint32) {
		at := uint32(len(b))
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
		return append(b, make([]byte, n+1)...), at
	}
	// message wraps the fields vector of a schema.
	message := func(b []byte, fields uint32) []byte {
		b, schema := flatTable(b, fields, fields) // endianness is read as a number
		b, root := flatTable(b, schema, schema, schema)
		b[root+4] = 4 // version
		b[root+8] = 1 // header type: schema
		binary.LittleEndian.PutUint32(b, root)
		return b
	}
	start := make([]byte, 4)
	cases := map[string]func() []byte{
		"a field that is its own child": func() []byte {
			b, name := text(start, 1)
			at := uint32(len(b)) + 4 + 2*6
			// Slots: name, nullable, type kind, type, dictionary, children.
			b, field := flatTable(b, name, name, name, name, name, uint32(len(b))+16+4+24)
			if field != at {
				t.Fatalf("field at %d, not %d", field, at)
			}
			b, fields := vector(b, 1, func(uint32) uint32 { return field })
			return message(b, fields)
		},
		"ever more children": func() []byte {
			b, name := text(start, 1)
			b, fields := vector(b, 0, nil)
			for range 40 {
				var field uint32
				b, field = flatTable(b, name, name, name, name, name, fields)
				b, fields = vector(b, 2, func(uint32) uint32 { return field })
			}
			return message(b, fields)
		},
		"one long name for many": func() []byte {
			b, name := text(start, 1<<20)
			b, none := vector(b, 0, nil)
			b, field := flatTable(b, name, name, name, name, name, none)
			b, fields := vector(b, 5000, func(uint32) uint32 { return field })
			return message(b, fields)
		},
		"vector without end": func() []byte {
			b, fields := vector(start, 0, nil)
			binary.LittleEndian.PutUint32(b[fields:], 1<<31)
			return message(b, fields)
		},
		"offsets to nowhere": func() []byte {
			b, fields := vector(start, 3, func(uint32) uint32 { return 1 << 30 })
			return message(b, fields)
		},
		"nothing": func() []byte { return start },
	}
	for name, make := range cases {
		b := make()
		framed := binary.LittleEndian.AppendUint32([]byte{0xff, 0xff, 0xff, 0xff}, uint32(len(b)))
		f := forged{physical: physInt32, rows: 3, values: 3, pages: dataPage(3, 0, 12, numbersPlain(3)),
			pairs: map[string]string{"ARROW:schema": base64.StdEncoding.EncodeToString(append(framed, b...))}}
		if err := survive(t, f.bytes()); !errors.Is(err, columnar.ErrCorrupt) || !strings.Contains(err.Error(), "stored Arrow schema") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	for _, text := range []string{"", "!!!!", "AAAA", base64.StdEncoding.EncodeToString([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f})} {
		f := forged{physical: physInt32, rows: 3, values: 3, pages: dataPage(3, 0, 12, numbersPlain(3)), pairs: map[string]string{"ARROW:schema": text}}
		if err := survive(t, f.bytes()); !errors.Is(err, columnar.ErrCorrupt) {
			t.Errorf("%q: error %v", text, err)
		}
	}
}

// TestRepeatedDictionary reads a dictionary page that has a value twice, as the format allows.
func TestRepeatedDictionary(t *testing.T) {
	var page []byte
	for _, s := range []string{"a", "b", "a"} {
		page = append(binary.LittleEndian.AppendUint32(page, uint32(len(s))), s...)
	}
	const rows = 24
	indices := []byte{2} // bits an index
	want := ""
	for i := range rows / 8 {
		indices = append(indices, 8<<1, byte(i)) // a run of eight
		want += strings.Repeat([]string{"a", "b", "a"}[i], 8)
	}
	f := forged{physical: physBytes, rows: rows, values: rows, pages: append(
		otherPage(2, 7, 3, int64(len(page)), page), dataPage(rows, 8, int64(len(indices)), indices)...)}
	kind := base64.StdEncoding.EncodeToString(flight.SerializeSchema(v18arrow.NewSchema([]v18arrow.Field{{
		Name: "c", Type: &v18arrow.DictionaryType{IndexType: v18arrow.PrimitiveTypes.Int8, ValueType: v18arrow.BinaryTypes.Binary}}}, nil), v18memory.DefaultAllocator))
	for _, pairs := range []map[string]string{nil, {"ARROW:schema": kind}} {
		mem, _ := checked(t)
		f.pairs = pairs
		_, recs := decode(t, f.bytes(), arrow18.ReadOptions{Allocator: mem})
		got := ""
		for i := range rows {
			b, err := base64.StdEncoding.DecodeString(valueAt(recs[0].Column(0), i))
			if err != nil {
				t.Fatal(err)
			}
			got += string(b)
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", recs[0].Column(0).DataType(), got, want)
		}
		recs[0].Release()
	}
}
