// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Writer of SPE recordings, in the format of format.h: INFO, CPUS and END are texts. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "lib/cpu_list.h"
#include "lib/machine.h"
#include "lib/memory.h"
#include "lib/program.h"
#include "record_session.h"
#include "record_sink.h"

#define MAX_PARTS	5
/* Maximum AUX chunk, so that readers can hold one in memory. */
#define MAX_AUX		(16u << 20)

static void print_machine(char **text)
{
	time_t now = time(NULL);
	struct utsname name;
	char date[32];

	if (!uname(&name))
		append_text(text, "", "host %s\nkernel %s\nmachine %s\n", name.nodename,
			    name.release, name.machine);
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
	append_text(text, "", "date %s\n", date);
}

static void print_target(char **text, const struct spe_session *session)
{
	bool sampled[MAX_CPUS] = { false };
	char *cpus;

	if (session->on_exec)
		append_text(text, "", "target command\n");
	else if (session->nr_tasks)
		append_text(text, "", "target process %d\n", session->options->pids[0]);
	else
		append_text(text, "", "target cpus\n");
	for (size_t i = 0; i < session->nr_rings; i++)
		if (session->rings[i].pmu)
			sampled[session->rings[i].cpu] = true;
	cpus = cpu_list_text(sampled);
	append_text(text, "", "cpus %s\n", cpus);
	free(cpus);
}

static void print_clock(char **text, const struct spe_clock *clock)
{
	if (!clock->is_known)
		return;
	append_text(text, "", "clock_mult %u\nclock_shift %u\nclock_zero %" PRIu64 "\n",
		    clock->mult, clock->shift, clock->zero);
	if (clock->is_short)
		append_text(text, "", "clock_cycles %" PRIu64 "\nclock_mask %#" PRIx64 "\n",
			    clock->cycles, clock->mask);
}

static const char *modes(const struct spe_record_options *options)
{
	return options->only_kernel ? "kernel" : options->only_user ? "user" : "kernel user";
}

static char *info_of(const struct spe_session *session)
{
	const struct spe_record_options *options = session->options;
	const struct spe_pmu *pmu = session->pmus.v;
	char *text = NULL, *filters = spe_record_filters(options);

	append_text(&text, "", "version 1\nn3stat %s\n", program_version);
	print_machine(&text);
	append_text(&text, "", "command %s\nperiod %" PRIu64 "\n", options->line, session->period);
	if (pmu->min_interval)
		append_text(&text, "", "min_interval %u\n", pmu->min_interval);
	if (pmu->counter_bits)
		append_text(&text, "", "counter_bits %u\n", pmu->counter_bits);
	if (*filters)
		append_text(&text, "", "filter %s\n", filters);
	append_text(&text, "", "modes %s\n", modes(options));
	print_clock(&text, &session->clock);
	append_text(&text, "", "sample_type %#llx\n", (unsigned long long)SPE_SAMPLE_TYPE);
	print_target(&text, session);
	free(filters);
	return text;
}

/* Return: the number after a key in a file, or at its start if the key is ""; 0 if absent. */
static uint64_t read_hex(const char *key, char *path)
{
	char text[4096];
	const char *found;

	machine_read(&this_machine, path, text, sizeof(text));
	free(path);
	found = strstr(text, key);
	return found ? strtoull(found + strlen(key), NULL, 16) : 0;
}

static char *cpus_of(const struct spe_session *session)
{
	const struct spe_ring *ring;
	uint64_t midr, pmsidr;
	char *text = xstrdup("");

	for (size_t i = 0; i < session->nr_rings; i++) {
		ring = &session->rings[i];
		if (!ring->pmu)
			continue;
		midr = read_hex("", format_string("/sys/devices/system/cpu/cpu%d/regs/"
						    "identification/midr_el1", ring->cpu));
		/* Shown by the module, not by the driver. */
		pmsidr = read_hex("pmsidr ", format_string("%s/cpu%d/spe", SOURCE_DEFAULT,
							   ring->cpu));
		append_text(&text, "", "cpu %d midr %#018" PRIx64 " pmsidr 0x%" PRIx64 " pmu %s\n",
			    ring->cpu, midr, pmsidr, ring->pmu->name);
	}
	return text;
}

static char *totals_of(const struct spe_session *session)
{
	static const char * const names[SPE_NR_LOST] = {
		[SPE_LOST_TRUNCATED] = "truncated",
		[SPE_LOST_STALLED] = "stalled",
		[SPE_LOST_PERF] = "perf",
		[SPE_LOST_OFFLINE] = "offline",
		[SPE_LOST_UNKNOWN_SIZE] = "unknown_size",
	};
	const struct spe_totals *totals = &session->totals;
	char *text = NULL;

	append_text(&text, "", "aux_bytes %" PRIu64 "\naux_records %" PRIu64 "\n"
		    "truncated %" PRIu64 "\ncollisions %" PRIu64 "\npartial %" PRIu64 "\n"
		    "lost_records %" PRIu64 "\n",
		    totals->aux_bytes, totals->aux_records, totals->truncated, totals->collisions,
		    totals->partial, totals->lost_records);
	for (int i = 1; i < SPE_NR_LOST; i++)
		append_text(&text, "", "lost_%s %" PRIu64 "\n", names[i], totals->lost[i]);
	return text;
}

/* A header, a body, and zeros up to a multiple of 8, in one system call. */
static void put_chunk(struct spe_sink *sink, enum spe_chunk_type type, const struct iovec *parts,
		      int nr)
{
	static const char zeros[8];
	struct spe_chunk chunk = { .type = type };
	struct iovec all[MAX_PARTS + 2] = { { &chunk, sizeof(chunk) } };

	for (int i = 0; i < nr; i++) {
		all[i + 1] = parts[i];
		chunk.size += parts[i].iov_len;
	}
	all[nr + 1] = (struct iovec) { (void *)zeros, -chunk.size & 7 };
	spe_out_writev(&sink->out, all, nr + 2);
}

static void put_text(struct spe_sink *sink, enum spe_chunk_type type, const char *text,
		     size_t size)
{
	struct iovec part = { (void *)text, size };

	put_chunk(sink, type, &part, 1);
}

static void begin(struct spe_sink *sink, const struct spe_session *session)
{
	char *info = info_of(session), *cpus = cpus_of(session);

	spe_out_write(&sink->out, SPE_MAGIC, strlen(SPE_MAGIC));
	put_text(sink, SPE_CHUNK_INFO, info, strlen(info));
	put_text(sink, SPE_CHUNK_CPUS, cpus, strlen(cpus));
	free(info);
	free(cpus);
}

static void put_records(struct spe_sink *sink, const struct spe_ring *ring, const void *records,
			size_t size)
{
	struct spe_perf_header header = {
		/* Synthesised records have their own stream, without an AUX buffer. */
		.stream = ring ? ring->number : sink->nr_streams,
		.cpu = ring ? ring->cpu : -1,
	};
	struct iovec parts[] = {
		{ &header, sizeof(header) },
		{ (void *)records, size },
	};

	put_chunk(sink, SPE_CHUNK_PERF, parts, 2);
}

/* Up to max bytes of the parts. Return: number of parts. */
static size_t take(struct iovec *to, struct iovec *from, size_t max)
{
	*to = *from;
	if (to->iov_len > max)
		to->iov_len = max;
	from->iov_base = (char *)from->iov_base + to->iov_len;
	from->iov_len -= to->iov_len;
	return to->iov_len;
}

static void put_aux(struct spe_sink *sink, const struct spe_aux *aux)
{
	struct spe_aux_header header = {
		.stream = aux->ring->number,
		.cpu = aux->ring->cpu,
		.pid = aux->segment->pid,
		.tid = aux->segment->tid,
		.flags = aux->segment->flags,
		.offset = aux->segment->start,
		.time = aux->segment->time,
	};
	struct iovec left[2] = { aux->parts[0], aux->parts[1] };
	struct iovec parts[3] = { { &header, sizeof(header) } };
	size_t size;

	do {
		size = take(&parts[1], &left[0], MAX_AUX);
		size += take(&parts[2], &left[1], MAX_AUX - size);
		put_chunk(sink, SPE_CHUNK_AUX, parts, 3);
		header.offset += size;
	} while (left[0].iov_len || left[1].iov_len);
}

static void put_lost(struct spe_sink *sink, const struct spe_lost *lost)
{
	struct iovec part = { (void *)lost, sizeof(*lost) };

	put_chunk(sink, SPE_CHUNK_LOST, &part, 1);
}

static void end(struct spe_sink *sink, const struct spe_session *session)
{
	char *totals = totals_of(session);

	put_text(sink, SPE_CHUNK_END, totals, strlen(totals));
	free(totals);
	spe_out_close(&sink->out);
}

struct spe_sink *spe_sink_recording(void)
{
	static const struct spe_sink sink = {
		.begin = begin,
		.records = put_records,
		.aux = put_aux,
		.lost = put_lost,
		.text = put_text,
		.end = end,
	};

	struct spe_sink *copy = xcalloc(1, sizeof(*copy));

	*copy = sink;
	return copy;
}
