package workload

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/braidmerge/braid/arrow18"
)

// flight is a real flight.
type flight struct {
	date                int64 // microseconds
	origin, destination string
	delay, distance     value
}

// UseFlights adds the workload of real flights, which come from a Parquet file with the columns date, delay, distance, origin and
// destination: key `flight` (date, origin, destination) and columns `flights`. It is for the beginning of a program, before anything else
// here is used.
func UseFlights(ctx context.Context, path string) error {
	flights, err := readFlights(ctx, path)
	if err != nil {
		return err
	}
	if len(flights) == 0 {
		return fmt.Errorf("%s: no flights", path)
	}
	at := func(p place) *flight { return &flights[p.share(int64(len(flights)))] }
	keyKinds["flight"] = &keyKind{
		fields: []arrow.Field{notNull("date", timestampType), notNull("origin", textType), notNull("destination", textType)},
		fill: func(cells []value, p place) {
			f := at(p)
			cells[0].number = f.date
			cells[1].text, cells[2].text = append(cells[1].text[:0], f.origin...), append(cells[2].text[:0], f.destination...)
		},
		most: int64(len(flights)),
	}
	columnSets["flights"] = &columnSet{jobs: []string{"dedup", "first", "partial"}, columns: []column{
		sequenceColumn,
		{name: "delay", typ: int64Type, fill: func(v *value, r *row, h uint64) {
			v.copyFrom(&at(r.place).delay)
			if r.version > 0 { // a correction
				v.null, v.number = false, within(h, 600)-30
			}
		}},
		{name: "distance", typ: int64Type, supplied: func(r *row) bool { return r.version == 0 && !at(r.place).distance.null },
			fill: func(v *value, r *row, _ uint64) { v.copyFrom(&at(r.place).distance) }},
	}}
	return nil
}

// Flights are the cells of the real flights, none if UseFlights has not been called.
func Flights() []Name {
	if keyKinds["flight"] == nil {
		return nil
	}
	return []Name{
		{"dedup", "flight", 6, 30, "big", "flights"},
		{"partial", "flight", 6, 30, "big", "flights"},
		{"dedup", "flight", 64, 10, "uniform", "flights"},
	}
}

// readFlights returns the flights of a file in the order of the key, each key once.
func readFlights(ctx context.Context, path string) ([]flight, error) {
	columns := []string{"date", "delay", "distance", "origin", "destination"}
	r, err := arrow18.OpenParquet(ctx, path, arrow18.ReadOptions{Columns: columns})
	if err != nil {
		return nil, err
	}
	defer r.Release()
	var flights []flight
	names := map[string]string{}
	for r.Next() {
		if flights, err = appendFlights(flights, r.Record(), names); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	slices.SortStableFunc(flights, compareFlights)
	return slices.CompactFunc(flights, func(a, b flight) bool { return compareFlights(a, b) == 0 }), nil
}

func compareFlights(a, b flight) int {
	return cmp.Or(cmp.Compare(a.date, b.date), strings.Compare(a.origin, b.origin), strings.Compare(a.destination, b.destination))
}

// texts is an array of text with offsets of any width.
type texts interface {
	arrow.Array
	Value(row int) string
}

// appendFlights appends the flights of a record that have a whole key. names holds each name of an airport once.
func appendFlights(flights []flight, rec arrow.Record, names map[string]string) ([]flight, error) {
	date, isTime := rec.Column(0).(*array.Timestamp)
	delay, isDelay := rec.Column(1).(*array.Int64)
	distance, isDistance := rec.Column(2).(*array.Int64)
	origin, isOrigin := rec.Column(3).(texts)
	destination, isDestination := rec.Column(4).(texts)
	if !isTime || !isDelay || !isDistance || !isOrigin || !isDestination {
		return nil, fmt.Errorf("the columns are %v", rec.Schema())
	}
	if unit := date.DataType().(*arrow.TimestampType).Unit; unit != arrow.Microsecond {
		return nil, fmt.Errorf("dates are in %v, microseconds are expected", unit)
	}
	one := func(name string) string {
		if known, ok := names[name]; ok {
			return known
		}
		name = strings.Clone(name)
		names[name] = name
		return name
	}
	for i := range int(rec.NumRows()) {
		if date.IsNull(i) || origin.IsNull(i) || destination.IsNull(i) {
			continue
		}
		flights = append(flights, flight{int64(date.Value(i)), one(origin.Value(i)), one(destination.Value(i)), int64Value(delay, i), int64Value(distance, i)})
	}
	return flights, nil
}

func int64Value(c *array.Int64, i int) value {
	if c.IsNull(i) {
		return value{null: true}
	}
	return value{number: c.Value(i)}
}
