package text

import (
	"strconv"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

const (
	secondsPerDay = 24 * 60 * 60
	nanosPerSec   = int64(time.Second)
)

// newTimeCell chooses for columns of dates, times, timestamps and durations; nil if it is none.
func newTimeCell(column arrow.Array, s style) cell {
	switch a := column.(type) {
	case *array.Date32:
		return quotedCell(s, func(dst []byte, row int) []byte {
			return appendDate(dst, time.Unix(int64(a.Value(row))*secondsPerDay, 0).UTC())
		})
	case *array.Date64:
		return quotedCell(s, func(dst []byte, row int) []byte {
			return appendDate(dst, time.UnixMilli(int64(a.Value(row))).UTC())
		})
	case *array.Time32:
		unit := a.DataType().(*arrow.Time32Type).Unit
		return quotedCell(s, func(dst []byte, row int) []byte { return appendTimeOfDay(dst, int64(a.Value(row)), unit) })
	case *array.Time64:
		unit := a.DataType().(*arrow.Time64Type).Unit
		return quotedCell(s, func(dst []byte, row int) []byte { return appendTimeOfDay(dst, int64(a.Value(row)), unit) })
	case *array.Timestamp:
		return timestampCell(a, s)
	case *array.Duration:
		unit := a.DataType().(*arrow.DurationType).Unit.String()
		return quotedCell(s, func(dst []byte, row int) []byte {
			return append(strconv.AppendInt(dst, int64(a.Value(row)), 10), unit...)
		})
	}
	return nil
}

// timestampCell shows timestamps of a zone in that zone; in UTC if this machine does not know the zone.
func timestampCell(a *array.Timestamp, s style) cell {
	dt := a.DataType().(*arrow.TimestampType)
	zone, err := dt.GetZone()
	if err != nil || dt.TimeZone == "" {
		zone = time.UTC
	}
	return quotedCell(s, func(dst []byte, row int) []byte {
		seconds, nanos := split(int64(a.Value(row)), dt.Unit)
		t := time.Unix(seconds, nanos).In(zone)
		dst = append(appendDate(dst, t), 'T')
		dst = appendClock(dst, t.Hour(), t.Minute(), t.Second(), nanos)
		if dt.TimeZone == "" {
			return dst
		}
		return t.AppendFormat(dst, "Z07:00")
	})
}

// split divides a number of units into whole seconds, rounded down, and nanoseconds.
func split(v int64, unit arrow.TimeUnit) (seconds, nanos int64) {
	perSecond := nanosPerSec / int64(unit.Multiplier())
	seconds, rest := v/perSecond, v%perSecond
	if rest < 0 {
		seconds--
		rest += perSecond
	}
	return seconds, rest * int64(unit.Multiplier())
}

// appendDate appends year, month and day.
func appendDate(dst []byte, t time.Time) []byte {
	year, month, day := t.Date()
	if year < 0 || year > 9999 {
		return t.AppendFormat(dst, time.DateOnly)
	}
	dst = append(dst, byte('0'+year/1000), byte('0'+year/100%10))
	dst = append(appendTwo(dst, year%100), '-')
	dst = append(appendTwo(dst, int(month)), '-')
	return appendTwo(dst, day)
}

// appendTimeOfDay appends the time that is v units after midnight.
func appendTimeOfDay(dst []byte, v int64, unit arrow.TimeUnit) []byte {
	seconds, nanos := split(v, unit)
	if seconds < 0 || seconds >= secondsPerDay {
		// It is no time of a day; the number says what is there.
		return append(strconv.AppendInt(dst, v, 10), unit.String()...)
	}
	return appendClock(dst, int(seconds/3600), int(seconds/60%60), int(seconds%60), nanos)
}

// appendClock appends hours, minutes, seconds and the fraction of a second without zeros at its end.
func appendClock(dst []byte, hour, minute, second int, nanos int64) []byte {
	dst = append(appendTwo(dst, hour), ':')
	dst = append(appendTwo(dst, minute), ':')
	dst = appendTwo(dst, second)
	if nanos == 0 {
		return dst
	}
	dst = append(dst, '.')
	for place := nanosPerSec / 10; nanos > 0; place /= 10 {
		dst = append(dst, byte('0'+nanos/place))
		nanos %= place
	}
	return dst
}

func appendTwo(dst []byte, v int) []byte { return append(dst, byte('0'+v/10), byte('0'+v%10)) }
