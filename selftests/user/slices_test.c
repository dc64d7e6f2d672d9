// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Slices with concurrent writer and readers.
 *
 * First a reader is stopped: before each of its accesses to memory that the writer overwrites
 * (data_race() calls the writer), and in the middle of a copy (the memory is protected,
 * and the fault handler runs the writer). Then threads, at full speed.
 */
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <linux/align.h>

#include "libn3t/formula.h"
#include "libn3t/replicates.h"
#include "libn3t/spec.h"
#include "libn3t/covariance.h"
#include "libn3telemetry/stats/moments.h"
#include "tap.h"
#include "view_take.h"
#include "tests/slices_pattern.h"

#define BUDGET		6
#define READERS		2
#define READS		100000	/* per reader, of slices and of totals */
#define SECONDS		20	/* at most */

static struct n3t_plan plan;

/*
 * Identical slices, so that a mixture of two totals differs from the total of any number
 * of slices. Every fourth slice is dropped.
 */
static void like_slice(struct n3t_slice *slice, u64 n, unsigned int nr)
{
	unsigned int i;

	slice->set = n % PATTERN_SETS;
	slice->state = n / PATTERN_SETS % 4 == 3 ? N3T_SLICE_CUT : N3T_SLICE_KEPT;
	slice->end_ns = n;
	slice->time_ns = PATTERN_NS;
	slice->cycles = 7;
	for (i = 0; i < nr; i++)
		slice->count[i] = 1000 + i;
}

static bool total_matches(const struct n3t_set_sum *total, unsigned int nr)
{
	unsigned int i;

	if (total->dropped != (total->slices + total->dropped) / 4 ||
	    total->time_ns != total->slices * PATTERN_NS || total->cycles != total->slices * 7)
		return false;
	for (i = 0; i < N3T_MAX_COUNTERS; i++)
		if (total->count[i] != (i < nr ? total->slices * (1000 + i) : 0))
			return false;
	return true;
}

/* Memory that is inaccessible until the writer has run. */
static struct {
	void *memory;
	size_t bytes;
	void (*meanwhile)(void);
	bool hit;
} barred;

static void let_writer_run(int signal)
{
	(void)signal;
	if (mprotect(barred.memory, barred.bytes, PROT_READ | PROT_WRITE))
		_exit(1);
	barred.hit = true;
	barred.meanwhile();
}

static void bar(void *memory, size_t bytes, void (*meanwhile)(void))
{
	const struct sigaction action = { .sa_handler = let_writer_run };

	barred.memory = memory;
	barred.bytes = bytes;
	barred.meanwhile = meanwhile;
	barred.hit = false;
	if (sigaction(SIGSEGV, &action, NULL) || mprotect(memory, bytes, PROT_NONE))
		abort();
}

static void *map_pages(size_t bytes)
{
	void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		abort();
	return pages;
}

static struct n3t_ring halted_ring;
static unsigned int halted_writes;	/* slices written while the reader is stopped */
static unsigned int until_halted;	/* accesses */

static void make_halted_ring(void *memory, unsigned int slices)
{
	n3t_ring_init(&halted_ring, memory, &plan, PATTERN_SLICES);
	while (*halted_ring.slices < slices)
		pattern_write(&halted_ring, *halted_ring.slices, BUDGET);
}

/* Run the writer, and stop it in the middle of the next entry of each set. */
static void write_slices(void)
{
	struct n3t_ring_set *set;
	unsigned int i;

	for (i = 0; i < halted_writes; i++)
		pattern_write(&halted_ring, *halted_ring.slices, BUDGET);
	for (set = halted_ring.set; set < &halted_ring.set[PATTERN_SETS]; set++)
		memset(&set->entry[set->next * set->words], 0xa5, set->words * sizeof(u64));
}

static void halt(void)
{
	if (until_halted && !--until_halted)
		write_slices();
}

#define BEFORE		(3 * PATTERN_SETS * PATTERN_SLOTS + 7)	/* slices written before any read */

/* Number of entries of a set written while a reader was stopped. */
static u64 written_of(unsigned int set)
{
	return pattern_slices(BEFORE + halted_writes, set);
}

/*
 * Stop the reader of a slice before one access. Returns whether it was stopped: if not, it
 * has fewer accesses.
 */
static bool read_halted(void *memory, u64 index, unsigned int access, unsigned int *torn,
			unsigned int *lost)
{
	struct n3t_slice slice;
	bool read, intact;

	make_halted_ring(memory, BEFORE);
	until_halted = access;
	shim_race = halt;
	read = n3t_ring_read(&halted_ring, index, &slice);
	shim_race = NULL;
	if (until_halted)
		return false;

	intact = index / PATTERN_SETS >= pattern_oldest(written_of(index % PATTERN_SETS));
	*lost += intact && !read;
	*torn += read && !pattern_matches(&slice, index, &plan);
	return true;
}

static void test_halted_slice_reader(void *memory)
{
	unsigned int access, torn = 0, lost = 0, halts = 0;
	u64 index, from;

	for (index = BEFORE - PATTERN_SETS * (PATTERN_SLOTS - 2); index < BEFORE; index++) {
		from = pattern_oldest(pattern_slices(BEFORE, index % PATTERN_SETS));
		if (index / PATTERN_SETS < from)
			continue;
		for (halted_writes = 0; halted_writes < 2 * PATTERN_SETS * PATTERN_SLOTS;
		     halted_writes += PATTERN_SETS - 1)
			for (access = 1; read_halted(memory, index, access, &torn, &lost); access++)
				halts++;
	}
	tap_ok(halts > 20000 && !torn,
	       "no slice is read that the writer has overwritten meanwhile (%u of %u were)", torn,
	       halts);
	tap_ok(!lost, "no slice is refused that the writer has not overwritten (%u were)", lost);
}

/*
 * The same for sums: they are those of the slices before the writer ran, or after. A window
 * longer than the slices still held then begins later.
 */
static bool sum_halted(void *memory, u64 since, unsigned int set, unsigned int access,
		       unsigned int *torn)
{
	static struct {
		struct n3t_window window;
		struct n3t_set_sum sum[PATTERN_SETS];
	} memory_of;
	struct n3t_window *window = &memory_of.window;
	struct n3t_set_sum expected;
	const struct n3t_set_sum *sum;
	u64 first, end;

	make_halted_ring(memory, BEFORE);
	n3t_window_init(window, &halted_ring, (since + 1) * PATTERN_NS);
	until_halted = access;
	shim_race = halt;
	sum = n3t_window_set(window, set);
	shim_race = NULL;
	if (until_halted)
		return false;

	end = sum->end;
	first = pattern_slices(since, set);
	if (first < pattern_oldest(end))
		first = pattern_oldest(end);
	pattern_sum(&expected, &plan, set, first, end);
	*torn += !pattern_same(&expected, sum, plan.set[set].nr) ||
		 (end != pattern_slices(BEFORE, set) && end != written_of(set));
	return true;
}

static void test_halted_window_reader(void *memory)
{
	unsigned int access, set, torn = 0, halts = 0;
	u64 since;

	for (since = BEFORE - PATTERN_SETS * (PATTERN_SLOTS + 1); since < BEFORE; since += 3)
		for (halted_writes = 0; halted_writes < 2 * PATTERN_SETS * PATTERN_SLOTS;
		     halted_writes += PATTERN_SETS - 1)
			for (set = 0; set < PATTERN_SETS; set++)
				for (access = 1; sum_halted(memory, since, set, access, &torn);
				     access++)
					halts++;
	tap_ok(halts > 20000 && !torn,
	       "no window is summed up from entries overwritten meanwhile (%u of %u were)", torn,
	       halts);
}

static void test_halted_readers(void)
{
	void *memory = malloc(n3t_ring_bytes(&plan, PATTERN_SLICES));

	test_halted_slice_reader(memory);
	test_halted_window_reader(memory);
	free(memory);
}

static struct n3t_plan wide_plan;

/* Enough slices to overwrite the entry being read, or too few. */
static void add_like_slices(void)
{
	unsigned int i;

	for (i = 0; i < halted_writes; i++) {
		like_slice(n3t_ring_begin(&halted_ring), *halted_ring.slices * PATTERN_SETS,
			   N3T_MAX_COUNTERS);
		n3t_ring_commit(&halted_ring);
	}
}

/*
 * The entry being read straddles two pages. From whichever end it is copied, the writer
 * changes it between the two halves in one of the runs.
 */
static void test_halted_copy(void)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	u8 *pages, *memory;
	struct n3t_set_sum total;
	unsigned int half, hit = 0, torn = 0;
	size_t before, bytes;

	wide_plan.budget = N3T_MAX_COUNTERS;
	wide_plan.nr_sets = 1;
	wide_plan.l1_set = N3T_NO_SET;
	wide_plan.custom_set = N3T_NO_SET;
	wide_plan.set[0].nr = N3T_MAX_COUNTERS;
	bytes = n3t_ring_bytes(&wide_plan, 0);
	memory = malloc(bytes);
	n3t_ring_init(&halted_ring, memory, &wide_plan, 0);
	before = (u8 *)halted_ring.set->entry - memory;
	before += halted_ring.set->words / 2 * sizeof(u64);
	free(memory);

	pages = map_pages(3 * page);
	for (half = 0; half < 2; half++) {
		/* The other half of the first entry, and nothing that is read before it. */
		n3t_ring_init(&halted_ring, pages + page - before, &wide_plan, 0);
		halted_writes = 1;
		add_like_slices();
		halted_writes = half ? 1 : halted_ring.set->slots;
		bar(pages + page, page, add_like_slices);
		n3t_ring_total(&halted_ring, 0, &total);
		hit += barred.hit;
		torn += !total_matches(&total, N3T_MAX_COUNTERS) ||
			total.end != (half ? 1 : 1 + halted_writes);
	}
	signal(SIGSEGV, SIG_DFL);
	munmap(pages, 3 * page);
	tap_ok(hit == 2 && !torn, "an entry that changes while it is copied is not used");
}

/*
 * Covariances of slices whose cycles alternate by a constant swing, with INST_RETIRED in
 * step: the variance is the same for any number of slices, and that of the difference is 0.
 */
#define SWING	1000

static struct n3t_plan l1_plan;

static void make_l1_plan(void)
{
	static const struct n3t_anchors anchors = {
		.nr = N3T_MAX_ANCHORS,
		.code = { N3T_CODE_STALL_SLOT_BACKEND, N3T_CODE_STALL_SLOT_FRONTEND,
			  N3T_CODE_OP_SPEC, N3T_CODE_OP_RETIRED },
	};
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);

	bitmap_zero(groups, N3T_NR_GROUPS);
	__set_bit(N3T_GROUP_Topdown_L1, groups);
	if (n3t_spec_init() || n3t_formula_init() ||
	    n3t_plan_make(&l1_plan, BUDGET, groups, &anchors, NULL))
		abort();
}

/* Nothing is kept in @ring, whose number of slices readers compare. */
struct swinging {
	struct n3t_ring ring;
	struct n3t_covariance covariance;
	struct n3t_anchor_totals anchors;
};

static void add_swinging_slice(struct swinging *swinging, u64 n)
{
	struct n3t_slice slice = {
		.state = N3T_SLICE_KEPT, .time_ns = PATTERN_NS, .end_ns = (n + 1) * PATTERN_NS,
	};
	unsigned int i;

	slice.cycles = n % 2 * SWING;
	for (i = 0; i < BUDGET; i++)
		slice.count[i] = slice.cycles;
	n3t_covariance_add(&swinging->covariance, &slice);
	n3t_anchors_add(&swinging->anchors, &slice);
	n3t_ring_begin(&swinging->ring)->state = N3T_SLICE_CUT;
	n3t_ring_commit(&swinging->ring);
}

static struct swinging halted;
static u64 halted_slices;

static void swing_on(void)
{
	add_swinging_slice(&halted, halted_slices++);
}

/* Half the square of SWING is 500,000; decayed sums are rounded. */
static bool matrix_matches(const struct moments *moments, u64 *differences)
{
	s64 entry[N3T_MAX_PARTS * (N3T_MAX_PARTS + 1) / 2];
	struct n3t_matrix matrix;
	u64 seen, freedom;
	unsigned int i, k;

	seen = moments_covariance(moments, 0, &matrix, entry, &freedom);
	if (!seen || seen < *differences)
		return !*differences;
	*differences = seen;
	for (i = 0; i < matrix.nr; i++) {
		for (k = 0; k <= i; k++) {
			int at = n3t_matrix_at(&matrix, i, k);
			bool swings = matrix.part[i] != N3T_PART_TIME &&
				      matrix.part[k] != N3T_PART_TIME;
			int exponent = matrix.shift[i] + matrix.shift[k] - 2 * N3T_UNIT_BITS -
				       N3T_ENTRY_BITS;
			double all = 500000 * swings;
			double is = at == N3T_NO_ENTRY ? all : ldexp(entry[at], exponent);

			if (is < all - 10 || is > all + 10)
				return false;
		}
	}
	return true;
}

/* All anchors count the same, in every slice. */
static bool anchors_match(const struct n3t_anchor_sums *sums)
{
	unsigned int i;

	for (i = 1; i < l1_plan.nr_anchors; i++)
		if (sums->count[i] != sums->count[0] || sums->time_ns[i] != sums->time_ns[0])
			return false;
	return sums->time_ns[0] % PATTERN_NS == 0;
}

/* The same through the records of moments; other sums are empty. */
static bool swinging_matches(const struct swinging *swinging, u64 *differences)
{
	struct n3t_moments from = {
		.run = 1, .state = N3T_CPU_SAMPLING, .plan = &l1_plan, .ring = &swinging->ring,
		.covariance = &swinging->covariance, .anchors = &swinging->anchors,
	};
	struct moments *moments = take_moments(&from);
	bool matches;

	matches = moments && matrix_matches(moments, differences) &&
		  anchors_match(&moments->anchors);
	moments_free(moments);
	return matches;
}

/*
 * The data of the only set straddles two pages: number and weight on one, products and
 * units, at the very end, on the other.
 */
static void test_halted_covariance_reader(void)
{
	const size_t page = sysconf(_SC_PAGESIZE), bytes = n3t_covariance_bytes(&l1_plan);
	u8 *pages = map_pages(2 * page);
	void *slots = calloc(1, n3t_ring_bytes(&l1_plan, 1));
	void *anchors = malloc(n3t_anchors_bytes(&l1_plan, 1));
	const struct n3t_shape *shape = &l1_plan.set[0].shape;
	unsigned int half, hit = 0, torn = 0;
	size_t before;
	u64 seen;

	before = bytes - shape->nr_products * sizeof(s64) - ALIGN(shape->nr_parts, sizeof(u64));
	for (half = 0; half < 2; half++) {
		n3t_covariance_init(&halted.covariance, pages + page - before, &l1_plan, 100);
		n3t_ring_init(&halted.ring, slots, &l1_plan, 1);
		n3t_anchors_init(&halted.anchors, anchors, &l1_plan, 1);
		for (halted_slices = 0; halted_slices < 3;)
			swing_on();
		seen = 0;
		if (half) {
			bar(pages + page, page, swing_on);
			torn += !swinging_matches(&halted, &seen);
			hit += barred.hit;
			/* the copy begun before the fourth slice is discarded */
			torn += seen != 3;
		} else {
			torn += !swinging_matches(&halted, &seen) || seen != 2;
		}
	}
	signal(SIGSEGV, SIG_DFL);
	munmap(pages, 2 * page);
	free(slots);
	free(anchors);
	tap_ok(hit == 1 && !torn, "covariances that change while they are copied are copied again");
}

#define ANCHORED_SLICES	10	/* in a window */
#define ANCHORED_BEFORE	40

static unsigned int anchored_writes;

/* No two slices are alike, nor are two anchors. */
static void add_anchored_slice(void)
{
	struct n3t_slice *slice = n3t_ring_begin(&halted.ring);
	u64 n = *halted.ring.slices;
	unsigned int i;

	slice->set = 0;
	slice->state = N3T_SLICE_KEPT;
	slice->time_ns = PATTERN_NS - n % 5;
	slice->end_ns = (n + 1) * PATTERN_NS;
	slice->cycles = n;
	for (i = 0; i < BUDGET; i++)
		slice->count[i] = (i + 1) * n * n;
	n3t_covariance_add(&halted.covariance, slice);
	n3t_anchors_add(&halted.anchors, slice);
	n3t_ring_commit(&halted.ring);
}

static void halt_anchors(void)
{
	unsigned int i;

	if (!until_halted || --until_halted)
		return;
	for (i = 0; i < anchored_writes; i++)
		add_anchored_slice();
}

/* Since the middle of a slice, so that two checkpoints are read. */
static struct moments *read_anchors(u64 since_ns)
{
	const struct n3t_moments from = {
		.run = 1, .state = N3T_CPU_SAMPLING, .plan = &l1_plan, .ring = &halted.ring,
		.covariance = &halted.covariance, .anchors = &halted.anchors, .since_ns = since_ns,
		.until_ns = since_ns + 100 * PATTERN_NS,
	};

	return take_moments(&from);
}

static bool has_anchors(const struct moments *moments, u64 since_ns)
{
	struct moments *now = read_anchors(since_ns);
	bool same = moments && now && moments->newest_ns == now->newest_ns &&
		    !memcmp(&moments->anchors, &now->anchors, sizeof(now->anchors)) &&
		    !memcmp(&moments->newest, &now->newest, sizeof(now->newest));

	moments_free(now);
	return same;
}

/* Before the writer has run, or after that; returns whether it ran. */
static bool read_anchors_halted(void *const memory[3], unsigned int access, unsigned int *torn)
{
	const u64 since_ns = (ANCHORED_BEFORE - 4) * PATTERN_NS + PATTERN_NS / 3;
	struct moments *before, *read;

	n3t_ring_init(&halted.ring, memory[0], &l1_plan, ANCHORED_SLICES);
	n3t_covariance_init(&halted.covariance, memory[1], &l1_plan, 100);
	n3t_anchors_init(&halted.anchors, memory[2], &l1_plan, ANCHORED_SLICES);
	while (*halted.ring.slices < ANCHORED_BEFORE)
		add_anchored_slice();
	before = read_anchors(since_ns);
	until_halted = access;
	shim_race = halt_anchors;
	read = read_anchors(since_ns);
	shim_race = NULL;
	*torn += !has_anchors(read, since_ns) &&
		 (!read || !before || read->newest_ns != before->newest_ns ||
		  memcmp(&read->anchors, &before->anchors, sizeof(read->anchors)));
	moments_free(before);
	moments_free(read);
	return !until_halted;
}

static void test_halted_anchors_reader(void)
{
	void *const memory[] = {
		malloc(n3t_ring_bytes(&l1_plan, ANCHORED_SLICES)),
		malloc(n3t_covariance_bytes(&l1_plan)),
		malloc(n3t_anchors_bytes(&l1_plan, ANCHORED_SLICES)),
	};
	unsigned int access, halts = 0, torn = 0, i;

	for (anchored_writes = 1; anchored_writes <= 2 * ANCHORED_SLICES; anchored_writes++)
		for (access = 1; read_anchors_halted(memory, access, &torn); access++)
			halts++;
	for (i = 0; i < ARRAY_SIZE(memory); i++)
		free(memory[i]);
	tap_ok(halts > 6 * ANCHORED_SLICES && !torn,
	       "anchors are of one moment, wherever the writer runs (%u halts, %u torn)", halts,
	       torn);
}

/* Does a window have the newest slices of a set without a gap, and their exact sums? */
static bool window_matches(struct n3t_window *window)
{
	const struct n3t_set_sum *sum;
	struct n3t_set_sum expected;
	unsigned int set;

	for (set = 0; set < PATTERN_SETS; set++) {
		sum = n3t_window_set(window, set);
		if (sum->first != pattern_oldest(sum->end))
			return false;
		pattern_sum(&expected, &plan, set, sum->first, sum->end);
		if (!pattern_same(&expected, sum, plan.set[set].nr))
			return false;
	}
	return true;
}

#define PATTERN_PERIOD	70	/* slices, after which times and drops repeat */

/* Is the time that of all kept slices up to one that ends at the end of the span? */
static bool span_matches(const struct n3t_ring_span *span)
{
	u64 slices = span->end_ns / PATTERN_NS, expected = 0, n;

	for (n = 0; n < PATTERN_PERIOD; n++)
		if (pattern_kept(n))
			expected += (PATTERN_NS - n % 10) *
				    (slices / PATTERN_PERIOD + (n < slices % PATTERN_PERIOD));
	return span->time_ns == expected;
}

static struct {
	struct n3t_ring ring;
	struct n3t_ring totals;
	struct swinging swinging;
	struct n3t_replicates *replicates;
	bool stop;
} shared;

struct reader {
	pthread_t thread;
	unsigned int seed;
	unsigned long read, refused, windows, totals, torn, went_back;
	u64 differences;
};

static bool time_is_up(void)
{
	static time_t start;

	if (!start)
		start = time(NULL);
	return time(NULL) - start > SECONDS;
}

static void read_slice(struct reader *reader)
{
	u64 slices = READ_ONCE(*shared.ring.slices);
	struct n3t_slice slice;
	u64 index;

	if (!slices)
		return;
	index = slices - 1 - rand_r(&reader->seed) %
			     (slices < PATTERN_SLICES ? slices : PATTERN_SLICES);
	if (n3t_ring_read(&shared.ring, index, &slice)) {
		reader->read++;
		reader->torn += !pattern_matches(&slice, index, &plan);
	} else {
		reader->refused++;
	}
}

/* Slices are identical: all counts are those of one, times their number. */
static bool replicates_match(struct n3t_replicate_totals *before, unsigned long *went_back)
{
	struct n3t_replicate_totals totals = { 0 };
	unsigned int i, k;

	n3t_replicates_total(&totals, shared.replicates);
	for (i = 0; i < N3T_NR_REPLICATES; i++) {
		*went_back += totals.slices[i] < before->slices[i];
		if (totals.slots[i][N3T_SLOTS] != totals.slices[i] * 7 * 5)
			return false;
		for (k = N3T_SLOTS_STALL; k < N3T_NR_SLOTS; k++)
			if (totals.slices[i] && totals.slots[i][k] % totals.slices[i])
				return false;
	}
	*before = totals;
	return true;
}

static void *reader_thread(void *arg)
{
	struct reader *reader = arg;
	struct n3t_window *window = malloc(n3t_window_bytes(&plan));
	struct n3t_set_sum total, before[PATTERN_SETS] = { 0 };
	struct n3t_replicate_totals replicates = { 0 };
	struct n3t_ring_span span;
	unsigned long i;
	u64 ended_ns = 0;
	unsigned int set;

	while (!READ_ONCE(*shared.ring.slices))
		sched_yield();
	for (i = 0; i < READS; i++) {
		read_slice(reader);
		if (i % 16 == 0) {
			n3t_window_init(window, &shared.ring, 0);
			reader->windows++;
			reader->torn += !window_matches(window);
			reader->torn += !replicates_match(&replicates, &reader->went_back);
			reader->torn += !swinging_matches(&shared.swinging, &reader->differences);
		}
		n3t_ring_span(&shared.ring, &span);
		reader->torn += !span_matches(&span);
		reader->went_back += span.end_ns < ended_ns;
		ended_ns = span.end_ns;
		set = i % PATTERN_SETS;
		n3t_ring_total(&shared.totals, set, &total);
		reader->totals++;
		reader->torn += !total_matches(&total, plan.set[set].nr);
		reader->went_back += total.slices < before[set].slices;
		before[set] = total;
	}
	free(window);
	return NULL;
}

static void *writer_thread(void *written)
{
	u64 n;

	for (n = 0; !READ_ONCE(shared.stop) && (n % 4096 || !time_is_up()); n++) {
		pattern_write(&shared.ring, n, BUDGET);
		like_slice(n3t_ring_begin(&shared.totals), n, BUDGET);
		n3t_replicates_add(shared.replicates, n3t_ring_begin(&shared.totals));
		n3t_ring_commit(&shared.totals);
		/* a reader needs the time between two of these */
		if (n % 64 == 0)
			add_swinging_slice(&shared.swinging, n / 64);
	}
	*(u64 *)written = n;
	return NULL;
}

static void test_threads(void)
{
	void *memory[] = {
		malloc(n3t_ring_bytes(&plan, PATTERN_SLICES)),
		malloc(n3t_ring_bytes(&plan, PATTERN_SLICES)),
		malloc(n3t_ring_bytes(&l1_plan, 1)),
		malloc(n3t_anchors_bytes(&l1_plan, 1)),
	};
	void *products = malloc(n3t_covariance_bytes(&l1_plan));
	unsigned long read = 0, windows = 0, torn = 0, went_back = 0;
	struct reader reader[READERS] = { 0 };
	pthread_t writer;
	unsigned int i;
	u64 written = 0;

	n3t_ring_init(&shared.ring, memory[0], &plan, PATTERN_SLICES);
	n3t_ring_init(&shared.totals, memory[1], &plan, PATTERN_SLICES);
	n3t_ring_init(&shared.swinging.ring, memory[2], &l1_plan, 1);
	n3t_covariance_init(&shared.swinging.covariance, products, &l1_plan, 100);
	n3t_anchors_init(&shared.swinging.anchors, memory[3], &l1_plan, 1);
	shared.replicates = malloc(n3t_replicates_bytes(&l1_plan));
	n3t_replicates_init(shared.replicates, &l1_plan, 1);
	pthread_create(&writer, NULL, writer_thread, &written);
	for (i = 0; i < READERS; i++) {
		reader[i].seed = i;
		pthread_create(&reader[i].thread, NULL, reader_thread, &reader[i]);
	}
	for (i = 0; i < READERS; i++)
		pthread_join(reader[i].thread, NULL);
	WRITE_ONCE(shared.stop, true);
	pthread_join(writer, NULL);
	for (i = 0; i < ARRAY_SIZE(memory); i++)
		free(memory[i]);
	free(products);
	free(shared.replicates);

	for (i = 0; i < READERS; i++) {
		read += reader[i].read;
		windows += reader[i].windows;
		torn += reader[i].torn;
		went_back += reader[i].went_back;
	}
	tap_ok(read && windows && written > PATTERN_SLICES,
	       "readers copy slices and sum windows while a writer runs "
	       "(%llu slices written, %lu copied, %lu windows)",
	       (unsigned long long)written, read, windows);
	tap_ok(!torn,
	       "no slice, window, span, total, covariance, anchor or replicate of a reader is torn "
	       "(%lu were)",
	       torn);
	tap_ok(!went_back, "totals never decrease between two reads (%lu did)", went_back);
}

int main(void)
{
	pattern_plan(&plan, BUDGET);
	make_l1_plan();
	test_halted_readers();
	test_halted_copy();
	test_halted_covariance_reader();
	test_halted_anchors_reader();
	test_threads();
	return tap_done();
}
