/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Functions of programs that read slices from lines of words and numbers. */
#ifndef _N3T_EVAL_H
#define _N3T_EVAL_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libn3t/formula.h"
#include "libn3t/plan.h"
#include "libn3t/slices.h"
#include "libn3t/spec.h"

#define EVAL_LINE_SIZE	16384
#define EVAL_SEPARATORS	"\n "

static inline void die(const char *what)
{
	fprintf(stderr, "%s\n", what);
	exit(2);
}

static inline unsigned int metric_by_name(const char *name)
{
	unsigned int i;

	for (i = 0; i < N3T_NR_METRICS; i++)
		if (!strcmp(n3t_metrics[i].name, name))
			return i;
	fprintf(stderr, "no metric %s\n", name);
	exit(2);
}

/* Of the line that strtok() has begun. */
static inline u64 next_number(void)
{
	char *word = strtok(NULL, EVAL_SEPARATORS);

	if (!word)
		die("a number is missing");
	return strtoull(word, NULL, 10);
}

/* Of groups separated by commas; "all" are those of the specification. */
static inline void make_plan(struct n3t_plan *plan, unsigned int budget, char *names,
			     const struct n3t_anchors *anchors)
{
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);
	unsigned int i;
	char *name;

	bitmap_zero(groups, N3T_NR_GROUPS);
	for (name = strtok(names, ","); name; name = strtok(NULL, ","))
		for (i = 0; i < N3T_NR_GROUPS; i++)
			if (strcmp(name, "all") ? !strcmp(name, n3t_groups[i].name) :
						  n3t_groups[i].stage != 0)
				__set_bit(i, groups);
	if (n3t_plan_make(plan, budget, groups, anchors, NULL))
		die("no plan");
}

/* A line "set" with the events of each set, a line "home" with the set of each metric. */
static inline void print_sets(const struct n3t_plan *plan)
{
	unsigned int i, k;

	for (i = 0; i < plan->nr_sets; i++) {
		printf("set");
		for (k = 0; k < plan->set[i].nr; k++)
			printf(" %s",
			       n3t_events[n3t_event_by_code(plan->set[i].code[k])].name);
		printf("\n");
	}
	for (i = 0; i < N3T_NR_METRICS; i++)
		printf("home %s %d\n", n3t_metrics[i].name, plan->set_of[i]);
}

/* Reads END_NS TIME_NS SET CYCLES COUNT... into the slice of the ring to be written. */
static inline struct n3t_slice *read_kept_slice(struct n3t_ring *ring, const struct n3t_plan *plan)
{
	struct n3t_slice *slice = n3t_ring_begin(ring);
	unsigned int i;

	slice->end_ns = next_number();
	slice->time_ns = next_number();
	slice->set = next_number();
	slice->state = N3T_SLICE_KEPT;
	if (slice->set >= plan->nr_sets)
		die("no such set");
	slice->cycles = next_number();
	for (i = 0; i < plan->set[slice->set].nr; i++)
		slice->count[i] = next_number();
	return slice;
}

#endif /* _N3T_EVAL_H */
