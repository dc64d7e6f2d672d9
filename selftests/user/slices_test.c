// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Slices, with a writer and readers that really run at the same time.
 *
 * First a reader is stopped in the middle of its copy (the memory is protected, and
 * the handler of the fault runs the writer): every interleaving of the two, one after
 * the other. Then threads, at full speed.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "covariance.h"
#include "spec.h"
#include "tests/slices_pattern.h"
#include "tap.h"

#define SLOTS		16
#define BUDGET		6
#define READERS		2
#define READS		100000	/* by each reader, of the ring and of the totals */
#define SECONDS		20	/* not more */

static struct n3t_plan plan;

/*
 * Totals of identical slices, so that the total of any number of them differs from a
 * mixture of two totals. Every fourth slice is dropped.
 */
static void like_slice(struct n3t_slice *slice, u64 n)
{
	unsigned int i;

	slice->set = n % PATTERN_SETS;
	slice->state = n / PATTERN_SETS % 4 == 3 ? N3T_SLICE_CUT : N3T_SLICE_KEPT;
	slice->time_ns = PATTERN_NS;
	slice->cycles = 7;
	for (i = 0; i < N3T_MAX_COUNTERS; i++)
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

/* Memory that cannot be read before the writer has run. */
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
static unsigned int halted_writes;

static void write_slices(void)
{
	unsigned int i;

	for (i = 0; i < halted_writes; i++)
		pattern_write(&halted_ring, halted_ring.head, BUDGET);
	/* And the writer is in the middle of the next one. */
	memset(n3t_ring_begin(&halted_ring), 0xa5, halted_ring.stride);
}

static void test_halted_ring_reader(void)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	unsigned int hit = 0, torn = 0, lost = 0;
	const u64 before = 3 * SLOTS + 5;
	void *slots = map_pages(page);
	struct n3t_slice slice;
	u64 index;

	for (index = before - SLOTS + 1; index < before; index++)
		for (halted_writes = 0; halted_writes < 2 * SLOTS; halted_writes++) {
			/* The writer stops in the slot of slice before + writes - SLOTS. */
			bool intact = index > before + halted_writes - SLOTS;
			bool read;

			n3t_ring_init(&halted_ring, slots, SLOTS, BUDGET);
			while (halted_ring.head < before)
				pattern_write(&halted_ring, halted_ring.head, BUDGET);
			bar(slots, page, write_slices);
			read = n3t_ring_read(&halted_ring, index, &slice);

			hit += barred.hit;
			lost += intact && !read;
			torn += read && (!intact || !pattern_matches(&slice, index, BUDGET));
		}
	signal(SIGSEGV, SIG_DFL);
	munmap(slots, page);
	tap_ok(hit == (SLOTS - 1) * 2 * SLOTS,
	       "the writer runs during each of %u copies of a slice (it did during %u)",
	       (SLOTS - 1) * 2 * SLOTS, hit);
	tap_ok(!torn, "no slice is read that the writer has overwritten meanwhile (%u were)", torn);
	tap_ok(!lost, "no slice is refused that the writer has not overwritten (%u were)", lost);
}

static struct n3t_totals halted_totals;

static void add_like_slice(void)
{
	static const struct n3t_set set = { .nr = N3T_MAX_COUNTERS };
	struct n3t_slice slice;

	like_slice(&slice, 0);
	n3t_totals_add(&halted_totals, &slice, &set);
}

/*
 * The total that is read lies across two pages. Whichever end the copy starts
 * from, the writer changes the total between the two halves of one of the runs.
 */
static void test_halted_totals_reader(void)
{
	const size_t before = offsetof(struct n3t_set_sum, count[N3T_MAX_COUNTERS / 2]);
	const size_t page = sysconf(_SC_PAGESIZE);
	u8 *pages = map_pages(2 * page);
	struct n3t_set_sum total;
	unsigned int half, hit = 0, torn = 0;

	for (half = 0; half < 2; half++) {
		n3t_totals_init(&halted_totals, pages + page - before, 1, N3T_MAX_COUNTERS);
		add_like_slice();
		bar(pages + half * page, page, add_like_slice);
		n3t_totals_read(&halted_totals, 0, &total);
		hit += barred.hit;
		torn += !total_matches(&total, N3T_MAX_COUNTERS) || total.slices != 2;
	}
	signal(SIGSEGV, SIG_DFL);
	munmap(pages, 2 * page);
	tap_ok(hit == 2 && !torn, "a total that changes while it is copied is copied again");
}

/*
 * Covariances of slices whose cycles go up and down by as much, INST_RETIRED with them: any
 * number of them varies alike, and the difference of the two not at all.
 */
#define SWING	1000

static struct n3t_plan l1_plan;

static void make_l1_plan(void)
{
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);

	bitmap_zero(groups, N3T_NR_GROUPS);
	__set_bit(N3T_GROUP_Topdown_L1, groups);
	if (n3t_spec_init() || n3t_formula_init() || n3t_plan_make(&l1_plan, BUDGET, groups))
		abort();
}

static void add_swinging_slice(struct n3t_covariance *covariance, u64 n)
{
	struct n3t_slice slice = { .state = N3T_SLICE_KEPT, .time_ns = PATTERN_NS };
	unsigned int i;

	slice.cycles = n % 2 * SWING;
	for (i = 0; i < BUDGET; i++)
		slice.count[i] = slice.cycles;
	n3t_covariance_add(covariance, &slice);
}

/* Half the square of SWING is 500,000; what fades is rounded. */
static bool spread_matches(const struct n3t_covariance *covariance, u64 *differences)
{
	struct n3t_real weight[N3T_MAX_PARTS] = { 0 };
	struct n3t_spread spread;
	u64 variance;

	weight[N3T_PART_CYCLES] = n3t_real_count(1);
	if (!n3t_covariance_spread(covariance, 0, weight, &spread))
		return !*differences;
	variance = n3t_real_ceil(spread.variance);
	if (variance < 499990 || variance > 500010 || spread.differences < *differences)
		return false;
	*differences = spread.differences;

	weight[N3T_PART_COUNTS] = n3t_real_neg(weight[N3T_PART_CYCLES]);
	n3t_covariance_spread(covariance, 0, weight, &spread);
	return n3t_real_ceil(spread.variance) <= 1;
}

static struct n3t_covariance halted_covariance;
static u64 halted_slices;

static void swing_on(void)
{
	add_swinging_slice(&halted_covariance, halted_slices++);
}

/* What is read of the only set lies across two pages: number and weight, then products. */
static void test_halted_covariance_reader(void)
{
	const size_t page = sysconf(_SC_PAGESIZE), bytes = n3t_covariance_bytes(&l1_plan);
	u8 *pages = map_pages(2 * page), *memory = malloc(bytes);
	unsigned int half, hit = 0, torn = 0;
	size_t before;
	u64 seen;

	n3t_covariance_init(&halted_covariance, memory, &l1_plan, 100);
	before = (u8 *)halted_covariance.bank[0] - memory + sizeof(u64);
	free(memory);
	for (half = 0; half < 2; half++) {
		n3t_covariance_init(&halted_covariance, pages + page - before, &l1_plan, 100);
		for (halted_slices = 0; halted_slices < 3;)
			swing_on();
		seen = 0;
		if (half) {
			bar(pages + page, page, swing_on);
			torn += !spread_matches(&halted_covariance, &seen);
			hit += barred.hit;
			/* the copy that was begun before the fourth slice is not used */
			torn += seen != 3;
		} else {
			torn += !spread_matches(&halted_covariance, &seen) || seen != 2;
		}
	}
	signal(SIGSEGV, SIG_DFL);
	munmap(pages, 2 * page);
	tap_ok(hit == 1 && !torn, "covariances that change while they are copied are copied again");
}

/* Rings of the exact size at every budget: the sanitizer finds accesses beyond it. */
static void test_budgets(void)
{
	unsigned int budget, bad = 0;
	struct n3t_slice slice;
	struct n3t_ring ring;
	void *slots;
	u64 n;

	for (budget = 1; budget <= N3T_MAX_COUNTERS; budget++) {
		slots = malloc(n3t_ring_bytes(SLOTS, budget));
		n3t_ring_init(&ring, slots, SLOTS, budget);
		for (n = 0; n < 100; n++) {
			pattern_write(&ring, n, budget);
			bad += !n3t_ring_read(&ring, n, &slice);
			bad += !pattern_matches(&slice, n, budget);
			bad += n >= SLOTS - 1 && n3t_ring_read(&ring, n - SLOTS + 1, &slice);
			bad += n3t_ring_read(&ring, n + 1, &slice);
		}
		free(slots);
	}
	tap_ok(!bad, "a ring of %u slots has the newest of 100 slices at every budget (%u faults)",
	       SLOTS, bad);
}

/* A window has the newest slices without a gap, and their exact sums. */
static bool window_matches(const struct n3t_window *window)
{
	u64 slices = 0, newest = window->newest_ns / PATTERN_NS - 1;
	struct n3t_set_sum expected;
	unsigned int set;

	for (set = 0; set < PATTERN_SETS; set++)
		slices += window->sum[set].slices + window->sum[set].dropped;
	if (!slices || slices >= SLOTS || slices > newest + 1)
		return false;
	for (set = 0; set < PATTERN_SETS; set++) {
		pattern_window_sum(&expected, &plan, set, newest + 1 - slices, newest);
		if (memcmp(&expected, &window->sum[set], sizeof(expected)))
			return false;
	}
	return true;
}

static struct {
	struct n3t_ring ring;
	struct n3t_totals totals;
	struct n3t_covariance covariance;
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
	u64 head = READ_ONCE(shared.ring.head);
	struct n3t_slice slice;
	u64 index;

	if (!head)
		return;
	index = head - 1 - rand_r(&reader->seed) % (head < SLOTS ? head : SLOTS);
	if (n3t_ring_read(&shared.ring, index, &slice)) {
		reader->read++;
		reader->torn += !pattern_matches(&slice, index, BUDGET);
	} else {
		reader->refused++;
	}
}

static void *reader_thread(void *arg)
{
	struct reader *reader = arg;
	struct n3t_window *window = malloc(sizeof(*window) + PATTERN_SETS * sizeof(*window->sum));
	struct n3t_set_sum total, before[PATTERN_SETS] = { 0 };
	unsigned long i;
	unsigned int set;

	while (!READ_ONCE(shared.ring.head))
		sched_yield();
	for (i = 0; i < READS; i++) {
		read_slice(reader);
		if (i % 16 == 0) {
			n3t_window_sum(window, &shared.ring, &plan, 0);
			if (window->newest_ns) {
				reader->windows++;
				reader->torn += !window_matches(window);
			}
		}
		set = i % PATTERN_SETS;
		n3t_totals_read(&shared.totals, set, &total);
		reader->totals++;
		reader->torn += !spread_matches(&shared.covariance, &reader->differences);
		reader->torn += !total_matches(&total, plan.set[set].nr);
		reader->went_back += total.slices < before[set].slices;
		before[set] = total;
	}
	free(window);
	return NULL;
}

static void *writer_thread(void *written)
{
	struct n3t_slice slice;
	u64 n;

	for (n = 0; !READ_ONCE(shared.stop) && (n % 4096 || !time_is_up()); n++) {
		pattern_write(&shared.ring, n, BUDGET);
		like_slice(&slice, n);
		n3t_totals_add(&shared.totals, &slice, &plan.set[slice.set]);
		add_swinging_slice(&shared.covariance, n);
	}
	*(u64 *)written = n;
	return NULL;
}

static void test_threads(void)
{
	void *slots = calloc(1, n3t_ring_bytes(SLOTS, BUDGET));
	void *memory = malloc(n3t_totals_bytes(PATTERN_SETS, BUDGET));
	void *products = malloc(n3t_covariance_bytes(&l1_plan));
	unsigned long read = 0, windows = 0, torn = 0, went_back = 0;
	struct reader reader[READERS] = { 0 };
	pthread_t writer;
	unsigned int i;
	u64 written = 0;

	n3t_ring_init(&shared.ring, slots, SLOTS, BUDGET);
	n3t_totals_init(&shared.totals, memory, PATTERN_SETS, BUDGET);
	n3t_covariance_init(&shared.covariance, products, &l1_plan, 100);
	pthread_create(&writer, NULL, writer_thread, &written);
	for (i = 0; i < READERS; i++) {
		reader[i].seed = i;
		pthread_create(&reader[i].thread, NULL, reader_thread, &reader[i]);
	}
	for (i = 0; i < READERS; i++)
		pthread_join(reader[i].thread, NULL);
	WRITE_ONCE(shared.stop, true);
	pthread_join(writer, NULL);
	free(slots);
	free(memory);
	free(products);

	for (i = 0; i < READERS; i++) {
		read += reader[i].read;
		windows += reader[i].windows;
		torn += reader[i].torn;
		went_back += reader[i].went_back;
	}
	tap_ok(read && windows && written > SLOTS,
	       "readers copy slices and sum windows while a writer runs "
	       "(%llu slices written, %lu copied, %lu windows)",
	       (unsigned long long)written, read, windows);
	tap_ok(!torn, "no slice, window, total or covariance that a reader gets is torn (%lu were)",
	       torn);
	tap_ok(!went_back, "totals never decrease between two reads (%lu did)", went_back);
}

int main(void)
{
	pattern_plan(&plan, BUDGET);
	make_l1_plan();
	test_halted_ring_reader();
	test_halted_totals_reader();
	test_halted_covariance_reader();
	test_budgets();
	test_threads();
	return tap_done();
}
