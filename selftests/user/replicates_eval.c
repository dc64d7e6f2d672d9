// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Replicates of a CPU that is sampled under a workload, for replicates_test.py: with the
 * module's plan for the default groups, its rotation and its deal of slices.
 *
 *	replicates_eval BUDGET SEED NOISE INTERVAL_NS INTERVALS
 *
 * NOISE is the relative standard deviation of a count in a slice of 4 ms. Input, numbers
 * separated by whitespace:
 *
 *	KINDS, then for each kind of work the rates of the events below, per second;
 *	LENGTHS, then for each a length of slices in ns, which are drawn at random;
 *	PHASES, then for each its length in ns, two kinds of work, and the share of the
 *	second at its start and end, linear in between. They are repeated.
 *
 * Output for each interval: slices and totals of each replicate, as they are read from a
 * run, then the counts of the events in all slices, observed or not.
 */
#include <linux/kernel.h>
#include <math.h>

#include "eval.h"
#include "libn3t/formula.h"
#include "libn3t/plan.h"
#include "libn3t/replicates.h"
#include "libn3t/spec.h"

#define SLICE_NS	4e6	/* reference length for noise */
#define MAX_KINDS	64
#define NORMALS		65536	/* normal deviates to choose from: much faster than drawing them */

static const u16 events[] = {
	N3T_CODE_CPU_CYCLES, N3T_CODE_STALL_SLOT_FRONTEND, N3T_CODE_STALL_SLOT_BACKEND,
	N3T_CODE_STALL_FRONTEND_FLUSH, N3T_CODE_OP_RETIRED, N3T_CODE_OP_SPEC,
	N3T_CODE_STALL_SLOT,	/* the sum of both parts */
};

#define NR_EVENTS	ARRAY_SIZE(events)
#define NR_RATES	(NR_EVENTS - 1)

struct phase {
	double ns;
	unsigned int first, second;
	double from, to;
};

static double rates[MAX_KINDS][NR_RATES];
static double *lengths;
static struct phase *phases;
static unsigned int nr_lengths, nr_phases, at;	/* index of the current phase */
static double done_ns;				/* of this phase */
static unsigned short state[3];
static double noise, normals[NORMALS];
static struct n3t_plan plan;
static unsigned int places[N3T_MAX_COUNTERS];
static u64 truth[NR_EVENTS];

static double next_value(void)
{
	double value;

	if (scanf("%lf", &value) != 1)
		die("a number is missing");
	return value;
}

static void *allocate(size_t nr, size_t size)
{
	void *memory = calloc(nr, size);

	if (!memory)
		die("no memory");
	return memory;
}

static void read_work(void)
{
	unsigned int kinds = next_value(), i, k;

	if (kinds > MAX_KINDS)
		die("too many kinds");
	for (i = 0; i < kinds; i++)
		for (k = 0; k < NR_RATES; k++)
			rates[i][k] = next_value();
	nr_lengths = next_value();
	lengths = allocate(nr_lengths, sizeof(*lengths));
	for (i = 0; i < nr_lengths; i++)
		lengths[i] = next_value();
	nr_phases = next_value();
	phases = allocate(nr_phases, sizeof(*phases));
	for (i = 0; i < nr_phases; i++) {
		phases[i].ns = next_value();
		phases[i].first = next_value();
		phases[i].second = next_value();
		phases[i].from = next_value();
		phases[i].to = next_value();
		if (phases[i].first >= kinds || phases[i].second >= kinds)
			die("no such kind");
	}
}

/* By the transform of Box and Muller. */
static void draw_normals(void)
{
	double length, angle;
	unsigned int i;

	for (i = 0; i < NORMALS; i++) {
		length = sqrt(-2 * log(1 - erand48(state)));
		angle = 2 * M_PI * erand48(state);
		normals[i] = length * cos(angle);
	}
}

static double factor(double sigma)
{
	double by = 1 + sigma * normals[nrand48(state) % NORMALS];

	return by > 0.05 ? by : 0.05;
}

/* Share of the second kind, at a time since the start of a phase. */
static double share_at(const struct phase *phase, double ns)
{
	return phase->from + (phase->to - phase->from) * ns / phase->ns;
}

/* Adds a part of the current phase. */
static void add_part(double *counts, double ns)
{
	const struct phase *phase = &phases[at];
	double second = (share_at(phase, done_ns) + share_at(phase, done_ns + ns)) / 2;
	unsigned int i;

	for (i = 0; i < NR_RATES; i++)
		counts[i] += ns / 1e9 * ((1 - second) * rates[phase->first][i] +
					 second * rates[phase->second][i]);
}

static void work(double *counts, double ns)
{
	while (ns > 0) {
		double part = fmin(ns, phases[at].ns - done_ns);

		add_part(counts, part);
		done_ns += part;
		ns -= part;
		if (done_ns >= phases[at].ns) {
			at = (at + 1) % nr_phases;
			done_ns = 0;
		}
	}
}

/* Counts of all events in the next slice. */
static void count(u64 *counts, double ns)
{
	double exact[NR_RATES] = { 0 }, sigma = noise * sqrt(SLICE_NS / ns);
	double together = factor(sigma);
	unsigned int i;

	work(exact, ns);
	counts[0] = exact[0] * together;
	for (i = 1; i < NR_RATES; i++)
		counts[i] = exact[i] * together * factor(sigma);
	counts[NR_RATES] = counts[1] + counts[2];
	for (i = 0; i < NR_EVENTS; i++)
		truth[i] += counts[i];
}

/* The events of Topdown_L1 in the order of its set. */
static void find_places(void)
{
	unsigned int i, k;

	for (i = 0; i < plan.set[0].nr; i++) {
		for (k = 0; k < NR_EVENTS && plan.set[0].code[i] != events[k]; k++)
			;
		if (k == NR_EVENTS)
			die("an event that is not part of Topdown_L1");
		places[i] = k;
	}
}

/* Other sets count other events, which replicates ignore. */
static void write_slice(struct n3t_replicates *replicates, unsigned int set, const u64 *counts)
{
	struct n3t_slice slice = { .set = set, .cycles = counts[0] };
	unsigned int i;

	for (i = 0; i < plan.set[0].nr; i++)
		slice.count[i] = counts[places[i]];
	n3t_replicates_add(replicates, &slice);
}

static void print(const struct n3t_replicates *replicates)
{
	struct n3t_replicate_totals totals = { 0 };
	unsigned int i, k;

	n3t_replicates_total(&totals, replicates);
	for (i = 0; i < N3T_NR_REPLICATES; i++) {
		printf("%llu ", (unsigned long long)totals.slices[i]);
		for (k = 0; k < N3T_NR_SLOTS; k++)
			printf("%llu ", (unsigned long long)totals.slots[i][k]);
	}
	for (i = 0; i < NR_EVENTS; i++)
		printf("%llu%c", (unsigned long long)truth[i], i + 1 < NR_EVENTS ? ' ' : '\n');
}

static void sample(struct n3t_replicates *replicates, u32 seed, double interval_ns,
		   unsigned int intervals)
{
	struct n3t_rotation rotation;
	double ns = 0, length;
	u64 counts[NR_EVENTS];

	draw_normals();
	n3t_rotation_init(&rotation, &plan, seed);
	while (intervals > 0) {
		length = lengths[(unsigned int)(erand48(state) * nr_lengths)];
		count(counts, length);
		write_slice(replicates, n3t_rotation_next(&rotation, &plan), counts);
		ns += length;
		if (ns < interval_ns)
			continue;
		print(replicates);
		ns -= interval_ns;
		intervals--;
	}
}

int main(int argc, char **argv)
{
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);
	struct n3t_anchors anchors = { .automatic = true };
	struct n3t_replicates *replicates;
	u32 seed;

	if (argc != 6)
		die("usage: see the head of replicates_eval.c");
	seed = strtoul(argv[2], NULL, 10);
	noise = strtod(argv[3], NULL);
	bitmap_fill(groups, N3T_NR_GROUPS);
	if (n3t_spec_init() || n3t_formula_init() ||
	    n3t_plan_make(&plan, atoi(argv[1]), groups, &anchors, NULL))
		die("no plan");
	find_places();
	replicates = allocate(1, n3t_replicates_bytes(&plan));
	n3t_replicates_init(replicates, &plan, seed);
	state[0] = seed;
	state[1] = seed >> 16;
	read_work();
	sample(replicates, seed, strtod(argv[4], NULL), atoi(argv[5]));
	free(replicates);
	free(lengths);
	free(phases);
	return 0;
}
