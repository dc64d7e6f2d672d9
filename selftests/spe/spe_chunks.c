// SPDX-License-Identifier: GPL-2.0
/*
 * Contents of a recording of "n3stat spe record", parsed as in tools/spe/libspe/format.rst:
 *
 *	spe_chunks list FILE		a line for each chunk; "cut" at the end if the last
 *					one is not complete
 *	spe_chunks text FILE TYPE	the texts of all chunks of that type
 *	spe_chunks raw FILE CPU		records of SPE, one after another, without padding
 *	spe_chunks pcs FILE		exception level, program counter, process of each
 *	spe_chunks check FILE CPU	compares with the records written by the machine, on
 *					standard input: "KEY NUMBER" lines. Missing ones are
 *					accounted for by a lost window at their place.
 */
#define _GNU_SOURCE
#include <linux/types.h>

#include "spe_input.h"
#include "spe_record.h"

enum { INFO = 1, CPUS, AUX, PERF, LOST, BUILD_IDS, KALLSYMS, END, TYPES };

static const char * const names[TYPES] = {
	"?", "info", "cpus", "aux", "perf", "lost", "build_ids", "kallsyms", "end",
};

struct chunk {
	__u32 type, reserved;
	__u64 size;
};

struct aux {
	__u32 stream;
	__s32 cpu, pid, tid;
	__u64 flags, offset, time;
};

struct lost {
	__u32 stream, reason;
	__u64 offset, count, from, to;
};

struct record {
	const unsigned char *bytes;
	__u64 offset;
	__s32 pid;
};

static unsigned char *file;
static size_t file_size, at;
/* of one CPU, or of all */
static struct record *records;
static size_t nr_records;
static __u64 *windows;
static size_t nr_windows;

/* The next complete chunk, or NULL */
static const unsigned char *next(struct chunk *chunk)
{
	const unsigned char *body = file + at + sizeof(*chunk);

	if (at + sizeof(*chunk) > file_size)
		return NULL;
	memcpy(chunk, file + at, sizeof(*chunk));
	if (chunk->size > file_size - at - sizeof(*chunk))
		return NULL;
	if (!chunk->type || chunk->type >= TYPES || chunk->reserved)
		fail("a chunk of an unknown type");
	at += sizeof(*chunk) + ((chunk->size + 7) & ~7ULL);
	return body;
}

static void open_file(const char *name)
{
	file = read_file(name, &file_size);
	if (file_size < 8 || memcmp(file, "N3SPE1\r\n", 8))
		fail("not a recording");
	at = 8;
}

static int list(void)
{
	const unsigned char *body;
	struct chunk chunk;

	while ((body = next(&chunk))) {
		printf("%s %llu", names[chunk.type], (unsigned long long)chunk.size);
		if (chunk.type == AUX) {
			struct aux aux;

			memcpy(&aux, body, sizeof(aux));
			printf(" stream %u cpu %d pid %d tid %d flags %llx offset %llu time %llu",
			       aux.stream, aux.cpu, aux.pid, aux.tid,
			       (unsigned long long)aux.flags, (unsigned long long)aux.offset,
			       (unsigned long long)aux.time);
		} else if (chunk.type == LOST) {
			struct lost lost;

			memcpy(&lost, body, sizeof(lost));
			printf(" stream %u reason %u offset %llu count %llu", lost.stream,
			       lost.reason, (unsigned long long)lost.offset,
			       (unsigned long long)lost.count);
		}
		printf("\n");
	}
	if (at < file_size)
		printf("cut %zu\n", at);
	return 0;
}

static int text(int type)
{
	const unsigned char *body;
	struct chunk chunk;

	while ((body = next(&chunk)))
		if ((int)chunk.type == type)
			fwrite(body, chunk.size, 1, stdout);
	return 0;
}

/* 64 bytes that are not padding start at multiples of 64 of the stream */
static void add_records(const struct aux *aux, const unsigned char *bytes, size_t size)
{
	static const unsigned char zeros[SPE_RECORD];
	size_t i = -aux->offset % SPE_RECORD;

	for (; i + SPE_RECORD <= size; i += SPE_RECORD) {
		if (!memcmp(bytes + i, zeros, SPE_RECORD))
			continue;
		if (!(nr_records & (nr_records - 1)))
			records = grow(records, (2 * nr_records + 1) * sizeof(*records));
		records[nr_records].bytes = bytes + i;
		records[nr_records].pid = aux->pid;
		records[nr_records++].offset = aux->offset + i;
	}
}

static void add_window(__u64 offset)
{
	windows = grow(windows, (nr_windows + 1) * sizeof(*windows));
	windows[nr_windows++] = offset;
}

/* cpu -1: all */
static void collect(int cpu)
{
	const unsigned char *body;
	struct chunk chunk;
	__u32 stream = -1;

	while ((body = next(&chunk))) {
		if (chunk.type == AUX) {
			struct aux aux;

			memcpy(&aux, body, sizeof(aux));
			if (cpu >= 0 && aux.cpu != cpu)
				continue;
			stream = aux.stream;
			add_records(&aux, body + sizeof(aux), chunk.size - sizeof(aux));
		} else if (chunk.type == LOST) {
			struct lost lost;

			memcpy(&lost, body, sizeof(lost));
			if (lost.stream == stream)
				add_window(lost.offset);
		}
	}
}

static bool window_between(__u64 from, __u64 to)
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
	__u64 before = 0;

	nr = size / SPE_RECORD;
	for (i = 0; i <= nr_records; i++) {
		size_t found = in_log;
		__u64 to = i < nr_records ? records[i].offset : ~0ULL;

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

static int pcs(void)
{
	size_t i;

	for (i = 0; i < nr_records; i++) {
		struct spe_record r = spe_read_record(records[i].bytes);

		if (r.good)
			printf("%d %lx %d\n", r.el, r.pc, records[i].pid);
	}
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";
	size_t i;

	if (argc > 2)
		open_file(argv[2]);
	if (!strcmp(what, "list"))
		return list();
	if (!strcmp(what, "text") && argc > 3) {
		for (i = 1; i < TYPES; i++)
			if (!strcmp(names[i], argv[3]))
				return text(i);
		fail("no such type");
	}
	collect(argc > 3 ? atoi(argv[3]) : -1);
	if (!strcmp(what, "pcs"))
		return pcs();
	if (!strcmp(what, "check"))
		return check();
	if (strcmp(what, "raw"))
		fail("usage: spe_chunks list|text|raw|pcs|check FILE [TYPE|CPU]");
	for (i = 0; i < nr_records; i++)
		fwrite(records[i].bytes, SPE_RECORD, 1, stdout);
	return 0;
}
