// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * selftest_cases - synthetic readings and their expected verdicts, as TAP. selftest_cases DIR -
 * prints the free memory of the machine with files in DIR.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "libn3telemetry/catalog.h"
#include "n3check/selftest.h"

#define BIT(kernel)	(UINT64_C(1) << SELFTEST_KERNEL_ ## kernel)
#define MS		1000000ULL

static unsigned int nr_cases, nr_failed;

static void ok(bool good, const char *name)
{
	nr_failed += !good;
	printf("%sok %u - %s\n", good ? "" : "not ", ++nr_cases, name);
}

static const struct selftest_row moves = { .event = "X", .kernels = BIT(stores) | BIT(sve) };

static const struct selftest_row may_move = {
	.event = "X", .kernels = BIT(stores), .reason = "nobody knows"
};

static const struct selftest_row with_memory = {
	.event = "X", .kernels = BIT(stores), .need = SELFTEST_NEEDS_MEMORY
};

static const struct selftest_row only_sve = { .event = "X", .kernels = BIT(sve) };

static void judges(const char *name, const struct selftest_row *row,
		   struct selftest_reading reading, enum selftest_verdict verdict,
		   const char *reason)
{
	struct selftest_judgement got = selftest_judge(row, &reading);
	bool good = got.verdict == verdict && strstr(got.reason, reason) &&
		    (*reason || !*got.reason);

	ok(good, name);
	if (!good)
		printf("# %s: %s\n", selftest_verdict_words[got.verdict], got.reason);
}

#define READING(...)	((struct selftest_reading) { .ran = BIT(stores), __VA_ARGS__ })

static void judge_events(void)
{
	judges("a count counts", &moves, READING(.count = 1, .enabled = MS, .running = MS),
	       SELFTEST_COUNTS, "");
	judges("a count of a part of the time counts", &moves,
	       READING(.count = 1, .enabled = 2 * MS, .running = MS), SELFTEST_COUNTS, "");
	judges("a count of an inconclusive event counts", &may_move,
	       READING(.count = 1, .enabled = MS, .running = MS), SELFTEST_COUNTS, "");
	judges("0 throughout while what moves it ran does not count", &moves,
	       READING(.enabled = 50 * MS, .running = 50 * MS), SELFTEST_DOES_NOT_COUNT, "50 ms");
	judges("0 in all but a nanosecond of the time is not tested", &moves,
	       READING(.enabled = 50 * MS, .running = 50 * MS - 1), SELFTEST_NOT_TESTED,
	       "multiplexed");
	judges("no counter at all is not tested", &moves, READING(.enabled = 50 * MS),
	       SELFTEST_NOT_TESTED, "no counter");
	judges("an event unknown to perf is not tested", &moves, READING(.error = ENOENT),
	       SELFTEST_NOT_TESTED, "perf does not support it: No such file");
	judges("without a PMU it is not tested", &moves, READING(.error = ENODEV),
	       SELFTEST_NOT_TESTED, "No such device");
	judges("an event not tried is not tested", &moves, READING(.time_was_up = true),
	       SELFTEST_NOT_TESTED, "time");
	judges("an event given up is not tested", &moves, READING(.gave_up = true),
	       SELFTEST_NOT_TESTED, "no event before it");
	judges("an event that cannot be read is not tested", &moves,
	       READING(.error = EIO, .enabled = MS, .running = MS), SELFTEST_NOT_TESTED,
	       "Input/output");
	judges("a 0 when the time was up is not tested", &moves,
	       READING(.time_was_up = true, .enabled = MS, .running = MS), SELFTEST_NOT_TESTED,
	       "time");
	judges("0 of what may move says why", &may_move, READING(.enabled = MS, .running = MS),
	       SELFTEST_NOTHING_MOVES, "nobody knows");
	judges("0 on a CPU without the required feature names it", &only_sve,
	       READING(.enabled = MS, .running = MS), SELFTEST_NOTHING_MOVES, "indicate SVE");
	judges("0 with too little memory is inconclusive", &with_memory,
	       READING(.enabled = MS, .running = MS, .lacks_need = true),
	       SELFTEST_NOTHING_MOVES, "available memory");
	judges("0 with enough memory does not count", &with_memory,
	       READING(.enabled = MS, .running = MS), SELFTEST_DOES_NOT_COUNT, "1 ms");
	judges("a count with little memory counts", &with_memory,
	       READING(.count = 1, .enabled = MS, .running = MS, .lacks_need = true),
	       SELFTEST_COUNTS, "");
	/* a hypervisor may map memory in pages of 4 KB */
	judges("0 walks that find a large page is inconclusive",
	       selftest_row(catalog_find_event("DTLB_WALK_LARGE")),
	       (struct selftest_reading) { .ran = BIT(huge_pages), .enabled = MS, .running = MS },
	       SELFTEST_NOTHING_MOVES, "hypervisor");
	judges("an event without a suitable counter has a reason", &may_move,
	       READING(.is_uncountable = true), SELFTEST_NOTHING_MOVES, "nobody knows");
}

static const struct selftest_identity sum = { SELFTEST_SUM, "", { "A", "B", "C" } };
static const struct selftest_identity slots = { SELFTEST_SLOTS, "", { "A" } };
static const struct selftest_identity quiet = { SELFTEST_QUIET, "", { "A" } };
static const struct selftest_identity at_most = { SELFTEST_AT_MOST, "", { "A", "B" } };
static const struct selftest_identity loop = { SELFTEST_LOOP, "", { "A" } };
static const struct selftest_identity clock_of = { SELFTEST_CLOCK, "", { "A" } };

static void finds(const char *name, const struct selftest_identity *identity,
		  struct selftest_group group, enum selftest_outcome outcome)
{
	struct selftest_finding got = selftest_judge_identity(identity, &group);

	ok(got.outcome == outcome && *got.text, name);
	if (got.outcome != outcome)
		printf("# %s: %s\n", selftest_outcome_words[got.outcome], got.text);
}

#define GROUP_OF(nr_slots, ...)								\
	((struct selftest_group) { .enabled = MS, .running = MS, .cycles = 1000000,	\
				   .slots = (nr_slots), __VA_ARGS__ })
#define GROUP(...)	GROUP_OF(5, __VA_ARGS__)

static void judge_stalls(void)
{
	/* 1 % of 5 x 1,000,000 is 50,000 */
	finds("an exact sum holds", &sum, GROUP(.terms = { 900000, 500000, 400000 }),
	      SELFTEST_HOLDS);
	finds("a sum that is 1 % of the slots too large holds", &sum,
	      GROUP(.terms = { 950000, 500000, 400000 }), SELFTEST_HOLDS);
	finds("a sum that is 1 % of the slots too small holds", &sum,
	      GROUP(.terms = { 850000, 500000, 400000 }), SELFTEST_HOLDS);
	finds("a larger sum fails", &sum,
	      GROUP(.terms = { 951000, 500000, 400000 }), SELFTEST_FAILS);
	finds("a smaller sum fails", &sum,
	      GROUP(.terms = { 849000, 500000, 400000 }), SELFTEST_FAILS);
	finds("a sum that is too large by the cycles, as on the N2, fails", &sum,
	      GROUP(.terms = { 1900000, 500000, 400000 }), SELFTEST_FAILS);
	finds("all slots stalled holds", &slots, GROUP(.terms = { 5000000 }), SELFTEST_HOLDS);
	finds("more stalls than slots fails", &slots, GROUP(.terms = { 5100000 }), SELFTEST_FAILS);
	finds("all of 8 slots stalled holds on a core of 8", &slots,
	      GROUP_OF(8, .terms = { 8000000 }), SELFTEST_HOLDS);
	finds("1 % of 8 slots too much holds on a core of 8", &sum,
	      GROUP_OF(8, .terms = { 980000, 500000, 400000 }), SELFTEST_HOLDS);
	finds("more stalls than slots is not tested on a core whose slots are unknown", &slots,
	      GROUP_OF(0, .terms = { 9000000 }), SELFTEST_UNTESTED);
	finds("nor is a wrong sum", &sum,
	      GROUP_OF(0, .terms = { 1900000, 500000, 400000 }), SELFTEST_UNTESTED);
	finds("few stalls of fetching in a quiet loop holds", &quiet, GROUP(.terms = { 100000 }),
	      SELFTEST_HOLDS);
	finds("stalls that are too large by the cycles, as on the N2, fails", &quiet,
	      GROUP(.terms = { 1001000 }), SELFTEST_FAILS);
}

static void judge_others(void)
{
	finds("equal misses and accesses hold", &at_most, GROUP(.terms = { 70000, 70000 }),
	      SELFTEST_HOLDS);
	finds("more misses than accesses fails", &at_most, GROUP(.terms = { 71000, 70000 }),
	      SELFTEST_FAILS);
	finds("the loop's instructions and some hundreds hold", &loop,
	      GROUP(.terms = { 2000300 }), SELFTEST_HOLDS);
	finds("half of the loop's instructions fail", &loop, GROUP(.terms = { 1000000 }),
	      SELFTEST_FAILS);
	finds("equal clocks hold", &clock_of,
	      GROUP(.terms = { 1000500 }, .slept_cycles = 4000, .slept_term = 4100),
	      SELFTEST_HOLDS);
	finds("a clock that continues during sleep fails", &clock_of,
	      GROUP(.terms = { 1000500 }, .slept_cycles = 90000000, .slept_term = 4100),
	      SELFTEST_FAILS);
	finds("a clock of 50 GHz fails", &clock_of,
	      (struct selftest_group) { .enabled = MS, .running = MS, .cycles = 50000000,
					.terms = { 50000000 } }, SELFTEST_FAILS);
}

static const struct selftest_identity issued = { SELFTEST_ISSUED, "", { "A", "B" } };
static const struct selftest_identity equal = { SELFTEST_EQUAL, "", { "A", "B" } };
static const struct selftest_identity parts = { SELFTEST_EQUAL, "", { "A", "B", "C" } };

static bool is_near(double a, double b)
{
	return a - b < 0.001 && b - a < 0.001;
}

static void tries(const char *name, const struct selftest_identity *identity,
		  struct selftest_group group, enum selftest_outcome outcome, double percent)
{
	struct selftest_trial got = selftest_judge_trial(identity, &group);

	ok(got.outcome == outcome && is_near(got.percent, percent) &&
	   !*got.reason == (outcome != SELFTEST_UNTESTED), name);
	if (got.outcome != outcome || !is_near(got.percent, percent))
		printf("# %s: %f %s\n", selftest_trial_words[got.outcome], got.percent, got.reason);
}

static void try_operations(void)
{
	/* 5 slots of 1,000,000 cycles, of which 3,500,000 stalled */
	tries("operations in all other slots held", &issued, GROUP(.terms = { 1500000, 3500000 }),
	      SELFTEST_HOLDS, 0);
	tries("1 % of the slots too many held", &issued, GROUP(.terms = { 1550000, 3500000 }),
	      SELFTEST_HOLDS, 1);
	tries("1 % too few held", &issued, GROUP(.terms = { 1450000, 3500000 }),
	      SELFTEST_HOLDS, -1);
	tries("1.1 % too many violated", &issued, GROUP(.terms = { 1555000, 3500000 }),
	      SELFTEST_FAILS, 1.1);
	tries("1.1 % too few violated", &issued, GROUP(.terms = { 1445000, 3500000 }),
	      SELFTEST_FAILS, -1.1);
	/* the N2's erratum: stalls are too large by the cycles */
	tries("stalls too large by the cycles violated", &issued,
	      GROUP(.terms = { 1500000, 4500000 }), SELFTEST_FAILS, 20);
	/* published (selftests/user/outside.tsv), with the erratum's correction and without */
	tries("counts of an N2 held", &issued,
	      (struct selftest_group) { .enabled = MS, .running = MS, .cycles = 3388884713,
					.slots = 5, .terms = { 838235126, 16106179863 } },
	      SELFTEST_HOLDS, 0);
	tries("counts of an N2 with its erratum violated", &issued,
	      (struct selftest_group) { .enabled = MS, .running = MS, .cycles = 3388884713,
					.slots = 5, .terms = { 838235126, 19495064576 } },
	      SELFTEST_FAILS, 20);
	tries("of 8 slots held", &issued, GROUP_OF(8, .terms = { 4500000, 3500000 }),
	      SELFTEST_HOLDS, 0);
	tries("of unknown slots undecided", &issued, GROUP_OF(0, .terms = { 9, 9 }),
	      SELFTEST_UNTESTED, 0);
	tries("fewer than a million cycles undecided", &issued,
	      (struct selftest_group) { .enabled = MS, .running = MS, .cycles = 999999,
					.slots = 5, .terms = { 9, 9 } }, SELFTEST_UNTESTED, 0);
}

static void try_equals(void)
{
	tries("equal counts held", &equal, GROUP(.terms = { 100000, 100000 }), SELFTEST_HOLDS, 0);
	tries("1 % of the larger held", &equal, GROUP(.terms = { 100000, 99000 }),
	      SELFTEST_HOLDS, 1);
	tries("2 % of the larger violated", &equal, GROUP(.terms = { 98000, 100000 }),
	      SELFTEST_FAILS, -2);
	tries("one that is 0 violated", &equal, GROUP(.terms = { 100000, 0 }), SELFTEST_FAILS, 100);
	tries("few events undecided", &equal, GROUP(.terms = { 19999, 0 }), SELFTEST_UNTESTED, 0);
	tries("an exact sum held", &parts, GROUP(.terms = { 100000, 70000, 30000 }),
	      SELFTEST_HOLDS, 0);
	tries("a sum that is 3 % too large violated", &parts,
	      GROUP(.terms = { 97000, 70000, 30000 }), SELFTEST_FAILS, -3);
	tries("equal counts on a core of unknown slots held", &equal,
	      GROUP_OF(0, .terms = { 100000, 100000 }), SELFTEST_HOLDS, 0);
}

static void repeats(const char *name, double first, double second, enum selftest_outcome outcome,
		    enum selftest_outcome expected)
{
	struct selftest_trial a = { .outcome = SELFTEST_FAILS, .percent = first };
	struct selftest_trial b = { .outcome = outcome, .percent = second };

	ok(selftest_judge_again(&a, &b).outcome == expected, name);
}

static void try_again(void)
{
	repeats("a violation that recurs is one", 20, 21, SELFTEST_FAILS, SELFTEST_FAILS);
	repeats("one that does not recur is undecided", 20, 0.1, SELFTEST_HOLDS, SELFTEST_UNTESTED);
	repeats("one of either sign is undecided", 20, -20, SELFTEST_FAILS, SELFTEST_UNTESTED);
	repeats("one that could not be repeated is undecided", 20, 0, SELFTEST_UNTESTED,
		SELFTEST_UNTESTED);
}

/* All micro-kernels have the outcome, but the last, which violates, and the one before. */
static struct selftest_finding added_up(enum selftest_outcome outcome, bool violated)
{
	struct selftest_finding finding = { .text = "" };

	for (unsigned int i = 0; i < NR_SELFTEST_KERNELS; i++)
		finding.trials[i] = (struct selftest_trial) { .outcome = outcome };
	finding.trials[NR_SELFTEST_KERNELS - 2] = selftest_untested("why");
	if (violated)
		finding.trials[NR_SELFTEST_KERNELS - 1] =
			(struct selftest_trial) { .outcome = SELFTEST_FAILS, .percent = -20 };
	selftest_add_up(&finding);
	return finding;
}

static bool has_counts(const struct selftest_finding *finding, unsigned int nr_violated,
		       const char *deviation)
{
	char counts[128];

	snprintf(counts, sizeof(counts), "%u held, %u violated, 1 undecided: %s",
		 NR_SELFTEST_KERNELS - 1 - nr_violated, nr_violated, deviation);
	return strstr(finding->text, counts);
}

static void add_up(void)
{
	struct selftest_finding finding = added_up(SELFTEST_HOLDS, false);

	ok(finding.outcome == SELFTEST_HOLDS && has_counts(&finding, 0, "+0.000 %"),
	   "an identity that held and was undecided holds");
	finding = added_up(SELFTEST_HOLDS, true);
	ok(finding.outcome == SELFTEST_FAILS && has_counts(&finding, 1, "-20.000 %"),
	   "one that was violated once fails");
	finding = added_up(SELFTEST_UNTESTED, true);
	ok(finding.outcome == SELFTEST_FAILS, "one that was violated and never held fails");
	finding = added_up(SELFTEST_UNTESTED, false);
	ok(finding.outcome == SELFTEST_UNTESTED, "one that was always undecided is not tested");
}

static void judge_nothing(void)
{
	finds("an identity of an event that does not count is not tested", &sum,
	      GROUP(.terms = { 9, 5, 4 }, .dead = "A"), SELFTEST_UNTESTED);
	finds("an identity that perf refuses is not tested", &sum, GROUP(.error = EINVAL),
	      SELFTEST_UNTESTED);
	finds("an identity without time left is not tested", &sum,
	      GROUP(.terms = { 1900000, 500000, 400000 }, .time_was_up = true), SELFTEST_UNTESTED);
	finds("an identity of a part of the time is not tested", &sum,
	      (struct selftest_group) { .enabled = MS, .running = MS / 2, .cycles = 9 },
	      SELFTEST_UNTESTED);
	finds("an identity without cycles is not tested", &sum,
	      (struct selftest_group) { .enabled = MS, .running = MS }, SELFTEST_UNTESTED);
}

static int event(const char *name)
{
	return catalog_find_event(name);
}

/* From the cores' technical reference manuals and telemetry specifications. */
static void know_cores(void)
{
	ok(selftest_slots(0x410fd8e1) == 5, "a Neoverse N3 r0p1 has 5 slots");
	ok(selftest_slots(0x411fd4f0) == 8, "a Neoverse V2 r1p0 has 8 slots");
	ok(selftest_slots(0x6d0fd490) == 5, "a Neoverse N2 of Microsoft has 5 slots");
	ok(!selftest_slots(0x460fd8e1), "part 0xd8e of another implementer is not an N3");
	ok(!selftest_slots(0), "of an unknown CPU the slots are unknown");
	ok(selftest_overcounts(0x410fd490, event("STALL_SLOT")) &&
	   selftest_overcounts(0x6d0fd493, event("STALL_SLOT_FRONTEND")),
	   "stall slots of an N2 overcount");
	ok(!selftest_overcounts(0x410fd490, event("STALL_SLOT_BACKEND")) &&
	   !selftest_overcounts(0x410fd493, event("STALL_SLOT")) &&
	   !selftest_overcounts(0x410fd8e0, event("STALL_SLOT")),
	   "other events, revisions and cores do not");
	ok(selftest_lacks(0x410fd493, event("STALL_FRONTEND_FLUSH")),
	   "an N2 has no STALL_FRONTEND_FLUSH");
	ok(!selftest_lacks(0x410fd8e0, event("STALL_FRONTEND_FLUSH")) &&
	   !selftest_lacks(0x410fd493, event("STALL_FRONTEND")) &&
	   !selftest_lacks(0, event("STALL_FRONTEND_FLUSH")), "an N3 has");
}

static void correct_terms(void)
{
	struct selftest_group group = { .cycles = 100, .terms = { 250, 40, 180 },
					.overcounts = { true, true, false } };

	selftest_correct(&group);
	ok(group.terms[0] == 150 && group.terms[1] == 0 && group.terms[2] == 180,
	   "CPU_CYCLES are subtracted from terms that overcount, down to 0");
	/* published (selftests/user/outside.tsv) */
	ok(selftest_less_cycles(19495064576, 3388884713) == 16106179863,
	   "a count that overcounts is without CPU_CYCLES");
	/* few stalls in 5 ms at 1 GHz are no reason for distrust */
	ok(selftest_less_cycles(5032000, 5000000) == 32000, "six stall slots of 1000 cycles count");
	ok(!selftest_less_cycles(1000500, 1000000) && !selftest_less_cycles(999500, 1000000) &&
	   !selftest_less_cycles(0, 1000000), "a count of CPU_CYCLES alone is none");
}

int main(int argc, char **argv)
{
	if (argc == 2) {
		struct machine copy = { .root = argv[1] };

		printf("%zu\n", selftest_free_memory(&copy));
		return 0;
	}
	know_cores();
	correct_terms();
	judge_events();
	judge_stalls();
	judge_others();
	judge_nothing();
	try_operations();
	try_equals();
	try_again();
	add_up();
	printf("1..%u\n", nr_cases);
	return nr_failed ? 1 : 0;
}
