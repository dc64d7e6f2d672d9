/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Loads of a simulated CPU, for pieces_eval.c. */
#ifndef _N3T_PIECES_LOADS_H
#define _N3T_PIECES_LOADS_H

#include <linux/types.h>

#define MAX_GROUPS	31
#define MAX_SPECS	6
#define MAX_STEPS	2

enum law {
	EXPONENTIAL,
	PARETO,
	HOG,		/* runs all the time */
};

/* Equal groups: @threads of each think, then run a request. */
struct group_spec {
	unsigned int copies;
	unsigned int threads;
	double run_us;
	double think_us;
	enum law law;
	double weight;		/* of the scheduler, 1 if 0 */
	bool called;		/* a stage of a call chain, which the one before starts */
	bool calls;
};

/* Runs of a script, without scheduler: @repeat times a run of @group, then idleness. */
struct step {
	unsigned int repeat;
	unsigned int group;
	double backend;
	u64 run_us;
	u64 idle_us;
};

/*
 * @phase_ms: mean length of a phase, 20 if 0
 * @irqs: interrupts per second, 1,000 if 0
 * @irq_ns: length of each; 2,500 or, one in ten, 20,000 if 0
 * @own: in one of its phases a group thinks less
 * @noisy: group 1 is on and off, here and elsewhere, and gives others half as many stalls again
 * @fight: others stall for longer after group 1
 * @proportional: all stages of a request last equally long
 * @exact: no interrupts, kernel threads, or random lengths
 */
struct load {
	const char *name;
	struct group_spec spec[MAX_SPECS];
	struct step step[MAX_STEPS];
	double phase_ms;
	unsigned int irqs;
	u64 irq_ns;
	bool own, noisy, fight, proportional, exact;
};

#define GROUPS(nr, nr_threads, run, think, ...) \
	{ .copies = nr, .threads = nr_threads, .run_us = run, .think_us = think, __VA_ARGS__ }
#define WEB6			GROUPS(6, 4, 1000, 30000)
#define STAGE(...)		GROUPS(1, 4, 300, 0, .called = true, __VA_ARGS__)
#define CHAIN			GROUPS(1, 8, 300, 20000, .calls = true), \
				STAGE(.calls = true), STAGE(.calls = true), \
				STAGE(.calls = true), STAGE(.calls = true), STAGE()
#define RUNS(times, of, stalls, run, idle) \
	{ .repeat = times, .group = of, .backend = stalls, .run_us = run, .idle_us = idle }

static const struct load loads[] = {
	{ .name = "hogs3", .spec = { GROUPS(3, 1, 0, 0, .law = HOG) } },
	{ .name = "web6", .spec = { WEB6 } },
	{ .name = "slow2", .spec = { WEB6 }, .phase_ms = 2000 },
	{ .name = "slow10", .spec = { WEB6 }, .phase_ms = 10000 },
	{ .name = "own", .spec = { GROUPS(6, 4, 700, 25000) }, .own = true },
	{ .name = "chain", .spec = { CHAIN }, .proportional = true },
	{ .name = "chainrand", .spec = { CHAIN } },
	{ .name = "bigsmall", .spec = { GROUPS(1, 1, 20000, 12000), GROUPS(5, 2, 100, 5000) } },
	{ .name = "batch4", .spec = { GROUPS(1, 1, 0, 0, .law = HOG, .weight = 0.2),
				      GROUPS(4, 4, 200, 8000) } },
	{ .name = "mix6", .spec = { GROUPS(1, 4, 50, 2500), GROUPS(1, 4, 150, 6000),
				    GROUPS(1, 4, 500, 20000), GROUPS(1, 2, 2000, 30000),
				    GROUPS(1, 2, 6000, 80000), GROUPS(1, 1, 20000, 80000) } },
	{ .name = "pareto", .spec = { GROUPS(6, 4, 400, 14000, .law = PARETO) } },
	{ .name = "many30", .spec = { GROUPS(10, 2, 60, 6000), GROUPS(10, 2, 250, 25000),
				      GROUPS(10, 1, 1000, 30000) } },
	{ .name = "micro10", .spec = { GROUPS(10, 2, 60, 1600) } },
	{ .name = "cachefight", .spec = { WEB6 }, .fight = true },
	{ .name = "noisy", .spec = { WEB6 }, .noisy = true },
	{ .name = "irq", .spec = { WEB6 }, .irqs = 5000, .irq_ns = 20000 },
	/* for single mistakes */
	{ .name = "lengths", .spec = { GROUPS(1, 1, 0, 0) },
	  .step = { RUNS(1000, 1, 0.6, 20, 5), RUNS(1, 1, 0.2, 20000, 5) } },
	{ .name = "phases", .spec = { GROUPS(1, 1, 0, 0) },
	  .step = { RUNS(100000, 1, 0.6, 20, 5), RUNS(100, 1, 0.2, 20000, 5) } },
	{ .name = "alternate", .spec = { GROUPS(2, 1, 0, 0) }, .exact = true,
	  .step = { RUNS(1, 1, 0.3, 100, 0), RUNS(1, 2, 0.3, 100, 50) } },
};

#endif /* _N3T_PIECES_LOADS_H */
