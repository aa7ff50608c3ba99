/* Reads an Arrow C stream to its end: one byte of every cache line of every buffer, so that a result counts as handed over only when its
 * bytes have been looked at. Built as a shared library by `make peers`. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct ArrowSchema {
	const char *format;
	const char *name;
	const char *metadata;
	int64_t flags;
	int64_t n_children;
	struct ArrowSchema **children;
	struct ArrowSchema *dictionary;
	void (*release)(struct ArrowSchema *);
	void *private_data;
};

struct ArrowArray {
	int64_t length;
	int64_t null_count;
	int64_t offset;
	int64_t n_buffers;
	int64_t n_children;
	const void **buffers;
	struct ArrowArray **children;
	struct ArrowArray *dictionary;
	void (*release)(struct ArrowArray *);
	void *private_data;
};

struct ArrowArrayStream {
	int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
	int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
	const char *(*get_last_error)(struct ArrowArrayStream *);
	void (*release)(struct ArrowArrayStream *);
	void *private_data;
};

static volatile uint64_t sink;

/* touch reads a byte of every cache line of a buffer and returns its length. */
static int64_t touch(const void *buffer, int64_t from, int64_t to) {
	const volatile uint8_t *bytes = buffer;
	uint64_t sum = 0;
	if (buffer == NULL || to <= from) return 0;
	for (int64_t at = from; at < to; at += 64) sum += bytes[at];
	sink += sum;
	return to - from;
}

/* width returns the bits a value of a fixed-width type has, 0 for other types. */
static int64_t width(const char *format) {
	switch (format[0]) {
	case 'b': return 1;
	case 'c': case 'C': return 8;
	case 's': case 'S': case 'e': return 16;
	case 'i': case 'I': case 'f': return 32;
	case 'l': case 'L': case 'g': return 64;
	case 'w': return 8 * atoll(format + 2);
	case 'd': { /* d:precision,scale[,bits] */
		const char *comma = strchr(format, ',');
		comma = comma ? strchr(comma + 1, ',') : NULL;
		return comma ? atoll(comma + 1) : 128;
	}
	case 't': /* times: tdD and tts, ttm are 32 bits, tin is 128 */
		if (!strncmp(format, "tdD", 3) || !strncmp(format, "tts", 3) || !strncmp(format, "ttm", 3) || !strncmp(format, "tiM", 3)) return 32;
		return strncmp(format, "tin", 3) ? 64 : 128;
	}
	return 0;
}

/* drain_array reads the rows [from, from + rows) of an array and returns the bytes. -1 is a type it does not know. */
static int64_t drain_array(const struct ArrowArray *a, const struct ArrowSchema *s, int64_t from, int64_t rows) {
	const char *format = s->format;
	int64_t first = a->offset + from, last = first + rows, bytes = 0;
	if (a->n_buffers > 0 && a->buffers[0] && format[0] != 'n' && strncmp(format, "+r", 2) && strncmp(format, "+u", 2))
		bytes += touch(a->buffers[0], first / 8, (last + 7) / 8);
	if (rows == 0 || format[0] == 'n') return bytes;
	int64_t bits = width(format);
	if (bits > 0) {
		bytes += touch(a->buffers[1], first * bits / 8, (last * bits + 7) / 8);
		if (a->dictionary) {
			int64_t more = drain_array(a->dictionary, s->dictionary, 0, a->dictionary->length);
			return more < 0 ? -1 : bytes + more;
		}
		return bytes;
	}
	if (format[0] == 'u' || format[0] == 'z') {
		const int32_t *offsets = a->buffers[1];
		bytes += touch(offsets, first * 4, (last + 1) * 4);
		return bytes + touch(a->buffers[2], offsets[first], offsets[last]);
	}
	if (format[0] == 'U' || format[0] == 'Z') {
		const int64_t *offsets = a->buffers[1];
		bytes += touch(offsets, first * 8, (last + 1) * 8);
		return bytes + touch(a->buffers[2], offsets[first], offsets[last]);
	}
	if (format[0] == 'v') { /* views: what the views point to, not what else is in the buffers */
		const uint8_t *views = a->buffers[1];
		bytes += touch(views, first * 16, last * 16);
		for (int64_t row = first; row < last; row++) {
			int32_t view[4];
			memcpy(view, views + 16 * row, 16);
			if (view[0] > 12) bytes += touch(a->buffers[2 + view[2]], view[3], (int64_t)view[3] + view[0]);
		}
		return bytes;
	}
	if (format[0] != '+') return -1;
	int64_t child_from = first, child_rows = rows;
	if (format[1] == 'l' || format[1] == 'm') {
		const int32_t *offsets = a->buffers[1];
		bytes += touch(offsets, first * 4, (last + 1) * 4);
		child_from = offsets[first];
		child_rows = offsets[last] - child_from;
	} else if (format[1] == 'L') {
		const int64_t *offsets = a->buffers[1];
		bytes += touch(offsets, first * 8, (last + 1) * 8);
		child_from = offsets[first];
		child_rows = offsets[last] - child_from;
	} else if (format[1] == 'w') {
		int64_t n = atoll(format + 3);
		child_from = first * n;
		child_rows = rows * n;
	} else if (format[1] != 's') {
		return -1;
	}
	for (int64_t i = 0; i < a->n_children; i++) {
		int64_t more = drain_array(a->children[i], s->children[i], child_from, child_rows);
		if (more < 0) return -1;
		bytes += more;
	}
	return bytes;
}

/* braid_drain reads the stream to its end and releases it. It returns the rows and sets the bytes; -1 is an error of the stream, -2 a type
 * it does not know. */
int64_t braid_drain(struct ArrowArrayStream *stream, int64_t *bytes) {
	struct ArrowSchema schema;
	int64_t rows = 0;
	*bytes = 0;
	if (stream->get_schema(stream, &schema) != 0) {
		stream->release(stream);
		return -1;
	}
	for (;;) {
		struct ArrowArray batch;
		if (stream->get_next(stream, &batch) != 0) {
			rows = -1;
			break;
		}
		if (batch.release == NULL) break;
		int64_t more = drain_array(&batch, &schema, 0, batch.length);
		int64_t length = batch.length;
		batch.release(&batch);
		if (more < 0) {
			rows = -2;
			break;
		}
		rows += length;
		*bytes += more;
	}
	schema.release(&schema);
	stream->release(stream);
	return rows;
}
