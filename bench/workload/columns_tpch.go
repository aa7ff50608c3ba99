package workload

import "github.com/apache/arrow/go/v17/arrow"

// The columns of lineitem and orders as the TPC-H specification describes them, for a table of as many keys as there are. What columns
// have to do with each other holds: prices follow parts, dates follow the date of the order, flags follow dates.

const (
	firstDay     = 8035 // 1992-01-01, in days
	lastOrderDay = 2405 // behind it
	currentDay   = 9298 // 1995-06-17
)

// orderKey spreads orders as keys: eight of every 32 keys are in use.
func orderKey(order int64) int64 { return order/8*32 + order%8 + 1 }

// orderLine finds the order and the number of a line. Of seven orders in a row, one has one line, one has two, and so on, in an order
// of their own.
func orderLine(line int64) (order, number int64) {
	const orders, lines = 7, 28
	block, at := line/lines, line%lines
	shift := within(mix(uint64(block)), orders)
	for i := range int64(orders) {
		size := (i*3+shift)%orders + 1
		if at < size {
			return block*orders + i, at + 1
		}
		at -= size
	}
	panic("the lines of seven orders are 28")
}

// line is what the columns of a line item hang together by.
type line struct {
	part, quantity, ordered, shipped int64
}

func lineOf(r *row) line {
	order, _ := orderLine(r.key)
	h := mix(r.hash ^ 0x7470632d68)
	l := line{part: 1 + within(h, max(200, r.of/30)), quantity: 1 + within(mix(h+1), 50)}
	l.ordered = firstDay + within(mix(uint64(order)), lastOrderDay)
	l.shipped = l.ordered + 1 + within(mix(h+2), 121)
	return l
}

// received is the day a line arrived.
func (l line) received(r *row) int64 { return l.shipped + 1 + within(mix(r.hash+3), 30) }

// price is the price of a part, in cents.
func price(part int64) int64 { return 90_000 + part/10%20_001 + 100*(part%1_000) }

var (
	money    = &arrow.Decimal128Type{Precision: 15, Scale: 2}
	date     = arrow.FixedWidthTypes.Date32
	ways     = []string{"REG AIR", "AIR", "RAIL", "SHIP", "TRUCK", "MAIL", "FOB"}
	wishes   = []string{"DELIVER IN PERSON", "COLLECT COD", "NONE", "TAKE BACK RETURN"}
	urgency  = []string{"1-URGENT", "2-HIGH", "3-MEDIUM", "4-NOT SPECIFIED", "5-LOW"}
	comments = []string{"furiously ", "sly ", "quick ", "ironic ", "deposits ", "packages ", "requests ", "sleep ", "haggle ", "above the "}
)

func lineitemColumns() []column {
	return []column{
		{name: "l_partkey", typ: int64Type, fill: func(v *value, r *row, _ uint64) { v.number = lineOf(r).part }},
		{name: "l_suppkey", typ: int64Type, fill: func(v *value, r *row, h uint64) {
			part, suppliers := lineOf(r).part, max(10, r.of/600)
			v.number = (part+int64(h%4)*(suppliers/4+(part-1)/suppliers))%suppliers + 1
		}},
		{name: "l_quantity", typ: money, fill: func(v *value, r *row, _ uint64) { v.number = 100 * lineOf(r).quantity }},
		{name: "l_extendedprice", typ: money, fill: func(v *value, r *row, _ uint64) {
			l := lineOf(r)
			v.number = l.quantity * price(l.part)
		}},
		{name: "l_discount", typ: money, fill: func(v *value, _ *row, h uint64) { v.number = within(h, 11) }},
		{name: "l_tax", typ: money, fill: func(v *value, _ *row, h uint64) { v.number = within(h, 9) }},
		{name: "l_returnflag", typ: textType, fill: func(v *value, r *row, h uint64) {
			flag := "RA"[h%2]
			if lineOf(r).received(r) > currentDay {
				flag = 'N'
			}
			v.text = append(v.text[:0], flag)
		}},
		{name: "l_linestatus", typ: textType, fill: func(v *value, r *row, _ uint64) {
			status := byte('F')
			if lineOf(r).shipped > currentDay {
				status = 'O'
			}
			v.text = append(v.text[:0], status)
		}},
		{name: "l_shipdate", typ: date, fill: func(v *value, r *row, _ uint64) { v.number = lineOf(r).shipped }},
		{name: "l_commitdate", typ: date, fill: func(v *value, r *row, h uint64) { v.number = lineOf(r).ordered + 30 + within(h, 61) }},
		{name: "l_receiptdate", typ: date, fill: func(v *value, r *row, _ uint64) { v.number = lineOf(r).received(r) }},
		{name: "l_shipinstruct", typ: textType, fill: oneOf(wishes)},
		{name: "l_shipmode", typ: textType, fill: oneOf(ways)},
		{name: "l_comment", typ: textType, fill: commentOf(10, 43)},
	}
}

func ordersColumns() []column {
	return []column{
		{name: "o_custkey", typ: int64Type, fill: func(v *value, r *row, h uint64) {
			v.number = within(h, max(30, r.of/10)) / 2 * 3 // a third of the customers orders nothing
		}},
		{name: "o_orderstatus", typ: textType, fill: oneOf([]string{"F", "O", "P"})},
		{name: "o_totalprice", typ: money, fill: func(v *value, _ *row, h uint64) { v.number = 90_000 + within(h, 45_000_000) }},
		{name: "o_orderdate", typ: date, fill: func(v *value, _ *row, h uint64) { v.number = firstDay + within(h, lastOrderDay) }},
		{name: "o_orderpriority", typ: textType, fill: oneOf(urgency)},
		{name: "o_clerk", typ: textType, fill: func(v *value, r *row, h uint64) {
			v.text = appendDigits(append(v.text[:0], "Clerk#"...), 1+within(h, max(10, r.of/1_500)), 9)
		}},
		{name: "o_shippriority", typ: arrow.PrimitiveTypes.Int32, fill: func(v *value, _ *row, _ uint64) { v.number = 0 }},
		{name: "o_comment", typ: textType, fill: commentOf(19, 78)},
	}
}

func oneOf(texts []string) func(*value, *row, uint64) {
	return func(v *value, _ *row, h uint64) { v.text = append(v.text[:0], texts[h%uint64(len(texts))]...) }
}

// commentOf makes text of a few words, of a length between two bounds.
func commentOf(least, most int) func(*value, *row, uint64) {
	return func(v *value, _ *row, h uint64) {
		length := least + int(h%uint64(most-least+1))
		v.text = v.text[:0]
		for len(v.text) < length {
			h = mix(h)
			v.text = append(v.text, comments[h%uint64(len(comments))]...)
		}
		v.text = v.text[:length]
	}
}
