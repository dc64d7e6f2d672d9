// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Nearly valid perf.data files, in memory, for report and profile; streams of records and of any
 * bytes, for the decoder. damage_test.py has the expected records of damaged streams.
 */
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/errors.h"
#include "lib/finding.h"
#include "lib/memory.h"
#include "libspe/tests/print.h"
#include "n3spe/commands.h"
#include "n3spe/perf.h"
#include "n3spe/samples.h"
#include "tests/fuzz.h"

#define FIRST_FD	8	/* descriptors leaked by refused inputs start here */
#define RECORD		64
#define STREAMS		50	/* of one input, as each is short */
#define FOUND_MAX	4096
#define ATTR_SIZE	PERF_ATTR_SIZE_VER7
#define CPUS		3
#define TASK		5

struct bytes {
	char *v;
	size_t nr;
};

static void put(struct bytes *bytes, const void *from, size_t nr)
{
	bytes->v = xreallocarray(bytes->v, bytes->nr + nr + 1, 1);
	if (nr)
		memcpy(bytes->v + bytes->nr, from, nr);
	bytes->nr += nr;
}

static void put_record(struct bytes *data, uint32_t type, const void *body, size_t size)
{
	struct perf_event_header header = { type, 0, (uint16_t)(sizeof(header) + size) };

	put(data, &header, sizeof(header));
	put(data, body, size);
}

/* A record of the kernel, which ends with the fields of sample_id_all. */
static void put_event(struct bytes *data, uint32_t type, uint16_t misc, const void *body,
		      size_t size)
{
	struct {
		uint32_t pid, tid;
		uint64_t time;
		uint32_t cpu, reserved;
		uint64_t id;
	} end = { TASK, TASK, fuzz_below(1000), fuzz_below(CPUS), 0, 1 + fuzz_below(2) };
	struct perf_event_header header = {
		type, misc, (uint16_t)(sizeof(header) + size + sizeof(end))
	};

	if (fuzz_below(8) == 0)
		end.time = 0;
	put(data, &header, sizeof(header));
	put(data, body, size);
	put(data, &end, sizeof(end));
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

/* An AUX record and its data, in this order or the other; or one of them. */
static void put_window(struct bytes *data, uint64_t offset)
{
	uint64_t flags = fuzz_below(16) & ~PERF_AUX_FLAG_OVERWRITE;
	uint64_t aux[3] = { offset, 0, fuzz_below(8) ? 0 : flags };
	struct {
		uint64_t size, offset, reference;
		uint32_t index, tid, cpu, reserved;
	} trace = { .offset = offset, .tid = fuzz_below(8) ? UINT32_MAX : TASK };
	unsigned char records[8][RECORD];
	size_t nr = 1 + fuzz_below(NR(records));
	bool is_behind = fuzz_below(2);

	trace.size = nr * RECORD;
	trace.cpu = trace.tid == TASK ? UINT32_MAX : fuzz_below(CPUS);
	aux[1] = trace.size;
	for (size_t i = 0; i < nr; i++)
		make_record(records[i]);
	if (!is_behind && fuzz_below(8))
		put_event(data, PERF_RECORD_AUX, 0, aux, sizeof(aux));
	put_record(data, SPE_PERF_AUXTRACE, &trace, sizeof(trace));
	put(data, records, trace.size);
	if (is_behind)
		put_event(data, PERF_RECORD_AUX, 0, aux, sizeof(aux));
}

/* Numbers of tasks are few, so they are reused. */
static void put_task(struct bytes *data)
{
	struct {
		uint32_t pid, parent, tid, parent_tid;
		uint64_t at;
	} task = { TASK + fuzz_below(3), TASK + fuzz_below(3), TASK + fuzz_below(3),
		   TASK + fuzz_below(3), fuzz_below(1000) };
	struct {
		uint32_t pid, tid;
		char name[8];
	} name = { TASK + fuzz_below(3), TASK + fuzz_below(3), "task" };
	uint32_t next[2] = { TASK + fuzz_below(3), TASK };
	uint64_t lost[2] = { 1, fuzz_below(4) };

	switch (fuzz_below(6)) {
	case 0:
		put_event(data, PERF_RECORD_FORK, 0, &task, sizeof(task));
		break;
	case 1:
		put_event(data, PERF_RECORD_EXIT, 0, &task, sizeof(task));
		break;
	case 2:
		put_event(data, PERF_RECORD_COMM, fuzz_below(2) << 13, &name, sizeof(name));
		break;
	case 3:
		put_event(data, PERF_RECORD_LOST, 0, lost, sizeof(lost));
		break;
	case 4:
		put_event(data, PERF_RECORD_ITRACE_START, 0, next, sizeof(next));
		break;
	default:
		put_event(data, PERF_RECORD_SWITCH_CPU_WIDE, fuzz_below(2) << 13, next,
			  sizeof(next));
	}
}

static void put_map(struct bytes *data)
{
	static const char * const names[] = { "/bin/sh", "//anon", "/bin/ls", "[vdso]" };
	struct {
		uint32_t pid, tid;
		uint64_t start, len, offset, id[3];
		uint32_t protection, flags;
		char name[8];
	} map = { TASK + fuzz_below(2), TASK, 0x100 * fuzz_below(8), 0x100 << fuzz_below(6), 0,
		  { 0 }, 5, 2, "" };

	strcpy(map.name, names[fuzz_below(NR(names))]);
	if (fuzz_below(8) == 0)
		map.pid = UINT32_MAX;
	map.id[0] = fuzz_below(4) ? 20 : fuzz_below(256);
	put_event(data, PERF_RECORD_MMAP2, fuzz_below(2) << 14, &map, sizeof(map));
}

/* Records of perf itself. */
static void put_perf(struct bytes *data)
{
	uint64_t clock[6] = { fuzz_below(64), 1, fuzz_below(100), 0, UINT64_MAX >> 8, 0x101 };
	uint64_t info[] = { SPE_AUXTRACE_TYPE, 8, 0 };
	uint64_t info_2[] = {
		SPE_AUXTRACE_TYPE, 2, 4, 8, 1, 0x1010101010101010, fuzz_below(CPUS), 3, 0x410fd8e0,
		8, 0
	};
	struct {
		uint32_t type, code, cpu, pid, tid, format;
		uint64_t ip, time;
		char reason[8];
	} error = { 1, fuzz_below(8), fuzz_below(CPUS), -1, -1, 1, 0, fuzz_below(1000), "full" };

	if (fuzz_below(4))
		put_record(data, SPE_PERF_AUXTRACE_INFO, info, sizeof(info));
	else
		put_record(data, SPE_PERF_AUXTRACE_INFO, info_2, sizeof(info_2));
	put_record(data, SPE_PERF_TIME_CONV, clock, fuzz_below(2) ? sizeof(clock) : 24);
	if (fuzz_below(4) == 0)
		put_record(data, SPE_PERF_AUXTRACE_ERROR, &error, sizeof(error));
	put_record(data, 60 + fuzz_below(8) * 24, clock, fuzz_below(5) * 8);
}

static void put_text(struct bytes *to, const char *text)
{
	uint32_t size = 64;
	char padded[64] = "";

	strcpy(padded, text);
	put(to, &size, sizeof(size));
	put(to, padded, size);
}

/* The section of a bit. */
static struct bytes make_section(unsigned int bit)
{
	static const uint32_t one = 1, two = 2, size = ATTR_SIZE;
	struct {
		struct perf_event_header header;
		int32_t pid;
		uint8_t id[20], size, reserved[3];
		char name[28];
	} build_id = { { 0, 1 << 15 | 2, sizeof(build_id) }, -1, "build id", 20, { 0 }, "/bin/sh" };
	struct perf_event_attr attr = { .type = 8 };
	struct bytes section = { 0 };

	switch (bit) {
	case 2:
		put(&section, &build_id, sizeof(build_id));
		break;
	case 12:
		put(&section, &one, sizeof(one));
		put(&section, &size, sizeof(size));
		put(&section, &attr, ATTR_SIZE);
		put(&section, &one, sizeof(one));
		put_text(&section, "arm_spe_0//");
		put(&section, (uint64_t[]) { 1 }, 8);
		break;
	case 16:
		put(&section, fuzz_below(8) ? &one : &two, sizeof(one));
		put(&section, (uint32_t[]) { 8 }, 4);
		put_text(&section, "arm_spe_0");
		break;
	case 11:
		put(&section, &one, sizeof(one));
		put_text(&section, "perf");
		break;
	default:
		put_text(&section, bit == 9 ? "0x00000000410fd8e0" : "text");
	}
	return section;
}

static void put_sections(struct bytes *file, uint64_t bits)
{
	struct bytes sections = { 0 };
	uint64_t at = file->nr + 16 * (unsigned int)__builtin_popcountll(bits);

	for (unsigned int bit = 0; bit < 64; bit++) {
		struct bytes section;

		if (!(bits >> bit & 1))
			continue;
		section = make_section(bit);
		put(file, (uint64_t[]) { at + sections.nr, section.nr }, 16);
		put(&sections, section.v, section.nr);
		free(section.v);
	}
	put(file, sections.v, sections.nr);
	free(sections.v);
}

static struct bytes make_data(void)
{
	struct bytes data = { 0 };

	put_perf(&data);
	for (unsigned int i = 4 + fuzz_below(24), offset = 0; i > 0; i--) {
		if (fuzz_below(3) == 0) {
			put_window(&data, offset);
			offset += RECORD * fuzz_below(8);
		} else if (fuzz_below(3) == 0) {
			put_map(&data);
		} else {
			put_task(&data);
		}
	}
	return data;
}

/* A file with the attributes of an SPE event and of one for the kernel's records. */
static struct bytes make_recording(void)
{
	/* make_section() has texts for the others */
	static const uint64_t all = 1 << 2 | 1 << 3 | 1 << 4 | 1 << 6 | 1 << 9 | 1 << 11 |
				    1 << 12 | 1 << 16;
	struct bytes file = { 0 }, data = make_data();
	uint64_t bits = all & (fuzz_below(8) ? all : fuzz_below(1 << 17));
	uint64_t attrs = 104 + 2 * 8, start = attrs + 2 * (ATTR_SIZE + 16);
	uint64_t header[] = { 104, ATTR_SIZE + 16, attrs, 2 * (ATTR_SIZE + 16), start,
			      fuzz_below(8) ? data.nr : 0, 0, 0, bits, 0, 0, 0 };
	struct perf_event_attr attr = {
		.type = 8, .size = ATTR_SIZE, .sample_period = 4096, .sample_id_all = 1,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
			       PERF_SAMPLE_IDENTIFIER,
	};

	put(&file, "PERFILE2", 8);
	put(&file, header, sizeof(header));
	put(&file, (uint64_t[]) { 1, 2 }, 16);
	for (uint64_t i = 0; i < 2; i++) {
		put(&file, &attr, ATTR_SIZE);
		put(&file, (uint64_t[]) { 104 + 8 * i, 8 }, 16);
		attr.type = PERF_TYPE_SOFTWARE;
		if (fuzz_below(4) == 0)
			attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
	}
	put(&file, data.v, data.nr);
	free(data.v);
	put_sections(&file, bits);
	return file;
}

/* Return: a descriptor of a file in memory, with its name. */
static int file_of(struct bytes *file, char *path, size_t size)
{
	int fd = memfd_create("fuzz", 0);

	if (fd < 0 || write(fd, file->v, file->nr) != (ssize_t)file->nr)
		abort();
	snprintf(path, size, "/proc/self/fd/%d", fd);
	free(file->v);
	return fd;
}

static int make_kallsyms(char *option, size_t size)
{
	static const char symbols[] =
		"ffff800008000000 T one\nffff800008000100 t two\n"
		"ffff800008000100 t also\nffff800008000200 D _etext\n"
		"ffff800007000000 t three\t[one]\nffff800007000040 t four\t[bpf]\n";
	struct bytes text = { 0 };
	char path[32];
	int fd;

	put(&text, symbols, sizeof(symbols) - 1);
	text.v[text.nr] = '\0';
	if (fuzz_below(2))
		fuzz_mutate(&text.v, &text.nr);
	fd = file_of(&text, path, sizeof(path));
	snprintf(option, size, "--kallsyms=%s", path);
	return fd;
}

static int damaged_recording(char *path, size_t size)
{
	struct bytes file = make_recording();

	close_range(FIRST_FD, ~0u, 0);
	file.v[file.nr] = '\0';
	if (fuzz_below(8))
		fuzz_mutate(&file.v, &file.nr);
	return file_of(&file, path, size);
}

static void find_place(const struct spe_sample *sample, void *context)
{
	const struct spe_recording *recording = context;
	struct spe_place place;

	if (sample->life != SPE_NO_LIFE &&
	    spe_life_find(&recording->tasks, sample->life, sample->record->pc, &place) &&
	    place.object >= recording->tasks.objects.nr)
		abort();
}

/* The reader alone: the tables of a report take hundreds of times as long. */
static void try_reader(void)
{
	struct spe_recording recording;
	char path[32];
	int fd = damaged_recording(path, sizeof(path));

	spe_recording_open(&recording, &(struct spe_input) { .name = path });
	for (int pass = 0; pass < 2; pass++)
		spe_recording_samples(&recording, find_place, &recording);
	spe_recording_close(&recording);
	close(fd);
}

static void try_recording(void)
{
	static const char * const of_report[] = { "--json", "--sort=latency", "--cpu=0-1" };
	bool is_report = fuzz_below(3);
	char *argv[8] = { (char *)(is_report ? "report" : "profile") }, path[32], option[64];
	int argc = 1, fd = damaged_recording(path, sizeof(path)), symbols = -1;

	if (is_report && fuzz_below(2))
		argv[argc++] = (char *)of_report[fuzz_below(NR(of_report))];
	if (is_report && fuzz_below(4) == 0) {
		symbols = make_kallsyms(option, sizeof(option));
		argv[argc++] = option;
	}
	if (fuzz_below(8) == 0)
		argv[argc++] = (char *)"--core=n2";
	argv[argc++] = path;
	(is_report ? spe_command_report : spe_command_profile)(argc, argv);
	close(fd);
	close(symbols);
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
	{ "files", 29, try_reader },
	{ "recordings", 1, try_recording },
	{ "streams", 1, try_streams },
	{ "machines", 1, try_machine },
};

const size_t fuzz_nr_kinds = NR(fuzz_kinds);

void fuzz_start(void)
{
}
