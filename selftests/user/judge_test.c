// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * A month of healthy windows withdraws nothing: random rates, events that do not occur, windows
 * of an idle CPU, noise that every identity permits, and, alone between healthy ones, windows
 * with a fault. The metrics with faults are those whose verdict says so.
 */
#include <stdlib.h>
#include <string.h>

#include "libn3t/formula.h"
#include "libn3t/judge.h"
#include "libn3t/plan.h"
#include "libn3t/slices.h"
#include "libn3t/spec.h"
#include "libn3t/verdict.h"
#include "tap.h"

#define MONTH_S		(30 * 86400)
#define WINDOW_MS	10000	/* the largest window_ms */
#define WINDOWS		(MONTH_S * 1000ull / (WINDOW_MS * 7 / 8))
#define FEW		1000
#define CHANGE		50	/* windows with the same rates, on average */

static u64 state;

/* xorshift64* */
static u64 next(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * 0x2545f4914f6cdd1dull;
}

static double uniform(void)
{
	return (next() >> 11) / 9007199254740992.0;
}

struct rates {
	double rate[N3T_NR_EVENTS];
};

/* Those of events that advance in any slice, see verdict.c. */
static bool must_advance(unsigned int event)
{
	switch (event) {
	case N3T_EVENT_INST_RETIRED:
	case N3T_EVENT_INST_SPEC:
	case N3T_EVENT_OP_RETIRED:
	case N3T_EVENT_L1I_CACHE:
	case N3T_EVENT_L1I_TLB:
	case N3T_EVENT_BR_RETIRED:
		return true;
	default:
		return false;
	}
}

static void choose(struct rates *rates)
{
	double frontend = 2 * uniform(), backend = 2 * uniform();
	unsigned int i;

	for (i = 0; i < N3T_NR_EVENTS; i++) {
		rates->rate[i] = uniform() * uniform() + 0.001;
		if (!must_advance(i) && uniform() < 0.3)
			rates->rate[i] = 0;
	}
	rates->rate[N3T_EVENT_STALL_SLOT_FRONTEND] = frontend;
	rates->rate[N3T_EVENT_STALL_SLOT_BACKEND] = backend;
	/* within 1 % and 10 % of all slots */
	rates->rate[N3T_EVENT_STALL_SLOT] = frontend + backend + 0.09 * (uniform() - 0.5);
	rates->rate[N3T_EVENT_OP_SPEC] = 5 - frontend - backend + 0.8 * (uniform() - 0.5);
	if (rates->rate[N3T_EVENT_STALL_SLOT] < 0)
		rates->rate[N3T_EVENT_STALL_SLOT] = 0;
}

/* From just enough cycles in each set to those of a fast core. */
static double cycles_of_a_set(void)
{
	return N3T_IDLE_CYCLES * (uniform() < 0.2 ? 1 + uniform() : 1 + 1e4 * uniform());
}

static void fill(struct n3t_window *window, const struct n3t_plan *plan, const struct rates *rates)
{
	struct n3t_set_sum *sum;
	unsigned int i, k;

	memset(window, 0, sizeof(*window));
	window->nr_sets = plan->nr_sets;
	window->sum_words = sizeof(*sum) / sizeof(u64);
	window->complete = true;
	for (i = 0; i < plan->nr_sets; i++) {
		sum = n3t_window_sum(window, i);
		sum->slices = 1 + next() % 100;
		sum->cycles = cycles_of_a_set();
		window->cycles += sum->cycles;
		for (k = 0; k < plan->set[i].nr; k++)
			sum->count[k] = sum->cycles *
					rates->rate[n3t_event_by_code(plan->set[i].code[k])];
	}
}

static u64 memory[sizeof(struct n3t_window) / sizeof(u64) +
		  N3T_MAX_SETS * sizeof(struct n3t_set_sum) / sizeof(u64)];
static struct n3t_window *const window = (struct n3t_window *)memory;

/*
 * Number of withdrawals in @nr windows, the first @in_row of each @fault of which have a fault;
 * 0 for none.
 */
static u64 live(unsigned int budget, u64 nr, unsigned int fault, unsigned int in_row)
{
	static struct n3t_judge judge;
	static struct n3t_plan plan;
	static struct rates rates, wrong;
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);
	u64 i;

	memset(&judge, 0, sizeof(judge));
	bitmap_fill(groups, N3T_NR_GROUPS);
	if (n3t_plan_make(&plan, budget, groups, NULL, NULL))
		return ~0ull;
	choose(&rates);
	for (i = 0; i < nr; i++) {
		bool bad = fault && i % fault < in_row;

		if (next() % CHANGE == 0)
			choose(&rates);
		wrong = rates;
		wrong.rate[N3T_EVENT_INST_RETIRED] = 0;
		fill(window, &plan, bad ? &wrong : &rates);
		n3t_judge_window(&judge, &plan, window, true, i);
	}
	return judge.marks.withdrawals;
}

/* Rates with one fault, several, or none. */
static void spoil(struct rates *rates)
{
	double instructions;

	if (uniform() < 0.3)
		rates->rate[N3T_EVENT_INST_RETIRED + next() % 2] = 0;
	if (uniform() < 0.3)
		rates->rate[N3T_EVENT_STALL_SLOT] = 2 * uniform();
	if (uniform() < 0.3)
		rates->rate[N3T_EVENT_OP_SPEC] *= 2 * uniform();
	/* as a PMU that counts nothing else */
	if (uniform() < 0.2) {
		instructions = rates->rate[N3T_EVENT_INST_RETIRED];
		memset(rates, 0, sizeof(*rates));
		rates->rate[N3T_EVENT_INST_RETIRED] = instructions;
	}
}

/* Sets without slices or cycles; one in five windows is that of an idle CPU. */
static void empty_sets(struct n3t_window *window)
{
	bool idle = uniform() < 0.2;
	unsigned int i;

	for (i = 0; i < window->nr_sets; i++) {
		struct n3t_set_sum *sum = n3t_window_sum(window, i);

		if (!idle && uniform() < 0.9)
			continue;
		window->cycles -= sum->cycles;
		memset(sum, 0, sizeof(*sum));
		sum->slices = next() % 2;
		sum->dropped = next() % 2;
	}
}

/* Number of metrics in @nr windows that are faulty by n3t_window_faults(), by verdicts. */
static void compare(unsigned int budget, u64 nr, u64 *both, u64 *one)
{
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);
	DECLARE_BITMAP(faults, N3T_NR_METRICS);
	static struct n3t_plan plan;
	static struct rates rates;
	double share = uniform();
	unsigned int metric;
	u64 i;

	bitmap_zero(groups, N3T_NR_GROUPS);
	for (i = 0; i < N3T_NR_GROUPS; i++)
		if (uniform() < share)
			__set_bit(i, groups);
	if (bitmap_empty(groups, N3T_NR_GROUPS) || n3t_plan_make(&plan, budget, groups, NULL, NULL))
		return;
	for (i = 0; i < nr; i++) {
		choose(&rates);
		spoil(&rates);
		fill(window, &plan, &rates);
		empty_sets(window);
		n3t_window_judge(window, &plan);
		window->slots_off = n3t_window_slots_error(window, &plan, false) >
				    (s64)N3T_SLOTS_OFF(5);
		n3t_window_faults(window, &plan, faults);
		for (metric = 0; metric < N3T_NR_METRICS; metric++) {
			struct n3t_counts counts;
			enum n3t_verdict verdict = n3t_metric_counts(metric, N3T_CPU_SAMPLING,
								     &plan, window, &counts);
			bool bad = verdict == N3T_IMPLAUSIBLE || verdict == N3T_INCONSISTENT;

			*both += bad && test_bit(metric, faults);
			*one += bad != test_bit(metric, faults);
		}
	}
}

/* A core with @slots whose stall events overcount by @more CPU_CYCLES: is the judge right? */
static bool finds_overcount(unsigned int slots, unsigned int more)
{
	static struct n3t_judge judge;
	static struct n3t_plan plan;
	static struct rates rates;
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);
	unsigned int i;

	memset(&judge, 0, sizeof(judge));
	n3t_formula_adapt(false, slots, true);
	bitmap_fill(groups, N3T_NR_GROUPS);
	if (n3t_plan_make(&plan, 6, groups, NULL, NULL))
		return false;
	/* Windows with few cycles are not compared. */
	for (i = 0; i < FEW && judge.marks.slots.windows < 10; i++) {
		choose(&rates);
		rates.rate[N3T_EVENT_OP_SPEC] = slots - rates.rate[N3T_EVENT_STALL_SLOT_FRONTEND] -
						rates.rate[N3T_EVENT_STALL_SLOT_BACKEND];
		rates.rate[N3T_EVENT_STALL_SLOT] = slots - rates.rate[N3T_EVENT_OP_SPEC] + more;
		rates.rate[N3T_EVENT_STALL_SLOT_FRONTEND] += more;
		fill(window, &plan, &rates);
		n3t_judge_window(&judge, &plan, window, true, i);
	}
	return n3t_slots_identity(&judge.marks.slots) ==
	       (more ? N3T_SLOTS_VIOLATED : N3T_SLOTS_HELD) &&
	       n3t_slots_other_fits(&judge.marks.slots) == (more == 1) &&
	       !judge.marks.withdrawals == !more;
}

int main(void)
{
	static const unsigned int widths[] = { 5, 8, 10 };
	u64 both = 0, one = 0;
	unsigned int i;
	const char *seed = getenv("SEED");

	state = seed ? strtoull(seed, NULL, 0) | 1 : 1;
	printf("# SEED=%llu, %llu windows\n", (unsigned long long)state, WINDOWS);
	if (n3t_spec_init() || n3t_formula_init())
		return 1;
	tap_ok(!live(6, WINDOWS, 0, 0), "a month of healthy windows withdraws nothing, 6 counters");
	tap_ok(!live(5, WINDOWS, 0, 0), "nor with 5, where STALL_SLOT is the sum of its parts");
	tap_ok(!live(20, FEW, 2, 1), "every other window without INST_RETIRED withdraws nothing");
	tap_ok(live(20, FEW, 3, 2), "two of three in a row do");
	for (i = 0; i < FEW; i++)
		compare(1 + i % N3T_MAX_COUNTERS, 20, &both, &one);
	printf("# faulty metrics: %llu, by one of two ways: %llu\n", (unsigned long long)both,
	       (unsigned long long)one);
	tap_ok(both > 10000 && !one, "the metrics with faults are those whose verdict says so");
	for (i = 0; i < ARRAY_SIZE(widths); i++) {
		tap_ok(finds_overcount(widths[i], 0), "%u slots add up", widths[i]);
		tap_ok(finds_overcount(widths[i], 1), "an overcount is found with %u slots",
		       widths[i]);
		tap_ok(finds_overcount(widths[i], 2), "twice as much is another fault, %u slots",
		       widths[i]);
	}
	return tap_done();
}
