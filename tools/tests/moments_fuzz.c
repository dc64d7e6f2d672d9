// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * moments_fuzz COUNT SEED - infers from damaged moments of CPUs with different numbers of
 * counters: known damage, each with the id of its error, then COUNT mutations, which sanitizers
 * watch, and whose errors must have an id. TAP.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/disk.h"
#include "lib/memory.h"
#include "libn3t/plan.h"
#include "libn3t/spec.h"
#include "libn3telemetry/catalog.h"
#include "libn3telemetry/infer.h"
#include "libn3telemetry/source.h"
#include "libn3telemetry/stats/tests/view_take.h"

#define CPUS		4
#define MAX_BYTES	262144
#define FILES		4	/* looked at in each mutation */
#define SLICES		400	/* in a ring, and in the window */
#define SLICE_NS	4000000ull
#define CYCLES		10000000

static const unsigned int budgets[CPUS] = { 2, 4, 6, 20 };

static struct {
	unsigned char data[MAX_BYTES];
	size_t len;
} files[CPUS], mutated[CPUS];
static unsigned int nr_mutated;
static unsigned int reads;		/* since the damage */
static void (*before_read)(off_t at);
static unsigned long long state;

static unsigned int below(unsigned int limit)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 16) % limit;
}

/* The library's disk: the mutated files. */
int disk_find_directory(const char *path)
{
	(void)path;
	return 0;
}

ssize_t disk_list(const char *path, char ***names)
{
	(void)path;
	*names = xcalloc(nr_mutated + 1, sizeof(**names));
	for (unsigned int i = 0; i < nr_mutated; i++)
		(*names)[i] = format_string("cpu%u", i);
	return nr_mutated;
}

/* Only moments exist. The descriptor is the number of the CPU. */
int disk_open(const char *path)
{
	const char *cpu = strstr(path, "cpu");

	return cpu && strstr(cpu, "/moments") ? atoi(cpu + 3) : -ENOENT;
}

ssize_t disk_read_at(int fd, char *buf, size_t size, off_t at)
{
	size_t left;

	reads++;
	if (before_read)
		before_read(at);
	left = (size_t)at < mutated[fd].len ? mutated[fd].len - at : 0;
	if (left > size)
		left = size;
	memcpy(buf, mutated[fd].data + at, left);
	return left;
}

ssize_t disk_read(const char *path, char *buf, size_t size)
{
	int fd = disk_open(path);

	return fd < 0 ? fd : disk_read_at(fd, buf, size, 0);
}

void disk_close(int fd)
{
	(void)fd;
}

/* Plausible: four of ten slots stall in the backend, two in the frontend. */
static u64 count_of(u16 code, u64 cycles)
{
	u64 slots = n3t_slots_per_cycle() * cycles;

	switch (code) {
	case N3T_CODE_STALL_SLOT:
		return slots * 6 / 10;
	case N3T_CODE_STALL_SLOT_BACKEND:
		return slots * 4 / 10;
	case N3T_CODE_STALL_SLOT_FRONTEND:
		return slots * 2 / 10;
	case N3T_CODE_OP_SPEC:
		return slots - slots * 6 / 10;
	case N3T_CODE_OP_RETIRED:
		return slots * 3 / 10;
	default:
		return cycles / 16 + below(CYCLES / 64);
	}
}

static void add_slices(const struct n3t_plan *plan, struct n3t_ring *ring,
		       struct n3t_covariance *covariance, struct n3t_anchor_totals *anchors)
{
	struct n3t_rotation rotation;

	n3t_rotation_init(&rotation, plan, 1);
	for (u64 nr = 1; nr <= SLICES; nr++) {
		struct n3t_slice *slice = n3t_ring_begin(ring);

		slice->set = n3t_rotation_next(&rotation, plan);
		slice->state = below(50) ? N3T_SLICE_KEPT : N3T_SLICE_CUT;
		slice->end_ns = nr * SLICE_NS;
		slice->time_ns = SLICE_NS;
		slice->cycles = CYCLES + below(CYCLES / 8);
		for (unsigned int i = 0; i < plan->set[slice->set].nr; i++)
			slice->count[i] = count_of(plan->set[slice->set].code[i], slice->cycles);
		n3t_covariance_add(covariance, slice);
		n3t_anchors_add(anchors, slice);
		n3t_ring_commit(ring);
	}
}

static void make_file(unsigned int cpu)
{
	const struct n3t_anchors automatic = { .automatic = true };
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);
	struct n3t_anchor_totals anchors;
	struct n3t_covariance covariance;
	struct n3t_moments from;
	struct n3t_plan plan;
	struct n3t_ring ring;
	unsigned char *data;
	unsigned int nr;

	bitmap_fill(groups, N3T_NR_GROUPS);
	if (n3t_plan_make(&plan, budgets[cpu], groups, &automatic, NULL))
		abort();
	n3t_ring_init(&ring, xcalloc(1, n3t_ring_bytes(&plan, SLICES)), &plan, SLICES);
	n3t_covariance_init(&covariance, xcalloc(1, n3t_covariance_bytes(&plan)), &plan, SLICES);
	n3t_anchors_init(&anchors, xcalloc(1, n3t_anchors_bytes(&plan, SLICES)), &plan, SLICES);
	add_slices(&plan, &ring, &covariance, &anchors);
	from = view_source(&plan, &ring, &covariance, &anchors, 1, SLICES * SLICE_NS);
	from.cpu = cpu;
	data = write_moments(&from, &nr);
	if (!from.window || !data || nr * N3T_MOMENTS_RECORD > MAX_BYTES)
		abort();
	files[cpu].len = nr * N3T_MOMENTS_RECORD;
	memcpy(files[cpu].data, data, files[cpu].len);
	free(data);
	free(from.window);
	free(ring.slices);
	free(covariance.set);
	free(anchors.now);
}

static void mutate_word(unsigned char *word)
{
	static const unsigned long long special[] = { 0, 1, 0x7fffffffffffffff, 0x8000000000000000,
						      0xffffffffffffffff, 1ull << 59, 1ull << 40 };
	unsigned long long value;

	memcpy(&value, word, sizeof(value));
	switch (below(4)) {
	case 0:
		value = special[below(7)];
		break;
	case 1:
		value ^= 1ull << below(64);
		break;
	case 2:
		value += (long long)below(33) - 16;
		break;
	default:
		value = state;
	}
	memcpy(word, &value, sizeof(value));
}

/* The head of a record and the first record are hit as often as all the sums. */
static void mutate(unsigned int nr)
{
	size_t len = files[nr].len, at;

	memcpy(mutated[nr].data, files[nr].data, len);
	mutated[nr].len = below(64) ? len : below(len + 1);
	for (unsigned int times = below(6); times; times--) {
		at = below(2) ? below(len) : below(400);
		if (below(2))
			mutate_word(mutated[nr].data + (at & ~7ul) % (len - 8));
		else
			mutated[nr].data[at % len] = below(3) ? state : 255 * below(2);
	}
}

static bool try_one(struct source *source)
{
	struct place place = place_make(below(2) ? SCOPE_CPU : SCOPE_SYSTEM, 0);
	struct inference *inference;
	struct infer_counts counts;
	bool accepted = true;
	char *text;

	nr_mutated = place.scope == SCOPE_CPU ? 1 : 1 + below(CPUS);
	for (unsigned int i = 0; i < nr_mutated; i++)
		mutate(i);
	infer_forget(source);
	for (unsigned int i = 0; accepted && i < FILES; i++)
		accepted = infer_file(source, &place, n3t_groups[below(N3T_NR_GROUPS)].file,
				      &text);
	accepted = accepted && infer_begin(source, &place, &inference);
	if (accepted && inference)
		infer_count(inference, &counts);
	if (!accepted && (!source->failure.kind || !source->failure.kind->id))
		abort();
	return accepted;
}

/* --- known damage, of the CPU with six counters */

#define DAMAGED		2
#define SECOND		N3T_MOMENTS_RECORD	/* the first record with sets */
#define FIRST_SET	(SECOND + 56)

static unsigned char *const damaged = mutated[DAMAGED].data;

static void undamaged(void) { }
static void shorter(void) { mutated[DAMAGED].len--; }
static void first_record_only(void) { mutated[DAMAGED].len = SECOND; }
static void empty(void) { memset(&mutated[DAMAGED].len, 0, sizeof(size_t)); }
static void ends_early(void) { memset(&damaged[SECOND + 40], 0, 8); }
static void no_weight(void) { memset(&damaged[FIRST_SET + 12], 0, 4); }
static void huge_weight(void) { memset(&damaged[FIRST_SET + 12], 0xff, 4); }

/* More bits than the mean of fewer than 256 slices; behind the counts and both slices. */
static void huge_product(void)
{
	unsigned int nr = damaged[FIRST_SET + 2];

	damaged[FIRST_SET + 56 + 8 * (nr + 2 * (3 + nr)) + 7] = 1;
}

/* Once: the second record is of a run that all records are of from then on. */
static void begin_run(off_t at)
{
	if (!at)
		return;
	before_read = NULL;
	for (size_t i = 0; i < mutated[DAMAGED].len; i += N3T_MOMENTS_RECORD)
		damaged[i + 16]++;
}

static void run_begins(void) { before_read = begin_run; }

static void vanish(off_t at)
{
	if (at)
		mutated[DAMAGED].len = 0;
}

static void vanish_later(void) { before_read = vanish; }

/*
 * @at: a byte that is 1 too large, if nothing else is damaged. @id: of the error; NULL: none.
 * @found: there is a CPU. @records: read at least
 */
static const struct {
	const char *name;
	void (*damage)(void);
	unsigned int at;
	const char *id;
	bool found;
	unsigned int records;
} known[] = {
	{ "an undamaged file", undamaged, 0, NULL, true, 2 },
	{ "the last byte is missing", shorter, 0, "malformed_file", false, 2 },
	{ "only the first record", first_record_only, 0, "malformed_file", false, 10 },
	{ "an empty file: no CPU", empty, 0, NULL, false, 1 },
	{ "another file", NULL, 0, "malformed_file", false, 1 },
	{ "another version", NULL, 4, "unknown_version", false, 1 },
	{ "another size of records", NULL, 7, "unknown_version", false, 1 },
	{ "a module with more metrics", NULL, 244, "unknown_version", false, 1 },
	{ "a module with more events", NULL, 246, "unknown_version", false, 1 },
	{ "the file of another CPU", NULL, 12, "malformed_file", false, 1 },
	{ "another record", NULL, SECOND + 8, "malformed_file", false, 2 },
	{ "a window that ends before it starts", ends_early, 0, "malformed_file", false, 2 },
	{ "different runs: read five times", NULL, SECOND + 16, "malformed_file", false, 10 },
	{ "another run begins: read again", run_begins, 0, NULL, true, 4 },
	{ "a CPU is removed", vanish_later, 0, NULL, false, 3 },
	{ "another set", NULL, FIRST_SET, "malformed_file", false, 2 },
	{ "a set with more events than planned", NULL, FIRST_SET + 2, "malformed_file", false, 2 },
	{ "differences without weight", no_weight, 0, "malformed_file", false, 2 },
	{ "more weight than of the memory", huge_weight, 0, "malformed_file", false, 2 },
	{ "a product larger than slices can have", huge_product, 0, "malformed_file", false, 2 },
};

static bool try_known(struct source *source, unsigned int nr)
{
	const struct place place = place_make(SCOPE_CPU, DAMAGED);
	bool accepted;
	char *text;

	mutated[DAMAGED] = files[DAMAGED];
	reads = 0;
	if (known[nr].damage)
		known[nr].damage();
	else
		damaged[known[nr].at]++;
	infer_forget(source);
	accepted = infer_file(source, &place, "topdown_l1", &text);
	before_read = NULL;
	if (reads < known[nr].records)
		return false;
	if (known[nr].id)
		return !accepted && source->failure.kind &&
		       !strcmp(source->failure.kind->id, known[nr].id);
	return accepted && !text == !known[nr].found &&
	       (!text || strstr(text, "\nbackend_bound value=40.0000 "));
}

int main(int argc, char **argv)
{
	static struct source source;
	unsigned long count, accepted = 0;
	unsigned int nr, failed = 0;

	if (argc != 3 || !catalog_init())
		return EXIT_BAD_USAGE;
	count = strtoul(argv[1], NULL, 10);
	state = 0x9e3779b97f4a7c15 ^ strtoul(argv[2], NULL, 10);
	for (unsigned int cpu = 0; cpu < CPUS; cpu++)
		make_file(cpu);
	source_open(&source, "copy");
	for (nr = 0; nr < N3T_NR_GROUPS; nr++)
		infer_expect(&source, n3t_groups[nr].file);
	for (nr = 0; nr < ARRAY_SIZE(known); nr++) {
		bool good = try_known(&source, nr);

		printf("%sok %u - moments: %s\n", good ? "" : "not ", nr + 1, known[nr].name);
		failed += !good;
	}
	for (unsigned long i = 0; i < count; i++)
		accepted += try_one(&source);
	source_close(&source);
	printf("# %lu of %lu accepted\n", accepted, count);
	printf("%sok %u - moments: mutated files are errors with an id, or read\n1..%u\n",
	       accepted && accepted < count ? "" : "not ", nr + 1, nr + 1);
	return failed ? EXIT_OTHER : 0;
}
