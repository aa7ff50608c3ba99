package columnar

import "github.com/apache/arrow/go/v17/arrow"

const (
	secondsPerDay = 86400
	// maxDateText and maxTimeText are the longest texts of a date and of a time with all digits of its second.
	maxDateText = len("9999-12-31")
	maxTimeText = len("23:59:59.123456789")
	// Dates have a text from the first day of year 0 to the last of year 9999, in days since 1970.
	firstDay = -719528
	lastDay  = 2932896
)

func formatDates(c *casting, out *textWriter) {
	for i, day := range input[int32](c) {
		if c.view.IsNull(c.from + i) {
			out.endNull()
			continue
		}
		if day < firstDay || day > lastDay {
			c.misfit(i)
			out.endNull()
			continue
		}
		if !out.end(appendDate(out.room(maxDateText), int64(day))) {
			return
		}
	}
}

// formatTimes writes times of the day. Digits are the most digits of a second that a time shows.
func formatTimes[S int32 | int64](unit arrow.TimeUnit, digits int) format {
	perSecond, nanos := power10(unitDigits(unit)), power10(9-unitDigits(unit))
	return func(c *casting, out *textWriter) {
		for i, x := range input[S](c) {
			if c.view.IsNull(c.from + i) {
				out.endNull()
				continue
			}
			seconds := floorDiv(int64(x), perSecond)
			fraction := (int64(x) - seconds*perSecond) * nanos
			b := appendClock(out.room(maxTimeText), seconds)
			if digits > 0 {
				b = appendFraction(b, fraction, 1, digits)
			}
			if !out.end(b) {
				return
			}
		}
	}
}

// formatTimestamps writes timestamps. Digits are the least digits of a second that a timestamp shows.
func formatTimestamps(unit arrow.TimeUnit, digits int) format {
	perSecond, nanos := power10(unitDigits(unit)), power10(9-unitDigits(unit))
	return func(c *casting, out *textWriter) {
		for i, x := range input[int64](c) {
			if c.view.IsNull(c.from + i) {
				out.endNull()
				continue
			}
			seconds := floorDiv(x, perSecond)
			day := floorDiv(seconds, secondsPerDay)
			if day < firstDay || day > lastDay {
				c.misfit(i)
				out.endNull()
				continue
			}
			b := appendDate(out.room(maxDateText+1+maxTimeText), day)
			b = appendClock(append(b, ' '), seconds)
			if !out.end(appendFraction(b, (x-seconds*perSecond)*nanos, digits, 9)) {
				return
			}
		}
	}
}

// appendDate appends the Gregorian date of a day from firstDay to lastDay, counted from 1970.
//
// Years are counted from March, so that the leap day is their last: 365 days, one more every 4 years, but for 3 of 4
// centuries, in cycles of 400 years or 146097 days. Months from March have 31 30 31 30 31 days twice and 31 and 28.
func appendDate(b []byte, day int64) []byte {
	day += 719468 // from March 1 of year 0
	cycle := floorDiv(day, 146097)
	day -= cycle * 146097
	year := (day - day/1460 + day/36524 - day/146096) / 365
	day -= 365*year + year/4 - year/100
	month := (5*day + 2) / 153
	day -= (153*month + 2) / 5
	year += 400 * cycle
	if month += 3; month > 12 {
		month, year = month-12, year+1
	}
	b = appendTwo(appendTwo(b, year/100), year%100)
	b = appendTwo(append(b, '-'), month)
	return appendTwo(append(b, '-'), day+1)
}

// appendClock appends the time of the day of seconds since any midnight.
func appendClock(b []byte, seconds int64) []byte {
	seconds -= floorDiv(seconds, secondsPerDay) * secondsPerDay
	b = appendTwo(b, seconds/3600)
	b = appendTwo(append(b, ':'), seconds/60%60)
	return appendTwo(append(b, ':'), seconds%60)
}

func appendTwo(b []byte, n int64) []byte { return append(b, byte('0'+n/10), byte('0'+n%10)) }

// appendFraction appends a point and at least so many digits of the nanoseconds inside a second, and up to most if they are
// not 0; nothing if these are none.
func appendFraction(b []byte, nanos int64, least, most int) []byte {
	at := len(b)
	b = append(b, '.')
	for range 9 {
		nanos *= 10
		b = append(b, byte('0'+nanos/1e9))
		nanos %= 1e9
	}
	b = b[:at+1+most]
	for len(b) > at+1+least && b[len(b)-1] == '0' {
		b = b[:len(b)-1]
	}
	if len(b) == at+1 {
		return b[:at]
	}
	return b
}
