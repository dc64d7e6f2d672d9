// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Nearly valid recordings of SPE, in memory, for report, profile and decode; streams of records and
 * of any bytes, for the decoder. damage_test.py has the expected records of damaged streams.
 */
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/errors.h"
#include "lib/finding.h"
#include "lib/memory.h"
#include "libspe/spe.h"
#include "n3spe/commands.h"
#include "n3spe/format.h"
#include "tests/fuzz.h"

#define FIRST_FD	8	/* descriptors leaked by refused inputs start here */
#define RECORD		64
#define STREAMS		500	/* of one input, as each is short */
#define FOUND_MAX	4096

struct bytes {
	char *v;
	size_t nr;
};

static void put(struct bytes *bytes, const void *from, size_t nr)
{
	bytes->v = xreallocarray(bytes->v, bytes->nr + nr + 1, 1);
	memcpy(bytes->v + bytes->nr, from, nr);
	bytes->nr += nr;
}

static void put_chunk(struct bytes *file, uint32_t type, const void *head, size_t head_size,
		      const void *body, size_t size)
{
	static const char zeros[8];
	struct spe_chunk chunk = { htole32(type), 0, htole64(head_size + size) };

	put(file, &chunk, sizeof(chunk));
	put(file, head, head_size);
	put(file, body, size);
	put(file, zeros, -(head_size + size) & 7);
}

static void put_text(struct bytes *file, uint32_t type, const char *text)
{
	put_chunk(file, type, "", 0, text, strlen(text));
}

/* A load, store or branch in the layout of Neoverse cores. */
static void make_record(unsigned char *record)
{
	static const unsigned char heads[][2] = {
		{ 0, 0xb0 }, { 19, 0x49 }, { 21, 0x52 }, { 24, 0x99 }, { 27, 0x98 }, { 30, 0xb2 },
		{ 39, 0x9a }, { 42, 0xb3 }, { 51, 0x43 }, { 55, 0x71 },
	};

	memset(record, 0, RECORD);
	for (int i = 0; i < RECORD; i++)
		if (fuzz_below(3) == 0)
			record[i] = fuzz_below(256);
	for (size_t i = 0; i < NR(heads); i++)
		record[heads[i][0]] = heads[i][1];
	if (fuzz_below(3) == 0) {
		record[19] = 0x4a;
		record[30] = 0xb1;
		record[42] = fuzz_below(2) ? 0xb4 : 0xb3;
	}
	/* In a mapping. */
	memcpy(record + 1, "\0\1\0\0\0\0\0", 7);
	record[1] = fuzz_below(64) * 4;
	memcpy(record + 31, record + 1, 8);
}

static void put_window(struct bytes *file, uint64_t offset)
{
	struct spe_aux_header header = { .pid = -1, .offset = htole64(offset) };
	unsigned char records[8][RECORD];
	size_t nr = 1 + fuzz_below(8);

	header.stream = fuzz_below(3);
	header.cpu = header.stream;
	header.flags = fuzz_below(8) ? 0 : fuzz_below(16);
	for (size_t i = 0; i < nr; i++)
		make_record(records[i]);
	put_chunk(file, SPE_CHUNK_AUX, &header, sizeof(header), records, nr * RECORD);
}

/* Thread IDs are few, so they are reused. */
static void put_tasks(struct bytes *body)
{
	struct {
		uint32_t type;
		uint16_t misc, size;
		uint32_t pid, parent, tid, parent_tid;
		uint64_t at;
		uint32_t id_pid, id_tid;
		uint64_t time, cpu;
	} task = { .size = sizeof(task) };
	struct {
		uint32_t type;
		uint16_t misc, size;
		uint32_t pid, tid;
		char name[8];
		uint32_t id_pid, id_tid;
		uint64_t time, cpu;
	} name = { 3, 0, sizeof(name), 5, 5, "task", 5, 5, 0, 0 };

	_Static_assert(sizeof(task) == 56 && sizeof(name) == 48, "as perf has them");
	for (unsigned int i = fuzz_below(12); i > 0; i--) {
		task.type = fuzz_below(2) ? 7 : 4;
		task.pid = 4 + fuzz_below(3);
		task.parent = 4 + fuzz_below(3);
		task.tid = 4 + fuzz_below(3);
		task.time = fuzz_below(1000);
		put(body, &task, sizeof(task));
		name.misc = fuzz_below(2) << 13;
		name.pid = 4 + fuzz_below(3);
		name.tid = 4 + fuzz_below(3);
		name.time = fuzz_below(1000);
		put(body, &name, sizeof(name));
	}
}

static void put_perf(struct bytes *file)
{
	static const struct {
		uint32_t type;
		uint16_t misc, size;
		uint32_t pid, tid;
		uint64_t start, len, offset, id[3];
		uint32_t protection, flags;
		char name[8];
		uint32_t id_pid, id_tid;
		uint64_t time, cpu;
	} map = { 10, 2, 104, 5, 5, 0x100, 0x1000, 0, { 0 }, 5, 2, "/bin/sh", 5, 5, 0, 0 };
	static const struct {
		uint32_t type;
		uint16_t misc, size;
		uint32_t unused[2], id_pid, id_tid;
		uint64_t time, cpu;
	} in = { 15, 0, 40, { 0 }, 5, 5, 0, 0 };
	struct spe_perf_header header = { 0 };
	struct bytes body = { 0 };

	_Static_assert(sizeof(map) == 104 && sizeof(in) == 40, "as perf has them");
	put(&body, &map, sizeof(map));
	put(&body, &in, sizeof(in));
	put_tasks(&body);
	put_chunk(file, SPE_CHUNK_PERF, &header, sizeof(header), body.v, body.nr);
	free(body.v);
}

static struct bytes make_recording(void)
{
	struct spe_lost lost = { 0 };
	struct bytes file = { 0 };

	put(&file, SPE_MAGIC, sizeof(SPE_MAGIC) - 1);
	put_text(&file, SPE_CHUNK_INFO, "version 1\nperiod 4096\nclock_mult 1\nclock_shift 0\n"
		 "clock_zero 0\nsample_type 0x86\ntarget cpus\ncpus 0-2\n");
	put_text(&file, SPE_CHUNK_CPUS, "cpu 0 midr 0x410fd8e0 pmsidr 0x12634f7 pmu arm_spe_0\n");
	put_perf(&file);
	put_text(&file, SPE_CHUNK_BUILD_IDS, "0123456789abcdef /bin/sh\n");
	for (unsigned int i = fuzz_below(5); i > 0; i--) {
		put_window(&file, i * 512);
		lost.reason = fuzz_below(7);
		if (fuzz_below(4) == 0)
			put_chunk(&file, SPE_CHUNK_LOST, &lost, sizeof(lost), "", 0);
	}
	put_window(&file, 0);
	put_text(&file, SPE_CHUNK_KALLSYMS, "ffff800008000000 T one\nffff800008000100 t two\n"
		 "ffff800008000100 t also\nffff800008000200 D _etext\n"
		 "ffff800007000000 t three\t[one]\nffff800007000040 t four\t[bpf]\n");
	put_text(&file, SPE_CHUNK_END, "records 1\n");
	return file;
}

static void try_recording(void)
{
	static const struct {
		const char *name;
		int (*run)(int argc, char **argv);
	} commands[] = {
		{ "report", spe_command_report }, { "report", spe_command_report },
		{ "profile", spe_command_profile }, { "decode", spe_command_decode },
	};
	static const char * const of_report[] = { "--json", "--sort=latency", "--cpu=0-1" };
	struct bytes file = make_recording();
	unsigned int command = fuzz_below(NR(commands));
	char *argv[8] = { (char *)commands[command].name }, path[32];
	int argc = 1, fd;

	close_range(FIRST_FD, ~0u, 0);
	if (fuzz_below(8))
		fuzz_mutate(&file.v, &file.nr);
	fd = memfd_create("fuzz", 0);
	if (fd < 0 || write(fd, file.v, file.nr) != (ssize_t)file.nr)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	free(file.v);
	if (fuzz_below(2))
		argv[argc++] = (char *)"--salvage";
	if (command < 2 && fuzz_below(2))
		argv[argc++] = (char *)of_report[fuzz_below(NR(of_report))];
	argv[argc++] = path;
	commands[command].run(argc, argv);
	close(fd);
}

/* Records, or bytes that often start packets, damaged. */
static struct bytes make_stream(void)
{
	static const unsigned char heads[] = {
		0x00, 0x01, 0x71, 0x42, 0x52, 0x62, 0x72, 0x43, 0x53, 0x48, 0x49, 0x4a, 0x4b, 0x64,
		0x65, 0x66, 0x98, 0x99, 0x9a, 0x9c, 0xb0, 0xb1, 0xb2, 0xb3, 0xb4, 0xb7, 0x20, 0x21,
		0x22, 0x23
	};
	unsigned int garbage = fuzz_below(4) ? 0 : 1 + fuzz_below(16);
	unsigned char record[RECORD];
	struct bytes stream = { 0 };

	for (unsigned int i = 1 + fuzz_below(12); i > 0; i--) {
		make_record(record);
		for (size_t j = 0; garbage && j < RECORD; j++)
			if (fuzz_below(16) < garbage)
				record[j] = heads[fuzz_below(NR(heads))];
		put(&stream, record, RECORD);
	}
	stream.v[stream.nr] = '\0';
	if (fuzz_below(4))
		fuzz_mutate(&stream.v, &stream.nr);
	return stream;
}

struct found {
	struct spe_record records[FOUND_MAX];
	size_t nr;
	struct spe_stream stream;
};

static int keep(const struct spe_record *record, void *context)
{
	struct found *found = context;

	if (found->nr == FOUND_MAX)
		return 1;
	found->records[found->nr++] = *record;
	return 0;
}

static void feed(struct found *found, const char *bytes, size_t nr)
{
	/* Of exact size, so that the sanitizer detects any read beyond it. */
	unsigned char *copy = malloc(nr);

	memcpy(copy, bytes, nr);
	spe_stream_feed(&found->stream, copy, nr, keep, found);
	free(copy);
}

/* In pieces of up to @limit bytes, or in one if 0; bytes are lost at @gap. */
static void decode(struct found *found, const struct bytes *bytes, size_t gap, size_t limit)
{
	size_t at = 0, end, size;

	found->nr = 0;
	spe_stream_init(&found->stream, gap);
	spe_stream_fixed(&found->stream, gap % 2 ? RECORD : 0);
	while (at < bytes->nr) {
		end = at < gap && gap < bytes->nr ? gap : bytes->nr;
		size = limit ? fuzz_below(limit) : end - at;
		if (size > end - at)
			size = end - at;
		feed(found, bytes->v + at, size);
		at += size;
		if (size && at == gap)
			spe_stream_gap(&found->stream, 2 * at);
	}
	spe_stream_end(&found->stream);
}

static void check_records(const struct bytes *bytes, const struct found *found)
{
	uint64_t next = 0;

	for (size_t i = 0; i < found->nr; i++) {
		if (found->records[i].offset < next)
			abort();
		next = found->records[i].offset + found->records[i].length;
	}
	if (next > bytes->nr || found->nr != found->stream.records)
		abort();
}

static void check_packets(const struct bytes *bytes)
{
	char text[SPE_TEXT_MAX];
	struct spe_packet packet;
	size_t at = 0, length;

	while (at < bytes->nr) {
		length = spe_packet_get(&packet, (uint8_t *)bytes->v + at, bytes->nr - at, at);
		if (!length)
			return;
		if (length > bytes->nr - at || length != packet.length ||
		    (size_t)spe_packet_print(&packet, text, sizeof(text)) != strlen(text))
			abort();
		at += length;
	}
}

static void try_streams(void)
{
	static struct found whole, pieces;

	for (int i = 0; i < STREAMS; i++) {
		struct bytes bytes = make_stream();
		size_t gap = fuzz_below(2000);

		decode(&whole, &bytes, gap, 0);
		decode(&pieces, &bytes, gap, fuzz_below(4) ? 100 : 4);
		if (whole.nr != pieces.nr ||
		    memcmp(whole.records, pieces.records, whole.nr * sizeof(*whole.records)) ||
		    memcmp(&whole.stream, &pieces.stream, 5 * sizeof(uint64_t)))
			abort();
		check_records(&bytes, &whole);
		check_packets(&bytes);
		free(bytes.v);
	}
}

static void try_machine(void)
{
	static const char * const options[] = { "--machine=/", "--machine=/none", "-r/none" };
	char *argv[4] = { (char *)"info" };
	int argc = 1;

	fuzz_machine_make();
	/* A refused input may have left it on. */
	findings_collect(NULL);
	if (fuzz_below(2))
		argv[argc++] = (char *)"--json";
	if (fuzz_below(16) == 0)
		argv[argc++] = (char *)options[fuzz_below(NR(options))];
	if (spe_command_info(argc, argv) != EXIT_SUCCESS)
		die(ERR_NO_DIRECTORY, "not healthy");
}

const struct fuzz_kind fuzz_kinds[] = {
	{ "recordings", 16, try_recording },
	{ "streams", 8, try_streams },
	{ "machines", 8, try_machine },
};

const size_t fuzz_nr_kinds = NR(fuzz_kinds);

void fuzz_start(void)
{
}
