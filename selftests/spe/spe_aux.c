// SPDX-License-Identifier: GPL-2.0
/*
 * Records of the Statistical Profiling Extension in FILE, written by perf record or n3stat:
 *
 *	spe_aux raw FILE CPU	its records, one after another, without the driver's padding
 *	spe_aux list FILE [CPU]	exception level, program counter, timestamp, events,
 *				total latency, class (0 other, 1 memory, 2 branch), branch
 *				target and previous target of each; "bad" if malformed
 *	spe_aux flags FILE	"KEY NUMBER" lines: AUX records, and those with flags; lost
 *				windows that n3stat reports; whether the file is finished
 *	spe_aux check FILE CPU	compares with the records written by the machine, on
 *				standard input: "KEY NUMBER" lines. Missing ones are
 *				accounted for by a flag or a lost window at their place.
 *	spe_aux strip FILE	a file that is a copy of the AUX buffer: as raw
 */
#define _GNU_SOURCE
#include <linux/perf_event.h>

#include "spe_input.h"
#include "spe_record.h"

/* The start of perf.data, which no header describes */
struct file_header {
	unsigned long magic, size, attr_size;
	unsigned long attrs[2], data[2], event_types[2], features[4];
};

/* PERF_RECORD_AUXTRACE, whose data follows it, and PERF_RECORD_AUXTRACE_ERROR */
#define RECORD_AUXTRACE 71
#define RECORD_ERROR 72

struct auxtrace {
	struct perf_event_header header;
	unsigned long size, offset, reference;
	unsigned int idx, tid, cpu, reserved;
};

struct error {
	struct perf_event_header header;
	unsigned int type, code, cpu;
};

struct aux {
	struct perf_event_header header;
	unsigned long offset, size, flags;
};

/* The codes of n3stat's errors */
enum { ERRORS = 6 };
static const char * const error_names[ERRORS] = {
	"other_errors", "full", "stalled", "perf", "offline", "bad_size",
};

static unsigned long n_aux, truncated, partial, collision, lost, errors[ERRORS];

struct record {
	const unsigned char *bytes;
	unsigned long offset;
};

static struct record *records;
static size_t nr_records;
/* Positions in the stream */
static unsigned long *windows;
static size_t nr_windows;

/*
 * Records are aligned in the AUX buffer, but a part that was read need not start
 * at one: the driver pads a full buffer by one byte less than there are, and
 * the part is padded to 8 bytes. Padding is 0, with which no record starts.
 */
static void add_records(const unsigned char *at, unsigned long length, unsigned long offset)
{
	static const unsigned char zeros[SPE_RECORD];
	const unsigned char *begin = at, *end = at + length;
	size_t size = -offset % SPE_RECORD;

	for (; at < end; at += size, size = SPE_RECORD) {
		if ((size_t)(end - at) < size)
			size = end - at;
		if (!memcmp(at, zeros, size))
			continue;
		if (size < SPE_RECORD)
			fail("a part of a record");
		if (!(nr_records & (nr_records - 1)))
			records = grow(records, (2 * nr_records + 1) * sizeof(*records));
		records[nr_records].bytes = at;
		records[nr_records++].offset = offset + (at - begin);
	}
}

static void add_window(unsigned long offset)
{
	windows = grow(windows, (nr_windows + 1) * sizeof(*windows));
	windows[nr_windows++] = offset;
}

/* CPU at the end of a record of the kernel */
static int cpu_of(const struct perf_event_header *event)
{
	return *(const int *)((const char *)event + event->size - 16);
}

/* cpu -1: all */
static void collect(const char *at, const char *end, int cpu)
{
	unsigned long position = 0;

	while (at + sizeof(struct perf_event_header) <= end) {
		const struct perf_event_header *event = (const void *)at;
		const struct auxtrace *trace = (const void *)at;
		const struct error *error = (const void *)at;
		const struct aux *aux = (const void *)at;

		at += event->size;
		if (event->type == RECORD_AUXTRACE) {
			if (cpu < 0 || trace->cpu == (unsigned int)cpu) {
				add_records((const void *)at, trace->size, trace->offset);
				position = trace->offset + trace->size;
			}
			at += trace->size;
		} else if (event->type == RECORD_ERROR) {
			errors[error->code % ERRORS]++;
			if (error->cpu == (unsigned int)cpu)
				add_window(position);
		} else if (event->type == PERF_RECORD_LOST) {
			lost++;
			if (cpu_of(event) == cpu)
				add_window(position);
		} else if (event->type == PERF_RECORD_AUX) {
			n_aux++;
			truncated += !!(aux->flags & PERF_AUX_FLAG_TRUNCATED);
			partial += !!(aux->flags & PERF_AUX_FLAG_PARTIAL);
			collision += !!(aux->flags & PERF_AUX_FLAG_COLLISION);
			if (aux->flags & PERF_AUX_FLAG_TRUNCATED && cpu_of(event) == cpu)
				add_window(aux->offset + aux->size);
		} else if (!event->size) {
			fail("an event of no size");
		}
	}
}

static bool window_between(unsigned long from, unsigned long to)
{
	size_t i;

	for (i = 0; i < nr_windows; i++)
		if (windows[i] >= from && windows[i] <= to)
			return true;
	return false;
}

/* Whether the machine's record is the one in the file at @i, if there is one */
static bool is_next(const unsigned char *logged, size_t i)
{
	return i < nr_records && !memcmp(logged, records[i].bytes, SPE_RECORD);
}

static int check(void)
{
	size_t size, nr, i, in_log = 0, missing = 0, invented = 0, unexplained = 0;
	unsigned char *log = read_stream(stdin, &size);
	unsigned long before = 0;

	nr = size / SPE_RECORD;
	for (i = 0; i <= nr_records; i++) {
		unsigned long to = i < nr_records ? records[i].offset : ~0UL;
		size_t found = in_log;

		while (found < nr && !is_next(log + found * SPE_RECORD, i))
			found++;
		if (found == nr && i < nr_records) {
			invented++;
			continue;
		}
		missing += found - in_log;
		if (found > in_log && !window_between(before, to))
			unexplained += found - in_log;
		before = to + SPE_RECORD;
		in_log = found + 1;
	}
	printf("written %zu\nkept %zu\nmissing %zu\nunexplained %zu\ninvented %zu\nwindows %zu\n",
	       nr, nr_records, missing, unexplained, invented, nr_windows);
	return invented || unexplained;
}

static int flags(bool finished)
{
	size_t i;

	printf("aux %lu\ntruncated %lu\npartial %lu\ncollision %lu\nlost %lu\nfinished %d\n",
	       n_aux, truncated, partial, collision, lost, finished);
	for (i = 0; i < ERRORS; i++)
		printf("%s %lu\n", error_names[i], errors[i]);
	return 0;
}

static void print_record(const unsigned char *at)
{
	struct spe_record r = spe_read_record(at);

	if (r.good)
		printf("%d %lx %lu %lx %u %d %lx %lx\n", r.el, r.pc, r.timestamp, r.events,
		       r.total, r.class, r.target, r.previous_target);
	else
		printf("bad\n");
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";
	int cpu = argc > 3 ? atoi(argv[3]) : -1;
	const struct file_header *header;
	const char *data;
	size_t size, i;

	if (argc < 3)
		fail("usage: spe_aux raw|list|flags|check|strip FILE [CPU]");
	header = (const void *)read_file(argv[2], &size);
	if (!strcmp(what, "strip")) {
		add_records((const void *)header, size, 0);
	} else {
		if (size < sizeof(*header) || header->data[0] + header->data[1] > size)
			fail("not a finished perf.data");
		data = (const char *)header + header->data[0];
		collect(data, data + header->data[1], cpu);
	}
	if (!strcmp(what, "check"))
		return check();
	if (!strcmp(what, "flags"))
		return flags(header->features[0]);
	for (i = 0; i < nr_records; i++)
		if (!strcmp(what, "list"))
			print_record(records[i].bytes);
		else
			fwrite(records[i].bytes, SPE_RECORD, 1, stdout);
	return 0;
}
