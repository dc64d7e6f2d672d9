// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Slices and totals of a CPU with the default anchors, for totals_test.py.
 *
 *	totals_eval slices BUDGET GROUPS SEED SLICE_MS MAX_COST
 *		prints a line "set" with the events of each set and a line "home" with the set
 *		of each metric, then reads lines
 *			BUSY_NS IDLE_NS COST_NS
 *		of a CPU that is busy, then idle, and prints a line
 *			slice END_NS SET
 *		for each slice, whose length follows from its cost. Idle CPUs are not woken to
 *		end a slice.
 *	totals_eval totals BUDGET GROUPS START
 *		reads lines
 *			s END_NS TIME_NS SET CYCLES COUNT...	a kept slice
 *			r					the run ends, another starts
 *		and prints a line "KEY NUMBER" for each total that is counted. All totals
 *		begin at START.
 *
 * GROUPS are names separated by commas, or "all".
 */
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include "eval.h"
#include "libn3t/pace.h"
#include "libn3t/totals.h"

#define RING_SLICES	512
#define START_NS	NSEC_PER_SEC

static const char * const part_keys[] = { "numerator", "denominator", "subtrahend" };

static const struct n3t_anchors automatic = { .automatic = true };
static struct n3t_plan plan;

/* slices */

struct sampler {
	struct n3t_rotation rotation;
	struct n3t_pace pace;
	unsigned int slice_ms;
	unsigned int max_cost;
	unsigned int now_ms;
	u64 due_ns;
};

static void end_slice(struct sampler *sampler, u64 now_ns, u64 cost_ns)
{
	struct n3t_pace *pace = &sampler->pace;

	printf("slice %llu %u\n", (unsigned long long)now_ns,
	       n3t_rotation_next(&sampler->rotation, &plan));
	if (n3t_pace_add(pace, cost_ns, now_ns)) {
		n3t_pace_update(pace, now_ns);
		pace->slice_ns = max(pace->typical >> N3T_PACE_SHIFT, 1ull);
		sampler->now_ms = n3t_pace_slice_ms(pace, sampler->slice_ms, sampler->max_cost,
						    sampler->now_ms);
	}
	sampler->due_ns = now_ns + sampler->now_ms * NSEC_PER_MSEC;
}

static void take_slices(struct sampler *sampler)
{
	static char line[EVAL_LINE_SIZE];
	u64 begin_ns = START_NS, end_ns, idle_ns, cost_ns;
	char *word;

	n3t_pace_start(&sampler->pace, START_NS);
	sampler->now_ms = sampler->slice_ms;
	sampler->due_ns = START_NS + sampler->now_ms * NSEC_PER_MSEC;
	while (fgets(line, sizeof(line), stdin)) {
		word = strtok(line, EVAL_SEPARATORS);
		end_ns = begin_ns + (word ? strtoull(word, NULL, 10) : 0);
		idle_ns = next_number();
		cost_ns = next_number();
		while (max(sampler->due_ns, begin_ns) < end_ns)
			end_slice(sampler, max(sampler->due_ns, begin_ns), cost_ns);
		begin_ns = end_ns + idle_ns;
	}
}

/* totals */

static struct n3t_totals totals;
static struct n3t_times times;
static struct n3t_ring ring;

static void begin_run(u64 now_ns)
{
	n3t_ring_init(&ring, malloc(n3t_ring_bytes(&plan, RING_SLICES)), &plan, RING_SLICES);
	n3t_times_change(&times, NULL, NULL, N3T_TIME_SAMPLED, now_ns);
}

static void end_run(void)
{
	struct n3t_ring_span span;

	n3t_ring_span(&ring, &span);
	n3t_totals_add(&totals, &plan, &ring);
	n3t_times_change(&times, &plan, &ring, N3T_TIME_OFF, span.end_ns);
	free(ring.slices);
}

static void begin_totals(u64 start)
{
	unsigned int i;

	for (i = 0; i < N3T_NR_SLOTS; i++)
		totals.slots[i] = start;
	for (i = 0; i < N3T_NR_METRICS * N3T_NR_PARTS; i++)
		totals.part[i / N3T_NR_PARTS][i % N3T_NR_PARTS] = start;
	for (i = 0; i < N3T_NR_TIMES; i++)
		times.ns[i] = start;
	times.cycles = start;
	times.use = N3T_TIME_OFF;
	begin_run(START_NS);
}

static void read_runs(void)
{
	static char line[EVAL_LINE_SIZE];
	u64 now_ns = START_NS;
	char *word;

	while (fgets(line, sizeof(line), stdin)) {
		word = strtok(line, EVAL_SEPARATORS);
		if (word && *word == 'r') {
			end_run();
			begin_run(now_ns);
			continue;
		}
		now_ns = read_kept_slice(&ring, &plan)->end_ns;
		n3t_ring_commit(&ring);
	}
	end_run();
}

static void print_total(const char *key, u64 total)
{
	printf("%s %llu\n", key, (unsigned long long)total);
}

static void print_totals(void)
{
	static const char * const slots_keys[N3T_NR_SLOTS] = {
		"slots", "stall_slots", "frontend_stall_slots", "backend_stall_slots",
		"frontend_flush_slots", "ops_retired", "ops_speculated",
	};
	unsigned int i, k;

	for (i = 0; i < N3T_NR_SLOTS; i++)
		if (totals.has_slots & 1u << i)
			print_total(slots_keys[i], totals.slots[i]);
	for (i = 0; i < N3T_NR_METRICS; i++) {
		for (k = 0; k < N3T_NR_PARTS; k++) {
			if (!test_bit(i * N3T_NR_PARTS + k, totals.has_part))
				continue;
			printf("%s_", n3t_metrics[i].name);
			print_total(part_keys[k], totals.part[i][k]);
		}
	}
	print_total("sampled_ns", times.ns[N3T_TIME_SAMPLED]);
	print_total("dropped_ns", times.ns[N3T_TIME_DROPPED]);
	print_total("cycles", times.cycles);
}

int main(int argc, char **argv)
{
	if (argc < 5 || n3t_spec_init() || n3t_formula_init())
		return 2;
	make_plan(&plan, atoi(argv[2]), argv[3], &automatic);
	if (argc == 7 && !strcmp(argv[1], "slices")) {
		struct sampler sampler = {
			.slice_ms = atoi(argv[5]),
			.max_cost = atoi(argv[6]),
		};

		print_sets(&plan);
		n3t_rotation_init(&sampler.rotation, &plan, strtoul(argv[4], NULL, 10));
		take_slices(&sampler);
	} else if (argc == 5 && !strcmp(argv[1], "totals")) {
		begin_totals(strtoull(argv[4], NULL, 10));
		read_runs();
		print_totals();
	} else {
		die("usage: see the head of totals_eval.c");
	}
	return 0;
}
